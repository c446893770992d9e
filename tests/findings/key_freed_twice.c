// The thread frees its value itself, and leaves it to the destructor, too.
// everett: -I../programs -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: double-free
#include "run.h"
#include <stdlib.h>
static pthread_key_t key;
static void destroy(void *value)
{
	free(value);
}
THREAD(work)
{
	pthread_setspecific(key, malloc(8));
	free(pthread_getspecific(key));
	return argument;
}
int main(void)
{
	pthread_key_create(&key, destroy);
	RUN(work);
	return 0;
}
