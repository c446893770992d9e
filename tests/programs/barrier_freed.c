// The serial thread destroys and frees the barrier as soon as it is through, while the other may be on its way out: POSIX allows it.
// Which of the two is the serial one is a choice: 2. For none also who comes first, since both read how many are to come: 4.
// executions: sc/none:4 tso/traces:2 pso/traces:2 ra/none:4 ra/rf:2
// finding: none
#include "run.h"
#include <stdlib.h>
static pthread_barrier_t *b;
THREAD(work)
{
	int status = pthread_barrier_wait(b);
	assert(status == 0 || status == PTHREAD_BARRIER_SERIAL_THREAD);
	if (status) {
		assert(pthread_barrier_destroy(b) == 0);
		free(b);
	}
	return argument;
}
int main(void)
{
	b = malloc(sizeof(*b));
	assert(pthread_barrier_init(b, NULL, 2) == 0);
	RUN(work, work);
	return 0;
}
