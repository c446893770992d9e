/*
 * approxds-append(N): N threads append an element each to a list of N - 2 places, without synchronisation: elements may be
 * lost. Main waits for them and takes out what there is.
 */
#include "papers.h"

#ifndef N
#define N 4
#endif
#define PLACES (N - 2)

static atomic_int element[PLACES], length;

static void *append(void *argument)
{
	int place = get(length);
	if (place >= PLACES)
		return NULL;
	set(element[place], number(argument));
	set(length, place + 1);
	return NULL;
}

int main(void)
{
	run(N, append);
	for (int i = get(length); i > 0; i = get(length)) {
		(void)get(element[i - 1]);
		set(length, i - 1);
	}
	return 0;
}
