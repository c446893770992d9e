/*
 * The program with which 001 begins: three threads write 1 to two variables, one of them reads the first variable then, another the
 * second. All that is read is 1.
 */
#include "papers.h"

static atomic_int x, y;

static void *body(void *argument)
{
	set(x, 1);
	set(y, 1);
	if (number(argument) == 1)
		(void)get(x);
	if (number(argument) == 2)
		(void)get(y);
	return NULL;
}

int main(void)
{
	run(3, body);
	return 0;
}
