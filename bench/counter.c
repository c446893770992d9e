/* Two threads, twenty unprotected increments each: far too many interleavings for `none`, which is stopped on the way. */
#include <pthread.h>
#include <stddef.h>

static volatile int counter;

static void *count(void *unused)
{
	for (int i = 0; i < 20; i++)
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
	return 0;
}
