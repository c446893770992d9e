// C11: a plain mutex is not recursive.
// everett: -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: mutex-misuse at c11_relock.c:11
#include <threads.h>
int main(void)
{
	mtx_t m;
	mtx_init(&m, mtx_timed);
	mtx_lock(&m);
	mtx_lock(&m);
	return 0;
}
