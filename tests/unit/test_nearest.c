#include "twin.h"

#include "base/base.h"
#include "base/nearest.h"

#include <stdlib.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The definition, in exponential time: the first letters are the same, or one is inserted, dropped or replaced, or two are swapped. */
static size_t distance(const char *a, const char *b)
{
	if (!*a || !*b)
		return strlen(a) + strlen(b);
	size_t d = distance(a + 1, b + 1) + (*a != *b);
	d = least(d, least(distance(a + 1, b), distance(a, b + 1)) + 1);
	if (a[1] && a[0] == b[1] && a[1] == b[0])
		d = least(d, distance(a + 2, b + 2) + 1);
	return d;
}

static const char *nearest(const char *word, const char *const *names, size_t n)
{
	const char *found = NULL;
	size_t length = strlen(word), most = length < 3 ? 1 : length / 3;
	for (size_t i = 0; i < n; i++) {
		size_t d = distance(word, names[i]);
		if (d <= most && d < strlen(names[i]) && (!found || d < distance(word, found)))
			found = names[i];
	}
	size_t longer = 0;
	const char *last = NULL;
	for (size_t i = 0; i < n; i++)
		if (length >= 3 && strstr(names[i], word) == names[i]) {
			last = names[i];
			longer++;
		}
	return found || longer != 1 ? (length ? found : NULL) : last;
}

static void random_word(uint64_t *random, char *word)
{
	size_t n = twin_below(random, 7);
	for (size_t i = 0; i < n; i++)
		word[i] = (char)('a' + twin_below(random, 3));
	word[n] = '\0';
}

static void against_the_definition(void **state)
{
	(void)state;
	uint64_t random = 1;
	size_t near = 0, far = 0;
	for (int round = 0; round < 3000; round++) {
		char text[4][8], word[8];
		const char *names[4];
		for (size_t i = 0; i < 4; i++) {
			random_word(&random, text[i]);
			names[i] = text[i];
		}
		random_word(&random, word);
		const char *expected = nearest(word, names, 4);
		assert_ptr_equal(evr_nearest(word, names, 4), expected);
		near += expected != NULL;
		far += !expected;
	}
	assert_true(near > 500 && far > 500);
}

static void of_typing_errors(void **state)
{
	(void)state;
	static const char *const names[] = { "sc",       NULL,       "tso",
					     "pso",      "rc11",     "--model",
					     "--output", "--unroll", "--uninitialised" };
	static const struct {
		const char *word, *meant;
	} cases[] = {
		{ "tos", "tso" },
		{ "ts", "tso" },
		{ "SC", "sc" },
		{ "TOS", "tso" },
		{ "XY", NULL },
		{ "s", "sc" },
		{ "--modle", "--model" },
		{ "", NULL },
		{ "--everything", NULL },
		{ "xyz", NULL },
		{ "--out", "--output" },
		{ "--un", NULL },
		{ "--unini", "--uninitialised" },
		{ "--outer", NULL },
	};
	for (size_t i = 0; i < EVR_COUNT(cases); i++) {
		const char *found = evr_nearest(cases[i].word, names, EVR_COUNT(names));
		if (cases[i].meant)
			assert_string_equal(found, cases[i].meant);
		else
			assert_null(found);
	}
	char *hint = evr_did_you_mean("tos", names, EVR_COUNT(names));
	assert_string_equal(hint, "; did you mean 'tso'?");
	free(hint);
	hint = evr_did_you_mean("xyz", names, EVR_COUNT(names));
	assert_string_equal(hint, "");
	free(hint);
	static char longest[200];
	memset(longest, 'a', sizeof(longest) - 1);
	assert_null(evr_nearest(longest, names, EVR_COUNT(names)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(against_the_definition),
		cmocka_unit_test(of_typing_errors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
