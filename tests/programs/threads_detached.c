// Two detached threads, one by attribute and one by pthread_detach, and main, write x once each: 3! = 6. Nobody waits.
// executions: sc/none:6
// finding: none
#include "run.h"
#include <errno.h>
static int x;
THREAD(work)
{
	x = 1;
	return argument;
}
int main(void)
{
	pthread_t a, b;
	pthread_attr_t attr;
	int state = -1;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_getdetachstate(&attr, &state);
	assert(state == PTHREAD_CREATE_DETACHED);
	pthread_create(&a, &attr, work, NULL);
	pthread_attr_destroy(&attr);
	pthread_create(&b, NULL, work, NULL);
	assert(pthread_detach(b) == 0);
	assert(pthread_detach(b) == EINVAL && pthread_join(b, NULL) == EINVAL && pthread_join(a, NULL) == EINVAL);
	x = 2;
	return 0;
}
