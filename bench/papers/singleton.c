/*
 * singleton(N): N threads fill a place, one of them with Y, the others with X; main waits for them and looks what it is.
 */
#include "papers.h"

#ifndef N
#define N 4
#endif

static atomic_int place;

static void *body(void *argument)
{
	set(place, number(argument) == 1 ? 'Y' : 'X');
	return NULL;
}

int main(void)
{
	run(N, body);
	assert(get(place) == 'X' || get(place) == 'Y');
	return 0;
}
