// Escaping locals, in a thread.
// everett: -I../programs
// executions: sc/none:1
// finding: crash
#include "run.h"
static int deeper(int *p)
{
	int local[100];
	local[0] = *p + 1;
	return deeper(local) + local[0];
}
THREAD(work)
{
	int n = 0;
	deeper(&n);
	return argument;
}
int main(void)
{
	RUN(work);
	return 0;
}
