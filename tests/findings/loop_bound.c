// The program bounds its own loops: 2 rounds reach the head 3 times, and pass; 3 are cut.
// executions: sc/none:1
// truncated: sc/none:1
// finding: none
#include <everett.h>
int main(void)
{
	everett_loop_bound(3);
	int sum = 0;
	for (unsigned i = 0, n = 2 + everett_choose(2); i < n; i++)
		sum++;
	return sum > 5;
}
