// A function's local is shared with a child and then gone; the next function's local, perhaps at the same address, is private
// and must not multiply anything. The events are the writes of f's local, one by the thread and one by its child, in each of
// two threads; nothing orders the four: 4! = 24.
// executions: sc/none:24
// finding: none
#include "run.h"
THREAD(child)
{
	*(int *)argument = 1;
	return NULL;
}
static void f(void)
{
	int local;
	pthread_t t;
	pthread_create(&t, NULL, child, &local);
	local = 2;
	pthread_join(t, NULL);
}
static void add(int *p)
{
	*p = *p + 1;
}
static int g(void)
{
	int local = 1;
	add(&local);
	return local;
}
THREAD(work)
{
	f();
	assert(g() == 2);
	return argument;
}
int main(void)
{
	RUN(work, work);
	return 0;
}
