// executions: sc/none:1
// finding: crash at division_overflow.c:11
#include <limits.h>
int main(void)
{
	volatile int least = INT_MIN, minus = -1;
	volatile unsigned large = 0x80000000, all = 0xffffffff;
	volatile signed char c = -128;
	if (large / all != 0 || large % all != large || c / minus != 128 || least / 1 != least)
		return 1;
	return least % minus;
}
