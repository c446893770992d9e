// A loop around a trylock. Attempts that fail are no events: the order in which three threads take it is all there is.
// executions: sc/traces:6 sc/rf:6 tso/traces:6 tso/rf:6 pso/traces:6 pso/rf:6 ra/rf:6
// finding: none
#include "run.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
THREAD(adds)
{
	while (pthread_mutex_trylock(&m))
		;
	x++;
	pthread_mutex_unlock(&m);
	return argument;
}
int main(void)
{
	RUN(adds, adds, adds);
	assert(x == 3);
	return 0;
}
