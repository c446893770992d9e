// Other names, and local steps in between: the count does not change.
// executions: sc/none:6
// finding: none
#include "run.h"
static int first, second;
static int result_a, result_b;
THREAD(zulu)
{
	int local[4] = { 1, 2, 3, 4 }, sum = 0;
	second = 1;
	for (int i = 0; i < 4; i++)
		sum += local[i];
	result_b = first;
	assert(sum == 10);
	return argument;
}
THREAD(alpha)
{
	first = 1;
	result_a = second;
	return argument;
}
int main(void)
{
	RUN(zulu, alpha);
	assert(result_a || result_b);
	return 0;
}
