// C11: main has it, and the thread unlocks it.
// everett: -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: mutex-misuse at c11_unlock_other.c:9
#include <threads.h>
static mtx_t m;
static int work(void *argument)
{
	mtx_unlock(&m);
	return argument != NULL;
}
int main(void)
{
	thrd_t t;
	mtx_init(&m, mtx_plain);
	mtx_lock(&m);
	thrd_create(&t, work, NULL);
	thrd_join(t, NULL);
	return 0;
}
