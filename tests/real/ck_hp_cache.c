/*
 * ck_hp with more hazard pointers than its cache has places, which is CACHE here and 512 otherwise: what a reader has announced must
 * not be freed.
 */
#include "real.h"

#define CK_HP_CACHE CACHE
/* The library's file: the size of the cache is fixed when it is compiled. */
#include <ck_hp.c>

static ck_hp_t hazards;
static ck_hp_record_t reading, writing, idle[2];
static void *reader_slot[1], *writer_slot[1], *idle_slot[2][1];

struct object {
	ck_hp_hazard_t hazard;
	int value;
};
static struct object *shared, other[2];

static void *read_object(void *unused)
{
	struct object *o = ck_pr_load_ptr(&shared);
	ck_hp_set_fence(&reading, 0, o);
	if (ck_pr_load_ptr(&shared) == o)
		assert(o->value == 1 || o->value == 2);
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
	/* These come first where the library looks for hazards, and each has one. */
	for (int i = 0; i < 2; i++) {
		ck_hp_register(&hazards, &idle[i], idle_slot[i]);
		ck_hp_set(&idle[i], 0, &other[i]);
	}
	struct object *old = shared = make(1);
	pthread_t reader = start(read_object, NULL);
	ck_pr_store_ptr(&shared, make(2));
	ck_pr_fence_memory();
	ck_hp_free(&writing, &old->hazard, old, old);
	finish(reader);
	return 0;
}
