// Store buffering in assembly of x86: with mov it shows under every model but SC, with xchg under none.
// everett: -k
// executions: sc/rf:3 tso/traces:4 ra/rf:4 rc11/rf:4
// finding: none under sc; assertion at assembly_sb.c:30 under tso ra rc11
#include <assert.h>
#include <pthread.h>
static int x, y, r1, r2;
static void put(int *p, int v)
{
	__asm__ __volatile__("movl %1, %0" : "=m"(*p) : "r"(v) : "memory");
}
static int get(int *p)
{
	int v;
	__asm__ __volatile__("movl %1, %0" : "=r"(v) : "m"(*p) : "memory");
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
