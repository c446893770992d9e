// As in programs/rvf_reference_count.c, but each thread uses the memory once more when it has given up its reference. If the
// other one is the last to do so, it may have freed it.
// everett: -I../programs
// executions: sc/none:3 sc/rvf:2
// finding: use-after-free at rvf_use_after_release.c:17
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static struct {
	atomic_int references, used[2];
} *object;
THREAD(uses)
{
	if (atomic_fetch_sub(&object->references, 1) == 1)
		free((void *)object);
	else
		atomic_store(&object->used[(size_t)argument], 1);
	return argument;
}
int main(void)
{
	object = malloc(sizeof(*object));
	atomic_init(&object->references, 2);
	RUN(uses, uses);
	return 0;
}
