/*
 * Barriers. If no more threads ever come than the barrier waits for, nobody can tell in which order they come: then their coming
 * is no event, and going on is as joining all the others. Which of them is the one that is told so (the "serial thread") is a
 * choice, among those who look at it; or it is one of the others, and nobody can tell which.
 *
 * A barrier that more threads use is *crowded*: it matters who comes first. Then a lock guards who has come, and the
 * last one wakes the others. This is found out as shared memory is, and the search starts again with that knowledge.
 */
#include "runtime/hooks.h"
#include "runtime/libc/wrappers.h"
#include "runtime/memory/shadow.h"
#include "runtime/predict.h"
#include "runtime/sync/sync.h"

#include <errno.h>

enum { CROWDED = 4, LIMIT = 8 }; /* where in the object: the lock of one that is crowded, how many it waits for */

/* Who has used which barrier in this execution. */
static void forget_uses(uintptr_t b)
{
	size_t n = 0;
	for (size_t i = 0; i < evr_execution.barrier_uses.len; i++)
		if (evr_execution.barrier_uses.data[i].barrier != b)
			evr_execution.barrier_uses.data[n++] = evr_execution.barrier_uses.data[i];
	evr_execution.barrier_uses.len = n;
}

/* How many threads have used it, the current one included. */
static unsigned users(uintptr_t b)
{
	unsigned n = 0;
	bool known = false;
	for (size_t i = 0; i < evr_execution.barrier_uses.len; i++) {
		n += evr_execution.barrier_uses.data[i].barrier == b;
		known |= evr_execution.barrier_uses.data[i].barrier == b &&
			 evr_execution.barrier_uses.data[i].thread == evr_current->id;
	}
	if (!known)
		evr_vec_push(&evr_execution.barrier_uses, (struct evr_barrier_use){ b, evr_current->id });
	return n + !known;
}

/* The threads that wait here now. */
static unsigned arrived(uintptr_t b, struct evr_thread **threads)
{
	unsigned n = 0;
	for (unsigned i = 0; i < evr_rt.world.threads; i++)
		if (evr_rt.threads[i]->state != EVR_UNUSED && evr_rt.threads[i]->queue == b)
			threads[n++] = evr_rt.threads[i];
	return n;
}

void evr_barrier_describe(struct evr_strbuf *out, const struct evr_thread *t)
{
	struct evr_thread *threads[EVR_MAX_THREADS];
	evr_strbuf_puts(out, "barrier ");
	evr_name_address(out, t->queue, sizeof(pthread_barrier_t));
	evr_strbuf_printf(out, ", which %u of %u threads have reached", arrived(t->queue, threads),
			  evr_sync_load(t->queue + LIMIT));
}

static void join(const struct evr_thread *t, const struct evr_thread *other)
{
	if (t != other)
		evr_trace_record(&evr_rt.world.trace, t->id, EVR_JOIN, t->site, other->id);
}

static void park(void)
{
	evr_current->state = EVR_PARKED;
	evr_yield();
}

static unsigned choose_serial(struct evr_thread *const *threads, unsigned n)
{
	unsigned asking = 0;
	for (unsigned i = 0; i < n; i++)
		asking += threads[i]->asks_serial;
	return asking ? evr_choose(asking + (asking < n), evr_current->site) : 0;
}

/* The first of those who have come lets the others go, once it is known who is the serial one. */
static void let_go(uintptr_t b)
{
	struct evr_thread *threads[EVR_MAX_THREADS];
	unsigned n = arrived(b, threads), serial = choose_serial(threads, n);
	for (unsigned i = 0; i < n; i++) {
		threads[i]->serial = threads[i]->asks_serial && !serial--;
		evr_thread_leave_queue(threads[i]);
		if (threads[i] == evr_current)
			continue;
		join(threads[i], evr_current);
		evr_thread_wake(threads[i]);
	}
}

static void meet(uintptr_t b, uint32_t limit, bool asked)
{
	struct evr_thread *t = evr_current, *threads[EVR_MAX_THREADS];
	threads[0] = t;
	t->queue = b;
	t->asks_serial = asked;
	unsigned n = arrived(b, threads);
	if (n == limit) {
		for (unsigned i = 0; i < n; i++)
			for (unsigned k = 0; k < n; k++)
				join(threads[i], threads[k]);
		if (threads[0] != t)
			evr_thread_wake(threads[0]);
	}
	if (n < limit || threads[0] != t)
		park();
	/* Whoever was let go has nothing left to do. */
	if (t->queue)
		let_go(b);
}

/* As with a condition variable, but that the last to come does not wait. */
static void meet_crowded(uintptr_t b, uint32_t limit, const struct evr_site *site)
{
	struct evr_thread *t = evr_current, *threads[EVR_MAX_THREADS];
	evr_wake_prepare(site);
	evr_lock_event(EVR_LOCK, EVR_LOCK_BARRIER, b + CROWDED, 0, site);
	t->queue = b;
	t->queue_lock = EVR_LOCK_BARRIER;
	unsigned n = arrived(b, threads);
	bool last = n == limit;
	for (unsigned i = 0; last && i < n; i++)
		evr_thread_leave_queue(threads[i]);
	evr_lock_event(EVR_UNLOCK, EVR_LOCK_BARRIER, b + CROWDED, evr_waiters(b, site), site);
	t->serial = last;
	if (!last)
		evr_sleep(site);
	for (unsigned i = 0; last && i < n; i++)
		if (threads[i] != t)
			evr_wake(threads[i], site);
}

static int wait(uintptr_t b, bool asked, const struct evr_site *site)
{
	/* Whoever uses it reads it, so that to give back its memory is seen to matter. */
	uint32_t limit = (uint32_t)evr_access_load(b + LIMIT, sizeof(limit), site);
	if (!limit)
		evr_misuse(site, EVR_LOCK_BARRIER, b + CROWDED, "wait at the %s, which was destroyed");
	evr_current->site = site;
	evr_drain(site);
	if (users(b) > limit && !evr_shadow_shared(b + CROWDED, sizeof(uint32_t))) {
		evr_shadow_share(b + CROWDED, sizeof(uint32_t));
		evr_execution.stop = true;
		park();
	}
	if (evr_shadow_shared(b + CROWDED, sizeof(uint32_t)) || evr_robust_wanted() || evr_predict_wanted())
		meet_crowded(b, limit, site);
	else
		meet(b, limit, asked);
	return evr_current->serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

int evr_libc_pthread_barrier_wait(pthread_barrier_t *barrier)
{
	return wait((uintptr_t)barrier, true, evr_call_site);
}

void evr_barrier_pass(void *barrier, void *site)
{
	wait((uintptr_t)barrier, false, site);
}

int evr_libc_pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr, unsigned count)
{
	const struct evr_site *site = evr_call_site;
	pthread_barrierattr_t copy;
	if (attr)
		evr_access_read(&copy, attr, sizeof(copy), site);
	if (!count)
		return EINVAL;
	evr_lock_event(EVR_MUTEX_INIT, EVR_LOCK_BARRIER, (uintptr_t)barrier + CROWDED, 0, site);
	evr_access_store((uintptr_t)barrier + LIMIT, sizeof(uint32_t), count, site);
	forget_uses((uintptr_t)barrier);
	return 0;
}

int evr_libc_pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	const struct evr_site *site = evr_call_site;
	struct evr_thread *threads[EVR_MAX_THREADS];
	uintptr_t b = (uintptr_t)barrier;
	evr_access_store(b + LIMIT, sizeof(uint32_t), 0, site);
	/* Who has come is known when nobody can come any more. */
	evr_drain(site);
	if (arrived(b, threads))
		evr_misuse(site, EVR_LOCK_BARRIER, b + CROWDED, "destruction of the %s, on which threads wait");
	forget_uses(b);
	return 0;
}
