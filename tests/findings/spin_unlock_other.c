// Main has it. The thread's unlock is its only event.
// everett: -I../programs -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: mutex-misuse at spin_unlock_other.c:9
#include "run.h"
static pthread_spinlock_t lock;
THREAD(work)
{
	pthread_spin_unlock(&lock);
	return argument;
}
int main(void)
{
	pthread_spin_init(&lock, 0);
	pthread_spin_lock(&lock);
	RUN(work);
	return 0;
}
