// Two threads write, nobody but the loop reads: that it has seen the last write of all, no read tells. It waits in vain for 2 if
// it has read 1 and the other's 3 came before; if it has read 3, likewise.
// everett: -I../programs -k --no-races
// executions: sc/none:0 sc/traces:0 sc/rf:0 ra/none:0 ra/rf:0
// blocked: sc/none:2 sc/traces:2 sc/rf:2 ra/none:2 ra/rf:2
// finding: no-progress at await_last_write.c:9
#include "run.h"
static volatile int x;
THREAD(waiter) { while (x != 2) ;
	return argument;
}
THREAD(one)
{
	x = 1;
	return argument;
}
THREAD(three)
{
	x = 3;
	return argument;
}
int main(void)
{
	RUN(waiter, one, three);
	return 0;
}
