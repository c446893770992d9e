#include "twin.h"

#include "event/knowledge.h"

#include <string.h>

#define ARENA 0x100000

/* Addresses below the arena are of an executable at 0x1000. */
static void write_address(struct evr_strbuf *out, uintptr_t address)
{
	if (address >= ARENA)
		evr_strbuf_printf(out, "a%llx", (unsigned long long)(address - ARENA));
	else
		evr_strbuf_printf(out, "e%llx", (unsigned long long)(address - 0x1000));
}

static bool read_address(const char **p, uintptr_t *address)
{
	unsigned long long offset;
	char base = **p;
	if (base != 'a' && base != 'e')
		return false;
	(*p)++;
	if (!evr_read_number(p, 16, &offset))
		return false;
	*address = offset + (base == 'a' ? ARENA : 0x1000);
	return true;
}

static const struct evr_addresses addresses = { write_address, read_address, { ARENA, 0x10000 } };

static void add_any(struct evr_knowledge *k, uint64_t *random)
{
	uintptr_t some = (twin_below(random, 2) ? ARENA : 0x1000) + twin_below(random, 64);
	switch (twin_below(random, 5)) {
	case 0:
		evr_learn_shared(k, some, 1 + twin_below(random, 8));
		break;
	case 1:
		evr_learn_contended(k, ARENA + twin_below(random, 64), twin_below(random, 9));
		break;
	case 2:
		evr_learn_cut(k, some);
		break;
	case 3:
		evr_learn_same_group(k, evr_learn_member(k, some, true), evr_learn_member(k, some | 0x800, false));
		break;
	default:
		evr_learn_tried(k, some, twin_below(random, 2));
	}
}

static char *text_of(const struct evr_knowledge *k)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	evr_knowledge_write(k, &addresses, false, &out);
	return evr_strbuf_take(&out);
}

/* What is written, read and written again is the same, and so is who is in a group with whom. */
static void text_can_be_read_again(void **state)
{
	(void)state;
	uint64_t random = 1;
	for (unsigned round = 0; round < 2000; round++) {
		struct evr_knowledge k = { 0 }, copy = { 0 };
		for (uint64_t n = 1 + twin_below(&random, 20); n > 0; n--)
			add_any(&k, &random);
		char *text = text_of(&k);
		const char *p = text;
		if (*text)
			assert_true(evr_knowledge_read(&copy, &addresses, &p));
		assert_string_equal(p, "");
		char *again = text_of(&copy);
		assert_string_equal(again, text);
		for (size_t i = 0; i < k.members.len; i++)
			for (size_t j = 0; j < k.members.len; j++) {
				uintptr_t a = k.members.data[i].what, b = k.members.data[j].what;
				assert_int_equal(evr_find_group(&k, a) == evr_find_group(&k, b),
						 evr_find_group(&copy, a) == evr_find_group(&copy, b));
			}
		free(text);
		free(again);
		evr_knowledge_release(&k);
		evr_knowledge_release(&copy);
	}
}

static void bad_text_is_refused(void **state)
{
	(void)state;
	const char *bad[] = {
		"",
		"x10:4",
		"e:4",
		"e10",
		"e10:",
		"e10:g",
		"e10:8000001",
		"c10000:4",
		"c:4",
		"s1e10:1",
		"s.e10:1",
		"s1.e10:2",
		"b1.e10",
		"te10",
		"e10:4,",
		"e10:4,,e20:4",
		"e 10:4",
		"e-10:4",
		"e0x10:4",
		"c-1:4",
		"e10:8000000,e90:1",
		"e10:ffffffffffffffffff",
	};
	for (size_t i = 0; i < EVR_COUNT(bad); i++) {
		struct evr_knowledge k = { 0 };
		const char *p = bad[i];
		if (evr_knowledge_read(&k, &addresses, &p))
			fail_msg("'%s' was read", bad[i]);
		evr_knowledge_release(&k);
	}
}

/* The version grows when there is something new, and only then. */
static void version_grows_with_news(void **state)
{
	(void)state;
	struct evr_knowledge k = { 0 };
	uint64_t before = k.version;
#define LEARNS(call) (before = k.version, (void)(call), assert_true(k.version > before))
#define KNOWS(call) (before = k.version, (void)(call), assert_int_equal(k.version, before))
	LEARNS(evr_learn(&k));
	LEARNS(evr_learn_shared(&k, 8, 4));
	LEARNS(evr_learn_shared(&k, 12, 4));
	assert_int_equal(k.shared.len, 1);
	LEARNS(evr_learn_contended(&k, 8, 4));
	LEARNS(evr_learn_cut(&k, 10));
	KNOWS(evr_learn_cut(&k, 10));
	LEARNS(evr_learn_tried(&k, 8, false));
	KNOWS(evr_learn_tried(&k, 8, false));
	LEARNS(evr_learn_tried(&k, 8, true));
	KNOWS(evr_learn_tried(&k, 8, false));
	assert_true(k.tries_matter);
	LEARNS(evr_learn_member(&k, 8, true));
	KNOWS(evr_learn_member(&k, 8, true));
	LEARNS(evr_learn_member(&k, 100, false));
	LEARNS(evr_learn_same_group(&k, evr_find_group(&k, 8), evr_find_group(&k, 100)));
	KNOWS(evr_learn_same_group(&k, evr_find_group(&k, 8), evr_find_group(&k, 100)));
	assert_int_equal(evr_find_group(&k, 8), evr_find_group(&k, 100));
	assert_int_equal(evr_find_group(&k, 9), EVR_NO_GROUP);
	evr_knowledge_release(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_can_be_read_again),
		cmocka_unit_test(bad_text_is_refused),
		cmocka_unit_test(version_grows_with_news),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
