/*
 * dekker of paper 002: Dekker's mutual exclusion of two threads, which enter ENTRIES times each. Asserted is that never both are
 * inside.
 *
 * The numbers behind the statements are those of figure 11, by which the paper calls its cycles. Under TSO (1, 2, 11, 12),
 * (1, 2, 17, 12) and (7, 2, 11, 12) break it: a flag is still in the buffer while the other's is read. With -DFENCES there is a
 * store-load fence behind 1, 7, 11 and 17, and nothing breaks. (9, 2, 14, 15) is possible then, too, and harmless.
 *
 * PSO may also have 10 overtake 9, and 20 overtake 19. That does not let two threads in, but the last one may wait for its turn for
 * ever: it left late, so that its own turn was written over the other's. -DFENCES=2 keeps these in order. -DASSUME leaves out the
 * executions in which somebody waits at 5 or 15, so that only the assertion can fail.
 *
 * Who waits for a flag (2, 3) does so in a loop of its own, which the goto leaves, so that it is an await.
 */
#include "predict.h"

#ifndef ENTRIES
#define ENTRIES 3
#endif

static atomic_int flag0, flag1, turn;
static atomic_int inside;

/* Takes effect at once, and leaves other stores in the buffer, unless the model is TSO. */
static void critical_section(void)
{
	assert(atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed) == 0);
	atomic_fetch_sub_explicit(&inside, 1, memory_order_relaxed);
}

static void enter0(void)
{
	set(flag0, 1); /* 1 */
	fence_tso();
again:
	while (get(flag1)) /* 2 */
		if (get(turn)) { /* 3 */
			set(flag0, 0); /* 4 */
			wait_until(!get(turn)); /* 5 */
			set(flag0, 1); /* 7 */
			fence_tso();
			goto again;
		}
	critical_section();
	set(turn, 1); /* 9 */
	fence_pso();
	set(flag0, 0); /* 10 */
}

static void enter1(void)
{
	set(flag1, 1); /* 11 */
	fence_tso();
again:
	while (get(flag0)) /* 12 */
		if (!get(turn)) { /* 13 */
			set(flag1, 0); /* 14 */
			wait_until(get(turn)); /* 15 */
			set(flag1, 1); /* 17 */
			fence_tso();
			goto again;
		}
	critical_section();
	set(turn, 0); /* 19 */
	fence_pso();
	set(flag1, 0); /* 20 */
}

static void *body(void *argument)
{
	for (int i = 0; i < ENTRIES; i++)
		if (number(argument) == 0)
			enter0();
		else
			enter1();
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
