// What the attributes of condition variables, rwlocks and barriers keep and refuse, and that they can be used. One thread: 1.
// executions: sc/none:1 tso/traces:1 pso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static void conditions(void)
{
	pthread_condattr_t attr;
	pthread_cond_t cond;
	clockid_t clock = 77;
	int value = -1;
	assert(pthread_condattr_init(&attr) == 0);
	assert(pthread_condattr_getpshared(&attr, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
	assert(pthread_condattr_setpshared(&attr, 77) == EINVAL);
	assert(pthread_condattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
	assert(pthread_condattr_getpshared(&attr, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
	assert(pthread_condattr_getclock(&attr, &clock) == 0 && clock == CLOCK_REALTIME);
	assert(pthread_condattr_setclock(&attr, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
	assert(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
	assert(pthread_condattr_getclock(&attr, &clock) == 0 && clock == CLOCK_MONOTONIC);
	assert(pthread_cond_init(&cond, &attr) == 0);
	assert(pthread_condattr_destroy(&attr) == 0);
	assert(pthread_cond_signal(&cond) == 0 && pthread_cond_broadcast(&cond) == 0);
	assert(pthread_cond_destroy(&cond) == 0);
}
static void rwlocks(void)
{
	pthread_rwlockattr_t attr;
	pthread_rwlock_t lock;
	int value = -1;
	assert(pthread_rwlockattr_init(&attr) == 0);
	assert(pthread_rwlockattr_getpshared(&attr, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
	assert(pthread_rwlockattr_setpshared(&attr, 77) == EINVAL);
	assert(pthread_rwlockattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
	assert(pthread_rwlockattr_getpshared(&attr, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
	assert(pthread_rwlockattr_getkind_np(&attr, &value) == 0 && value == PTHREAD_RWLOCK_PREFER_READER_NP);
	assert(pthread_rwlockattr_setkind_np(&attr, 77) == EINVAL);
	assert(pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_READER_NP) == 0);
	assert(pthread_rwlock_init(&lock, &attr) == 0);
	assert(pthread_rwlockattr_destroy(&attr) == 0);
	assert(pthread_rwlock_wrlock(&lock) == 0 && pthread_rwlock_unlock(&lock) == 0);
	assert(pthread_rwlock_destroy(&lock) == 0);
}
static void barriers(void)
{
	pthread_barrierattr_t attr;
	pthread_barrier_t barrier;
	int value = -1;
	assert(pthread_barrierattr_init(&attr) == 0);
	assert(pthread_barrierattr_getpshared(&attr, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
	assert(pthread_barrierattr_setpshared(&attr, 77) == EINVAL);
	assert(pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
	assert(pthread_barrierattr_getpshared(&attr, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
	assert(pthread_barrier_init(&barrier, &attr, 0) == EINVAL);
	assert(pthread_barrier_init(&barrier, &attr, 1) == 0);
	assert(pthread_barrierattr_destroy(&attr) == 0);
	/* Alone, one is the last to come: each time. */
	assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
	assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
	assert(pthread_barrier_destroy(&barrier) == 0);
	assert(pthread_barrier_init(&barrier, NULL, 1) == 0);
	assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
}
int main(void)
{
	conditions();
	rwlocks();
	barriers();
	return 0;
}
