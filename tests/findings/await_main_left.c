// After pthread_exit() of main the process waits for every thread, detached or not.
// everett: -I../programs
// executions: sc/none:0
// blocked: sc/none:1
// finding: no-progress at await_main_left.c:11
#include "run.h"
#include <stdatomic.h>
static atomic_int flag;
THREAD(waits)
{
	while (!atomic_load(&flag))
		;
	return argument;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, waits, NULL);
	pthread_detach(t);
	pthread_exit(NULL);
}
