// Of four choices two are odd: 2 executions, 2 blocked.
// executions: sc/none:2 sc/traces:2
// blocked: sc/none:2 sc/traces:2
// finding: none
#include <assert.h>
#include <everett.h>
int main(void)
{
	unsigned c = everett_choose(4);
	everett_assume(c % 2 == 0);
	assert(c == 0 || c == 2);
	return 0;
}
