// Memory of the heap that grows, moves and changes hands: a list that one thread takes from another, text, and a block that is allocated again.
// executions: tso/traces:18 rc11/rf:30
// finding: none
#include "run.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node {
	struct node *next;
	char *name;
	int value;
};
static struct node *_Atomic head;
static atomic_int x;
static int seen[4];
static int now(void)
{
	return atomic_load_explicit(&x, memory_order_relaxed);
}
static void push(int value)
{
	char name[8];
	struct node *n = malloc(sizeof(*n)), *old = atomic_load_explicit(&head, memory_order_relaxed);
	snprintf(name, sizeof(name), "n%d", value);
	*n = (struct node){ .name = strdup(name), .value = value };
	do
		n->next = old;
	while (!atomic_compare_exchange_strong_explicit(&head, &old, n, memory_order_release, memory_order_relaxed));
}
static int take_all(struct node *n)
{
	int values = 0;
	for (struct node *next; n; n = next) {
		next = n->next;
		assert(n->name[1] - '0' == n->value);
		values = values * 10 + n->value;
		free(n->name);
		free(n);
	}
	return values;
}
THREAD(pushes)
{
	push(1);
	push(2);
	seen[0] = now();
	return argument;
}
THREAD(takes)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	seen[1] = take_all(atomic_exchange_explicit(&head, NULL, memory_order_acquire));
	return argument;
}
THREAD(grows)
{
	int *block = malloc(sizeof(*block));
	block[0] = now();
	block = realloc(block, 100 * sizeof(*block));
	block[50] = now();
	block[99] = block[0] + 10 * block[50];
	seen[2] = block[99];
	block = realloc(block, 2 * sizeof(*block));
	seen[3] = block[0];
	free(block);
	return argument;
}
int main(void)
{
	RUN(pushes, takes, grows);
	int left = take_all(head);
	assert(seen[1] + left == 12 || seen[1] + left == 21 || seen[1] + left == 3);
	assert(seen[3] == seen[2] % 10);
	printf("%d %d %d %d\n", seen[0], seen[1], seen[2], left);
	return 0;
}
