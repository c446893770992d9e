// The bound is on how often the head of a loop is reached, as in other tools: 3, 4, 5 rounds reach it 4, 5, 6 times (the
// last time to leave). A bound of 5 allows two of the three.
// everett: --unroll 5
// executions: sc/none:2
// truncated: sc/none:1
// finding: none
#include <everett.h>
int main(void)
{
	int sum = 0;
	for (unsigned i = 0, n = 3 + everett_choose(3); i < n; i++)
		sum++;
	return sum > 5;
}
