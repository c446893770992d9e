/*
 * safestack: a stack of indexes that was meant to survive the ABA problem by counting its elements and never handing out the last one. Three threads, and many
 * preemptions, are needed for two of them to hold one element.
 */
#include "hunt.h"

#define N 3
#ifndef ROUNDS
#define ROUNDS 2
#endif

static struct {
	atomic_int value, next;
} cells[N];
static atomic_int head, count = N;

static int pop(void)
{
	while (count > 1) {
		int h = head, next = atomic_exchange(&cells[h].next, -1);
		if (next < 0)
			continue;
		int expected = h;
		if (atomic_compare_exchange_strong(&head, &expected, next)) {
			atomic_fetch_sub(&count, 1);
			return h;
		}
		atomic_exchange(&cells[h].next, next);
	}
	return -1;
}

static void push(int cell)
{
	int h = head;
	do
		cells[cell].next = h;
	while (!atomic_compare_exchange_strong(&head, &h, cell));
	atomic_fetch_add(&count, 1);
}

static void body(int number)
{
	for (int i = 0; i < ROUNDS; i++) {
		int cell;
		do
			cell = pop();
		while (cell < 0);
		cells[cell].value = number;
		assert(cells[cell].value == number);
		push(cell);
	}
}

int main(void)
{
	for (int i = 0; i < N - 1; i++)
		cells[i].next = i + 1;
	cells[N - 1].next = -1;
	run(N, body);
	return 0;
}
