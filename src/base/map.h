/*
 * A hash map from 64-bit keys to 64-bit values, open addressing, without removal of single keys.
 * The order of the table is never visible: iteration is not offered, so that hashing cannot influence a run.
 */
#ifndef EVR_MAP_H
#define EVR_MAP_H

#include "base/base.h"

struct evr_map_slot {
	uint64_t key, value;
	bool used;
};

struct evr_map {
	struct evr_map_slot *slots;
	size_t len, cap; /* cap is 0 or a power of two; at most half of it is used */
};

void evr_map_release(struct evr_map *m);
void evr_map_clear(struct evr_map *m);
/* The value of key, or NULL; valid until the next evr_map_put(). */
uint64_t *evr_map_get(const struct evr_map *m, uint64_t key);
/* Insert or overwrite. */
void evr_map_put(struct evr_map *m, uint64_t key, uint64_t value);
/* An invertible mix, so that distinct keys collide only in the low bits that index a table. */
static inline uint64_t evr_hash64(uint64_t x)
{
	x ^= x >> 32;
	x *= UINT64_C(0xd6e8feb86659fd93);
	x ^= x >> 29;
	x *= UINT64_C(0xff51afd7ed558ccd);
	return x ^ (x >> 32);
}
uint64_t evr_hash_bytes(const void *bytes, size_t n);

#endif
