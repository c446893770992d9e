// The thread is joined before the local of the loop's body ends: nothing is wrong, and there is nothing to choose.
// executions: sc/none:1 sc/traces:1 sc/rf:1
// finding: none
#include <pthread.h>
#include <stddef.h>
static void *reader(void *argument)
{
	*(int *)argument += 1;
	return NULL;
}
int main(void)
{
	for (int i = 0; i < 3; i++) {
		int local = i;
		pthread_t t;
		pthread_create(&t, NULL, reader, &local);
		pthread_join(t, NULL);
		if (local != i + 1)
			return 1;
	}
	return 0;
}
