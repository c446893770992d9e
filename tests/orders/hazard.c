/*
 * Hazard pointers (Michael 2004): a reader announces which object it uses and looks whether it is still the current one; the writer replaces
 * the object and frees the old one when no reader has announced it. An object is plain memory. To announce an object is a release, because it overwrites
 * the release of the one before: a writer that sees the new announcement must know that the reader is done with the old object.
 */
#include "orders.h"

struct object {
	int value;
};

static struct object *_Atomic current, *_Atomic hazard;

static struct object *acquire_object(void)
{
	struct object *object = LOAD(reader_peek, relaxed, &current), *again;
	for (;; object = again) {
		STORE(reader_announce, release, &hazard, object);
		FENCE(reader_fence, seq_cst);
		again = LOAD(reader_check, acquire, &current);
		if (again == object)
			return object;
	}
}

static void release_object(void)
{
	STORE(reader_done, release, &hazard, NULL);
}

static void replace(struct object *new)
{
	struct object *old = EXCHANGE(writer_replace, acq_rel, &current, new);
	FENCE(writer_fence, seq_cst);
	while (LOAD(writer_scan, acquire, &hazard) == old)
		;
	free(old);
}

static struct object *make(int value)
{
	struct object *object = malloc(sizeof *object);
	assert(object);
	object->value = value;
	return object;
}

static void *reader(void *unused)
{
	for (int i = 0, last = 0; i < 2; i++) {
		int value = acquire_object()->value;
		assert(value >= last && value <= 3);
		last = value;
		release_object();
	}
	return unused;
}

int main(void)
{
	atomic_init(&current, make(1));
	pthread_t thread = start(reader, NULL);
	replace(make(2));
	replace(make(3));
	finish(thread);
	free(atomic_load(&current));
	return 0;
}
