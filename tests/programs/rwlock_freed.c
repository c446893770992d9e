// If the writer finds that both readers have been there, they have unlocked, since it has the lock for itself: it may destroy and free
// it, although they may not have returned from pthread_rwlock_unlock(). Otherwise main does it, later.
// executions: sc/traces:22 sc/rf:22 tso/traces:22 pso/traces:22 ra/rf:22
// finding: none
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static struct object {
	pthread_rwlock_t lock;
	atomic_int readers;
} *o;
static void drop(void)
{
	assert(pthread_rwlock_destroy(&o->lock) == 0);
	free(o);
	o = NULL;
}
THREAD(read)
{
	struct object *mine = o;
	pthread_rwlock_rdlock(&mine->lock);
	atomic_fetch_add(&mine->readers, 1);
	pthread_rwlock_unlock(&mine->lock);
	return argument;
}
int main(void)
{
	pthread_t t[2];
	o = malloc(sizeof(*o));
	pthread_rwlock_init(&o->lock, NULL);
	atomic_init(&o->readers, 0);
	pthread_create(&t[0], NULL, read, NULL);
	pthread_create(&t[1], NULL, read, NULL);
	pthread_rwlock_wrlock(&o->lock);
	int last = atomic_load(&o->readers) == 2;
	pthread_rwlock_unlock(&o->lock);
	if (last)
		drop();
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	if (!last)
		drop();
	return 0;
}
