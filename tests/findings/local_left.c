// A local is used by another thread when its function may have returned. Main's events: the local is written (W), x = 1,
// the local is left (L); the reader's read (R) comes after W, since it is created then: 3 orders of these four. The other
// thread's x = 2 is in any of 5 places: 15.
// everett: -I../programs -k
// executions: sc/none:15
// finding: use-after-free at local_left.c:11
#include "run.h"
static int x;
THREAD(reader)
{
	assert(*(int *)argument == 5);
	return NULL;
}
THREAD(other)
{
	x = 2;
	return argument;
}
static void start(pthread_t *t)
{
	int local = 5;
	pthread_create(t, 0, reader, &local);
	x = 1;
}
int main(void)
{
	pthread_t t, o;
	pthread_create(&o, 0, other, 0);
	start(&t);
	pthread_join(t, 0);
	pthread_join(o, 0);
	return 0;
}
