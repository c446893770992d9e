// The key is deleted, so that its values are nobody's any more: what the thread gets is NULL.
// everett: -I../programs -k
// executions: sc/none:1 tso/traces:1 ra/rf:1
// finding: invalid-access at key_deleted.c:15
#include "run.h"
static pthread_key_t key;
static int x = 1;
THREAD(work)
{
	assert(pthread_setspecific(key, &x) == 0);
	assert(*(int *)pthread_getspecific(key) == 1);
	pthread_key_delete(key);
	/* It does not look at what this returns, nor at what that does. */
	pthread_setspecific(key, &x);
	*(int *)pthread_getspecific(key) = 2;
	return argument;
}
int main(void)
{
	pthread_key_create(&key, NULL);
	RUN(work);
	return 0;
}
