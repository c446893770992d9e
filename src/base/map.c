#include "base/map.h"

#include <stdlib.h>
#include <string.h>

uint64_t evr_hash_bytes(const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint64_t h = n;
	for (; n >= 8; n -= 8, p += 8) {
		uint64_t word;
		memcpy(&word, p, 8);
		h = evr_hash64(h ^ word) + UINT64_C(0x9e3779b97f4a7c15);
	}
	uint64_t rest = 0;
	memcpy(&rest, p, n);
	return evr_hash64(h ^ rest);
}

void evr_map_release(struct evr_map *m)
{
	free(m->slots);
	memset(m, 0, sizeof(*m));
}

void evr_map_clear(struct evr_map *m)
{
	if (m->len)
		memset(m->slots, 0, m->cap * sizeof(*m->slots));
	m->len = 0;
}

static struct evr_map_slot *find(const struct evr_map *m, uint64_t key)
{
	size_t i = evr_hash64(key) & (m->cap - 1);
	while (m->slots[i].used && m->slots[i].key != key)
		i = (i + 1) & (m->cap - 1);
	return &m->slots[i];
}

uint64_t *evr_map_get(const struct evr_map *m, uint64_t key)
{
	if (!m->len)
		return NULL;
	struct evr_map_slot *slot = find(m, key);
	return slot->used ? &slot->value : NULL;
}

static void grow(struct evr_map *m)
{
	struct evr_map old = *m;
	m->cap = old.cap ? old.cap * 2 : 16;
	m->slots = evr_alloc(m->cap * sizeof(*m->slots));
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].used)
			*find(m, old.slots[i].key) = old.slots[i];
	free(old.slots);
}

void evr_map_put(struct evr_map *m, uint64_t key, uint64_t value)
{
	if ((m->len + 1) * 2 > m->cap)
		grow(m);
	struct evr_map_slot *slot = find(m, key);
	if (!slot->used)
		m->len++;
	*slot = (struct evr_map_slot){ .key = key, .value = value, .used = true };
}
