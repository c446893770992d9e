// Each round of the loop restores what it has written, but another thread may look in between. The mutex orders all accesses, so that none of them is an
// event under RA and RC11, until the round turns out to look like a wait.
// Two rounds have four sections, and the other thread's comes before them, between two of them, or after them: 5 ways. In 2 the assertion
// fails; in 1 the loop needs a third round.
// everett: -k --unroll 2
// executions: sc/none:4 sc/rf:4 ra/none:4 ra/rf:4 rc11/none:4 rc11/rf:4
// truncated: sc/none:1 sc/rf:1 ra/none:1 ra/rf:1 rc11/none:1 rc11/rf:1
// finding: assertion at restored_in_between.c:30
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int busy, done;
static void *works(void *argument)
{
	int end;
	do {
		pthread_mutex_lock(&m);
		busy = 1;
		pthread_mutex_unlock(&m);
		pthread_mutex_lock(&m);
		busy = 0;
		end = done;
		pthread_mutex_unlock(&m);
	} while (!end);
	return argument;
}
static void *looks(void *argument)
{
	pthread_mutex_lock(&m);
	assert(!busy);
	done = 1;
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	pthread_t s, t;
	pthread_create(&s, NULL, works, NULL);
	pthread_create(&t, NULL, looks, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return 0;
}
