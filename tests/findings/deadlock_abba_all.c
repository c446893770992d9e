// Each mutex has an order of who was first: both left, both right, or each his own first, which is the deadlock. That each
// has taken the other's first cannot be: it would have had its own before. Executions: as many orders of the four and four
// events as do not have a thread pass a lock that is held: one after the other, 2; the second's first lock just before
// the first's last unlock (it has given the other free), 2 more; and both first locks, in either order, 2.
// everett: -k -I../programs
// executions: sc/none:6 sc/traces:3 sc/rf:3 sc/rvf:3 tso/none:6 tso/traces:3 pso/none:6 pso/traces:3 ra/none:6 ra/rf:3
// finding: deadlock
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
	RUN(left, right);
	return 0;
}
