#include "base/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct block {
	unsigned char *memory;
	size_t size;
	unsigned char fill;
};

static void check(const struct block *b)
{
	for (size_t i = 0; i < b->size; i++)
		assert_int_equal(b->memory[i], b->fill);
}

/* Blocks of all sizes come and go; none overlaps another, or it would find the other's contents. */
static void blocks_do_not_overlap(void **state)
{
	(void)state;
	struct evr_pool p = { 0 };
	struct block blocks[200] = { { 0 } };
	uint64_t random = 1;
	for (int i = 0; i < 20000; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		struct block *b = &blocks[(random >> 33) % 200];
		if (b->memory) {
			check(b);
			evr_pool_put(&p, b->memory, b->size);
			b->memory = NULL;
			continue;
		}
		b->size = 1 + (random >> 40) % (i % 10 ? 300 : 5000);
		b->fill = (unsigned char)i;
		b->memory = evr_pool_get(&p, b->size);
		assert_int_equal((uintptr_t)b->memory % 16, 0);
		memset(b->memory, b->fill, b->size);
	}
	for (int i = 0; i < 200; i++)
		if (blocks[i].memory)
			check(&blocks[i]);
	evr_pool_release(&p);
}

static void memory_is_used_again(void **state)
{
	(void)state;
	struct evr_pool p = { 0 };
	for (int i = 0; i < 100000; i++) {
		void *a = evr_pool_get(&p, 100), *b = evr_pool_get(&p, 8000);
		evr_pool_put(&p, a, 100);
		evr_pool_put(&p, b, 8000);
	}
	assert_int_equal(p.chunks.len, 1);
	assert_int_equal(p.large.len, 0);
	evr_pool_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_do_not_overlap),
		cmocka_unit_test(memory_is_used_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
