#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK (1 << 16)

static size_t class_of(size_t size)
{
	return size ? (size - 1) / EVR_POOL_STEP : 0;
}

static void *get_large(struct evr_pool *p, size_t size)
{
	/* Its index in the list is in front of it. */
	size_t *block = evr_alloc(size + 2 * sizeof(size_t));
	*block = p->large.len;
	evr_vec_push(&p->large, block);
	return block + 2;
}

static void put_large(struct evr_pool *p, void *memory)
{
	size_t *block = (size_t *)memory - 2, index = *block;
	size_t *last = evr_vec_last(&p->large);
	p->large.data[index] = last;
	*last = index;
	p->large.len--;
	free(block);
}

void *evr_pool_get(struct evr_pool *p, size_t size)
{
	size_t class = class_of(size);
	if (class >= EVR_POOL_CLASSES)
		return get_large(p, size);
	void *block = p->unused[class];
	if (block) {
		memcpy(&p->unused[class], block, sizeof(void *));
		return block;
	}
	size_t rounded = (class + 1) * EVR_POOL_STEP;
	if ((size_t)(p->end - p->fresh) < rounded) {
		p->fresh = evr_alloc(CHUNK);
		p->end = p->fresh + CHUNK;
		evr_vec_push(&p->chunks, p->fresh);
	}
	block = p->fresh;
	p->fresh += rounded;
	return block;
}

void evr_pool_put(struct evr_pool *p, void *block, size_t size)
{
	size_t class = class_of(size);
	if (class >= EVR_POOL_CLASSES) {
		put_large(p, block);
		return;
	}
	memcpy(block, &p->unused[class], sizeof(void *));
	p->unused[class] = block;
}

void evr_pool_release(struct evr_pool *p)
{
	for (size_t i = 0; i < p->chunks.len; i++)
		free(p->chunks.data[i]);
	for (size_t i = 0; i < p->large.len; i++)
		free(p->large.data[i]);
	evr_vec_release(&p->chunks);
	evr_vec_release(&p->large);
	*p = (struct evr_pool){ 0 };
}
