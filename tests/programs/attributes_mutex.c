// What pthread_mutexattr_* keep and refuse, and what becomes of a mutex of each type. One thread: 1.
// executions: sc/none:1 tso/traces:1 pso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static void values(pthread_mutexattr_t *attr)
{
	int value = -1;
	assert(pthread_mutexattr_gettype(attr, &value) == 0 && value == PTHREAD_MUTEX_DEFAULT);
	assert(pthread_mutexattr_settype(attr, 77) == EINVAL);
	assert(pthread_mutexattr_getpshared(attr, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
	assert(pthread_mutexattr_setpshared(attr, 77) == EINVAL);
	assert(pthread_mutexattr_setpshared(attr, PTHREAD_PROCESS_SHARED) == 0);
	assert(pthread_mutexattr_getpshared(attr, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
	assert(pthread_mutexattr_setpshared(attr, PTHREAD_PROCESS_PRIVATE) == 0);
	assert(pthread_mutexattr_getprotocol(attr, &value) == 0 && value == PTHREAD_PRIO_NONE);
	assert(pthread_mutexattr_setprotocol(attr, 77) == EINVAL);
	assert(pthread_mutexattr_setprotocol(attr, PTHREAD_PRIO_INHERIT) == 0);
	assert(pthread_mutexattr_getprotocol(attr, &value) == 0 && value == PTHREAD_PRIO_INHERIT);
	assert(pthread_mutexattr_setprotocol(attr, PTHREAD_PRIO_NONE) == 0);
	assert(pthread_mutexattr_setprioceiling(attr, 1000) == EINVAL);
	assert(pthread_mutexattr_setprioceiling(attr, 5) == 0);
	assert(pthread_mutexattr_getprioceiling(attr, &value) == 0 && value == 5);
	assert(pthread_mutexattr_getrobust(attr, &value) == 0 && value == PTHREAD_MUTEX_STALLED);
	assert(pthread_mutexattr_setrobust(attr, 77) == EINVAL);
	assert(pthread_mutexattr_setrobust(attr, PTHREAD_MUTEX_STALLED) == 0);
}
static void lock_twice(pthread_mutexattr_t *attr, int type, int try_again, int timed_again, int unlock_again)
{
	pthread_mutex_t m;
	struct timespec past = { 0, 0 };
	int value = -1;
	assert(pthread_mutexattr_settype(attr, type) == 0);
	assert(pthread_mutexattr_gettype(attr, &value) == 0 && value == type);
	assert(pthread_mutex_init(&m, attr) == 0);
	assert(pthread_mutex_lock(&m) == 0);
	assert(pthread_mutex_trylock(&m) == try_again);
	if (!try_again)
		assert(pthread_mutex_unlock(&m) == 0);
	assert(pthread_mutex_timedlock(&m, &past) == timed_again);
	if (!timed_again)
		assert(pthread_mutex_unlock(&m) == 0);
	assert(pthread_mutex_clocklock(&m, CLOCK_REALTIME, &past) == timed_again);
	if (!timed_again)
		assert(pthread_mutex_unlock(&m) == 0);
	assert(pthread_mutex_unlock(&m) == 0);
	if (unlock_again)
		assert(pthread_mutex_unlock(&m) == unlock_again);
	assert(pthread_mutex_destroy(&m) == 0);
}
int main(void)
{
	pthread_mutexattr_t attr;
	assert(pthread_mutexattr_init(&attr) == 0);
	values(&attr);
	lock_twice(&attr, PTHREAD_MUTEX_NORMAL, EBUSY, ETIMEDOUT, 0);
	lock_twice(&attr, PTHREAD_MUTEX_RECURSIVE, 0, 0, EPERM);
	lock_twice(&attr, PTHREAD_MUTEX_ERRORCHECK, EBUSY, EDEADLK, EPERM);
	lock_twice(&attr, PTHREAD_MUTEX_ADAPTIVE_NP, EBUSY, ETIMEDOUT, 0);
	assert(pthread_mutexattr_destroy(&attr) == 0);
	return 0;
}
