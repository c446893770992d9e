// The routine calls pthread_once() for the same control, and waits for itself.
// everett: -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: mutex-misuse at once_recursive.c:9
#include <pthread.h>
static pthread_once_t control = PTHREAD_ONCE_INIT;
static void init(void)
{
	pthread_once(&control, init);
}
int main(void)
{
	pthread_once(&control, init);
	return 0;
}
