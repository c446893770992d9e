/*
 * snark of paper 002: the deque of Detlefs and others, by a double compare-and-swap (DCAS). Two threads push and pop at both ends.
 * Asserted is that what is popped could have been so by atomic operations, and that no pointer is followed that was not initialised.
 * The algorithm is known to be wrong in rare cases, which take more operations than there are here.
 *
 * Accesses are numbered, on the left side ten more than on the right. Under the paper's PSO a node can be reached (7, 8) while its
 * fields (1, 2, 5, 6) are still in the buffer, so that others miss them. With -DFENCES there is a store-store fence in front of 7
 * and 8. Everett's own PSO empties the buffers there, and does not break it.
 */
#define THREADS 2
#define STEPS 4
#include "predict.h"

struct node {
	struct node *_Atomic left, *_Atomic right;
	atomic_uint value;
};

static struct node poison, busy;
static struct node dummy = { &dummy, &dummy, NOTHING };
#define FRESH { &poison, &poison, POISON }
static struct node nodes[THREADS][2] = { { FRESH, FRESH }, { FRESH, FRESH } };
static struct node *_Atomic left_hat = &dummy, *_Atomic right_hat = &dummy;

/*
 * A DCAS, from three read-modify-writes, since these go to memory at once and leave other stores in the buffer, as the paper's CAS
 * does; a mutex would not. Its first location is busy meanwhile, for which whoever accesses it waits, so that nobody sees that
 * only one of the two has changed. The first is always a hat, and the left one if both are, so that nobody waits in a circle.
 */
#define when_free(x) \
	({ \
		struct node *seen; \
		do \
			seen = get(x); \
		while (seen == &busy); \
		seen; \
	})

#define cas_when_free(x, old, new) \
	({ \
		struct node *seen = (old); \
		while (!cas(x, seen, new) && seen == &busy) { \
			while (get(x) == &busy) \
				continue; \
			seen = (old); \
		} \
		seen == (old); \
	})

#define dcas(x, old_x, new_x, y, old_y, new_y) \
	({ \
		bool done = false; \
		if (cas_when_free(x, old_x, &busy)) { \
			done = cas_when_free(y, old_y, new_y); \
			atomic_exchange_explicit(&(x), done ? (new_x) : (old_x), memory_order_relaxed); \
		} \
		done; \
	})

static struct node *linked(struct node *link)
{
	assert(link != &poison);
	return link;
}

static void push_right(struct node *node, unsigned value)
{
	set(node->right, &dummy); /* 1 */
	set(node->value, value); /* 2 */
	for (;;) {
		struct node *right = when_free(right_hat); /* 3 */
		struct node *beyond = linked(get(right->right)); /* 4 */
		if (beyond == right) {
			set(node->left, &dummy); /* 5 */
			struct node *left = when_free(left_hat); /* 9 */
			publish();
			if (dcas(left_hat, left, node, right_hat, right, node)) /* 7 */
				return;
		} else {
			set(node->left, right); /* 6 */
			publish();
			if (dcas(right_hat, right, node, right->right, beyond, node)) /* 8 */
				return;
		}
	}
}

static void push_left(struct node *node, unsigned value)
{
	set(node->left, &dummy); /* 11 */
	set(node->value, value); /* 12 */
	for (;;) {
		struct node *left = when_free(left_hat); /* 13 */
		struct node *beyond = linked(get(left->left)); /* 14 */
		if (beyond == left) {
			set(node->right, &dummy); /* 15 */
			struct node *right = when_free(right_hat); /* 19 */
			publish();
			if (dcas(left_hat, left, node, right_hat, right, node)) /* 17 */
				return;
		} else {
			set(node->right, left); /* 16 */
			publish();
			if (dcas(left_hat, left, node, left->left, beyond, node)) /* 18 */
				return;
		}
	}
}

static unsigned pop_right(void)
{
	for (;;) {
		struct node *right = when_free(right_hat); /* 21 */
		struct node *left = when_free(left_hat); /* 22 */
		if (linked(get(right->right)) == right) /* 23 */
			return NOTHING;
		if (right == left) {
			if (dcas(left_hat, left, &dummy, right_hat, right, &dummy)) /* 24 */
				return get(right->value); /* 25 */
		} else {
			struct node *inner = linked(get(right->left)); /* 26 */
			if (dcas(right_hat, right, inner, right->left, inner, right)) { /* 27 */
				unsigned value = get(right->value); /* 28 */
				set(right->right, &dummy); /* 29 */
				return value;
			}
		}
	}
}

static unsigned pop_left(void)
{
	for (;;) {
		struct node *left = when_free(left_hat); /* 31 */
		struct node *right = when_free(right_hat); /* 32 */
		if (linked(get(left->left)) == left) /* 33 */
			return NOTHING;
		if (right == left) {
			if (dcas(left_hat, left, &dummy, right_hat, right, &dummy)) /* 34 */
				return get(left->value); /* 35 */
		} else {
			struct node *inner = linked(get(left->right)); /* 36 */
			if (dcas(left_hat, left, inner, left->right, inner, left)) { /* 37 */
				unsigned value = get(left->value); /* 38 */
				set(left->left, &dummy); /* 39 */
				return value;
			}
		}
	}
}

static unsigned operate(int thread, int step)
{
	switch (step) {
	case 0:
		push_right(&nodes[thread][0], 1 + 4 * thread);
		return NOTHING;
	case 1:
		push_left(&nodes[thread][1], 2 + 4 * thread);
		return NOTHING;
	case 2:
		return pop_right();
	default:
		return pop_left();
	}
}

static uint64_t after(uint64_t state, int thread, int step, unsigned result)
{
	switch (step) {
	case 0:
		return pushed_right(state, 1 + 4 * thread);
	case 1:
		return pushed_left(state, 2 + 4 * thread);
	case 2:
		return popped_right(state, result);
	default:
		return popped_left(state, result);
	}
}

int main(void)
{
	harness(0);
	return 0;
}
