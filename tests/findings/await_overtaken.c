// The loop waits in vain if 1 overwrites 3 after the second thread has looked. That it reads 1 and the second thread 3 tells nothing
// about the order of the writes. The second thread reads 3, or 1 and writes once more; the loop reads 3, or waits in vain in the one order
// in which 1 is the last. Engine rvf has 4 in which the loop has stopped, having read 0 or 1.
// everett: -I../programs -k --no-races
// executions: sc/none:6 sc/rf:3 sc/rvf:2
// blocked: sc/none:1 sc/rf:1 sc/rvf:4
// finding: no-progress at await_overtaken.c:19
#include "run.h"
static volatile int x;
THREAD(one)
{
	x = 1;
	return argument;
}
THREAD(three)
{ x = 3; if (x != 3) x = 3;
	return argument;
}
THREAD(waiter) { while (x != 3) ;
	return argument;
}
int main(void)
{
	RUN(one, three, waiter);
	return 0;
}
