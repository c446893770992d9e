// setjmp writes its buffer, which is reset with everything else: at the start of every execution it is as it was. The
// two writes of x make two executions.
// executions: sc/none:2
// finding: none
#include "run.h"
#include <setjmp.h>
static jmp_buf buffer;
static int x;
THREAD(work)
{
	x = 1;
	return argument;
}
static void back(void)
{
	longjmp(buffer, 0); /* 0 becomes 1 */
}
int main(void)
{
	for (unsigned i = 0; i < sizeof(buffer); i++)
		assert(((char *)&buffer)[i] == 0);
	RUN(work, work);
	volatile int n = 0;
	int value = setjmp(buffer);
	if (value == 0)
		back();
	assert(value == 1);
	if (n++ < 3)
		back();
	return 0;
}
