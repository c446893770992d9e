// Who comes last frees the lock. But readers hold it together, so the other may not have left it when the last one does so.
// everett: -I../programs -k
// executions: sc/none:444 tso/traces:22 ra/rf:22
// finding: use-after-free at rwlock_freed_by_reader.c:15
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static pthread_rwlock_t *lock;
static atomic_int done;
THREAD(read)
{
	pthread_rwlock_t *mine = argument;
	pthread_rwlock_rdlock(mine);
	int last = atomic_fetch_add(&done, 1) == 1;
	pthread_rwlock_unlock(mine);
	if (last)
		free(mine);
	return NULL;
}
int main(void)
{
	pthread_t t[2];
	lock = malloc(sizeof(*lock));
	pthread_rwlock_init(lock, NULL);
	pthread_create(&t[0], NULL, read, lock);
	pthread_create(&t[1], NULL, read, lock);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
