// The function that called setjmp has returned.
// executions: sc/none:1
// finding: crash at longjmp_returned.c:16
#include <setjmp.h>
static jmp_buf buffer;
static int set(void)
{
	volatile char space[100];
	space[0] = 1;
	return setjmp(buffer) + space[0] - 1;
}
int main(void)
{
	if (set() > 1)
		return 0;
	longjmp(buffer, 1);
}
