// everett: --fail-on-exit
// executions: sc/none:1
// finding: exit at exit.c:7
#include <stdlib.h>
int main(void)
{
	exit(3);
}
