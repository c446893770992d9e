// The ABA problem. A thread has read which node is on top and which one is next, when another one pops both and pushes the first again. Its
// compare-exchange of the pointer alone succeeds, and puts the node on top that the other one has taken. 124 is what `none` finds.
// everett: --keep-going
// executions: sc/none:124 tso/none:124 sc/rf:13 tso/traces:13
// finding: assertion at atomics_aba.c:58
#include "../programs/run.h"
#include <stdatomic.h>
struct node {
	struct node *next;
};
#ifdef COUNTED
struct top {
	struct node *node;
	long count;
};
#define COUNT(t) , (t).count + 1
#else
struct top {
	struct node *node;
};
#define COUNT(t)
#endif
static struct node nodes[2];
static _Atomic struct top top;
static struct node *taken;
static struct node *pop(void)
{
	struct top old = atomic_load(&top), new;
	if (!old.node)
		return NULL;
	new = (struct top){ old.node->next COUNT(old) };
	return atomic_compare_exchange_strong(&top, &old, new) ? old.node : NULL;
}
THREAD(one)
{
	pop();
	return argument;
}
THREAD(other)
{
	struct node *first = pop();
	taken = pop();
	if (!first)
		return argument;
	struct top old = atomic_load(&top);
	first->next = old.node;
	struct top new = { first COUNT(old) };
	atomic_compare_exchange_strong(&top, &old, new);
	return argument;
}
int main(void)
{
	struct top first = { &nodes[0] };
	nodes[0].next = &nodes[1];
	atomic_store(&top, first);
	RUN(one, other);
	struct top now = atomic_load(&top);
	assert(!taken || now.node != taken);
	return 0;
}
