/* Three findings, which -k has all of. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 4
#endif
static atomic_int x, y;
static void *thread(void *p)
{
	int r = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed), s = atomic_fetch_add(&y, 1);
	assert(!(r == 0 && s == 2));
	assert(!(r == 1 && s == 3));
	assert(!(r == 2 && s == 0));
	return p;
}
int main(void)
{
	pthread_t t[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
