/*
 * Treiber's stack. Nodes are never reused, so that there is no ABA problem. What comes out is complete, and nothing is lost.
 */
#include "orders.h"

struct node {
	int value;
	struct node *next;
};

static struct node *_Atomic top;
static struct node nodes[3];

static void push(struct node *node)
{
	struct node *old = LOAD(push_top, relaxed, &top);
	do
		node->next = old;
	while (!CAS(push_cas, release, push_cas_failed, relaxed, &top, &old, node));
}

static int pop(void)
{
	struct node *node = LOAD(pop_top, acquire, &top);
	while (node && !CAS(pop_cas, relaxed, pop_cas_failed, acquire, &top, &node, node->next))
		;
	return node ? node->value : 0;
}

static void put(int i)
{
	nodes[i].value = 1 << i;
	push(&nodes[i]);
}

static void *work(void *got)
{
	put(1);
	*(int *)got = pop();
	return NULL;
}

static void *other(void *got)
{
	put(2);
	*(int *)got = pop();
	return NULL;
}

int main(void)
{
	int got[3] = { 0 }, sum = 0, value;
	pthread_t a = start(work, &got[0]), b = start(other, &got[1]);
	put(0);
	got[2] = pop();
	finish(a);
	finish(b);
	while ((value = pop()) != 0)
		sum += value;
	for (int i = 0; i < 3; i++)
		sum += got[i];
	assert(sum == 7);
	return 0;
}
