/*
 * Readers-writer locks: one lock is taken by a writer, or by the first of the readers for all of them, and released by the last;
 * another one guards their number, also while the first of them waits. A reader need not wait for a writer that
 * waits, which is what the C library does unless it is told otherwise. To release the one lock is the last thing that is done:
 * whoever takes it next may destroy the object.
 */
#include "runtime/libc/wrappers.h"
#include "runtime/memory/shadow.h"
#include "runtime/sync/sync.h"

#include <errno.h>

enum { TAKEN = 4, READERS = 8, WRITER = 12 }; /* where in the object */

static int inner(unsigned kind, uintptr_t rwlock, const struct evr_site *site)
{
	evr_value left = kind == EVR_UNLOCK ? evr_sync_load(rwlock + READERS) : 0;
	return evr_lock_event(kind, EVR_LOCK_RWLOCK, rwlock, left, site);
}

static int taken(unsigned kind, unsigned lock, uintptr_t rwlock, const struct evr_site *site)
{
	return evr_lock_event(kind, lock, rwlock + TAKEN, 0, site);
}

const struct evr_site *evr_rwlock_held(const struct evr_thread *t, uintptr_t rwlock)
{
	for (size_t i = t->rwlocks.len; i-- > 0;)
		if (t->rwlocks.data[i].address == rwlock)
			return t->rwlocks.data[i].site;
	return NULL;
}

static void note_held(uintptr_t rwlock, const struct evr_site *site)
{
	evr_vec_push(&evr_current->rwlocks, (struct evr_held){ rwlock, site });
}

static bool note_released(uintptr_t rwlock)
{
	struct evr_thread *t = evr_current;
	size_t i = t->rwlocks.len;
	while (i > 0 && t->rwlocks.data[i - 1].address != rwlock)
		i--;
	if (!i)
		return false;
	for (; i < t->rwlocks.len; i++)
		t->rwlocks.data[i - 1] = t->rwlocks.data[i];
	t->rwlocks.len--;
	return true;
}

static bool is_writer(uintptr_t rwlock)
{
	return evr_rwlock_held(evr_current, rwlock) && evr_sync_load(rwlock + WRITER) == evr_current->id + 1u;
}

/* EVR_LOCK waits; EVR_TRYLOCK and EVR_TIMEDLOCK do not. */
static int lock_to_read(pthread_rwlock_t *object, unsigned how, const struct evr_site *site)
{
	uintptr_t rwlock = (uintptr_t)object;
	int status = 0;
	if (is_writer(rwlock))
		return how == EVR_TRYLOCK ? EBUSY : EDEADLK;
	/* If the first reader keeps it, because it waits for a writer: there are executions in which this comes before. */
	evr_current->tries = how != EVR_LOCK;
	inner(EVR_LOCK, rwlock, site);
	evr_current->tries = false;
	uint32_t readers = evr_sync_load(rwlock + READERS);
	if (!readers)
		status = taken(how, EVR_LOCK_RWLOCK_READERS, rwlock, site);
	/* The last of the readers is about to leave: there are executions in which it has left, or is yet to begin. */
	if (status && evr_current->holder == EVR_NOBODY)
		evr_give_up(site);
	if (!status) {
		evr_sync_store(rwlock + READERS, readers + 1);
		note_held(rwlock, site);
	}
	inner(EVR_UNLOCK, rwlock, site);
	return status;
}

static int lock_to_write(pthread_rwlock_t *object, unsigned how, const struct evr_site *site)
{
	uintptr_t rwlock = (uintptr_t)object;
	if (is_writer(rwlock))
		return how == EVR_TRYLOCK ? EBUSY : EDEADLK;
	int status = taken(how, EVR_LOCK_RWLOCK_WRITER, rwlock, site);
	if (!status) {
		evr_sync_store(rwlock + WRITER, evr_current->id + 1u);
		note_held(rwlock, site);
	}
	return status;
}

int evr_libc_pthread_rwlock_rdlock(pthread_rwlock_t *rwlock)
{
	return lock_to_read(rwlock, EVR_LOCK, evr_call_site);
}

int evr_libc_pthread_rwlock_tryrdlock(pthread_rwlock_t *rwlock)
{
	return lock_to_read(rwlock, EVR_TRYLOCK, evr_call_site);
}

int evr_libc_pthread_rwlock_wrlock(pthread_rwlock_t *rwlock)
{
	return lock_to_write(rwlock, EVR_LOCK, evr_call_site);
}

int evr_libc_pthread_rwlock_trywrlock(pthread_rwlock_t *rwlock)
{
	return lock_to_write(rwlock, EVR_TRYLOCK, evr_call_site);
}

int evr_libc_pthread_rwlock_timedrdlock(pthread_rwlock_t *rwlock, const struct timespec *until)
{
	const struct evr_site *site = evr_call_site;
	int error = evr_check_time(until, site);
	return error ? error : lock_to_read(rwlock, EVR_TIMEDLOCK, site);
}

int evr_libc_pthread_rwlock_timedwrlock(pthread_rwlock_t *rwlock, const struct timespec *until)
{
	const struct evr_site *site = evr_call_site;
	int error = evr_check_time(until, site);
	return error ? error : lock_to_write(rwlock, EVR_TIMEDLOCK, site);
}

int evr_libc_pthread_rwlock_clockrdlock(pthread_rwlock_t *rwlock, clockid_t clock, const struct timespec *until)
{
	int error = evr_check_clock(clock);
	return error ? error : evr_libc_pthread_rwlock_timedrdlock(rwlock, until);
}

int evr_libc_pthread_rwlock_clockwrlock(pthread_rwlock_t *rwlock, clockid_t clock, const struct timespec *until)
{
	int error = evr_check_clock(clock);
	return error ? error : evr_libc_pthread_rwlock_timedwrlock(rwlock, until);
}

int evr_libc_pthread_rwlock_unlock(pthread_rwlock_t *object)
{
	const struct evr_site *site = evr_call_site;
	uintptr_t rwlock = (uintptr_t)object;
	bool writer = is_writer(rwlock);
	if (!note_released(rwlock) && evr_shadow_sound(rwlock, 16))
		evr_misuse(site, EVR_LOCK_RWLOCK, rwlock, "unlock by a thread that does not hold the %s");
	if (writer) {
		evr_sync_store(rwlock + WRITER, 0);
		return taken(EVR_UNLOCK, EVR_LOCK_RWLOCK_WRITER, rwlock, site);
	}
	inner(EVR_LOCK, rwlock, site);
	uint32_t readers = evr_sync_load(rwlock + READERS) - 1;
	evr_sync_store(rwlock + READERS, readers);
	inner(EVR_UNLOCK, rwlock, site);
	return readers ? 0 : taken(EVR_UNLOCK, EVR_LOCK_RWLOCK_READERS, rwlock, site);
}

int evr_libc_pthread_rwlock_init(pthread_rwlock_t *object, const pthread_rwlockattr_t *attr)
{
	const struct evr_site *site = evr_call_site;
	uintptr_t rwlock = (uintptr_t)object;
	if (attr) {
		pthread_rwlockattr_t copy;
		evr_access_read(&copy, attr, sizeof(copy), site);
	}
	evr_lock_event(EVR_MUTEX_INIT, EVR_LOCK_RWLOCK, rwlock, 0, site);
	taken(EVR_MUTEX_INIT, EVR_LOCK_RWLOCK_WRITER, rwlock, site);
	evr_sync_store(rwlock + READERS, 0);
	evr_sync_store(rwlock + WRITER, 0);
	return 0;
}

/* Both, since a writer knows of the one only. */
int evr_libc_pthread_rwlock_destroy(pthread_rwlock_t *rwlock)
{
	const struct evr_site *site = evr_call_site;
	taken(EVR_MUTEX_DESTROY, EVR_LOCK_RWLOCK_WRITER, (uintptr_t)rwlock, site);
	return inner(EVR_MUTEX_DESTROY, (uintptr_t)rwlock, site);
}
