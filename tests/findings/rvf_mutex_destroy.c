// The mutex is free, and destroyed before the other thread asks for it; or held, and not to be destroyed; or free again.
// everett: -k -I../programs
// executions: sc/none:3 sc/rvf:3
// finding: mutex-misuse at rvf_mutex_destroy.c:10, mutex-misuse at rvf_mutex_destroy.c:17
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int taken;
THREAD(work)
{
	taken = !pthread_mutex_trylock(&m);
	if (taken)
		pthread_mutex_unlock(&m);
	return argument;
}
THREAD(destroys)
{
	pthread_mutex_destroy(&m);
	return argument;
}
int main(void)
{
	RUN(work, destroys);
	assert(taken);
	return 0;
}
