// Times and clocks that nobody can wait for; a mutex that is free is taken all the same. One thread: 1.
// executions: sc/none:1 tso/traces:1 pso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static const struct timespec past = { 0, 0 }, large = { 0, 1000000000 }, negative = { 0, -1 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void mutexes(void)
{
	assert(pthread_mutex_timedlock(&m, &large) == 0);
	assert(pthread_mutex_timedlock(&m, &large) == EINVAL);
	assert(pthread_mutex_timedlock(&m, &negative) == EINVAL);
	assert(pthread_mutex_timedlock(&m, &past) == ETIMEDOUT);
	assert(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &negative) == EINVAL);
	assert(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
	assert(pthread_mutex_unlock(&m) == 0);
	assert(pthread_mutex_clocklock(&m, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
	assert(pthread_mutex_clocklock(&m, CLOCK_REALTIME, &past) == 0);
	assert(pthread_mutex_unlock(&m) == 0);
}
static void conditions(void)
{
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	pthread_mutex_lock(&m);
	assert(pthread_cond_timedwait(&cond, &m, &large) == EINVAL);
	assert(pthread_cond_timedwait(&cond, &m, &negative) == EINVAL);
	assert(pthread_cond_clockwait(&cond, &m, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
	/* It holds the mutex still. */
	assert(pthread_mutex_trylock(&m) == EBUSY);
	pthread_mutex_unlock(&m);
	assert(pthread_cond_destroy(&cond) == 0);
}
static void unowned(void)
{
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	pthread_mutexattr_t attr;
	pthread_mutex_t checks;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&checks, &attr);
	assert(pthread_cond_wait(&cond, &checks) == EPERM);
	assert(pthread_cond_timedwait(&cond, &checks, &past) == EPERM);
	assert(pthread_mutex_destroy(&checks) == 0 && pthread_cond_destroy(&cond) == 0);
}
static void rwlocks(void)
{
	pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
	assert(pthread_rwlock_timedrdlock(&lock, &large) == EINVAL);
	assert(pthread_rwlock_timedwrlock(&lock, &negative) == EINVAL);
	assert(pthread_rwlock_clockrdlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
	assert(pthread_rwlock_clockwrlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
	assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &large) == EINVAL);
	/* Nobody has it. */
	assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past) == 0);
	assert(pthread_rwlock_unlock(&lock) == 0 && pthread_rwlock_destroy(&lock) == 0);
}
int main(void)
{
	mutexes();
	conditions();
	unowned();
	rwlocks();
	return 0;
}
