// Ways to leave a function: long jumps, out of several frames and again and again, cleanup handlers, destructors of what is thread-specific.
// executions: tso/traces:77 rc11/rf:323
// finding: none
#include "run.h"
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static atomic_int x, y, destroyed;
static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int seen[3];
static int read_now(atomic_int *from)
{
	return atomic_load_explicit(from, memory_order_relaxed);
}
static void throws(jmp_buf *back, int depth)
{
	int frame[8] = { depth };
	if (!depth)
		longjmp(*back, 1 + read_now(&x));
	frame[1] = read_now(&x);
	throws(back, depth - 1);
	seen[2] += frame[1];
}
static void destroy(void *block)
{
	atomic_fetch_add_explicit(&destroyed, *(int *)block, memory_order_relaxed);
	free(block);
}
static void unlock(void *argument)
{
	atomic_store_explicit(&y, 2, memory_order_relaxed);
	(void)argument;
	pthread_mutex_unlock(&m);
}
THREAD(jumps)
{
	jmp_buf back;
	volatile int path = 0;
	int value = setjmp(back);
	path = path * 10 + value;
	if (path < 100 && value < 2)
		throws(&back, 2 + read_now(&y) % 2);
	seen[0] = path;
	return argument;
}
THREAD(leaves)
{
	int *block = malloc(sizeof(*block));
	*block = 1;
	pthread_setspecific(key, block);
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, NULL);
	if (read_now(&destroyed))
		pthread_exit(NULL);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	pthread_cleanup_pop(1);
	return argument;
}
THREAD(keeps)
{
	int *block = malloc(sizeof(*block));
	*block = 10;
	pthread_setspecific(key, block);
	pthread_mutex_lock(&m);
	seen[1] = read_now(&y);
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	pthread_key_create(&key, destroy);
	RUN(jumps, leaves, keeps);
	assert(destroyed == 11 && y == 2);
	printf("%d %d\n", seen[0], seen[1]);
	return 0;
}
