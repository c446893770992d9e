/*
 * chase-lev-dq(N): a deque of ten places. Its owner pushes N + 1 numbers, takes N from the same end and pushes N more, while one
 * thread tries to steal from the other end twice, another once.
 */
#include "papers.h"

#ifndef N
#define N 4
#endif
#ifndef THIEVES
#define THIEVES 2
#endif
#define PLACES 10

static atomic_int top, bottom, element[PLACES];

static void push(int value)
{
	int end = get(bottom), start = get(top);
	if (end - start >= PLACES)
		return;
	set(element[end % PLACES], value);
	set(bottom, end + 1);
}

/* The last element is the owner's only if no thief is faster. */
static void take(void)
{
	int end = get(bottom);
	set(bottom, end - 1);
	int start = get(top);
	if (start < end) {
		(void)get(element[(end - 1) % PLACES]);
		if (start < end - 1)
			return;
		atomic_compare_exchange_strong(&top, &start, start + 1);
	}
	set(bottom, end);
}

static void steal(void)
{
	int start = get(top), end = get(bottom);
	if (start >= end)
		return;
	(void)get(element[start % PLACES]);
	atomic_compare_exchange_strong(&top, &start, start + 1);
}

static void owner(void)
{
	for (int i = 0; i <= N; i++)
		push(i + 1);
	for (int i = 0; i < N; i++)
		take();
	for (int i = 0; i < N; i++)
		push(N + i + 2);
}

static void *body(void *argument)
{
	if (number(argument) == 0)
		owner();
	else
		for (int i = number(argument); i <= THIEVES; i++)
			steal();
	return NULL;
}

int main(void)
{
	run(1 + THIEVES, body);
	return 0;
}
