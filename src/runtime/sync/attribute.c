/*
 * Attributes of threads, mutexes and the like. They live in the program's memory, and the C library's own functions work on a
 * copy of them. What has no meaning here (priorities, sharing between processes) is kept all the same.
 */
#include "runtime/libc/wrappers.h"
#include "runtime/memory/layout.h"
#include "runtime/runtime.h"

#include <errno.h>

/* NAME_init and NAME_destroy. What the library would allocate for it, it would not free. */
#define FRESH(name) \
	int evr_libc_##name##_init(name##_t *attr) \
	{ \
		name##_t fresh = { 0 }; \
		int status = name##_init(&fresh); \
		evr_access_write(attr, &fresh, sizeof(fresh), evr_call_site); \
		return status; \
	} \
	int evr_libc_##name##_destroy(name##_t *attr) \
	{ \
		name##_t copy; \
		evr_access_read(&copy, attr, sizeof(copy), evr_call_site); \
		return 0; \
	}

#define SET(name, what, type) \
	int evr_libc_##name##_set##what(name##_t *attr, type value) \
	{ \
		const struct evr_site *site = evr_call_site; \
		name##_t copy; \
		evr_access_read(&copy, attr, sizeof(copy), site); \
		int status = name##_set##what(&copy, value); \
		evr_access_write(attr, &copy, sizeof(copy), site); \
		return status; \
	}

#define GET(name, what, type) \
	int evr_libc_##name##_get##what(const name##_t *attr, type *value) \
	{ \
		const struct evr_site *site = evr_call_site; \
		name##_t copy; \
		type result; \
		evr_access_read(&copy, attr, sizeof(copy), site); \
		int status = name##_get##what(&copy, &result); \
		if (!status) \
			evr_access_write(value, &result, sizeof(result), site); \
		return status; \
	}

#define SET_AND_GET(name, what, type) SET(name, what, type) GET(name, what, type)

FRESH(pthread_attr)
SET_AND_GET(pthread_attr, detachstate, int)
SET_AND_GET(pthread_attr, stacksize, size_t)
SET_AND_GET(pthread_attr, guardsize, size_t)
SET_AND_GET(pthread_attr, inheritsched, int)
SET_AND_GET(pthread_attr, schedpolicy, int)
SET_AND_GET(pthread_attr, scope, int)

int evr_libc_pthread_attr_setstack(pthread_attr_t *attr, void *lowest, size_t size)
{
	const struct evr_site *site = evr_call_site;
	pthread_attr_t copy;
	evr_access_read(&copy, attr, sizeof(copy), site);
	int status = pthread_attr_setstack(&copy, lowest, size);
	evr_access_write(attr, &copy, sizeof(copy), site);
	return status;
}

int evr_libc_pthread_attr_getstack(const pthread_attr_t *attr, void **lowest, size_t *size)
{
	const struct evr_site *site = evr_call_site;
	pthread_attr_t copy;
	void *at;
	size_t bytes;
	evr_access_read(&copy, attr, sizeof(copy), site);
	int status = pthread_attr_getstack(&copy, &at, &bytes);
	if (!status) {
		evr_access_write(lowest, &at, sizeof(at), site);
		evr_access_write(size, &bytes, sizeof(bytes), site);
	}
	return status;
}

/* Of a thread that there is. Its stack is where those of its locals are whose address the program takes. */
int evr_libc_pthread_getattr_np(pthread_t thread, pthread_attr_t *attr)
{
	const struct evr_site *site = evr_call_site;
	pthread_attr_t fresh;
	if (!thread || thread > evr_rt.world.threads || evr_rt.threads[thread - 1]->state == EVR_UNUSED)
		return ESRCH;
	const struct evr_thread *t = evr_rt.threads[thread - 1];
	pthread_attr_init(&fresh);
	pthread_attr_setdetachstate(&fresh, t->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
	pthread_attr_setstack(&fresh, (void *)(EVR_FRAMES + t->id * EVR_FRAMES_SIZE), EVR_FRAMES_SIZE);
	evr_access_write(attr, &fresh, sizeof(fresh), site);
	return 0;
}

FRESH(pthread_mutexattr)
SET_AND_GET(pthread_mutexattr, type, int)
SET_AND_GET(pthread_mutexattr, pshared, int)
SET_AND_GET(pthread_mutexattr, protocol, int)
SET_AND_GET(pthread_mutexattr, prioceiling, int)
GET(pthread_mutexattr, robust, int)

FRESH(pthread_condattr)
SET_AND_GET(pthread_condattr, pshared, int)
SET_AND_GET(pthread_condattr, clock, clockid_t)

FRESH(pthread_rwlockattr)
SET_AND_GET(pthread_rwlockattr, pshared, int)
GET(pthread_rwlockattr, kind_np, int)

FRESH(pthread_barrierattr)
SET_AND_GET(pthread_barrierattr, pshared, int)

int evr_libc_pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust)
{
	(void)attr;
	if (robust == PTHREAD_MUTEX_ROBUST)
		evr_unsupported(evr_call_site, "robust mutexes (pthread_mutexattr_setrobust)");
	return robust == PTHREAD_MUTEX_STALLED ? 0 : EINVAL;
}

int evr_libc_pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attr, int kind)
{
	(void)attr;
	if (kind < PTHREAD_RWLOCK_PREFER_READER_NP || kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
		return EINVAL;
	if (kind != PTHREAD_RWLOCK_PREFER_READER_NP)
		evr_unsupported(evr_call_site, "rwlocks that prefer writers (pthread_rwlockattr_setkind_np)");
	return 0;
}

int evr_libc_pthread_setcancelstate(int state, int *old)
{
	int before = PTHREAD_CANCEL_ENABLE;
	if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
		return EINVAL;
	if (evr_current->uncancellable)
		before = PTHREAD_CANCEL_DISABLE;
	evr_current->uncancellable = state == PTHREAD_CANCEL_DISABLE;
	if (old)
		evr_access_write(old, &before, sizeof(before), evr_call_site);
	return 0;
}

int evr_libc_pthread_setcanceltype(int type, int *old)
{
	int before = PTHREAD_CANCEL_DEFERRED;
	if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
		evr_unsupported(evr_call_site, "asynchronous cancellation (pthread_setcanceltype)");
	if (type != PTHREAD_CANCEL_DEFERRED)
		return EINVAL;
	if (old)
		evr_access_write(old, &before, sizeof(before), evr_call_site);
	return 0;
}

/* Nobody is ever cancelled. */
void evr_libc_pthread_testcancel(void)
{
}

int evr_libc_pthread_cancel(pthread_t thread)
{
	(void)thread;
	evr_unsupported(evr_call_site, "cancellation of threads (pthread_cancel)");
}
