// Library functions with wrappers, called through pointers: static, in a table, as arguments. 1.
// executions: sc/none:1
// finding: none
#include "run.h"
#include <stdlib.h>
static void (*release)(void *) = free;
static const struct {
	void *(*allocate)(size_t);
	void (*release)(void *);
	int (*lock)(pthread_mutex_t *), (*unlock)(pthread_mutex_t *);
} table = { malloc, free, pthread_mutex_lock, pthread_mutex_unlock };
static int with(void *(*allocate)(size_t, size_t), void (*give_back)(void *))
{
	int *p = allocate(2, sizeof(int)), n = p[1];
	give_back(p);
	return n;
}
int main(void)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	release(malloc(10));
	int *p = table.allocate(4);
	*p = 1;
	table.release(p);
	assert(with(calloc, free) == 0);
	table.lock(&m);
	table.unlock(&m);
	assert(table.release == free && release == free);
	return 0;
}
