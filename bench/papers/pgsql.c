/*
 * A core of PostgreSQL's latches: two workers hand work to each other. A worker that is woken by its latch must find its flag
 * set. -DBOUND=4: each waits four rounds at most, and works four times at most, so that no loop merely spins (pgsql_bnd).
 */
#include "papers.h"

static atomic_int latch[2] = { 1, 0 }, flag[2] = { 1, 0 };

static void work(int self, int other)
{
	assert(!get(latch[self]) || get(flag[self]));
	set(latch[self], 0);
	if (get(flag[self])) {
		set(flag[self], 0);
		set(flag[other], 1);
		fence_pso();
		set(latch[other], 1);
	}
}

#ifdef BOUND

static void *body(void *argument)
{
	int self = number(argument);
	for (int i = 0; i < BOUND; i++) {
		for (int j = 0; !get(latch[self]) && j < BOUND; j++)
			;
		if (!get(latch[self]))
			break;
		work(self, 1 - self);
	}
	return NULL;
}

#else

static void *body(void *argument)
{
	int self = number(argument);
	for (;;) {
		wait_until(get(latch[self]));
		work(self, 1 - self);
	}
	return NULL;
}

#endif

int main(void)
{
	run(2, body);
	return 0;
}
