/*
 * Ticket_mutex_c11(N): N threads take a ticket each and wait until it is called.
 */
#include "lockfree.h"

#ifndef N
#define N 3
#endif

static atomic_int ingress, egress;
static int shared;

static bool lock(void)
{
	int ticket = atomic_fetch_add(&ingress, 1);
	for (int rounds = 0; load(egress) != ticket;)
		if (give_up(rounds))
			return false;
	return true;
}

static void *body(void *argument)
{
	(void)argument;
	if (!lock())
		return NULL;
	shared++;
	atomic_fetch_add(&egress, 1);
	return NULL;
}

int main(void)
{
	run(N, body);
	return 0;
}
