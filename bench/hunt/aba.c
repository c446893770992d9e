/* ABA in a stack of three nodes: while one thread is about to pop, two others pop both nodes and push the first one back. */
#include "hunt.h"

#define NODES 3

static atomic_int head = 0, next[NODES] = { 1, 2, -1 }, held[NODES];

static int pop(void)
{
	int h = head;
	do {
		if (h < 0)
			return -1;
	} while (!atomic_compare_exchange_strong(&head, &h, next[h]));
	assert(atomic_fetch_add(&held[h], 1) == 0);
	return h;
}

static void push(int node)
{
	atomic_fetch_sub(&held[node], 1);
	int h = head;
	do
		next[node] = h;
	while (!atomic_compare_exchange_strong(&head, &h, node));
}

static void body(int number)
{
	int a = pop();
	if (number == 1) {
		int b = pop();
		if (a >= 0)
			push(a);
		if (b >= 0)
			pop();
		return;
	}
	if (number == 2)
		pop();
}

int main(void)
{
	run(3, body);
	return 0;
}
