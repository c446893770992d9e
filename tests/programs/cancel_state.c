// Cancellation can be turned off and on; as nobody is ever cancelled, that changes nothing. Each thread has its own state. 1.
// executions: sc/none:1 tso/traces:1 pso/traces:1 ra/rf:1
// finding: none
#include "run.h"
#include <errno.h>
THREAD(work)
{
	int old = -1;
	pthread_testcancel();
	assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
	pthread_testcancel();
	assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
	assert(pthread_setcancelstate(77, &old) == EINVAL && pthread_setcanceltype(77, &old) == EINVAL);
	assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
	assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL) == 0);
	assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
	assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL) == 0);
	return argument;
}
int main(void)
{
	RUN(work);
	RUN(work);
	return 0;
}
