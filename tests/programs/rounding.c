// The rounding mode is a thread's own: the other thread's sums do not change, in any order of the two writes.
// everett: -I. -lm
// executions: sc/none:6
// finding: none
#include "run.h"
#include <fenv.h>
static volatile int x;
static double third(void)
{
	volatile double one = 1, three = 3;
	return one / three;
}
THREAD(upward)
{
	fesetround(FE_UPWARD);
	double before = third();
	x = 1;
	assert(third() == before);
	x = 2;
	assert(third() == before && fegetround() == FE_UPWARD);
	return argument;
}
THREAD(usual)
{
	double before = third();
	x = 3;
	assert(third() == before);
	x = 4;
	assert(third() == before && fegetround() == FE_TONEAREST);
	return argument;
}
int main(void)
{
	RUN(upward, usual);
	return 0;
}
