// Store buffering with a locked operation between the store and the load, or in place of the store: no model shows it.
// executions: sc/rf:3 tso/rf:3 tso/traces:3 pso/rf:3 ra/rf:3 rc11/rf:3
// finding: none
#include <assert.h>
#include <pthread.h>
static int x, y, r1, r2;
static void put(int *p, int v)
{
	__asm__ __volatile__("xchgl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
}
static int get(int *p)
{
	int v;
	__asm__ __volatile__("lock; xaddl %0, %1" : "=r"(v), "+m"(*p) : "0"(0) : "memory");
	return v;
}
static void *a(void *unused)
{
	put(&x, 1), r1 = get(&y);
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, a, NULL);
	put(&y, 1);
	r2 = get(&x);
	pthread_join(t, NULL);
	assert(r1 || r2);
	return 0;
}
