// The loop bound has stopped who would have set the flag, and says so: nothing is known of what would have come. The loop that
// waits is not bounded, for it goes round once.
// everett: -I../programs --unroll 1
// executions: sc/none:0
// truncated: sc/none:1
// incomplete: sc/none
// finding: none
#include "run.h"
#include <stdatomic.h>
static atomic_int flag;
THREAD(works)
{
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += i;
	atomic_store(&flag, sum);
	return argument;
}
THREAD(waits)
{
	while (!atomic_load(&flag))
		;
	return argument;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, works, NULL);
	pthread_create(&b, NULL, waits, NULL);
	pthread_join(b, NULL);
	pthread_join(a, NULL);
	return 0;
}
