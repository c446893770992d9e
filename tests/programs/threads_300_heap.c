// Blocks of threads beyond the 256th: main finds its own block, or that of the thread, before or after it was freed.
// everett: --keep-going
// executions: sc/rf:3 sc/traces:3 tso/traces:3 ra/rf:3 rc11/rf:3
// finding: use-after-free at threads_300_heap.c:37 under sc tso; race at threads_300_heap.c:37, use-after-free at threads_300_heap.c:37 under ra rc11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Thread_local int own;
static int *_Atomic shared;
static void *nothing(void *unused)
{
	return unused;
}
static void *owner(void *unused)
{
	int *p = malloc(sizeof *p), local = 1;
	*p = local + own;
	shared = p;
	free(p);
	return unused;
}
int main(void)
{
	pthread_t t;
	for (int i = 0; i < 300; i++) {
		pthread_create(&t, 0, nothing, 0);
		pthread_join(t, 0);
	}
	int *q = malloc(sizeof *q);
	*q = 1;
	shared = q;
	pthread_create(&t, 0, owner, 0);
	int *p = shared;
	/* Not freed: the one of main. */
	if (p != q)
		assert(*p == 1);
	pthread_join(t, 0);
	return 0;
}
