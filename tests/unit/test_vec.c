#include "twin.h"

#include "base/vec.h"

#include <string.h>

enum { MOST = 3000 };

struct pair {
	uint32_t a;
	uint64_t b;
};

/* The twin is an array that never grows; elements are of an odd size and of a pointer's, as growing must scale both. */
static void pushes_and_truncations(void **state)
{
	(void)state;
	static struct pair twin[MOST];
	for (uint64_t seed = 1; seed <= 20; seed++) {
		uint64_t random = seed;
		EVR_VEC(struct pair) v = { 0 };
		size_t len = 0;
		for (int step = 0; step < 5000; step++) {
			size_t dice = twin_below(&random, 100);
			if (dice < 95 && len < MOST) {
				struct pair p = { (uint32_t)twin_random(&random), twin_random(&random) };
				evr_vec_push(&v, p);
				twin[len++] = p;
			} else if (dice < 97 && len) {
				len = v.len = twin_below(&random, len + 1);
			} else if (dice == 97) {
				evr_vec_reserve(&v, len + twin_below(&random, 50));
			} else if (dice == 98 && !twin_below(&random, 20)) {
				evr_vec_clear(&v);
				len = 0;
			}
			assert_int_equal(v.len, len);
			assert_true(v.cap >= v.len);
			if (len) {
				size_t i = twin_below(&random, len);
				assert_int_equal(v.data[i].a, twin[i].a);
				assert_int_equal(v.data[i].b, twin[i].b);
				assert_int_equal(evr_vec_last(&v).b, twin[len - 1].b);
			}
		}
		for (size_t i = 0; i < len; i++) {
			assert_int_equal(v.data[i].a, twin[i].a);
			assert_int_equal(v.data[i].b, twin[i].b);
		}
		evr_vec_release(&v);
		assert_null(v.data);
		assert_int_equal(v.len, 0);
		assert_int_equal(v.cap, 0);
	}
}

static void bytes(void **state)
{
	(void)state;
	EVR_VEC(char) v = { 0 };
	for (int i = 0; i < 1000; i++)
		evr_vec_push(&v, (char)(i % 127));
	for (int i = 0; i < 1000; i++)
		assert_int_equal(v.data[i], i % 127);
	evr_vec_release(&v);
}

static void reserve_is_exact_enough(void **state)
{
	(void)state;
	EVR_VEC(int) v = { 0 };
	evr_vec_reserve(&v, 1000);
	assert_true(v.cap >= 1000);
	assert_int_equal(v.len, 0);
	int *before = v.data;
	for (int i = 0; i < 1000; i++)
		evr_vec_push(&v, i);
	assert_ptr_equal(v.data, before);
	evr_vec_release(&v);
}

/* Growing must be geometric: pushes one at a time may move the elements only a few times. */
static void few_moves(void **state)
{
	(void)state;
	EVR_VEC(uint64_t) v = { 0 };
	int grown = 0;
	for (int i = 0; i < 100000; i++) {
		size_t cap = v.cap;
		evr_vec_push(&v, (uint64_t)i);
		grown += v.cap != cap;
	}
	assert_true(grown < 40);
	evr_vec_release(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pushes_and_truncations),
		cmocka_unit_test(bytes),
		cmocka_unit_test(reserve_is_exact_enough),
		cmocka_unit_test(few_moves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
