/* Two threads count without protection. An increment is a read and a write, and one of the two can be lost. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int counter;

static void *count(void *unused)
{
	counter = counter + 1;
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, count, NULL);
	pthread_create(&b, NULL, count, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == 2);
	return 0;
}
