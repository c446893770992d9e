/*
 * A set of keys, each of which is two independent hashes of whatever it stands for: the first one finds it, and that both
 * agree by chance is out of the question. A set of zeros is empty.
 *
 * A key may belong to a group, a list that its owner keeps the head of (0: an empty group). The keys of a group are removed
 * together, in a time that depends on their number only. Removed keys leave room for new ones: a set that has had its
 * largest size allocates no more.
 *
 * As with a map, the order of the table is never visible.
 */
#ifndef EVR_SET_H
#define EVR_SET_H

#include "base/vec.h"

struct evr_key {
	uint64_t one, two;
};

typedef uint32_t evr_set_group; /* the newest of its members, or 0 */

struct evr_set_member {
	struct evr_key key;
	uint32_t chain;    /* the next member of the same bucket, or 0 */
	evr_set_group next; /* the next member of the same group; of an unused member, another one; or 0 */
};

struct evr_set {
	size_t len;
	/* The rest is private. Members are numbered from 1: number i is at i - 1. */
	EVR_VEC(struct evr_set_member) members;
	EVR_VEC(uint32_t)
	buckets; /* none or a power of two of them, and not fewer than members; the newest of each, or 0 */
	uint32_t unused;           /* the first of these, or 0 */
};

void evr_set_release(struct evr_set *s);
void evr_set_clear(struct evr_set *s);
/* Add a key to the set and to the group, which may be NULL. False: it is there already, in whichever group. */
bool evr_set_add(struct evr_set *s, struct evr_key key, evr_set_group *group);
/* Remove all keys of the group, which is empty then. */
void evr_set_remove(struct evr_set *s, evr_set_group *group);

static inline bool evr_set_has(const struct evr_set *s, struct evr_key key)
{
	if (!s->len)
		return false;
	for (uint32_t i = s->buckets.data[key.one & (s->buckets.len - 1)]; i; i = s->members.data[i - 1].chain)
		if (s->members.data[i - 1].key.one == key.one && s->members.data[i - 1].key.two == key.two)
			return true;
	return false;
}

#endif
