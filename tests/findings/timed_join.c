// A join with a time limit may give up, and it does not wait for ever: that the other thread waits for main is no deadlock.
// executions: sc/rf:1 tso/traces:1 rc11/rf:1
// blocked: sc/rf:1 tso/traces:1 rc11/rf:1
// finding: assertion at timed_join.c:26 under sc tso rc11
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *locks(void *unused)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t t;
	struct timespec soon = { .tv_sec = 1 };
	pthread_mutex_lock(&m);
	pthread_create(&t, NULL, locks, NULL);
	assert(pthread_timedjoin_np(t, NULL, &soon) == 0);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return 0;
}
