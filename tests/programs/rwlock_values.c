// What a thread gets that wants a rwlock again that it has. One thread: 1.
// executions: sc/none:1 tso/traces:1 pso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static const struct timespec past;
static pthread_rwlock_t lock;
static void writer(void)
{
	assert(pthread_rwlock_wrlock(&lock) == 0);
	assert(pthread_rwlock_wrlock(&lock) == EDEADLK && pthread_rwlock_rdlock(&lock) == EDEADLK);
	assert(pthread_rwlock_trywrlock(&lock) == EBUSY && pthread_rwlock_tryrdlock(&lock) == EBUSY);
	assert(pthread_rwlock_timedwrlock(&lock, &past) == EDEADLK);
	assert(pthread_rwlock_timedrdlock(&lock, &past) == EDEADLK);
	assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past) == EDEADLK);
	assert(pthread_rwlock_clockrdlock(&lock, CLOCK_REALTIME, &past) == EDEADLK);
	assert(pthread_rwlock_unlock(&lock) == 0);
}
static void reader(void)
{
	assert(pthread_rwlock_rdlock(&lock) == 0 && pthread_rwlock_rdlock(&lock) == 0);
	assert(pthread_rwlock_tryrdlock(&lock) == 0 && pthread_rwlock_timedrdlock(&lock, &past) == 0);
	assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past) == 0);
	for (int i = 0; i < 5; i++) {
		assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
		assert(pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
		assert(pthread_rwlock_clockwrlock(&lock, CLOCK_REALTIME, &past) == ETIMEDOUT);
		assert(pthread_rwlock_unlock(&lock) == 0);
	}
	assert(pthread_rwlock_trywrlock(&lock) == 0 && pthread_rwlock_unlock(&lock) == 0);
	assert(pthread_rwlock_timedwrlock(&lock, &past) == 0 && pthread_rwlock_unlock(&lock) == 0);
}
int main(void)
{
	assert(pthread_rwlock_init(&lock, NULL) == 0);
	writer();
	reader();
	assert(pthread_rwlock_destroy(&lock) == 0);
	assert(pthread_rwlock_init(&lock, NULL) == 0);
	reader();
	writer();
	assert(pthread_rwlock_destroy(&lock) == 0);
	return 0;
}
