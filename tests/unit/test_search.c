#include "twin.h"

#include "explore/search.h"

#include <string.h>

/*
 * A program and an engine that do what a script says, and a policy that says what it likes. Everything that happens is written down:
 *
 *   script: a letter for each execution
 *     .  it ends, and there is another one      x  it ends, and nothing is left
 *     l  something is learned in it             a  something is learned when the engine looks at it
 *     s  it is stopped from outside             f  the engine fails
 *   log:    b begin, r run, v visit, d advance, g go on, n something was learned, R the engine restarts
 */
static struct evr_world world;
static const char *script;
static char log_text[200];
static const char *objections; /* letters of the log at which the policy says no */

static void note(char c)
{
	size_t n = strlen(log_text);
	assert_true(n + 1 < sizeof(log_text));
	log_text[n] = c;
	log_text[n + 1] = '\0';
}

static bool answer(char c)
{
	note(c);
	return !objections || !strchr(objections, c);
}

static bool begin(void *self)
{
	(void)self;
	return answer('b');
}

static bool visit(void *self)
{
	(void)self;
	return answer('v');
}

static bool go_on(void *self)
{
	(void)self;
	return answer('g');
}

static bool allow_restart(void *self)
{
	(void)self;
	return answer('n');
}

static bool run(const struct evr_program *p, struct evr_engine *e)
{
	note('r');
	p->world->known = p->world->knowledge.version;
	e->abandoned = true;
	if (*script == 'l')
		evr_learn(&p->world->knowledge);
	if (*script == 'f')
		e->failure = "as the script says";
	return *script != 's';
}

static bool advance(struct evr_engine *e)
{
	note('d');
	if (*script == 'a')
		evr_learn(&e->world->knowledge);
	return *script++ != 'x';
}

static void restart(struct evr_engine *e)
{
	note('R');
	assert_false(e->abandoned);
	/* An execution in which something was learned was not looked at by advance(). */
	if (*script == 'l')
		script++;
}

static enum evr_search_end search(const char *what, const char *no)
{
	static const struct evr_engine_ops ops = { .advance = advance, .restart = restart };
	static const struct evr_policy policy = { begin, visit, go_on, allow_restart };
	const struct evr_program program = { &world, run };
	struct evr_engine e = { .ops = &ops, .world = &world };
	script = what;
	objections = no;
	log_text[0] = '\0';
	return evr_search(&program, &e, &policy, NULL);
}

static void goes_on_until_nothing_is_left(void **state)
{
	(void)state;
	assert_int_equal(search("..x", NULL), EVR_EXHAUSTED);
	assert_string_equal(log_text, "brvdg"
				      "brvdg"
				      "brvd");
}

static void starts_again_when_something_was_learned(void **state)
{
	(void)state;
	assert_int_equal(search(".lax", NULL), EVR_EXHAUSTED);
	assert_string_equal(log_text, "brvdg"
				      "brnR"
				      "brvdnR"
				      "brvd");
	assert_int_equal(search(".l", "n"), EVR_OUTDATED);
	assert_string_equal(log_text, "brvdg"
				      "brn");
	assert_int_equal(search("a", "n"), EVR_OUTDATED);
	assert_string_equal(log_text, "brvdn");
}

static void ends_when_told_so(void **state)
{
	(void)state;
	assert_int_equal(search("..x", "b"), EVR_ENOUGH);
	assert_string_equal(log_text, "b");
	assert_int_equal(search("..x", "v"), EVR_ENOUGH);
	assert_string_equal(log_text, "brv");
	assert_int_equal(search("..x", "g"), EVR_ENOUGH);
	assert_string_equal(log_text, "brvdg");
	assert_int_equal(search(".s", NULL), EVR_STOPPED);
	assert_string_equal(log_text, "brvdg"
				      "br");
	assert_int_equal(search(".f", NULL), EVR_FAILED);
	assert_string_equal(log_text, "brvdg"
				      "brv");
}

/* That nothing is left counts more than that it would have been enough. */
static void exhausted_comes_first(void **state)
{
	(void)state;
	assert_int_equal(search("x", "g"), EVR_EXHAUSTED);
	assert_string_equal(log_text, "brvd");
}

static void policies_need_not_care(void **state)
{
	(void)state;
	static const struct evr_engine_ops ops = { .advance = advance, .restart = restart };
	static const struct evr_policy policy = { .begin = NULL };
	const struct evr_program program = { &world, run };
	struct evr_engine e = { .ops = &ops, .world = &world };
	script = ".l.ax";
	log_text[0] = '\0';
	assert_int_equal(evr_search(&program, &e, &policy, NULL), EVR_EXHAUSTED);
	assert_string_equal(log_text, "rdrRrdrdRrd");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goes_on_until_nothing_is_left),
		cmocka_unit_test(starts_again_when_something_was_learned),
		cmocka_unit_test(ends_when_told_so),
		cmocka_unit_test(exhausted_comes_first),
		cmocka_unit_test(policies_need_not_care),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
