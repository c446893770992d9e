/*
 * The harness of the sets of paper 002: with 3 and 7 in the set, three threads insert, remove and look for keys. Two of them have no
 * third operation.
 */
#ifndef SET_H
#define SET_H

#define THREADS 3
#define STEPS 3
#include "predict.h"
#include <limits.h>

/* The keys of the nodes at both ends, and of nodes before they are initialised. */
#define LEAST INT_MIN
#define GREATEST INT_MAX
#define NO_KEY 1000

struct node;
static bool insert(struct node *node, int key);
static bool erase(int key);
static bool contains(int key);
static struct node *fresh(int i); /* one of NODES nodes that are not initialised */

#define NODES 5

/* A key as it is read from a node that can be reached. */
static int initialised(int key)
{
	assert(key != NO_KEY);
	return key;
}

static unsigned operate(int thread, int step)
{
	switch (thread * STEPS + step) {
	case 0:
		return insert(fresh(2), -1);
	case 1:
		return erase(2);
	case 3:
		return erase(3);
	case 4:
		return insert(fresh(3), 1);
	case 5:
		return contains(7);
	case 6:
		return contains(3);
	case 7:
		return insert(fresh(4), -5);
	default:
		return NOTHING;
	}
}

static uint64_t bit(int key)
{
	return 1U << (key + 5);
}

/* The set after a key has become a member or none, or was only looked for: the results say whether it was one. */
static uint64_t inserted(uint64_t state, int key, bool result)
{
	return result == !(state & bit(key)) ? state | bit(key) : IMPOSSIBLE;
}

static uint64_t erased(uint64_t state, int key, bool result)
{
	return result == !!(state & bit(key)) ? state & ~bit(key) : IMPOSSIBLE;
}

static uint64_t looked_for(uint64_t state, int key, bool result)
{
	return result == !!(state & bit(key)) ? state : IMPOSSIBLE;
}

static uint64_t after(uint64_t state, int thread, int step, unsigned result)
{
	switch (thread * STEPS + step) {
	case 0:
		return inserted(state, -1, result);
	case 1:
		return erased(state, 2, result);
	case 3:
		return erased(state, 3, result);
	case 4:
		return inserted(state, 1, result);
	case 5:
		return looked_for(state, 7, result);
	case 6:
		return looked_for(state, 3, result);
	case 7:
		return inserted(state, -5, result);
	default:
		return state;
	}
}

int main(void)
{
	insert(fresh(0), 3);
	insert(fresh(1), 7);
	harness(bit(3) | bit(7));
	return 0;
}

#endif
