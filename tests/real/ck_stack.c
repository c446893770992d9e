/*
 * ck_stack, its "unique producers, multiple consumers" part: one thread pops, another pops twice and pushes, a third pushes (SMALL: not at the same
 * time). Each node is in one place in the end: popped once, or still on the stack.
 * WRONG: what is pushed was popped a moment ago, which is what "unique" excludes. The first thread's compare-and-swap then takes the
 * same address for an unchanged stack (ABA).
 */
#include "real.h"

#include <ck_stack.h>

static struct node {
	ck_stack_entry_t entry;
	int payload, taken;
} node[4];
static ck_stack_t stack = CK_STACK_INITIALIZER;

static void push(struct node *n)
{
	n->payload = 1;
	ck_stack_push_upmc(&stack, &n->entry);
}

static struct node *pop(void)
{
	struct node *n = (struct node *)ck_stack_pop_upmc(&stack);
	if (n) {
		assert(n->payload == 1 && "whole");
		__atomic_add_fetch(&n->taken, 1, __ATOMIC_SEQ_CST);
	}
	return n;
}

static void *popper(void *unused)
{
	pop();
	return unused;
}

static void *popper_and_pusher(void *unused)
{
	struct node *first = pop();
	pop();
	if (!WRONG) {
		push(&node[2]);
	} else if (first) {
		__atomic_sub_fetch(&first->taken, 1, __ATOMIC_SEQ_CST);
		push(first);
	}
	return unused;
}

static void *pusher(void *unused)
{
	push(&node[3]);
	return unused;
}

int main(void)
{
	push(&node[0]);
	push(&node[1]);
#ifdef SMALL
	pusher(NULL);
	pthread_t a = start(popper, NULL);
	popper_and_pusher(NULL);
#else
	pthread_t a = start(popper, NULL), b = start(popper_and_pusher, NULL), c = start(pusher, NULL);
	finish(b);
	finish(c);
#endif
	finish(a);
	for (ck_stack_entry_t *e = ck_stack_batch_pop_upmc(&stack); e; e = CK_STACK_NEXT(e))
		((struct node *)e)->taken++;
	for (int i = 0; i < 4; i++)
		assert(node[i].taken == (WRONG && i == 2 ? 0 : 1));
	return 0;
}
