/*
 * 27_Boop4(N): a toy driver. One thread unlocks the device and lets three others open it, each of which counts itself, and
 * locks the device unless it is locked; as soon as one has done so, the first thread takes a user away and unlocks the device again.
 * Whoever waits looks N times, and gives up.
 */
#include "papers.h"
#include <stdbool.h>

#ifndef N
#define N 1
#endif
#ifndef OPENERS
#define OPENERS 3
#endif

static atomic_int users, locked, ready, opened;

static bool waited_for(atomic_int *flag)
{
	for (int i = 0; i < N; i++)
		if (get(*flag))
			return true;
	return false;
}

static void open_device(void)
{
	if (!waited_for(&ready))
		return;
	set(users, get(users) + 1);
	if (get(locked))
		return;
	set(locked, 1);
	set(opened, 1);
}

static void close_device(void)
{
	set(users, 0);
	set(locked, 0);
	set(ready, 1);
	if (!waited_for(&opened))
		return;
	set(users, get(users) - 1);
	set(locked, 0);
	(void)get(users);
}

static void *body(void *argument)
{
	if (number(argument) == 0)
		close_device();
	else
		open_device();
	return NULL;
}

int main(void)
{
	run(1 + OPENERS, body);
	return 0;
}
