// Whoever gives up the last reference frees the memory. Each of the threads has used it before it gave up its own, so that no order
// of the events lets the free come before a use. The class says who is the last: 2.
// executions: sc/none:6 sc/rvf:2
// redundant: sc/rvf:2
// rvf: sc/none:2
// finding: none
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static struct {
	atomic_int references, used[2];
} *object;
THREAD(uses)
{
	atomic_store(&object->used[(size_t)argument], 1);
	if (atomic_fetch_sub(&object->references, 1) == 1)
		free((void *)object);
	return argument;
}
int main(void)
{
	object = malloc(sizeof(*object));
	atomic_init(&object->references, 2);
	RUN(uses, uses);
	return 0;
}
