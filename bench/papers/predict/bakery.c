/*
 * bakery of paper 002: Lamport's bakery for two threads, which enter ENTRIES times each. Asserted is that never both are inside.
 *
 * The threads are written down one by one, so that a cycle's statements tell them apart. Under TSO a number (3, 13), or that one is
 * being chosen (1, 11), is still in the buffer while the other thread's is read (2, 5, 6); under PSO 4 may overtake 3, too. With -DFENCES
 * there is a store-load fence behind 1, 3, 11 and 13.
 */
#include "predict.h"

#ifndef ENTRIES
#define ENTRIES 3
#endif

static atomic_int choosing0, choosing1, number0, number1;
static atomic_int inside;

/* Takes effect at once, and leaves other stores in the buffer, unless the model is TSO. */
static void critical_section(void)
{
	assert(atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed) == 0);
	atomic_fetch_sub_explicit(&inside, 1, memory_order_relaxed);
}

static void enter0(void)
{
	set(choosing0, 1); /* 1 */
	fence_tso();
	int mine = get(number1) + 1; /* 2 */
	set(number0, mine); /* 3 */
	fence_tso();
	set(choosing0, 0); /* 4 */
	while (get(choosing1)) /* 5 */
		continue;
	while (get(number1) != 0 && /* 6 */
	       get(number1) < mine) /* 7 */
		continue;
	critical_section();
	set(number0, 0); /* 8 */
}

static void enter1(void)
{
	set(choosing1, 1); /* 11 */
	fence_tso();
	int mine = get(number0) + 1; /* 12 */
	set(number1, mine); /* 13 */
	fence_tso();
	set(choosing1, 0); /* 14 */
	while (get(choosing0)) /* 15 */
		continue;
	while (get(number0) != 0 && /* 16 */
	       get(number0) <= mine) /* 17 */
		continue;
	critical_section();
	set(number1, 0); /* 18 */
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
