/*
 * A stand-in for the part of cmocka that the unit tests use, for machines whose cmocka is not at hand (aarch64 under
 * qemu). Prints the same TAP lines; a failed assertion ends its test by longjmp, as cmocka's does.
 */
#ifndef CMOCKA_H
#define CMOCKA_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*test)(void **state);
	int (*setup)(void **state);
	int (*teardown)(void **state);
};

static jmp_buf cmocka_failed;

static inline _Noreturn void cmocka_fail(const char *file, int line, const char *text)
{
	printf("# %s:%d: %s\n", file, line, text);
	longjmp(cmocka_failed, 1);
}

#define cmocka_unit_test(f) { #f, f, NULL, NULL }
#define cmocka_unit_test_setup_teardown(f, up, down) { #f, f, up, down }
#define cmocka_check(cond, text) ((cond) ? (void)0 : cmocka_fail(__FILE__, __LINE__, text))
#define assert_true(c) cmocka_check((c), #c)
#define assert_false(c) cmocka_check(!(c), "not " #c)
#define assert_null(p) cmocka_check(!(p), #p " is null")
#define assert_non_null(p) cmocka_check((p), #p " is not null")
#define assert_int_equal(a, b) cmocka_check((unsigned long long)(a) == (unsigned long long)(b), #a " == " #b)
#define assert_int_not_equal(a, b) cmocka_check((unsigned long long)(a) != (unsigned long long)(b), #a " != " #b)
#define assert_ptr_equal(a, b) cmocka_check((const void *)(a) == (const void *)(b), #a " == " #b)
#define assert_ptr_not_equal(a, b) cmocka_check((const void *)(a) != (const void *)(b), #a " != " #b)
#define assert_string_equal(a, b) cmocka_check(!strcmp((a), (b)), #a " equals " #b)
#define assert_string_not_equal(a, b) cmocka_check(strcmp((a), (b)), #a " differs from " #b)
#define assert_memory_equal(a, b, n) cmocka_check(!memcmp((a), (b), (n)), #a " equals " #b)
#define assert_memory_not_equal(a, b, n) cmocka_check(memcmp((a), (b), (n)), #a " differs from " #b)
#define assert_in_range(v, lo, hi) cmocka_check((v) >= (lo) && (v) <= (hi), #v " in range")
#define fail_msg(...) (printf("# " __VA_ARGS__), cmocka_fail(__FILE__, __LINE__, "failed"))

static inline int cmocka_run(const struct CMUnitTest *tests, size_t n, int (*setup)(void **), int (*teardown)(void **))
{
	static void *state; /* static: it survives the longjmp */
	static int failed;
	static size_t i;
	printf("1..%zu\n", n);
	if (setup && setup(&state))
		return 1;
	for (i = 0; i < n; i++) {
		fflush(stdout);
		if (setjmp(cmocka_failed) == 0) {
			if (tests[i].setup && tests[i].setup(&state))
				cmocka_fail(__FILE__, __LINE__, "setup failed");
			tests[i].test(&state);
			if (tests[i].teardown && tests[i].teardown(&state))
				cmocka_fail(__FILE__, __LINE__, "teardown failed");
			printf("ok %zu - %s\n", i + 1, tests[i].name);
		} else {
			printf("not ok %zu - %s\n", i + 1, tests[i].name);
			failed++;
		}
	}
	return teardown && teardown(&state) ? failed + 1 : failed;
}

#define cmocka_run_group_tests(tests, setup, teardown) \
	cmocka_run(tests, sizeof(tests) / sizeof(tests[0]), setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown) cmocka_run_group_tests(tests, setup, teardown)

#endif
