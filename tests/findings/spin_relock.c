// everett: -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: mutex-misuse at spin_relock.c:10
#include <pthread.h>
int main(void)
{
	pthread_spinlock_t lock;
	pthread_spin_init(&lock, 0);
	pthread_spin_lock(&lock);
	pthread_spin_lock(&lock);
	return 0;
}
