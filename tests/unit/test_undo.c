#include "twin.h"

#include "base/undo.h"

#include <string.h>

enum { SIZE = 4096 };

/* The twin is a copy of the whole memory. Writes are of any size and alignment, and overlap. */
static void restores_every_byte(void **state)
{
	(void)state;
	static _Alignas(8) unsigned char memory[SIZE], twin[SIZE];
	struct evr_undo u = { 0 };
	uint64_t random = 7;
	for (size_t i = 0; i < SIZE; i++)
		memory[i] = (unsigned char)twin_random(&random);
	for (int round = 0; round < 500; round++) {
		memcpy(twin, memory, SIZE);
		size_t writes = twin_below(&random, 60), region = 8 + twin_below(&random, SIZE - 8);
		for (size_t w = 0; w < writes; w++) {
			size_t at = twin_below(&random, region);
			size_t n = twin_below(&random, 8) ? 1 + twin_below(&random, 16) : twin_below(&random, 300);
			if (at + n > SIZE)
				n = SIZE - at;
			evr_undo_range(&u, (uintptr_t)(memory + at), n);
			for (size_t i = 0; i < n; i++)
				memory[at + i] = (unsigned char)twin_random(&random);
		}
		evr_undo_restore(&u);
		assert_memory_equal(memory, twin, SIZE);
		assert_int_equal(u.log.len, 0);
		/* The next round starts from other contents. */
		memory[twin_below(&random, SIZE)] ^= 1;
	}
	evr_undo_release(&u);
}

/* The same word again and again: the first value wins. */
static void oldest_value_wins(void **state)
{
	(void)state;
	uint64_t words[3] = { 11, 22, 33 };
	struct evr_undo u = { 0 };
	for (uint64_t i = 0; i < 1000; i++) {
		evr_undo_word(&u, (uintptr_t)&words[1] + i % 8);
		words[1] = i;
		assert_ptr_equal(evr_vec_last(&u.log).word, &words[1]);
	}
	evr_undo_restore(&u);
	assert_int_equal(words[0], 11);
	assert_int_equal(words[1], 22);
	assert_int_equal(words[2], 33);
	evr_undo_release(&u);
}

/* Exactly the words that a range touches are logged: no fewer, and no word beyond, which may not be ours to read. */
static void logs_touched_words_only(void **state)
{
	(void)state;
	static _Alignas(8) unsigned char memory[64];
	struct evr_undo u = { 0 };
	for (size_t at = 0; at < 16; at++) {
		for (size_t n = 0; n <= 24; n++) {
			unsigned char *first = memory + at / 8 * 8;
			size_t words = n ? (at + n - 1) / 8 - at / 8 + 1 : 0;
			evr_undo_range(&u, (uintptr_t)(memory + at), n);
			/* An empty range may log the word it points into, if it does not start at it. */
			if (n || at % 8 == 0)
				assert_int_equal(u.log.len, words);
			for (size_t i = 0; i < words; i++)
				assert_ptr_equal(u.log.data[i].word, first + 8 * i);
			evr_undo_restore(&u);
		}
	}
	evr_undo_release(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(restores_every_byte),
		cmocka_unit_test(oldest_value_wins),
		cmocka_unit_test(logs_touched_words_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
