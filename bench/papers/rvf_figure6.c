/*
 * The program with which 001 shows its exploration: a thread writes x, reads it and writes y; another writes both, reads y, and
 * writes a second value to x, which is all that makes a difference.
 */
#include "papers.h"

static atomic_int x, y;

static void *body(void *argument)
{
	set(x, 1);
	if (number(argument) == 0) {
		(void)get(x);
		set(y, 1);
	} else {
		set(y, 1);
		(void)get(y);
		set(x, 2);
	}
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
