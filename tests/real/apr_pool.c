/*
 * apr_pools: two threads make pools below one parent and allocate from them; nothing overlaps, and everything is given back.
 * WRONG=1: they allocate from one pool, which is for one thread at a time. WRONG=2: their pools share an allocator that has no mutex.
 */
#include "real.h"

#include <apr_allocator.h>
#include <apr_general.h>
#include <apr_pools.h>

static apr_pool_t *parent;

static void *worker(void *me)
{
	apr_pool_t *pool = parent;
	if (WRONG != 1) {
		apr_status_t status = apr_pool_create(&pool, parent);
		assert(status == APR_SUCCESS);
	}
	int *mine = apr_palloc(pool, sizeof *mine);
	*mine = (int)(intptr_t)me;
	assert(*mine == (int)(intptr_t)me);
	if (WRONG != 1)
		apr_pool_destroy(pool);
	return NULL;
}

int main(void)
{
	apr_status_t status = apr_initialize();
	assert(status == APR_SUCCESS);
	apr_allocator_t *allocator = NULL;
	if (WRONG == 2) {
		status = apr_allocator_create(&allocator);
		assert(status == APR_SUCCESS);
	}
	status = apr_pool_create_ex(&parent, NULL, NULL, allocator);
	assert(status == APR_SUCCESS);
	pthread_t other = start(worker, (void *)1);
	worker((void *)2);
	finish(other);
	apr_pool_destroy(parent);
	apr_terminate();
	return 0;
}
