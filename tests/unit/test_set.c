#include "twin.h"

#include "base/set.h"

#include <string.h>

enum { MOST = 3000, GROUPS = 40 };

/* The twin is a list that is searched from its start. Keys in no group have group GROUPS. */
static struct {
	struct evr_key key;
	unsigned group;
} twin[MOST];
static size_t len;

static bool twin_has(struct evr_key k)
{
	for (size_t i = 0; i < len; i++)
		if (twin[i].key.one == k.one && twin[i].key.two == k.two)
			return true;
	return false;
}

static void twin_remove(unsigned group)
{
	size_t n = 0;
	for (size_t i = 0; i < len; i++)
		if (twin[i].group != group)
			twin[n++] = twin[i];
	len = n;
}

/* Few keys, keys that share a bucket, keys that share the first hash, and any. */
static struct evr_key some_key(uint64_t *random, uint64_t shape)
{
	switch (shape % 4) {
	case 0:
		return (struct evr_key){ twin_below(random, 30), twin_below(random, 5) };
	case 1:
		return (struct evr_key){ twin_below(random, 500) << 32, 7 };
	case 2:
		return (struct evr_key){ 42, twin_below(random, 300) };
	default:
		return (struct evr_key){ twin_random(random), twin_random(random) };
	}
}

static void add(struct evr_set *s, struct evr_key k, evr_set_group *groups, unsigned group)
{
	bool new = !twin_has(k);
	assert_int_equal(evr_set_add(s, k, group < GROUPS ? &groups[group] : NULL), new);
	if (new) {
		twin[len].key = k;
		twin[len++].group = group;
	}
}

static void against_a_list(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 40; seed++) {
		uint64_t random = seed + 1;
		struct evr_set s = { 0 };
		evr_set_group groups[GROUPS] = { 0 };
		len = 0;
		for (int step = 0; step < 2500; step++) {
			struct evr_key k = some_key(&random, seed);
			size_t dice = twin_below(&random, 1000);
			unsigned group = (unsigned)twin_below(&random, GROUPS + 1);
			if (dice < 980 || group == GROUPS) {
				add(&s, k, groups, group);
			} else if (dice < 999) {
				evr_set_remove(&s, &groups[group]);
				assert_int_equal(groups[group], 0);
				twin_remove(group);
			} else {
				evr_set_clear(&s);
				memset(groups, 0, sizeof(groups));
				len = 0;
			}
			k = some_key(&random, seed);
			assert_int_equal(evr_set_has(&s, k), twin_has(k));
			assert_int_equal(s.len, len);
		}
		for (size_t i = 0; i < len; i++)
			assert_true(evr_set_has(&s, twin[i].key));
		evr_set_release(&s);
		assert_false(evr_set_has(&s, twin[0].key));
	}
}

/* A set that has had its largest size allocates no more: the room of removed keys is used again. */
static void reuses_room(void **state)
{
	(void)state;
	struct evr_set s = { 0 };
	uint64_t random = 1;
	size_t members = 0, buckets = 0;
	for (int round = 0; round < 50; round++) {
		evr_set_group group = 0;
		for (int i = 0; i < 1000; i++)
			assert_true(evr_set_add(&s, some_key(&random, 3), &group));
		if (!round) {
			members = s.members.cap;
			buckets = s.buckets.cap;
		}
		evr_set_remove(&s, &group);
		assert_int_equal(s.len, 0);
	}
	assert_int_equal(s.members.cap, members);
	assert_int_equal(s.buckets.cap, buckets);
	evr_set_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(against_a_list),
		cmocka_unit_test(reuses_room),
	};
	return cmocka_run_group_tests_name("set", tests, NULL, NULL);
}
