// Main waits for a mutex; its owner waits in a loop. Main reads before the owner locks or writes, which the assumption rules
// out, twice; or after both.
// everett: -I../programs -k
// executions: sc/none:0
// blocked: sc/none:3
// finding: no-progress at await_for_mutex.c:17
#include "run.h"
#include <everett.h>
#include <stdatomic.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int locked, flag;
THREAD(owner)
{
	pthread_mutex_lock(&mutex);
	locked = 1;
	for (;;)
		if (flag)
			return argument;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, owner, NULL);
	everett_assume(locked);
	pthread_mutex_lock(&mutex);
	return 0;
}
