// What main waits for depends on what the thread that it has joined has seen: if that was 0, it does not go on with 1. So it finds 0 or
// 2 then; 1 or 2, if the thread has seen 1; and 2 after 2.
// everett: -I../programs -k
// executions: sc/traces:5 sc/rf:5 tso/traces:5 tso/rf:5 pso/traces:5 ra/rf:5
// finding: assertion at wait_joined.c:31
#include "run.h"
#include <stdatomic.h>
static atomic_int x;
static int seen;
THREAD(looks)
{
	seen = atomic_load(&x);
	return argument;
}
THREAD(writes)
{
	atomic_store(&x, 1);
	atomic_store(&x, 2);
	return argument;
}
int main(void)
{
	pthread_t a, b;
	int found;
	pthread_create(&a, NULL, looks, NULL);
	pthread_create(&b, NULL, writes, NULL);
	pthread_join(a, NULL);
	do
		found = atomic_load(&x);
	while (found == 1 && seen == 0);
	assert(found != 1);
	pthread_join(b, NULL);
	return 0;
}
