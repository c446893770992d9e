// 2 * 3 choices; a choice of one is none.
// executions: sc/none:6 sc/traces:6
// finding: none
#include <assert.h>
#include <everett.h>
int main(void)
{
	unsigned a = everett_choose(2), b = everett_choose(3), c = everett_choose(1);
	assert(a < 2 && b < 3 && c == 0);
	return 0;
}
