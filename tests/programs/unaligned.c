// A four-byte member that lies across two words, written by both threads, and a byte in the second of them that overlaps
// nothing. 2 orders of the two writes. The neighbours before and behind are private.
// executions: sc/none:2
// finding: none
#include "run.h"
static struct __attribute__((packed, aligned(8))) {
	char before[6];
	unsigned value;
	char behind[6];
} s;
THREAD(left)
{
	s.before[5] = 1;
	s.value = 0x11111111;
	return argument;
}
THREAD(right)
{
	s.value = 0x22222222;
	s.behind[0] = 2;
	return argument;
}
int main(void)
{
	RUN(left, right);
	assert(s.value == 0x11111111 || s.value == 0x22222222);
	assert(s.before[5] == 1 && s.behind[0] == 2);
	return 0;
}
