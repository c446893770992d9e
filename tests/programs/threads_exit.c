// pthread_exit from a nested call, with a result; main leaves by pthread_exit, and the other thread goes on. The two
// writes of x, by that thread and by main before it leaves: 2.
// executions: sc/none:2
// finding: none
#include "run.h"
static int x, never;
static void leave(long n)
{
	if (n == 0)
		pthread_exit((void *)42);
	leave(n - 1);
	never = 1;
}
THREAD(deep)
{
	leave(5);
	return argument;
}
THREAD(late)
{
	x = 1;
	assert(!never);
	return argument;
}
int main(void)
{
	pthread_t a, b;
	void *result;
	pthread_create(&a, NULL, deep, NULL);
	pthread_join(a, &result);
	assert(result == (void *)42);
	pthread_create(&b, NULL, late, NULL);
	x = 2;
	pthread_exit(NULL);
}
