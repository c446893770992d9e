/*
 * ck_epoch: an object that is no longer reachable is freed after a grace period, by ck_epoch_synchronize_wait or, if CALL, by a
 * callback of ck_epoch_barrier_wait. No reader is then still using it. Of all waiting the library leaves the manner to its user, who
 * has a loop for it here; SPIN: its own, which goes through all records every time.
 * WRONG=1: nobody waits. WRONG=2: the reader goes on using it behind its section.
 */
#include "real.h"

#include <ck_epoch.h>

static ck_epoch_t epoch;
static ck_epoch_record_t reading, writing;

struct object {
	ck_epoch_entry_t entry;
	int value;
};
static struct object *shared;

static void *read_object(void *unused)
{
	ck_epoch_section_t section;
	ck_epoch_begin(&reading, &section);
	struct object *o = ck_pr_load_ptr(&shared);
	if (WRONG == 2)
		ck_epoch_end(&reading, &section);
	assert(o->value == 1 || o->value == 2);
	if (WRONG != 2)
		ck_epoch_end(&reading, &section);
	return unused;
}

static void release(ck_epoch_entry_t *entry)
{
	free(entry);
}

#ifdef SPIN
#define wait_for NULL
#else
static void wait_for(ck_epoch_t *global, ck_epoch_record_t *record, void *unused)
{
	(void)global;
	(void)unused;
	while (ck_pr_load_uint(&record->active))
		ck_pr_stall();
}
#endif

static struct object *make(int value)
{
	struct object *o = malloc(sizeof *o);
	o->value = value;
	return o;
}

int main(void)
{
	ck_epoch_init(&epoch);
	ck_epoch_register(&epoch, &reading, NULL);
	ck_epoch_register(&epoch, &writing, NULL);
	struct object *old = shared = make(1);
	pthread_t reader = start(read_object, NULL);
	struct object *new = make(2);
	ck_pr_fence_store();
	ck_pr_store_ptr(&shared, new);
#ifdef CALL
	ck_epoch_call(&writing, &old->entry, release);
	ck_epoch_barrier_wait(&writing, wait_for, NULL);
#else
	if (WRONG != 1)
		ck_epoch_synchronize_wait(&epoch, wait_for, NULL);
	release(&old->entry);
#endif
	finish(reader);
	assert(shared == new);
	return 0;
}
