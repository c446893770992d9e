// Neighbours in one word, each used by one thread only: not shared. One execution.
// executions: sc/none:1
// finding: none
#include "run.h"
static _Alignas(8) int ints[2];
static _Alignas(8) char chars[8];
static _Alignas(8) struct {
	short a;
	char b, c;
	int d;
} mixed;
THREAD(left)
{
	ints[0] = ints[0] + 1;
	for (int i = 0; i < 8; i += 2)
		chars[i]++;
	mixed.a = 1;
	mixed.c = 3;
	return argument;
}
THREAD(right)
{
	ints[1] = ints[1] + 1;
	for (int i = 1; i < 8; i += 2)
		chars[i]++;
	mixed.b = 2;
	mixed.d = 4;
	return argument;
}
int main(void)
{
	RUN(left, right);
	assert(ints[0] == 1 && ints[1] == 1 && chars[3] == 1 && mixed.a + mixed.b + mixed.c + mixed.d == 10);
	return 0;
}
