// A round that finds nothing reads, without any order, what the other thread is writing just then: the race is real, although the round is for nothing
// and what it reads never changes.
// everett: -k --races
// executions: sc/none:1 sc/traces:1 sc/rf:1
// finding: race at retry_race.c:27
#include <pthread.h>
#include <stdatomic.h>
static atomic_int state;
static int data;
static volatile int sink;
static void *waits(void *argument)
{
	int s, found;
	do {
		found = 0;
		s = atomic_load_explicit(&state, memory_order_acquire);
		if (s == 1)
			found = data;
		sink = 0;
		(void)found;
	} while (s != 2);
	return argument;
}
static void *writes(void *argument)
{
	atomic_store_explicit(&state, 1, memory_order_release);
	data = 0;
	atomic_store_explicit(&state, 2, memory_order_release);
	return argument;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, waits, NULL);
	pthread_create(&b, NULL, writes, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
