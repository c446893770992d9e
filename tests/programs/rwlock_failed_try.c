// A trywrlock that fails knows of the readers, and the last of them to leave may know of it: still they leave the rwlock free, so
// that the tryrdlock succeeds. The numbers are those of brute force; what matters is that engine rf has the same classes.
// executions: sc/none:57 ra/none:58
// blocked: sc/none:8 ra/none:24
// finding: none
#include "run.h"
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
THREAD(reads)
{
	pthread_rwlock_rdlock(&w);
	pthread_rwlock_unlock(&w);
	return argument;
}
THREAD(tries)
{
	if (!pthread_rwlock_trywrlock(&w))
		pthread_rwlock_unlock(&w);
	pthread_rwlock_rdlock(&w);
	pthread_rwlock_unlock(&w);
	if (!pthread_rwlock_tryrdlock(&w))
		pthread_rwlock_unlock(&w);
	return argument;
}
int main(void)
{
	RUN(reads, tries);
	return 0;
}
