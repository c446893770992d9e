/* The command line: what is taken, what is refused, and that the words of a report mean what they meant. */
#include "driver/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void parse(struct evr_options *o, enum evr_command command, const char *const *words)
{
	size_t n = 0;
	while (words[n])
		n++;
	evr_options_init(o, command);
	evr_options_parse(o, (char *const *)(uintptr_t)words, n);
}

#define PARSE(o, command, ...) parse(o, command, (const char *const[]){ __VA_ARGS__, NULL })

static void takes_options(void **state)
{
	(void)state;
	struct evr_options o;
	PARSE(&o, EVR_CHECK, "-m", "tso,sc,tso", "a.c", "--equivalence=rf", "-u3", "-j", "2", "--timeout", "0.5",
	      "--no-races", "-k", "-q", "--color=never", "--json", "-", "b.c", "--", "--model", "x");
	assert_int_equal(o.models.len, 2);
	assert_string_equal(o.models.data[0], "tso");
	assert_string_equal(o.models.data[1], "sc");
	assert_string_equal(o.equivalence, "rf");
	assert_int_equal(o.unroll, 3);
	assert_int_equal(o.jobs, 2);
	assert_true(o.timeout == 0.5);
	assert_int_equal(o.races, 0);
	assert_int_equal(o.keep_going, 1);
	assert_int_equal(o.color, EVR_NEVER);
	assert_string_equal(o.formats[EVR_FORMAT_json], "-");
	assert_int_equal(o.files.len, 2);
	assert_int_equal(o.args.len, 2);
	evr_options_release(&o);
	PARSE(&o, EVR_CHECK, "-mtso,sc", "-mavx", "a.c");
	assert_int_equal(o.models.len, 2);
	assert_int_equal(o.compile.len, 1);
	evr_options_release(&o);
	PARSE(&o, EVR_RUN, "-m", "all", "./x");
	assert_int_equal(o.models.len, 5);
	assert_int_equal(o.spurious_cas, -1);
	evr_options_release(&o);
	/* An argument that may be left out is never the next word. */
	PARSE(&o, EVR_CHECK, "--spurious-cas", "3", "--spurious-cas=4");
	assert_int_equal(o.spurious_cas, 4);
	assert_int_equal(o.files.len, 1);
	evr_options_release(&o);
	PARSE(&o, EVR_CHECK, "--spurious-cas=4", "--spurious-cas");
	assert_int_equal(o.spurious_cas, 1);
	evr_options_release(&o);
}

static void hands_words_to_the_compiler(void **state)
{
	(void)state;
	struct evr_options o;
	PARSE(&o, EVR_CHECK, "-DA=1", "-D", "B", "-mavx2", "-std=c11", "-O2", "-Wall", "-include", "x.h", "-lm", "-L",
	      "dir", "-fPIC", "-pthread", "a.c");
	static const char *const expected[] = { "-DA=1",    "-D",  "B",   "-mavx2", "-std=c11", "-O2",   "-Wall",
						"-include", "x.h", "-lm", "-L",     "dir",      "-fPIC", "-pthread" };
	assert_int_equal(o.compile.len, EVR_COUNT(expected));
	for (size_t i = 0; i < EVR_COUNT(expected); i++)
		assert_string_equal(o.compile.data[i], expected[i]);
	assert_int_equal(o.files.len, 1);
	assert_int_equal(o.models.len, 0);
	evr_options_release(&o);
}

/* evr_die() ends the process, so a child does it. */
static int status_of(enum evr_command command, const char *const *words)
{
	fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		struct evr_options o;
		if (!freopen("/dev/null", "w", stderr))
			_exit(9);
		parse(&o, command, words);
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void refuses_mistakes(void **state)
{
	(void)state;
	static const char *const mistakes[][3] = {
		{ "--foo" },
		{ "--unroll" },
		{ "--unroll", "0" },
		{ "--unroll", "2147483648" },
		{ "-u", "1e3" },
		{ "-ux" },
		{ "--unroll=" },
		{ "--unroll=+3" },
		{ "--unroll", " 3" },
		{ "--spurious-cas=0" },
		{ "--spurious-cas=" },
		{ "--spurious-cas=x" },
		{ "--timeout", "inf" },
		{ "--timeout", "1e99" },
		{ "--timeout", "x" },
		{ "-m", "SC" },
		{ "-m", "sc,,tso" },
		{ "-msx" },
		{ "-eRF", "x" },
		{ "--leaks=1" },
		{ "--html=" },
		{ "-e", "a b" },
		{ "--keep", "" },
		{ "--jobs", "5000" },
		{ "--modelx", "sc" },
		{ "-qq" },
		{ "--allow-external=f," },
		{ "--allow-external", "f g" },
	};
	for (size_t i = 0; i < EVR_COUNT(mistakes); i++)
		assert_int_equal(status_of(EVR_RUN, mistakes[i]), EVR_USAGE);
	assert_int_equal(status_of(EVR_RUN, (const char *const[]){ "-DX", NULL }), EVR_USAGE);
	assert_int_equal(status_of(EVR_REPORT, (const char *const[]){ "--unroll", "3", NULL }), EVR_USAGE);
	assert_int_equal(status_of(EVR_RUN, (const char *const[]){ "--unroll", "3", NULL }), 0);
}

static void words_mean_the_same(void **state)
{
	(void)state;
	struct evr_options o, again;
	PARSE(&o, EVR_CHECK, "-e", "rf", "-u", "7", "--races", "--leaks", "--no-uninitialised", "--no-fail-on-exit",
	      "--execution-timeout", "0.125", "--seed", "42", "--spurious-cas=5", "--allow-external=f,g",
	      "--release-sequences=c11", "--allow-external", "h", "--nondet", "int=0..3", "--nondet=-1..1");
	assert_string_equal(o.allow_external, "f,g,h");
	evr_words words = { 0 };
	evr_options_words(&o, false, &words);
	evr_options_init(&again, EVR_CHECK);
	evr_options_parse(&again, words.data, words.len);
	assert_string_equal(o.equivalence, again.equivalence);
	assert_string_equal(o.allow_external, again.allow_external);
	assert_string_equal(again.nondet, "int=0..3,-1..1");
	assert_int_equal(o.unroll, again.unroll);
	assert_int_equal(o.races, again.races);
	assert_int_equal(o.leaks, again.leaks);
	assert_int_equal(o.uninitialised, again.uninitialised);
	assert_int_equal(o.fail_on_exit, 0);
	assert_int_equal(o.fail_on_exit, again.fail_on_exit);
	assert_true(o.execution_timeout == again.execution_timeout);
	assert_int_equal(o.seed, again.seed);
	assert_int_equal(again.spurious_cas, 5);
	assert_string_equal(again.release_sequences, "c11");
	evr_words_release(&words);
	evr_options_release(&o);
	evr_options_release(&again);
	evr_options_init(&o, EVR_CHECK);
	evr_options_words(&o, false, &words);
	assert_int_equal(words.len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_options),
		cmocka_unit_test(hands_words_to_the_compiler),
		cmocka_unit_test(refuses_mistakes),
		cmocka_unit_test(words_mean_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
