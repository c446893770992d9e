/*
 * liburcu's stacks, KIND of lfs (lock-free) and wfs (wait-free push): one thread pushes, one pops, one pops and pushes again what it
 * has; SMALL: the first does what the last does. Each node is in one place in the end, and was whole wherever it was popped.
 * A pop of wfs that waits for a push counts its attempts from 0 to 10 again and again, in a loop that has to be bounded.
 * WRONG: pops are not excluded from each other, and there is no grace period before a node is pushed again.
 */
#include "real.h"

#include <urcu/lfstack.h>
#include <urcu/wfstack.h>

#define GLUE(a, b, c) a##b##c
#define CALL(kind, suffix) GLUE(cds_, kind, suffix)
#define INTERNAL(kind, suffix) GLUE(__cds_, kind, suffix)
#define STRUCT(kind, suffix) struct CALL(kind, suffix)

static struct node {
	STRUCT(KIND, _node) link;
	int payload, taken;
} node[3];
static STRUCT(KIND, _stack) stack;

static void push(struct node *n)
{
	n->payload = 1;
	CALL(KIND, _node_init)(&n->link);
	CALL(KIND, _push)(&stack, &n->link);
}

#define IS_lfs 0
#define IS_wfs 1
#define IS(kind) GLUE(IS_, kind, )

static struct node *pop(void)
{
#if !WRONG
	struct node *n = (struct node *)CALL(KIND, _pop_blocking)(&stack);
#elif IS(KIND)
	struct node *n = (struct node *)__cds_wfs_pop_nonblocking(&stack);
	if (n == CDS_WFS_WOULDBLOCK)
		return NULL;
#else
	struct node *n = (struct node *)__cds_lfs_pop(&stack);
#endif
	if (n) {
		assert(n->payload == 1 && "whole");
		__atomic_fetch_add(&n->taken, 1, __ATOMIC_SEQ_CST);
	}
	return n;
}

static void *pusher(void *unused)
{
	push(&node[2]);
	return unused;
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
	if (first) {
		__atomic_fetch_sub(&first->taken, 1, __ATOMIC_SEQ_CST);
		push(first);
	}
	return unused;
}

int main(void)
{
	CALL(KIND, _init)(&stack);
	push(&node[0]);
	push(&node[1]);
	pthread_t a = start(popper, NULL);
#ifdef SMALL
	popper_and_pusher(NULL);
	pusher(NULL);
#else
	pthread_t b = start(popper_and_pusher, NULL);
	pusher(NULL);
	finish(b);
#endif
	finish(a);
	while (pop())
		;
	for (int i = 0; i < 3; i++)
		assert(node[i].taken == 1);
	return 0;
}
