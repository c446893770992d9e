// However many come, the routine is run once, and whoever comes back from pthread_once() sees what it has done. Three threads:
// 3! orders. Another control is another matter.
// executions: sc/none:168 tso/traces:6 pso/traces:6 ra/rf:6
// finding: none
#include "run.h"
static pthread_once_t control = PTHREAD_ONCE_INIT, other = PTHREAD_ONCE_INIT;
static int runs, others;
static void init(void)
{
	runs++;
}
static void init_other(void)
{
	others++;
}
THREAD(work)
{
	assert(pthread_once(&control, init) == 0);
	assert(runs == 1);
	return argument;
}
int main(void)
{
	RUN(work, work, work);
	assert(pthread_once(&control, init) == 0 && runs == 1);
	assert(pthread_once(&other, init_other) == 0 && pthread_once(&other, init) == 0 && others == 1 && runs == 1);
	return 0;
}
