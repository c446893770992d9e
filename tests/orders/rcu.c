/*
 * Read-copy-update in the style of liburcu's flavour mb: readers say that they are in a section, the writer replaces the object and frees the
 * old one when it has seen each reader outside. An object is plain memory.
 */
#include "orders.h"

struct object {
	int value;
};

static struct object *_Atomic current;
static atomic_int inside;

static void read_lock(void)
{
	STORE(reader_enter, relaxed, &inside, 1);
	FENCE(reader_fence, seq_cst);
}

static void read_unlock(void)
{
	STORE(reader_leave, release, &inside, 0);
}

static void synchronize(void)
{
	FENCE(writer_fence, seq_cst);
	while (LOAD(writer_scan, acquire, &inside))
		;
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
		read_lock();
		struct object *object = LOAD(reader_object, acquire, &current);
		int value = object->value;
		assert(value >= last && value <= 2);
		last = value;
		read_unlock();
	}
	return unused;
}

int main(void)
{
	struct object *old = make(1);
	atomic_init(&current, old);
	pthread_t thread = start(reader, NULL);
	struct object *new = make(2);
	STORE(writer_publish, release, &current, new);
	synchronize();
	free(old);
	finish(thread);
	free(new);
	return 0;
}
