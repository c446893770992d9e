// C's way to fail: the status says what the threads did. Only one of the two executions fails.
// executions: sc/none:2 sc/traces:2 sc/rf:2 tso/traces:2 ra/rf:2
// finding: exit at exit_return.c:17
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *store(void *argument)
{
	atomic_store(&x, 1);
	return argument;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, store, NULL);
	if (atomic_load(&x) == 1)
		return 1;
	pthread_join(t, NULL);
	return 0;
}
