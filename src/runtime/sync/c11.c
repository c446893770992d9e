/*
 * C11's <threads.h>: other names for what pthread has.
 *
 * None keeps state of its own.
 */
#include "runtime/libc/wrappers.h"
#include "runtime/sync/sync.h"

#include <errno.h>

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t), "the same objects");

static int status(int error)
{
	switch (error) {
	case 0:
		return thrd_success;
	case EBUSY:
		return thrd_busy;
	case ETIMEDOUT:
		return thrd_timedout;
	case ENOMEM:
		return thrd_nomem;
	default:
		return thrd_error;
	}
}

/* The function returns an int, which travels in the pointer that a thread ends with. */
static void *start(void *argument)
{
	struct evr_thread *t = evr_current;
	return (void *)(intptr_t)t->start11(argument);
}

int evr_libc_thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
	const struct evr_site *site = evr_call_site;
	return status(evr_thread_create(thread, NULL, start, function, argument, site));
}

int evr_libc_thrd_join(thrd_t thread, int *result)
{
	const struct evr_site *site = evr_call_site;
	void *value;
	int error = evr_thread_join(thread, &value, site);
	int number = (int)(intptr_t)value;
	if (!error && result)
		evr_access_write(result, &number, sizeof(number), site);
	return status(error);
}

void evr_libc_thrd_exit(int result)
{
	evr_libc_pthread_exit((void *)(intptr_t)result);
}

thrd_t evr_libc_thrd_current(void)
{
	return evr_libc_pthread_self();
}

int evr_libc_thrd_equal(thrd_t a, thrd_t b)
{
	return a == b;
}

int evr_libc_thrd_detach(thrd_t thread)
{
	return status(evr_libc_pthread_detach(thread));
}

void evr_libc_thrd_yield(void)
{
}

int evr_libc_thrd_sleep(const struct timespec *time, struct timespec *left)
{
	if (!evr_libc_nanosleep(time, left))
		return 0;
	return errno == EINTR ? -1 : -2;
}

int evr_libc_mtx_init(mtx_t *mutex, int type)
{
	const struct evr_site *site = evr_call_site;
	int kind = type & mtx_recursive ? EVR_MUTEX_RECURSIVE : EVR_MUTEX_NORMAL;
	evr_lock_event(EVR_MUTEX_INIT, EVR_LOCK_MUTEX, (uintptr_t)mutex, (evr_value)(unsigned)kind, site);
	return thrd_success;
}

void evr_libc_mtx_destroy(mtx_t *mutex)
{
	evr_libc_pthread_mutex_destroy((pthread_mutex_t *)mutex);
}

int evr_libc_mtx_lock(mtx_t *mutex)
{
	return status(evr_libc_pthread_mutex_lock((pthread_mutex_t *)mutex));
}

int evr_libc_mtx_trylock(mtx_t *mutex)
{
	return status(evr_libc_pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

int evr_libc_mtx_timedlock(mtx_t *mutex, const struct timespec *until)
{
	return status(evr_libc_pthread_mutex_timedlock((pthread_mutex_t *)mutex, until));
}

int evr_libc_mtx_unlock(mtx_t *mutex)
{
	return status(evr_libc_pthread_mutex_unlock((pthread_mutex_t *)mutex));
}

int evr_libc_cnd_init(cnd_t *cond)
{
	return status(evr_libc_pthread_cond_init((pthread_cond_t *)cond, NULL));
}

void evr_libc_cnd_destroy(cnd_t *cond)
{
	evr_libc_pthread_cond_destroy((pthread_cond_t *)cond);
}

int evr_libc_cnd_wait(cnd_t *cond, mtx_t *mutex)
{
	return status(evr_libc_pthread_cond_wait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex));
}

int evr_libc_cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *until)
{
	return status(evr_libc_pthread_cond_timedwait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex, until));
}

int evr_libc_cnd_signal(cnd_t *cond)
{
	return status(evr_libc_pthread_cond_signal((pthread_cond_t *)cond));
}

int evr_libc_cnd_broadcast(cnd_t *cond)
{
	return status(evr_libc_pthread_cond_broadcast((pthread_cond_t *)cond));
}

int evr_libc_tss_create(tss_t *key, tss_dtor_t destructor)
{
	return status(evr_libc_pthread_key_create(key, destructor));
}

void evr_libc_tss_delete(tss_t key)
{
	evr_libc_pthread_key_delete(key);
}

void *evr_libc_tss_get(tss_t key)
{
	return evr_libc_pthread_getspecific(key);
}

int evr_libc_tss_set(tss_t key, void *value)
{
	return status(evr_libc_pthread_setspecific(key, value));
}
