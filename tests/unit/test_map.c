#include "twin.h"

#include "base/map.h"

#include <string.h>

/* The twin is a list that is searched from its start. */
struct twin {
	uint64_t keys[2000], values[2000];
	size_t len;
};

static uint64_t *twin_get(struct twin *t, uint64_t key)
{
	for (size_t i = 0; i < t->len; i++)
		if (t->keys[i] == key)
			return &t->values[i];
	return NULL;
}

static void twin_put(struct twin *t, uint64_t key, uint64_t value)
{
	uint64_t *have = twin_get(t, key);
	if (have) {
		*have = value;
		return;
	}
	t->keys[t->len] = key;
	t->values[t->len++] = value;
}

/* Keys of several shapes: few (overwriting), addresses (low bits equal), any, and the ends of the range. */
static uint64_t some_key(uint64_t *random, unsigned shape)
{
	switch (shape % 4) {
	case 0:
		return twin_below(random, 300);
	case 1:
		return UINT64_C(0x7f0000000000) + twin_below(random, 500) * 4096;
	case 2:
		return twin_random(random);
	default:
		return twin_below(random, 2) ? twin_below(random, 400) : UINT64_MAX - twin_below(random, 400);
	}
}

static void against_a_list(void **state)
{
	(void)state;
	static struct twin t;
	for (unsigned seed = 0; seed < 24; seed++) {
		uint64_t random = seed;
		struct evr_map m = { 0 };
		t.len = 0;
		for (int step = 0; step < 1900; step++) {
			uint64_t key = some_key(&random, seed), value = twin_random(&random);
			size_t dice = twin_below(&random, 1000);
			if (dice < 600) {
				evr_map_put(&m, key, value);
				twin_put(&t, key, value);
			} else if (dice == 999) {
				evr_map_clear(&m);
				t.len = 0;
			}
			uint64_t *got = evr_map_get(&m, key), *expected = twin_get(&t, key);
			assert_int_equal(!got, !expected);
			if (got)
				assert_int_equal(*got, *expected);
			assert_int_equal(m.len, t.len);
		}
		for (size_t i = 0; i < t.len; i++) {
			uint64_t *got = evr_map_get(&m, t.keys[i]);
			assert_non_null(got);
			assert_int_equal(*got, t.values[i]);
		}
		evr_map_release(&m);
		assert_int_equal(m.len, 0);
		assert_null(evr_map_get(&m, 1));
	}
}

static void values_can_be_changed_in_place(void **state)
{
	(void)state;
	struct evr_map m = { 0 };
	evr_map_put(&m, 5, 1);
	*evr_map_get(&m, 5) = 2;
	assert_int_equal(*evr_map_get(&m, 5), 2);
	evr_map_release(&m);
}

static void at_most_half_full(void **state)
{
	(void)state;
	struct evr_map m = { 0 };
	for (uint64_t i = 0; i < 5000; i++) {
		evr_map_put(&m, i, i);
		assert_true(m.len * 2 <= m.cap);
		assert_int_equal(m.cap & (m.cap - 1), 0);
	}
	evr_map_release(&m);
}

/* A hash of bytes depends on every byte and on their number, also beyond the last whole word. */
static void hash_sees_every_byte(void **state)
{
	(void)state;
	unsigned char text[40];
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (unsigned char)(i * 7);
	for (size_t n = 0; n <= sizeof(text); n++) {
		uint64_t h = evr_hash_bytes(text, n);
		assert_int_equal(h, evr_hash_bytes(text, n));
		for (size_t i = 0; i < sizeof(text); i++) {
			text[i] ^= 0x40;
			assert_int_equal(evr_hash_bytes(text, n) == h, i >= n);
			text[i] ^= 0x40;
		}
	}
	memset(text, 0, sizeof(text));
	for (size_t n = 1; n <= sizeof(text); n++)
		assert_true(evr_hash_bytes(text, n) != evr_hash_bytes(text, n - 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(against_a_list),
		cmocka_unit_test(values_can_be_changed_in_place),
		cmocka_unit_test(at_most_half_full),
		cmocka_unit_test(hash_sees_every_byte),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
