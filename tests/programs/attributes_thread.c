// What pthread_attr_* keep and refuse; a thread is made with all of it. One thread at a time, and nothing shared: 1.
// executions: sc/none:1 tso/traces:1 pso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
static void *work(void *argument)
{
	return argument;
}
static void initial(const pthread_attr_t *attr)
{
	int value = -1;
	assert(pthread_attr_getdetachstate(attr, &value) == 0 && value == PTHREAD_CREATE_JOINABLE);
	assert(pthread_attr_getinheritsched(attr, &value) == 0 && value == PTHREAD_INHERIT_SCHED);
	assert(pthread_attr_getschedpolicy(attr, &value) == 0 && value == SCHED_OTHER);
	assert(pthread_attr_getscope(attr, &value) == 0 && value == PTHREAD_SCOPE_SYSTEM);
}
static void sizes(pthread_attr_t *attr)
{
	size_t size = 0;
	assert(pthread_attr_setstacksize(attr, 1) == EINVAL);
	assert(pthread_attr_setstacksize(attr, 1 << 20) == 0);
	assert(pthread_attr_getstacksize(attr, &size) == 0 && size == 1 << 20);
	assert(pthread_attr_setguardsize(attr, 1 << 13) == 0);
	assert(pthread_attr_getguardsize(attr, &size) == 0 && size == 1 << 13);
}
static void states(pthread_attr_t *attr)
{
	int value = -1;
	assert(pthread_attr_setdetachstate(attr, 77) == EINVAL);
	assert(pthread_attr_setdetachstate(attr, PTHREAD_CREATE_DETACHED) == 0);
	assert(pthread_attr_getdetachstate(attr, &value) == 0 && value == PTHREAD_CREATE_DETACHED);
	assert(pthread_attr_setdetachstate(attr, PTHREAD_CREATE_JOINABLE) == 0);
	assert(pthread_attr_setinheritsched(attr, 77) == EINVAL);
	assert(pthread_attr_setinheritsched(attr, PTHREAD_EXPLICIT_SCHED) == 0);
	assert(pthread_attr_getinheritsched(attr, &value) == 0 && value == PTHREAD_EXPLICIT_SCHED);
	assert(pthread_attr_setschedpolicy(attr, 77) == EINVAL);
	assert(pthread_attr_setschedpolicy(attr, SCHED_FIFO) == 0);
	assert(pthread_attr_getschedpolicy(attr, &value) == 0 && value == SCHED_FIFO);
	assert(pthread_attr_setschedpolicy(attr, SCHED_OTHER) == 0);
	assert(pthread_attr_setscope(attr, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
	assert(pthread_attr_setscope(attr, 77) == EINVAL);
	assert(pthread_attr_setscope(attr, PTHREAD_SCOPE_SYSTEM) == 0);
}
int main(void)
{
	pthread_attr_t attr;
	pthread_t t;
	void *result = NULL;
	assert(pthread_attr_init(&attr) == 0);
	initial(&attr);
	sizes(&attr);
	states(&attr);
	assert(pthread_create(&t, &attr, work, &result) == 0);
	assert(pthread_attr_destroy(&attr) == 0);
	assert(pthread_join(t, &result) == 0 && result == &result);
	return 0;
}
