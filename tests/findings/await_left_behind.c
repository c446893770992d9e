// When main returns, a thread that still waits is gone with the process.
// everett: -I../programs
// executions: sc/none:0
// blocked: sc/none:1
// incomplete: sc/none
// finding: none
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
	return 0;
}
