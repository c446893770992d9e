/*
 * Double-checked initialisation: the first thread that finds nothing makes the object under a lock; the others find it without the lock.
 */
#include "orders.h"

struct object {
	int value;
};

static struct object *_Atomic made;
static struct object place;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int times;

static struct object *get(void)
{
	struct object *object = LOAD(check, acquire, &made);
	if (object)
		return object;
	pthread_mutex_lock(&mutex);
	object = LOAD(check_locked, relaxed, &made);
	if (!object) {
		times++;
		place.value = 7;
		object = &place;
		STORE(publish, release, &made, object);
	}
	pthread_mutex_unlock(&mutex);
	return object;
}

static void *work(void *unused)
{
	assert(get()->value == 7);
	return unused;
}

int main(void)
{
	pthread_t a = start(work, NULL), b = start(work, NULL);
	work(NULL);
	finish(a);
	finish(b);
	assert(times == 1);
	return 0;
}
