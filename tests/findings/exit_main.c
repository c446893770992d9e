// Of several returns, the one that was taken.
// everett: -k
// executions: sc/none:3 tso/rf:3
// finding: exit at exit_main.c:9, exit at exit_main.c:12
#include <everett.h>
int main(void)
{
	if (everett_choose(2))
		return 1;
	int r = everett_choose(2);
	/* main's value is a number, not only a constant */
	return -r;
}
