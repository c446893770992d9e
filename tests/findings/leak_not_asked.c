// Off unless asked for.
// executions: sc/none:1
// finding: none
#include <stdlib.h>
int main(void)
{
	return malloc(8) == 0;
}
