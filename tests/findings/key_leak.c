// The destructor forgets what it is for, in the thread that has set a value; main's is freed.
// everett: -I../programs -k --leaks
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: leak at key_leak.c:14
#include "run.h"
#include <stdlib.h>
static pthread_key_t key;
static void destroy(void *value)
{
	(void)value;
}
THREAD(work)
{
	pthread_setspecific(key, malloc(8));
	return argument;
}
int main(void)
{
	pthread_key_create(&key, destroy);
	RUN(work);
	return 0;
}
