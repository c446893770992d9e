// Threads that threads create, some of them detached, with variables of their own, and a barrier that is used in rounds.
// executions: tso/traces:7 rc11/rf:7
// finding: none
#include "run.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static atomic_int x, y;
static pthread_barrier_t barrier;
static _Thread_local int own = 5;
static int cells[2][2], seen[3];
static int read_now(atomic_int *from)
{
	return atomic_load_explicit(from, memory_order_relaxed);
}
THREAD(leaf)
{
	own += (int)(intptr_t)argument;
	atomic_fetch_add_explicit(&x, own, memory_order_relaxed);
	return (void *)(intptr_t)read_now(&y);
}
THREAD(detached)
{
	int *block = argument;
	atomic_store_explicit(&y, *block + own, memory_order_relaxed);
	free(block);
	return NULL;
}
static void rounds(int me)
{
	for (int i = 0; i < 2; i++) {
		cells[i][me] = 10 * i + me + 1;
		pthread_barrier_wait(&barrier);
		assert(cells[i][!me] == 10 * i + !me + 1);
	}
}
THREAD(parent)
{
	pthread_t t;
	void *result;
	rounds(0);
	int n = 1 + (read_now(&y) != 0);
	for (int i = 0; i < n; i++) {
		pthread_create(&t, NULL, leaf, (void *)(intptr_t)i);
		pthread_join(t, &result);
		seen[0] = seen[0] * 10 + (int)(intptr_t)result + 1;
	}
	return argument;
}
THREAD(abandons)
{
	pthread_t t;
	int *block = malloc(sizeof(*block));
	*block = 1;
	own = 2;
	pthread_create(&t, NULL, detached, block);
	pthread_detach(t);
	rounds(1);
	seen[1] = own * 100 + read_now(&x);
	return argument;
}
int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	own = 77;
	RUN(parent, abandons);
	assert(own == 77);
	printf("%d %d\n", seen[0], seen[1]);
	return 0;
}
