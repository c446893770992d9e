/* Four threads of four writes to one variable: 16!/(4!)^4 = 63063000 interleavings. */
#include <pthread.h>
#include <stddef.h>

static volatile int x;

static void *write_four(void *unused)
{
	x = 1;
	x = 2;
	x = 3;
	x = 4;
	return unused;
}

int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, write_four, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
