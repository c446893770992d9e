// C11: two mutexes in different orders. One after the other: 2, or each has its first: 1.
// everett: -k
// executions: sc/none:6 tso/traces:3 ra/none:6 ra/rf:3
// finding: deadlock at c11_abba.c:11
#include <stddef.h>
#include <threads.h>
static mtx_t a, b;
static int left(void *argument)
{
	mtx_lock(&a);
	mtx_lock(&b);
	mtx_unlock(&b);
	mtx_unlock(&a);
	return argument != NULL;
}
int main(void)
{
	thrd_t t;
	mtx_init(&a, mtx_plain);
	mtx_init(&b, mtx_plain);
	thrd_create(&t, left, NULL);
	mtx_lock(&b);
	mtx_lock(&a);
	mtx_unlock(&a);
	mtx_unlock(&b);
	thrd_join(t, NULL);
	return 0;
}
