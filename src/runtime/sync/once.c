/* pthread_once and spinlocks: locks of a single word, one of which also remembers that it was done. */
#include "runtime/hooks.h"
#include "runtime/libc/wrappers.h"
#include "runtime/sync/sync.h"

#define DONE EVR_WORD_KEPT(1)

int evr_libc_pthread_once(pthread_once_t *control, void (*routine)(void))
{
	const struct evr_site *site = evr_call_site;
	uintptr_t once = (uintptr_t)control;
	evr_lock_event(EVR_LOCK, EVR_LOCK_ONCE, once, 0, site);
	if (!(evr_sync_load(once) & DONE)) {
		evr_call_pointer((void *)(uintptr_t)routine, (void *)(uintptr_t)site);
		routine();
		evr_sync_store(once, evr_sync_load(once) | DONE);
	}
	evr_lock_event(EVR_UNLOCK, EVR_LOCK_ONCE, once, 1, site);
	return 0;
}

void evr_libc_call_once(once_flag *flag, void (*routine)(void))
{
	evr_libc_pthread_once((pthread_once_t *)flag, routine);
}

static int spin(unsigned kind, const volatile void *lock)
{
	return evr_lock_event(kind, EVR_LOCK_SPIN, (uintptr_t)lock, 0, evr_call_site);
}

int evr_libc_pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
	(void)shared;
	return spin(EVR_MUTEX_INIT, lock);
}

int evr_libc_pthread_spin_destroy(pthread_spinlock_t *lock)
{
	return spin(EVR_MUTEX_DESTROY, lock);
}

int evr_libc_pthread_spin_lock(pthread_spinlock_t *lock)
{
	return spin(EVR_LOCK, lock);
}

int evr_libc_pthread_spin_trylock(pthread_spinlock_t *lock)
{
	return spin(EVR_TRYLOCK, lock);
}

int evr_libc_pthread_spin_unlock(pthread_spinlock_t *lock)
{
	return spin(EVR_UNLOCK, lock);
}
