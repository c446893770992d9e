// everett: -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: mutex-misuse at spin_destroyed.c:10
#include <pthread.h>
int main(void)
{
	pthread_spinlock_t lock;
	pthread_spin_init(&lock, 0);
	pthread_spin_destroy(&lock);
	pthread_spin_trylock(&lock);
	return 0;
}
