// executions: sc/none:1
// finding: abort at abort.c:6
#include <stdlib.h>
static void give_up(void)
{
	abort();
}
int main(void)
{
	give_up();
}
