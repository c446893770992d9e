// Two threads wait for the same write, which another one may overwrite: each of the two may have read it before that, or wait for ever.
// everett: -I../programs -k --no-races
// executions: sc/traces:2 sc/rf:1 sc/revisit:1 tso/traces:2 tso/rf:1 tso/revisit:1 pso/traces:2 pso/rf:1 ra/rf:1 ra/revisit:1 rc11/rf:1 rc11/revisit:1
// blocked: sc/traces:3 sc/rf:3 sc/revisit:3 tso/traces:3 tso/rf:3 tso/revisit:3 pso/traces:3 pso/rf:3 ra/rf:3 ra/revisit:3 rc11/rf:3 rc11/revisit:3
// finding: no-progress at await_one_of_two.c:13, no-progress at await_one_of_two.c:16
#include "run.h"
static volatile int x;
THREAD(overwriter)
{
	x = 2;
	return argument;
}
THREAD(first) { while (x != 1) ;
	return argument;
}
THREAD(second) { while (x != 1) ;
	return argument;
}
THREAD(writer)
{
	x = 1;
	return argument;
}
int main(void)
{
	RUN(overwriter, first, second, writer);
	return 0;
}
