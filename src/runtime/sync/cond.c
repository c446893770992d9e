/*
 * Condition variables. One lock guards who waits; each thread has a lock of its own, which it takes twice in order to sleep, and
 * whoever wakes it releases.
 *
 * A signal wakes one of those who wait, and each of them in some execution. A wait with a time limit may end at any time; a
 * wake-up for no reason is explored if it is asked for (--spurious). Both leave the list as if the thread had never
 * been on it: in an execution in which it was, until then, nobody could have told.
 *
 * Invariant: whoever is on the list has taken its own lock once, and is about to take it again or waits for it.
 */
#include "runtime/libc/wrappers.h"
#include "runtime/memory/shadow.h"
#include "runtime/sync/sync.h"

#include <errno.h>

static EVR_MEMORY struct evr_mutex asleep[EVR_MAX_THREADS];

static uintptr_t lock_of(const struct evr_thread *t)
{
	return (uintptr_t)&asleep[t->id];
}

evr_thread_id evr_wake_thread(uintptr_t address)
{
	return (evr_thread_id)((struct evr_mutex *)address - asleep);
}

static int asleep_event(unsigned kind, const struct evr_thread *t, const struct evr_site *site)
{
	struct evr_event *e = evr_event_arrive(kind, lock_of(t), sizeof(uint32_t), site);
	e->lock = EVR_LOCK_WAKE;
	evr_event_wait(true);
	return (int)e->result;
}

/* It is taken from then on, but for a moment, and the next one to take it has to wait. */
void evr_wake_prepare(const struct evr_site *site)
{
	struct evr_thread *t = evr_current;
	if (!evr_shadow_valid(lock_of(t), sizeof(asleep[0])))
		evr_shadow_global(lock_of(t), sizeof(asleep[0]), false);
	if (t->sleeps)
		return;
	t->sleeps = true;
	asleep_event(EVR_LOCK, t, site);
}

void evr_sleep(const struct evr_site *site)
{
	asleep_event(EVR_LOCK, evr_current, site);
}

void evr_wake(struct evr_thread *t, const struct evr_site *site)
{
	asleep_event(EVR_UNLOCK, t, site);
}

bool evr_cond_in_use(uintptr_t cond)
{
	for (unsigned i = 0; i < evr_rt.world.threads; i++)
		if (evr_rt.threads[i]->state != EVR_UNUSED && evr_rt.threads[i]->queue == cond)
			return true;
	return false;
}

#define MOST_VALUES 124

evr_value evr_waiters(uintptr_t object, const struct evr_site *site)
{
	evr_value set = 0;
	for (unsigned i = 0; i < evr_rt.world.threads; i++) {
		const struct evr_thread *t = evr_rt.threads[i];
		if (t->state == EVR_UNUSED || t->queue != object)
			continue;
		if (i >= MOST_VALUES && evr_rt.engine->ops->values_only)
			evr_unsupported(site, "engine %s: thread %u waits, but only the first %u threads can",
					evr_rt.engine->ops->name, i, MOST_VALUES);
		set |= (evr_value)1 << (i % MOST_VALUES);
	}
	return set;
}

static void enter(const void *cond, const struct evr_site *site)
{
	evr_lock_event(EVR_LOCK, EVR_LOCK_COND, (uintptr_t)cond, 0, site);
}

static void leave(const void *cond, const struct evr_site *site)
{
	evr_lock_event(EVR_UNLOCK, EVR_LOCK_COND, (uintptr_t)cond, evr_waiters((uintptr_t)cond, site), site);
}

static void mutex_event(unsigned kind, const void *mutex, const struct evr_site *site)
{
	evr_lock_event(kind, EVR_LOCK_MUTEX, (uintptr_t)mutex, 0, site);
}

/* Whoever waits must hold the mutex, which only one that checks is required to notice. */
static int check_mutex(const void *mutex, const struct evr_site *site)
{
	uintptr_t m = (uintptr_t)mutex;
	if (!evr_shadow_sound(m, sizeof(struct evr_mutex)) || evr_mutex_held_by(evr_mutex_at(m), evr_current->id))
		return 0;
	if (evr_mutex_at(m)->kind != EVR_MUTEX_ERRORCHECK)
		evr_misuse(site, EVR_LOCK_MUTEX, m, "the thread waits for a condition without holding the %s");
	return EPERM;
}

bool evr_wait_ends_early(bool timed, const struct evr_site *site, int *status)
{
	struct evr_thread *t = evr_current;
	bool spurious = t->wakeups < evr_rt.config.spurious;
	unsigned ways = 1u + timed + spurious, way = evr_choose(ways, site);
	*status = timed && way == 1 ? ETIMEDOUT : 0;
	t->wakeups += way == 1u + timed;
	return way;
}

static int wait(const void *cond, const void *mutex, bool timed, const struct evr_site *site)
{
	int status = check_mutex(mutex, site);
	if (status)
		return status;
	if (evr_wait_ends_early(timed, site, &status)) {
		/* Nothing else shows that the condition variable is used. */
		enter(cond, site);
		leave(cond, site);
		mutex_event(EVR_UNLOCK, mutex, site);
	} else {
		evr_wake_prepare(site);
		enter(cond, site);
		evr_current->queue = (uintptr_t)cond;
		evr_current->queue_lock = EVR_LOCK_COND;
		leave(cond, site);
		mutex_event(EVR_UNLOCK, mutex, site);
		/* If nobody wakes it, its time runs out in the end: it does so in other executions, and this is no deadlock. */
		evr_current->tries = timed;
		evr_sleep(site);
		evr_current->tries = false;
	}
	mutex_event(EVR_LOCK, mutex, site);
	return status;
}

/* The k-th of those who wait. */
static struct evr_thread *waiter(const void *cond, unsigned k)
{
	for (unsigned i = 0; i < evr_rt.world.threads; i++) {
		struct evr_thread *t = evr_rt.threads[i];
		if (t->state != EVR_UNUSED && t->queue == (uintptr_t)cond && k-- == 0)
			return t;
	}
	return NULL;
}

int evr_libc_pthread_cond_signal(pthread_cond_t *cond)
{
	const struct evr_site *site = evr_call_site;
	unsigned n = 0;
	struct evr_thread *t = NULL;
	enter(cond, site);
	while (waiter(cond, n))
		n++;
	if (n) {
		t = waiter(cond, evr_choose(n, site));
		evr_thread_leave_queue(t);
	}
	leave(cond, site);
	if (t)
		evr_wake(t, site);
	return 0;
}

int evr_libc_pthread_cond_broadcast(pthread_cond_t *cond)
{
	const struct evr_site *site = evr_call_site;
	struct evr_thread *woken[EVR_MAX_THREADS];
	unsigned n = 0;
	enter(cond, site);
	while ((woken[n] = waiter(cond, 0)))
		evr_thread_leave_queue(woken[n++]);
	leave(cond, site);
	for (unsigned i = 0; i < n; i++)
		evr_wake(woken[i], site);
	return 0;
}

int evr_libc_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	return wait(cond, mutex, false, evr_call_site);
}

int evr_libc_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until)
{
	const struct evr_site *site = evr_call_site;
	int error = evr_check_time(until, site);
	return error ? error : wait(cond, mutex, true, site);
}

int evr_libc_pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
				    const struct timespec *until)
{
	int error = evr_check_clock(clock);
	return error ? error : evr_libc_pthread_cond_timedwait(cond, mutex, until);
}

int evr_libc_pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr)
{
	const struct evr_site *site = evr_call_site;
	if (attr) {
		pthread_condattr_t copy;
		evr_access_read(&copy, attr, sizeof(copy), site);
	}
	evr_lock_event(EVR_MUTEX_INIT, EVR_LOCK_COND, (uintptr_t)cond, 0, site);
	return 0;
}

int evr_libc_pthread_cond_destroy(pthread_cond_t *cond)
{
	return evr_lock_event(EVR_MUTEX_DESTROY, EVR_LOCK_COND, (uintptr_t)cond, 0, evr_call_site);
}
