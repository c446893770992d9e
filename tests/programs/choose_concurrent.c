// A choice is an event: 2 orders of the two, times 2 * 3 outcomes.
// Nobody sees the order: 6 traces.
// executions: sc/none:12 sc/traces:6
// finding: none
#include "run.h"
#include <everett.h>
static unsigned got[2];
THREAD(two)
{
	got[0] = everett_choose(2);
	return argument;
}
THREAD(three)
{
	got[1] = everett_choose(3);
	return argument;
}
int main(void)
{
	RUN(two, three);
	assert(got[0] < 2 && got[1] < 3);
	return 0;
}
