// Each entry of the inner loop has its own count: 3 times 3 rounds reach its head 3 times 4 times, and are within a bound of
// 4; so are 4 rounds of a loop that tests at its end.
// everett: --unroll 4
// executions: sc/none:1
// finding: none
#include <assert.h>
int main(void)
{
	int n = 0;
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			n++;
	int k = 4;
	do
		n++;
	while (--k);
	assert(n == 13);
	return 0;
}
