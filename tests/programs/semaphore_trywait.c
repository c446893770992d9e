// One posts, the other tries and then waits with a time limit: each may find nothing (EAGAIN, ETIMEDOUT) as long as the post has not
// come. The post comes before, between or after the two: 3.
// executions: sc/none:9 tso/traces:3 pso/traces:3 ra/none:3 ra/rf:3
// finding: none
#include "run.h"
#include <errno.h>
#include <semaphore.h>
#include <time.h>
static sem_t s;
static int data;
THREAD(post)
{
	data = 42;
	sem_post(&s);
	return argument;
}
THREAD(try)
{
	struct timespec until = { 1, 0 };
	int first = sem_trywait(&s);
	assert(first == 0 || (first == -1 && errno == EAGAIN));
	errno = 0;
	int second = sem_timedwait(&s, &until);
	assert(second == 0 || (second == -1 && errno == ETIMEDOUT));
	assert(first || second);
	if (!first || !second)
		assert(data == 42);
	return argument;
}
int main(void)
{
	sem_init(&s, 0, 0);
	RUN(post, try);
	return 0;
}
