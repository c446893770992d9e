// executions: sc/none:1
// finding: exit at exit.c:6
#include <stdlib.h>
int main(void)
{
	exit(3);
}
