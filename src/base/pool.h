/*
 * A pool of blocks of any size, which come and go in any order: those of about the same size use each other's memory.
 * Everything is given back at once by evr_pool_release().
 */
#ifndef EVR_POOL_H
#define EVR_POOL_H

#include "base/vec.h"

#define EVR_POOL_STEP 32    /* sizes are rounded up to a multiple of this */
#define EVR_POOL_CLASSES 64 /* larger blocks are left to the C library */

struct evr_pool {
	void *unused[EVR_POOL_CLASSES]; /* lists, by size */
	char *fresh, *end;              /* what is left of the newest chunk */
	EVR_VEC(void *) chunks;
	EVR_VEC(void *) large;
};

/* Aligned like any allocation; the contents are arbitrary. */
void *evr_pool_get(struct evr_pool *p, size_t size);
/* `size` is what was asked for. */
void evr_pool_put(struct evr_pool *p, void *block, size_t size);
void evr_pool_release(struct evr_pool *p);

#endif
