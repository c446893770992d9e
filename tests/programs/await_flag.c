// One reads until the other has written: it reads the write. No loop bound is needed, nor does one matter; nobody stops in vain.
// everett: --unroll 1
// executions: sc/none:1 tso/none:1 pso/none:1 ra/none:1 sc/traces:1 tso/traces:1 pso/traces:1
// blocked: sc/none:0 tso/none:0 pso/none:0 ra/none:0 sc/traces:0 tso/traces:0 pso/traces:0
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int flag;
static int data;
THREAD(writes)
{
	data = 7;
	atomic_store_explicit(&flag, 1, memory_order_release);
	return argument;
}
THREAD(waits)
{
	while (!atomic_load_explicit(&flag, memory_order_acquire))
		;
	return argument;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, writes, NULL);
	pthread_create(&b, NULL, waits, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(data == 7);
	return 0;
}
