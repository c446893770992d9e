// Constructors by priority, then main, then atexit handlers last first, then destructors in the other direction. In every
// execution again: the writes of x make 2.
// executions: sc/none:2
// finding: none
#include "run.h"
#include <stdlib.h>
static int order[16], count, x;
static void note(int what)
{
	order[count++] = what;
}
__attribute__((constructor(300))) static void third(void)
{
	note(3);
}
__attribute__((constructor(101))) static void first(void)
{
	note(1);
}
__attribute__((constructor(200))) static void second(void)
{
	note(2);
}
__attribute__((constructor)) static void fourth(void)
{
	note(4);
}
__attribute__((destructor(101))) static void last(void)
{
	note(9);
	for (int i = 0; i < 9; i++)
		assert(order[i] == i + 1);
	assert(count == 9);
}
__attribute__((destructor)) static void before_last(void)
{
	note(8);
}
static void handler(void)
{
	note(7);
}
static void other_handler(void)
{
	note(6);
}
THREAD(write)
{
	x = 1;
	return argument;
}
int main(void)
{
	atexit(handler);
	atexit(other_handler);
	RUN(write, write);
	note(5);
	return 0;
}
