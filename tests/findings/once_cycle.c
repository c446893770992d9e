// Each routine needs what the other makes: one thread comes back to what it has begun, 2, or each waits for the other, 1.
// everett: -I../programs -k
// executions: sc/none:4 tso/traces:3 ra/none:4 ra/rf:3
// finding: deadlock at once_cycle.c:11, mutex-misuse at once_cycle.c:11, mutex-misuse at once_cycle.c:15
#include "run.h"
static pthread_once_t a = PTHREAD_ONCE_INIT, b = PTHREAD_ONCE_INIT;
static void make_a(void);
static void make_b(void);
static void make_a(void)
{
	pthread_once(&b, make_b);
}
static void make_b(void)
{
	pthread_once(&a, make_a);
}
THREAD(left)
{
	pthread_once(&a, make_a);
	return argument;
}
THREAD(right)
{
	pthread_once(&b, make_b);
	return argument;
}
int main(void)
{
	RUN(left, right);
	return 0;
}
