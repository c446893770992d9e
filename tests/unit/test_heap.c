#include "world.h"

#include <errno.h>

enum { RED_ZONE = 32, THREADS = 4, BLOCKS = 40 };

/* Thread t's k-th request is the same in every execution. */
static void *request(unsigned t, unsigned k)
{
	uint64_t random = t * 1000 + k;
	size_t size = twin_below(&random, 5) ? twin_below(&random, 200) : twin_below(&random, 3);
	switch (twin_below(&random, 3)) {
	case 0:
		return evr_libc_malloc(size);
	case 1:
		return evr_libc_calloc(size, 2);
	default:
		return evr_libc_aligned_alloc((size_t)1 << twin_below(&random, 10), size);
	}
}

/* In every execution threads allocate the same blocks, interleaved in another way, with others' frees between. */
static void addresses_follow_from_own_history(void **state)
{
	(void)state;
	void *first[THREADS][BLOCKS] = { { NULL } };
	uint64_t random = 1;
	for (int execution = 0; execution < 30; execution++) {
		unsigned done[THREADS] = { 0 };
		struct evr_thread *threads[THREADS] = { world_begin() };
		for (unsigned i = 1; i < THREADS; i++)
			threads[i] = world_create();
		for (unsigned n = 0; n < THREADS * BLOCKS;) {
			unsigned i = (unsigned)twin_below(&random, THREADS);
			if (done[i] == BLOCKS)
				continue;
			evr_current = threads[i];
			void *p = request(i, done[i]);
			assert_non_null(p);
			if (execution == 0)
				first[i][done[i]] = p;
			assert_ptr_equal(p, first[i][done[i]]);
			/* Nothing is reused. */
			if (twin_below(&random, 2))
				evr_libc_free(p);
			done[i]++;
			n++;
		}
	}
}

/* The twin looks at all blocks of the thread in whose arena the address lies. */
static struct evr_block *search(const struct evr_thread *t, uintptr_t address)
{
	struct evr_block *found = NULL;
	if (!t->blocks.len || address < t->blocks.data[0].address - RED_ZONE || address > t->heap_top + RED_ZONE)
		return NULL;
	for (size_t i = 0; i < t->blocks.len; i++)
		if (!found || t->blocks.data[i].address - RED_ZONE / 2 <= address)
			found = &t->blocks.data[i];
	return found;
}

static void find_is_a_linear_search(void **state)
{
	(void)state;
	struct evr_thread *threads[THREADS] = { world_begin() };
	for (unsigned i = 1; i < THREADS; i++)
		threads[i] = world_create();
	for (unsigned i = 0; i < THREADS; i++) {
		evr_current = threads[i];
		for (unsigned k = 0; k < (i == 2 ? 0 : 1 + i * 10); k++)
			assert_non_null(request(i, k));
		uintptr_t from = threads[i]->heap, to = threads[i]->heap_top + 100;
		for (uintptr_t a = from; a < to; a++) {
			evr_thread_id owner = EVR_NO_THREAD;
			size_t number = 0;
			struct evr_block *expected = search(threads[i], a);
			assert_ptr_equal(evr_heap_find(a, &owner, &number), expected);
			if (expected) {
				assert_int_equal(owner, threads[i]->id);
				assert_ptr_equal(&threads[i]->blocks.data[number], expected);
				/* Every byte of a block is found in it. */
				assert_true(!evr_shadow_valid(a, 1) || a - expected->address < expected->size);
			}
		}
	}
	evr_thread_id owner;
	size_t number;
	assert_null(evr_heap_find(0, &owner, &number));
	assert_null(evr_heap_find(EVR_MAIN_HEAP - 1, &owner, &number));
	assert_null(evr_heap_find(EVR_FRAMES + 64, &owner, &number));
	/* The heap of a thread that is not there. */
	assert_null(evr_heap_find(EVR_HEAPS + 200 * EVR_HEAP_SIZE + 64, &owner, &number));
}

/* Exactly the bytes of living blocks may be accessed; between two of them there is a red zone. */
static void red_zones_surround_blocks(void **state)
{
	(void)state;
	struct evr_thread *t = world_begin();
	uint64_t random = 5;
	for (unsigned k = 0; k < BLOCKS; k++) {
		unsigned char *p = request(0, k);
		if (twin_below(&random, 4) == 0)
			evr_libc_free(p);
	}
	assert_int_equal(t->blocks.len, BLOCKS);
	for (size_t k = 0; k < t->blocks.len; k++) {
		const struct evr_block *b = &t->blocks.data[k];
		assert_int_equal(b->address % 16, 0);
		uintptr_t end = k ? b[-1].address + b[-1].size : t->heap;
		assert_true(b->address - end >= RED_ZONE);
		for (uintptr_t a = end; a < b->address; a++)
			assert_false(evr_shadow_valid(a, 1));
		for (uintptr_t a = b->address; a < b->address + b->size; a++)
			assert_int_equal(evr_shadow_valid(a, 1), !b->freed);
	}
}

static void too_much_is_refused(void **state)
{
	(void)state;
	struct evr_thread *t = world_begin();
	static const size_t sizes[] = { SIZE_MAX,      SIZE_MAX - 15, SIZE_MAX - 31,
					SIZE_MAX - 32, SIZE_MAX / 2,  (size_t)EVR_MAIN_HEAP_SIZE };
	uintptr_t top = t->heap_top;
	for (size_t i = 0; i < EVR_COUNT(sizes); i++) {
		errno = 0;
		assert_null(evr_libc_malloc(sizes[i]));
		assert_int_equal(errno, ENOMEM);
		assert_null(evr_libc_calloc(sizes[i], 1));
		assert_null(evr_libc_calloc(sizes[i], 16));
		assert_null(evr_libc_aligned_alloc(64, sizes[i]));
	}
	assert_null(evr_libc_aligned_alloc((size_t)1 << 63, 8));
	errno = 0;
	assert_null(evr_libc_aligned_alloc(24, 8));
	assert_int_equal(errno, EINVAL);
	/* As if it had not been asked for. */
	assert_int_equal(t->heap_top, top);
	assert_int_equal(t->blocks.len, 0);
	assert_ptr_equal(evr_libc_malloc(1), t->heap + RED_ZONE);
}

static void contents_are_known(void **state)
{
	(void)state;
	world_begin();
	unsigned char *raw = evr_libc_malloc(24), *zero = evr_libc_calloc(3, 8);
	assert_false(evr_shadow_any_initialised((uintptr_t)raw, 24));
	assert_true(evr_shadow_sound((uintptr_t)zero, 24));
	for (int i = 0; i < 24; i++)
		assert_int_equal(zero[i], 0);
	/* What realloc copies, it copies with what is known of it. */
	evr_access_write(raw + 4, "abc", 3, &world_site);
	unsigned char *more = evr_libc_realloc(raw, 40);
	assert_ptr_not_equal(more, raw);
	assert_memory_equal(more + 4, "abc", 3);
	for (unsigned i = 0; i < 40; i++)
		assert_int_equal(evr_shadow_sound((uintptr_t)more + i, 1), i >= 4 && i < 7);
	assert_false(evr_shadow_valid((uintptr_t)raw, 1));
	assert_int_equal(evr_libc_malloc_usable_size(more), 40);
	assert_null(evr_libc_realloc(more, 0));
	assert_false(evr_shadow_valid((uintptr_t)more, 1));
	/* The next execution finds memory as this one did. */
	world_begin();
	unsigned char *again = evr_libc_malloc(24);
	assert_ptr_equal(again, raw);
	for (int i = 0; i < 24; i++)
		assert_int_equal(again[i], 0);
}

static int setup(void **state)
{
	(void)state;
	world_init();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	world_release();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_follow_from_own_history),
		cmocka_unit_test(find_is_a_linear_search),
		cmocka_unit_test(red_zones_surround_blocks),
		cmocka_unit_test(too_much_is_refused),
		cmocka_unit_test(contents_are_known),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
