/*
 * A growable array of any type:
 *
 *         EVR_VEC(int) v = { 0 };
 *         evr_vec_push(&v, 7);
 *         for (size_t i = 0; i < v.len; i++) use(v.data[i]);
 *         evr_vec_release(&v);
 *
 * Fields may be read freely; len may be lowered to drop elements. Elements move when it grows.
 */
#ifndef EVR_VEC_H
#define EVR_VEC_H

#include "base/base.h"

#include <stdlib.h>

#define EVR_VEC(T) \
	struct { \
		T *data; \
		size_t len, cap; \
	}

void *evr_vec_grown(void *data, size_t *cap, size_t need, size_t size) EVR_NONNULL;

/* Make room for `need` elements in all. */
#define evr_vec_reserve(v, need) \
	do { \
		if (EVR_UNLIKELY((need) > (v)->cap)) \
			(v)->data = evr_vec_grown((v)->data, &(v)->cap, (need), sizeof(*(v)->data)); \
	} while (0)

#define evr_vec_push(v, ...) \
	do { \
		evr_vec_reserve((v), (v)->len + 1); \
		(v)->data[(v)->len++] = (__VA_ARGS__); \
	} while (0)

#define evr_vec_bytes(v) ((v)->len * sizeof(*(v)->data))
#define evr_vec_last(v) ((v)->data[(v)->len - 1])
#define evr_vec_clear(v) ((void)((v)->len = 0))
#define evr_vec_release(v) (free((v)->data), (v)->data = NULL, (v)->len = (v)->cap = 0)
/* Of several: evr_vecs_release(&a, &b, ...). All vectors have the same layout, whatever they hold. */
void evr_vec_release_each(void *const *vectors); /* NULL at the end */
#define evr_vecs_release(...) evr_vec_release_each((void *const[]){ __VA_ARGS__, NULL })

#endif
