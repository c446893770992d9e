// Two threads count up an eventfd, in 2 orders; main reads the sum.
// executions: sc/rf:2 sc/traces:2 tso/traces:2 pso/traces:2 ra/rf:2 rc11/rf:2
// finding: none
#include "run.h"
#include <sys/eventfd.h>
static int fd;
THREAD(add)
{
	assert(!eventfd_write(fd, 1 + (size_t)argument));
	return argument;
}
int main(void)
{
	eventfd_t sum = 0;
	fd = eventfd(0, 0);
	assert(fd >= 0);
	RUN(add, add);
	assert(!eventfd_read(fd, &sum) && sum == 3);
	return 0;
}
