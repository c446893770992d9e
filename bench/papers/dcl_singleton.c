/*
 * Double-checked locking: two threads use a singleton, which the first one makes. The lock is a pair of flags with the fences
 * that it needs; what PSO needs besides is a fence between the object's contents and the pointer to it.
 */
#include "papers.h"

static struct object {
	atomic_int data;
} object;
static _Atomic(struct object *) instance;
static atomic_int flag[2], made;

static void lock(int self)
{
	fence();
	set(flag[self], 1);
	fence();
	/* Not a loop: two that come at once would wait for each other for ever. Those executions are left out, as in the papers. */
	everett_assume(get(flag[1 - self]) == 0);
}

static void unlock(int self)
{
	fence();
	set(flag[self], 0);
}

static struct object *get_instance(int self)
{
	if (!get(instance)) {
		lock(self);
		if (!get(instance)) {
			set(object.data, 1);
			fence_pso();
			set(instance, &object);
			set(made, get(made) + 1);
			assert(get(made) == 1);
		}
		unlock(self);
	}
	return get(instance);
}

static void *body(void *argument)
{
	for (;;) {
		struct object *found = get_instance(number(argument));
		assert(found);
		assert(get(found->data) == 1);
	}
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
