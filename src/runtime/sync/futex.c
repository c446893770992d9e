/*
 * Futexes: the system calls with which programs build locks of their own. A wait compares the word and goes to sleep in one step; a
 * wake-up wakes up to as many as it says of those who wait, and each choice of them in some execution.
 *
 * As in cond.c, a lock guards who waits, and there is one for each word that is used so. It is not in the word, which is all the
 * program's, but here, and orders the calls as the kernel's locks do.
 */
#include "runtime/libc/libc.h"
#include "runtime/memory/shadow.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <linux/futex.h>

#define FUTEXES 4096

/* One for each word that is a futex in any execution; beside it, which word that is. */
static EVR_MEMORY struct evr_mutex locks[FUTEXES];
static EVR_LASTING uintptr_t words[FUTEXES];

uintptr_t evr_futex_word(uintptr_t lock)
{
	return words[(struct evr_mutex *)lock - locks];
}

static uintptr_t lock_of(uintptr_t word, const struct evr_site *site)
{
	for (size_t i = 0; i < FUTEXES; i++) {
		size_t k = (evr_hash64(word) + i) % FUTEXES;
		if (words[k] && words[k] != word)
			continue;
		if (!words[k]) {
			words[k] = word;
			evr_shadow_global((uintptr_t)&locks[k], sizeof(locks[k]), false);
		}
		return (uintptr_t)&locks[k];
	}
	evr_unsupported(site, "more than %d futexes", FUTEXES);
}

static void enter(uintptr_t lock, const struct evr_site *site)
{
	evr_lock_event(EVR_LOCK, EVR_LOCK_FUTEX, lock, 0, site);
}

static void leave(uintptr_t lock, const struct evr_site *site)
{
	evr_lock_event(EVR_UNLOCK, EVR_LOCK_FUTEX, lock, evr_waiters(lock, site), site);
}

static int fail(int error)
{
	errno = error;
	return -1;
}

static int wait(const struct evr_futex_call *c, const struct evr_site *site)
{
	uintptr_t lock = lock_of(c->word, site);
	bool timed = c->timeout;
	int status = timed ? evr_check_time(c->timeout, site) : 0;
	if (status)
		return fail(status);
	evr_wake_prepare(site);
	enter(lock, site);
	bool same = (uint32_t)evr_access_load(c->word, sizeof(uint32_t), evr_atomic_site(site)) == c->value;
	if (!same || evr_wait_ends_early(timed, site, &status)) {
		/* As if it had never been on the list: until then, nobody could have told. */
		leave(lock, site);
		status = same ? status : EAGAIN;
		return status ? fail(status) : 0;
	}
	evr_current->queue = lock;
	evr_current->queue_lock = EVR_LOCK_FUTEX;
	leave(lock, site);
	evr_current->tries = timed;
	evr_sleep(site);
	evr_current->tries = false;
	return 0;
}

static unsigned waiting(uintptr_t lock, struct evr_thread **threads)
{
	unsigned n = 0;
	for (unsigned i = 0; i < evr_rt.world.threads; i++)
		if (evr_rt.threads[i]->state != EVR_UNUSED && evr_rt.threads[i]->queue == lock)
			threads[n++] = evr_rt.threads[i];
	return n;
}

/* Up to `most` of them, and at least one, as the kernel does it. */
static int wake(const struct evr_futex_call *c, const struct evr_site *site)
{
	struct evr_thread *threads[EVR_MAX_THREADS];
	uintptr_t lock = lock_of(c->word, site);
	unsigned most = (int)c->value < 1 ? 1 : c->value, from = 0;
	enter(lock, site);
	unsigned n = waiting(lock, threads), woken = n < most ? n : most;
	/* In their order, so that no set of them comes twice. */
	for (unsigned i = 0; i < woken; i++) {
		from += evr_choose(n - (woken - i) - from + 1, site);
		threads[i] = threads[from++];
		evr_thread_leave_queue(threads[i]);
	}
	leave(lock, site);
	for (unsigned i = 0; i < woken; i++)
		evr_wake(threads[i], site);
	return (int)woken;
}

long evr_futex(const struct evr_futex_call *c, const struct evr_site *site)
{
	int operation = c->operation & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
	bool bits = operation == FUTEX_WAIT_BITSET || operation == FUTEX_WAKE_BITSET;
	if (c->word % sizeof(uint32_t) || (bits && !c->bits))
		return fail(EINVAL);
	if (bits && c->bits != FUTEX_BITSET_MATCH_ANY)
		evr_unsupported(site, "futex: waiting for some bits only is not supported");
	switch (operation) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return wait(c, site);
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		return wake(c, site);
	default:
		evr_unsupported(site, "futex: operation %d is not supported", operation);
	}
}
