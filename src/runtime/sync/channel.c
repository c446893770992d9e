/*
 * Channels, out of two locks as semaphores are: one guards what is in it, the other is taken while there is nothing to read, or while a
 * thread that was let through is about to read. Who has to wait for room, or for one of several channels, sleeps as at a
 * condition variable, looks again when anything has happened to the channel, and sleeps again.
 *
 * Invariant: while nobody holds the guard, the other lock is free if and only if the channel can be read (it is not empty, or has no
 * writer left), and nobody was let through.
 */
#include "runtime/sync/channel.h"

#include "runtime/libc/libc.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

enum { EMPTY = 4 }; /* where the other lock is */

#define MOST_COUNT (UINT64_MAX - 1)

static int fail(int error)
{
	errno = error;
	return -1;
}

/* ---- locks ---- */

/* All that there is to know of the channel, for engines that compare values and threads that wait in loops. */
static uint64_t digest(const struct evr_channel *c)
{
	uint64_t d = evr_hash_bytes(c->data ? c->data : "", c->len);
	d = evr_hash64(d ^ c->count) + c->readers;
	return evr_hash64(d) + c->writers;
}

static void enter(struct evr_channel *c, const struct evr_site *site)
{
	evr_lock_event(EVR_LOCK, EVR_LOCK_CHANNEL, c->lock, 0, site);
	if (EVR_UNLIKELY(evr_rt.world.knowledge.waits))
		evr_history_add(&evr_rt.world.history[evr_current->id], digest(c));
}

static void leave(struct evr_channel *c, const struct evr_site *site)
{
	evr_value waiters = evr_waiters(c->lock, site);
	for (size_t i = 0; i < c->polled.len; i++)
		waiters |= (evr_value)1 << (c->polled.data[i] % 124);
	evr_lock_event(EVR_UNLOCK, EVR_LOCK_CHANNEL, c->lock, waiters << 64 | digest(c), site);
}

static int empty(unsigned kind, struct evr_channel *c, const struct evr_site *site)
{
	return evr_lock_event(kind, EVR_LOCK_CHANNEL_EMPTY, c->lock + EMPTY, 0, site);
}

static uintptr_t poll_lock(const struct evr_thread *t)
{
	return (uintptr_t)&evr_library.polls[t->id];
}

static void poll_event(unsigned kind, const struct evr_thread *t, const struct evr_site *site)
{
	evr_lock_event(kind, EVR_LOCK_POLL, poll_lock(t), t->queue == poll_lock(t), site);
}

void evr_channel_name(struct evr_strbuf *out, unsigned lock, uintptr_t address)
{
	uintptr_t own = address - evr_lock_kinds[lock].offset;
	for (size_t i = 0; i < evr_execution.channels.len; i++)
		if (evr_execution.channels.data[i]->lock == own)
			evr_strbuf_printf(out, "%d", evr_execution.channels.data[i]->fd);
	if (lock == EVR_LOCK_POLL)
		evr_strbuf_printf(out, "%zu", (address - (uintptr_t)evr_library.polls) / sizeof(evr_library.polls[0]));
}

/* ---- beginning and end ---- */

struct evr_channel *evr_channel_new(int fd, size_t most, const struct evr_site *site)
{
	struct evr_channel *c = evr_alloc(sizeof(*c));
	evr_thread_id id = evr_current->id;
	size_t place = 0;
	for (size_t i = 0; i < evr_execution.channels.len; i++)
		place += evr_execution.channels.data[i]->maker == id;
	if (place >= EVR_CHANNELS)
		evr_unsupported(site, "more than %d pipes, sockets and eventfds of one thread", EVR_CHANNELS);
	/* Its place must not depend on what other threads have made. */
	c->lock = (uintptr_t)evr_library.channels[id][place];
	c->fd = fd;
	c->maker = id;
	c->most = most;
	c->readers = c->writers = 1;
	evr_vec_push(&evr_execution.channels, c);
	evr_current->effects++;
	empty(EVR_LOCK, c, site);
	return c;
}

void evr_channels_release(void)
{
	for (size_t i = 0; i < evr_execution.channels.len; i++) {
		struct evr_channel *c = evr_execution.channels.data[i];
		evr_vec_release(&c->polled);
		free(c->data);
		free(c);
	}
}

/* ---- who sleeps ---- */

struct sleepers {
	struct evr_thread *threads[EVR_MAX_THREADS], *polling[EVR_MAX_THREADS];
	unsigned n, polls;
};

/* Something has happened to the channel: those who sleep here are to look again. The guard is held. */
static void collect(struct evr_channel *c, struct sleepers *s)
{
	s->n = s->polls = 0;
	evr_current->effects++;
	for (unsigned i = 0; i < evr_rt.world.threads; i++) {
		struct evr_thread *t = evr_rt.threads[i];
		if (t->state == EVR_UNUSED || t->queue != c->lock)
			continue;
		evr_thread_leave_queue(t);
		s->threads[s->n++] = t;
	}
	for (size_t i = 0; i < c->polled.len; i++)
		s->polling[s->polls++] = evr_rt.threads[c->polled.data[i]];
}

/* Of several channels that a thread polls, one wakes it. */
static void wake(const struct sleepers *s, const struct evr_site *site)
{
	for (unsigned i = 0; i < s->n; i++)
		evr_wake(s->threads[i], site);
	for (unsigned i = 0; i < s->polls; i++) {
		struct evr_thread *t = s->polling[i];
		poll_event(EVR_LOCK, t, site);
		bool sleeps = t->queue == poll_lock(t);
		if (sleeps)
			evr_thread_leave_queue(t);
		poll_event(EVR_UNLOCK, t, site);
		if (sleeps)
			evr_wake(t, site);
	}
}

/* The guard is held before and after. */
static void sleep_here(struct evr_channel *c, const struct evr_site *site)
{
	evr_current->queue = c->lock;
	evr_current->queue_lock = EVR_LOCK_CHANNEL;
	leave(c, site);
	evr_sleep(site);
	enter(c, site);
}

static void leave_changed(struct evr_channel *c, const struct evr_site *site)
{
	struct sleepers s;
	collect(c, &s);
	leave(c, site);
	wake(&s, site);
}

/* ---- reading ---- */

static bool is_readable(const struct evr_channel *c)
{
	return c->len || c->count || !c->writers;
}

static void take_bytes(struct evr_channel *c, struct evr_text *to, size_t n)
{
	n = n < c->len ? n : c->len;
	evr_text_add(to, c->data, n);
	memmove(c->data, c->data + n, c->len - n);
	c->len -= n;
}

static void take_count(struct evr_channel *c, struct evr_text *to)
{
	uint64_t taken = c->by_one ? 1 : c->count;
	c->count -= taken;
	evr_text_add(to, (const char *)&taken, sizeof(taken));
}

ssize_t evr_channel_read(struct evr_channel *c, struct evr_text *to, size_t n, bool wait, const struct evr_site *site)
{
	if (c->counts && n < sizeof(uint64_t))
		return fail(EINVAL);
	if (!n)
		return 0;
	if (wait)
		empty(EVR_LOCK, c, site);
	enter(c, site);
	if (!wait && !is_readable(c)) {
		leave(c, site);
		return fail(EAGAIN);
	}
	/* Somebody is about to read it: there are executions in which that has happened, or is yet to begin. */
	if (!wait && empty(EVR_TRYLOCK, c, site))
		evr_give_up(site);
	bool end = !c->len && !c->count;
	if (c->counts)
		take_count(c, to);
	else if (!end)
		take_bytes(c, to, n);
	if (is_readable(c))
		empty(EVR_UNLOCK, c, site);
	if (end)
		leave(c, site);
	else
		leave_changed(c, site);
	return (ssize_t)to->len;
}

/* ---- writing ---- */

/* The guard is held before and after. False, with errno: without waiting, or without readers, there will be no room. */
static bool wait_for_room(struct evr_channel *c, bool (*has_room)(const struct evr_channel *, uint64_t), uint64_t need,
			  bool wait, const struct evr_site *site)
{
	if (wait && c->readers && !has_room(c, need)) {
		/* To be able to sleep has to be said before. */
		leave(c, site);
		evr_wake_prepare(site);
		enter(c, site);
	}
	while (wait && c->readers && !has_room(c, need))
		sleep_here(c, site);
	errno = c->readers ? EAGAIN : EPIPE;
	return c->readers && has_room(c, need);
}

static bool has_bytes(const struct evr_channel *c, uint64_t need)
{
	return c->most - c->len >= need;
}

static bool has_count(const struct evr_channel *c, uint64_t need)
{
	return c->count <= MOST_COUNT - need;
}

static void append(struct evr_channel *c, const char *from, size_t n)
{
	if (c->len + n > c->cap) {
		c->cap = c->cap * 2 > c->len + n ? c->cap * 2 : c->len + n;
		c->data = evr_realloc(c->data, c->cap);
	}
	memcpy(c->data + c->len, from, n);
	c->len += n;
}

/* What is not longer than PIPE_BUF arrives in one piece. */
ssize_t evr_channel_write(struct evr_channel *c, const char *from, size_t n, bool wait, const struct evr_site *site)
{
	size_t done = 0;
	enter(c, site);
	while (done < n) {
		if (!wait_for_room(c, has_bytes, n <= PIPE_BUF ? n : 1, wait, site))
			break;
		size_t room = c->most - c->len, piece = n - done < room ? n - done : room;
		bool was_readable = is_readable(c);
		append(c, from + done, piece);
		done += piece;
		if (!was_readable)
			empty(EVR_UNLOCK, c, site);
		leave_changed(c, site);
		if (done == n)
			return (ssize_t)done;
		enter(c, site);
	}
	int error = errno;
	leave(c, site);
	if (done || !n)
		return (ssize_t)done;
	return fail(error);
}

ssize_t evr_channel_add(struct evr_channel *c, uint64_t count, bool wait, const struct evr_site *site)
{
	if (count == UINT64_MAX)
		return fail(EINVAL);
	enter(c, site);
	if (!wait_for_room(c, has_count, count, wait, site)) {
		int error = errno;
		leave(c, site);
		return fail(error);
	}
	bool was_readable = is_readable(c);
	c->count += count;
	if (!was_readable && c->count)
		empty(EVR_UNLOCK, c, site);
	leave_changed(c, site);
	return sizeof(count);
}

void evr_channel_close(struct evr_channel *c, bool reader, bool writer, const struct evr_site *site)
{
	enter(c, site);
	bool was_readable = is_readable(c);
	c->readers -= reader;
	c->writers -= writer;
	if (!was_readable && is_readable(c))
		empty(EVR_UNLOCK, c, site);
	leave_changed(c, site);
}

/* ---- several at once ---- */

static short look(const struct evr_channel_poll *p)
{
	const struct evr_channel *in = p->in, *out = p->out;
	bool socket = in && out && in != out;
	unsigned found = (unsigned)p->always;
	if (in && (in->len || in->count || (socket && !in->writers)))
		found |= POLLIN | POLLRDNORM;
	if (in && !in->writers)
		found |= socket ? POLLRDHUP | POLLHUP : POLLHUP;
	if (out && !out->readers && !socket)
		found |= POLLERR;
	if (out && (out->counts ? has_count(out, 1) : has_bytes(out, PIPE_BUF)))
		found |= POLLOUT | POLLWRNORM;
	return (short)(found & ((unsigned)p->events | POLLHUP | POLLERR | POLLNVAL));
}

/* In the order of their locks, so that threads which take several do not wait for each other. Each of them once. */
static size_t channels_of(const struct evr_channel_poll *p, size_t n, struct evr_channel **list)
{
	size_t count = 0;
	for (size_t i = 0; i < 2 * n; i++) {
		struct evr_channel *c = i % 2 ? p[i / 2].out : p[i / 2].in;
		size_t k = 0;
		while (c && k < count && list[k]->lock < c->lock)
			k++;
		if (!c || (k < count && list[k] == c))
			continue;
		memmove(&list[k + 1], &list[k], (count - k) * sizeof(*list));
		list[k] = c;
		count++;
	}
	return count;
}

static void forget_poll(struct evr_channel *c)
{
	size_t kept = 0;
	for (size_t i = 0; i < c->polled.len; i++)
		if (c->polled.data[i] != evr_current->id)
			c->polled.data[kept++] = c->polled.data[i];
	c->polled.len = kept;
}

/* All guards are held before and after. */
static void sleep_at(struct evr_channel **list, size_t count, bool timed, const struct evr_site *site)
{
	struct evr_thread *t = evr_current;
	poll_event(EVR_LOCK, t, site);
	t->queue = poll_lock(t);
	t->queue_lock = EVR_LOCK_POLL;
	poll_event(EVR_UNLOCK, t, site);
	for (size_t i = 0; i < count; i++)
		evr_vec_push(&list[i]->polled, t->id);
	for (size_t i = count; i-- > 0;)
		leave(list[i], site);
	t->tries = timed;
	evr_sleep(site);
	t->tries = false;
	for (size_t i = 0; i < count; i++) {
		enter(list[i], site);
		forget_poll(list[i]);
	}
}

int evr_channels_poll(struct evr_channel_poll *p, size_t n, int milliseconds, const struct evr_site *site)
{
	struct evr_channel *list[2 * EVR_POLLED];
	size_t count = channels_of(p, n, list);
	int ready = 0;
	if (milliseconds)
		evr_wake_prepare(site);
	for (size_t i = 0; i < count; i++)
		enter(list[i], site);
	for (bool first = true;; first = false) {
		for (size_t i = 0; i < n; i++)
			ready += (p[i].found = look(&p[i])) != 0;
		/* If its time runs out, nobody can have told that it slept. */
		if (ready || !milliseconds || (first && milliseconds > 0 && evr_choose(2, site)))
			break;
		sleep_at(list, count, milliseconds > 0, site);
	}
	for (size_t i = count; i-- > 0;)
		leave(list[i], site);
	return ready;
}
