#include "base/set.h"

#include <string.h>

#define FEWEST 256 /* buckets */

void evr_set_release(struct evr_set *s)
{
	evr_vec_release(&s->members);
	evr_vec_release(&s->buckets);
	*s = (struct evr_set){ 0 };
}

void evr_set_clear(struct evr_set *s)
{
	if (s->len)
		memset(s->buckets.data, 0, s->buckets.len * sizeof(*s->buckets.data));
	evr_vec_clear(&s->members);
	s->unused = 0;
	s->len = 0;
}

static uint32_t *bucket_of(const struct evr_set *s, struct evr_key key)
{
	return &s->buckets.data[key.one & (s->buckets.len - 1)];
}

/* Make more buckets. All members are in use, or they would not be too many. */
static void rehash(struct evr_set *s)
{
	size_t n = s->buckets.len ? 2 * s->buckets.len : FEWEST;
	evr_vec_reserve(&s->buckets, n);
	s->buckets.len = n;
	memset(s->buckets.data, 0, n * sizeof(*s->buckets.data));
	for (uint32_t i = 1; i <= s->members.len; i++) {
		uint32_t *bucket = bucket_of(s, s->members.data[i - 1].key);
		s->members.data[i - 1].chain = *bucket;
		*bucket = i;
	}
}

static uint32_t new_member(struct evr_set *s)
{
	uint32_t i = s->unused;
	if (i) {
		s->unused = s->members.data[i - 1].next;
		return i;
	}
	if (s->members.len >= s->buckets.len)
		rehash(s);
	evr_vec_reserve(&s->members, s->members.len + 1);
	return (uint32_t)++s->members.len;
}

bool evr_set_add(struct evr_set *s, struct evr_key key, evr_set_group *group)
{
	if (evr_set_has(s, key))
		return false;
	uint32_t i = new_member(s), *bucket = bucket_of(s, key);
	s->members.data[i - 1] = (struct evr_set_member){ key, *bucket, group ? *group : 0 };
	*bucket = i;
	if (group)
		*group = i;
	s->len++;
	return true;
}

void evr_set_remove(struct evr_set *s, evr_set_group *group)
{
	while (*group) {
		uint32_t i = *group;
		struct evr_set_member *m = &s->members.data[i - 1];
		uint32_t *link = bucket_of(s, m->key);
		while (*link != i)
			link = &s->members.data[*link - 1].chain;
		*link = m->chain;
		*group = m->next;
		m->next = s->unused;
		s->unused = i;
		s->len--;
	}
}
