// Values and errors of semaphores that nobody else uses. One thread: 1.
// executions: sc/none:1 tso/traces:1 pso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <time.h>
static sem_t s;
static int value(void)
{
	int n = -1;
	assert(sem_getvalue(&s, &n) == 0);
	return n;
}
static void down(void)
{
	struct timespec past = { 0, 0 };
	assert(sem_init(&s, 0, 4) == 0 && value() == 4);
	assert(sem_wait(&s) == 0 && value() == 3);
	assert(sem_trywait(&s) == 0 && value() == 2);
	assert(sem_timedwait(&s, &past) == 0 && value() == 1);
	assert(sem_clockwait(&s, CLOCK_MONOTONIC, &past) == 0 && value() == 0);
	errno = 0;
	assert(sem_trywait(&s) == -1 && errno == EAGAIN && value() == 0);
	assert(sem_timedwait(&s, &past) == -1 && errno == ETIMEDOUT && value() == 0);
	errno = 0;
	assert(sem_clockwait(&s, CLOCK_REALTIME, &past) == -1 && errno == ETIMEDOUT && value() == 0);
}
static void up(void)
{
	assert(sem_post(&s) == 0 && value() == 1);
	assert(sem_post(&s) == 0 && value() == 2);
	assert(sem_wait(&s) == 0 && sem_wait(&s) == 0 && value() == 0);
	assert(sem_destroy(&s) == 0);
}
static void limits(void)
{
	struct timespec wrong = { 0, 1000000000 };
	errno = 0;
	assert(sem_init(&s, 0, (unsigned)INT_MAX + 1) == -1 && errno == EINVAL);
	assert(sem_init(&s, 1, INT_MAX) == 0 && value() == INT_MAX);
	assert(sem_post(&s) == -1 && errno == EOVERFLOW && value() == INT_MAX);
	errno = 0;
	assert(sem_timedwait(&s, &wrong) == -1 && errno == EINVAL && value() == INT_MAX);
	wrong.tv_nsec = -1;
	errno = 0;
	assert(sem_clockwait(&s, CLOCK_REALTIME, &wrong) == -1 && errno == EINVAL && value() == INT_MAX);
	wrong.tv_nsec = errno = 0;
	assert(sem_clockwait(&s, CLOCK_PROCESS_CPUTIME_ID, &wrong) == -1 && errno == EINVAL && value() == INT_MAX);
	assert(sem_destroy(&s) == 0);
}
int main(void)
{
	down();
	up();
	limits();
	return 0;
}
