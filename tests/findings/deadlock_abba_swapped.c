// A deadlock is named by the wait that comes first in the source, not by the thread that was created first: this is
// deadlock_abba.c with the threads created the other way round. If the left one locks first, it locks again, and then the
// right one comes before or after the last unlock, or the right one locks in between: 3 executions; and 3 by symmetry.
// everett: -I../programs -k
// executions: sc/none:6
// finding: deadlock at deadlock_abba_swapped.c:12
#include "run.h"
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
THREAD(left)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return argument;
}
THREAD(right)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return argument;
}
int main(void)
{
	RUN(right, left);
	return 0;
}
