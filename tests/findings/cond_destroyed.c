// everett: -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: mutex-misuse at cond_destroyed.c:8
#include <pthread.h>
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void)
{
	pthread_cond_destroy(&c), pthread_cond_signal(&c);
	return 0;
}
