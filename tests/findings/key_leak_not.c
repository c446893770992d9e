// As key_leak.c, with the destructor that it should be.
// everett: -I../programs -k --leaks
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: none
#include "run.h"
#include <stdlib.h>
static pthread_key_t key;
THREAD(work)
{
	pthread_setspecific(key, malloc(8));
	return argument;
}
int main(void)
{
	pthread_key_create(&key, free);
	RUN(work);
	return 0;
}
