// Each thread gets the address of a local of the loop's body, which may have ended when it reads it. That is another object in each
// iteration. Main's events from the first create on: the first local ends (E), the second is written (W), and ends (F). The first
// thread's read is in any of 4 places among these. The second thread is created between W and F: its read is in one of 2. In 2 of
// these 8 pairs both are in the same place, in either order: 10. A read comes before the end or after it: 4 traces.
// everett: -k
// executions: sc/none:10 sc/traces:4 sc/rf:4
// finding: use-after-free at scope_thread.c:12
#include <pthread.h>
#include <stddef.h>
static void *reader(void *argument)
{
	return *(int *)argument ? argument : NULL;
}
int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++) {
		int local = i;
		pthread_create(&t[i], NULL, reader, &local);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
