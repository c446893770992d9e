// On an error nobody unlocks, and the other spins for ever.
// everett: -I../programs -k
// executions: sc/none:2 tso/traces:2 ra/none:2 ra/rf:2
// finding: deadlock
#include "run.h"
static pthread_spinlock_t lock;
static int x;
THREAD(work)
{
	pthread_spin_lock(&lock);
	if (x++)
		return NULL;
	pthread_spin_unlock(&lock);
	return argument;
}
int main(void)
{
	pthread_spin_init(&lock, 0);
	RUN(work, work);
	pthread_spin_lock(&lock);
	return 0;
}
