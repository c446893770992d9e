/*
 * ck_hp (hazard pointers): what a reader has announced is not freed.
 * WRONG=1: the reader does not look again whether its object is still reachable, after having announced it. WRONG=2: it announces it
 * without the fence. WRONG=3: it takes the announcement back without a fence, which ck_hp_set has not.
 */
#include "real.h"

#include <ck_hp.h>

static ck_hp_t hazards;
static ck_hp_record_t reading, writing;
static void *reader_slot[1], *writer_slot[1];

struct object {
	ck_hp_hazard_t hazard;
	int value;
};
static struct object *shared;

static void *read_object(void *unused)
{
	struct object *o = ck_pr_load_ptr(&shared);
	if (WRONG == 2)
		ck_hp_set(&reading, 0, o);
	else
		ck_hp_set_fence(&reading, 0, o);
	if (WRONG == 1 || ck_pr_load_ptr(&shared) == o)
		assert(o->value == 1 || o->value == 2);
	if (WRONG != 3)
		ck_pr_fence_release();
	ck_hp_set(&reading, 0, NULL);
	return unused;
}

static struct object *make(int value)
{
	struct object *o = malloc(sizeof *o);
	o->value = value;
	return o;
}

int main(void)
{
	ck_hp_init(&hazards, 1, 1, free);
	ck_hp_register(&hazards, &reading, reader_slot);
	ck_hp_register(&hazards, &writing, writer_slot);
	struct object *old = shared = make(1);
	pthread_t reader = start(read_object, NULL);
	struct object *new = make(2);
	ck_pr_fence_store();
	ck_pr_store_ptr(&shared, new);
	ck_pr_fence_memory();
	ck_hp_free(&writing, &old->hazard, old, old);
	finish(reader);
	ck_hp_purge(&writing);
	return 0;
}
