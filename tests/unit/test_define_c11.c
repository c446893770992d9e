/* The definition of RC11 that the judge compares the model with (tools/define_c11.h): litmus tests, and what each clause is for. */
#include "litmus_c11.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct litmus_list {
	struct c11_litmus *data;
	size_t len, cap;
};

/* Those made for rc11, and all others. */
static struct litmus_list tests, others;

static void read_file(const char *path, struct litmus_list *to)
{
	char line[512];
	FILE *in = fopen(path, "re");
	if (!in)
		evr_die("cannot open '%s'", path);
	struct c11_litmus l;
	while (fgets(line, sizeof(line), in))
		if (c11_litmus_parse(&l, line))
			evr_vec_push(to, l);
	fclose(in);
}

static int read_files(void **state)
{
	const char *top = getenv("TOP");
	char *pattern = evr_format("%s/tests/litmus/*.litmus", top ? top : ".");
	glob_t files;
	(void)state;
	if (glob(pattern, 0, NULL, &files))
		evr_die("there are no files '%s'", pattern);
	for (size_t i = 0; i < files.gl_pathc; i++)
		read_file(files.gl_pathv[i], strstr(files.gl_pathv[i], "/rc11-") ? &tests : &others);
	globfree(&files);
	free(pattern);
	return 0;
}

static void release_list(struct litmus_list *list)
{
	for (size_t i = 0; i < list->len; i++)
		c11_litmus_release(&list->data[i]);
	evr_vec_release(list);
}

static int release_files(void **state)
{
	(void)state;
	release_list(&tests);
	release_list(&others);
	return 0;
}

static const struct c11_litmus *find_test(const char *name)
{
	for (size_t i = 0; i < tests.len; i++)
		if (!strcmp(tests.data[i].name, name))
			return &tests.data[i];
	fail_msg("there is no test '%s'", name);
	return NULL;
}

static void expect(const struct c11_litmus *l, struct c11_options options, bool allowed)
{
	if (c11_litmus_allowed(l, options) != allowed)
		fail_msg("%s should be %s", l->name, allowed ? "allowed" : "forbidden");
}

static void test_litmus(void **state)
{
	(void)state;
	assert_true(tests.len > 100);
	for (size_t i = 0; i < tests.len; i++)
		expect(&tests.data[i], (struct c11_options){ 0 }, tests.data[i].allowed);
}

/* Made for other models; what rc11 says of them was computed once, and read. */
static void test_other_litmus(void **state)
{
	(void)state;
	assert_true(others.len > 250);
	for (size_t i = 0; i < others.len; i++)
		expect(&others.data[i], (struct c11_options){ 0 }, others.data[i].allowed);
}

/* C11 and C++20 differ where a later store of the same thread, atomic as well, follows a release, and nowhere else. */
static void test_release_sequences(void **state)
{
	(void)state;
	for (size_t i = 0; i < tests.len; i++) {
		const struct c11_litmus *l = &tests.data[i];
		bool differs = !strncmp(l->name, "RS+store", 8) && strcmp(l->name, "RS+store-plain") != 0;
		expect(l, (struct c11_options){ .c11_sequences = true }, l->allowed && !differs);
	}
}

/* Everything else that the definition allows is there only because a clause is missing. */
static void test_clauses(void **state)
{
	static const struct {
		enum c11_clause clause;
		const char *test; /* forbidden, and allowed without the clause */
	} needed[] = {
		{ C11_RELEASE, "MP+rel+acq" },
		{ C11_RELEASE, "MP+rel+fence" },
		{ C11_ACQUIRE, "MP+rel+acq" },
		{ C11_ACQUIRE, "MP+fence+acq" },
		{ C11_RELEASE_FENCE, "MP+fences" },
		{ C11_RELEASE_FENCE, "RS+fence+rmw" },
		{ C11_ACQUIRE_FENCE, "MP+fences" },
		{ C11_ACQUIRE_FENCE, "RS+rmw+fence" },
		{ C11_RS_RMW, "RS+rmw" },
		{ C11_RS_RMW, "RS+rmw-own" },
		{ C11_JOIN, "CoWW+rlx" },
		{ C11_NO_THIN_AIR, "LB+rlx" },
		{ C11_NO_THIN_AIR, "LB+three" },
		{ C11_NO_THIN_AIR, "SB+rmws" },
		{ C11_COHERENCE, "CoRR+rlx" },
		{ C11_ATOMICITY, "ADD+rlx" },
		{ C11_ATOMICITY, "XCHG+store" },
		{ C11_SC, "SB+sc" },
		{ C11_SC, "SB+sc-fences" },
		{ C11_HB_MO, "CoWW+rlx" },
		{ C11_HB_MO, "S+rel+acq" },
		{ C11_HB_MO_RF, "CoRW2+rlx" },
		{ C11_HB_MO_RF, "WWC+rel+acq" },
		{ C11_HB_RB, "CoWR+rlx" },
		{ C11_HB_RB, "MP+rel+acq" },
		{ C11_HB_RB_RF, "CoRR+rlx" },
		{ C11_HB_RB_RF, "WRC+rel+acq" },
		{ C11_SCB_SB, "SB+sc" },
		{ C11_SCB_SB_HB_SB, "W+RWC+rel+acq+sc" },
		{ C11_SCB_HB_LOC, "IRIW+sc" },
		{ C11_SCB_MO, "2+2W+sc" },
		{ C11_SCB_RB, "SB+sc" },
		{ C11_FENCE_HB, "SB+sc+sc-fence" },
		{ C11_HB_FENCE, "SB+sc+sc-fence" },
		{ C11_FENCE_HB_ECO_HB, "IRIW+sc-fences" },
		{ C11_FENCE_HB_ECO_HB, "RWC+sc-fences" },
	};
	unsigned tried = C11_CREATE; /* test_threads */
	(void)state;
	for (unsigned i = 0; i < EVR_COUNT(needed); i++) {
		struct c11_options options = { .without = needed[i].clause };
		options.promises = needed[i].clause == C11_NO_THIN_AIR;
		tried |= needed[i].clause;
		expect(find_test(needed[i].test), (struct c11_options){ 0 }, false);
		expect(find_test(needed[i].test), options, true);
	}
	assert_int_equal(tried, (1u << C11_CLAUSE_COUNT) - 1);
}

/* A clause that is left out allows more, never less. */
static void test_monotone(void **state)
{
	(void)state;
	for (size_t i = 0; i < tests.len; i++)
		for (unsigned k = 0; k < C11_CLAUSE_COUNT; k++)
			if (tests.data[i].allowed)
				expect(&tests.data[i], (struct c11_options){ .without = 1u << k }, true);
}

static struct c11_meaning meaning_of(const char *line)
{
	static const struct c11_options as_in_c23;
	struct c11_litmus l;
	struct c11_meaning m;
	assert_true(c11_litmus_parse(&l, line));
	define_c11(&l.program, &as_in_c23, &m);
	assert_false(m.too_large);
	assert_false(m.deadlock);
	c11_litmus_release(&l);
	return m;
}

/* Counted by hand. */
static void test_counts(void **state)
{
	static const struct {
		const char *line;
		unsigned classes, pairs;
		size_t results;
		bool racy;
	} cases[] = {
		{ "T : x.rlx=1 || x.rlx=2 :  : -", 1, 2, 1, false },
		{ "T : x.rlx=1 || x.rlx=2 || x.rlx=3 :  : -", 1, 6, 1, false },
		/* Main's last read tells which came last. */
		{ "T : x.rlx=1 || x.rlx=2 : x=0 : -", 2, 2, 2, false },
		{ "T : x.rlx=1; y.rlx=1 || y.rlx=2; x.rlx=2 :  : -", 1, 4, 1, false },
		{ "T : x.sc=1; y.sc=1 || y.sc=2; x.sc=2 :  : -", 1, 3, 1, false },
		{ "T : x.rlx=1; a=y.rlx || y.rlx=1; b=x.rlx :  : -", 4, 4, 4, false },
		{ "T : x.sc=1; a=y.sc || y.sc=1; b=x.sc :  : -", 3, 3, 3, false },
		{ "T : a=add(x,1) || b=add(x,1) :  : -", 2, 2, 2, false },
		{ "T : a=add(x,1) || b=add(x,1) || c=add(x,1) :  : -", 6, 6, 6, false },
		{ "T : a=cas(x,0,1) || b=cas(x,0,2) :  : -", 2, 2, 2, false },
		{ "T : a=x.rlx; b=x.rlx || x.rlx=1 :  : -", 3, 3, 3, false },
		{ "T : m{x=1} || m{a=x} :  : -", 2, 2, 2, false },
		{ "T : m{x=1} || a=x :  : -", 2, 2, 2, true },
		{ "T : x=1; y.rel=1 || a=y.acq; b=x.rlx :  : -", 3, 3, 3, true },
		{ "T : x=1 || y=1 :  : -", 1, 1, 1, false },
		{ "T : a=x || b=x :  : -", 1, 1, 1, false },
		{ "T : x=1 || x.rlx=2 :  : -", 1, 2, 1, true },
	};
	(void)state;
	for (unsigned i = 0; i < EVR_COUNT(cases); i++) {
		struct c11_meaning m = meaning_of(cases[i].line);
		if (m.classes != cases[i].classes || m.pairs != cases[i].pairs || m.results.len != cases[i].results ||
		    m.racy != cases[i].racy)
			fail_msg("%s: %u classes, %u with orders, %zu results%s", cases[i].line, (unsigned)m.classes,
				 (unsigned)m.pairs, m.results.len, m.racy ? ", racy" : "");
		c11_meaning_release(&m);
	}
}

static struct stmt store(unsigned place, enum order order, int value)
{
	return (struct stmt){ .kind = S_STORE, .place = place, .order = order, .value = value };
}

static struct stmt load(unsigned place, enum order order, unsigned reg)
{
	return (struct stmt){ .kind = S_LOAD, .place = place, .order = order, .reg = reg };
}

/* A plain store before the thread is created, a plain load in it, another after it was joined. */
static void test_threads(void **state)
{
	struct program p = { .flavour = C11, .layout = layouts, .roles = 2, .vars = 1, .nested = { false, true } };
	struct c11_options options = { 0 };
	struct c11_meaning m;
	(void)state;
	evr_vec_push(&p.role[0], store(0, PLAIN, 1));
	evr_vec_push(&p.role[0], ((struct stmt){ .kind = S_CREATE, .place = 1 }));
	evr_vec_push(&p.role[0], ((struct stmt){ .kind = S_JOIN, .place = 1 }));
	evr_vec_push(&p.role[0], load(0, PLAIN, 0));
	evr_vec_push(&p.role[1], load(0, PLAIN, 0));
	evr_vec_push(&p.role[1], store(0, PLAIN, 2));
	define_c11(&p, &options, &m);
	assert_int_equal(m.classes, 1);
	assert_int_equal(m.results.len, 1);
	assert_false(m.racy);
	c11_meaning_release(&m);
	options.without = C11_CREATE;
	define_c11(&p, &options, &m);
	/* The load reads 0 or 1; if 0, either store may be the last. */
	assert_int_equal(m.classes, 3);
	assert_true(m.racy);
	c11_meaning_release(&m);
	options.without = C11_JOIN;
	define_c11(&p, &options, &m);
	assert_true(m.classes > 1);
	assert_true(m.racy);
	c11_meaning_release(&m);
	program_release(&p);
}

/* MP with a plain message that is read only if the flag was seen: no race, unless the flag does not synchronise. */
static void test_races(void **state)
{
	static const struct {
		enum order store, load;
		bool racy;
	} cases[] = { { RELEASE, ACQUIRE, false },
		      { RELEASE, CONSUME, false },
		      { SEQ_CST, SEQ_CST, false },
		      { RELAXED, ACQUIRE, true },
		      { RELEASE, RELAXED, true } };
	(void)state;
	for (unsigned i = 0; i < EVR_COUNT(cases); i++) {
		struct program p = { .flavour = C11, .layout = layouts, .roles = 2, .vars = 2 };
		struct c11_options options = { 0 };
		struct c11_meaning m;
		struct stmt seen = { .kind = S_IF, .reg = 0, .value = 1 };
		evr_vec_push(&seen.body, load(0, PLAIN, 1));
		evr_vec_push(&p.role[0], store(0, PLAIN, 1));
		evr_vec_push(&p.role[0], store(1, cases[i].store, 1));
		evr_vec_push(&p.role[1], load(1, cases[i].load, 0));
		evr_vec_push(&p.role[1], seen);
		define_c11(&p, &options, &m);
		assert_int_equal(m.racy, cases[i].racy);
		assert_int_equal(m.classes, cases[i].racy ? 3 : 2);
		c11_meaning_release(&m);
		program_release(&p);
	}
}

/* Two locks in opposite orders; what a trylock reads if it fails. */
static void test_locks(void **state)
{
	struct program p = { .flavour = C11, .layout = layouts, .roles = 2, .vars = 1, .mutexes = 2 };
	struct c11_options options = { 0 };
	struct c11_meaning m;
	(void)state;
	for (unsigned r = 0; r < 2; r++) {
		evr_vec_push(&p.role[r], ((struct stmt){ .kind = S_LOCK, .place = r }));
		evr_vec_push(&p.role[r], ((struct stmt){ .kind = S_LOCK, .place = !r }));
		evr_vec_push(&p.role[r], ((struct stmt){ .kind = S_UNLOCK, .place = !r }));
		evr_vec_push(&p.role[r], ((struct stmt){ .kind = S_UNLOCK, .place = r }));
	}
	define_c11(&p, &options, &m);
	assert_true(m.deadlock);
	assert_int_equal(m.classes, 3);
	/* Of the deadlock nobody tells anything. */
	assert_int_equal(m.results.len, 1);
	c11_meaning_release(&m);
	program_release(&p);

	p = (struct program){ .flavour = C11, .layout = layouts, .roles = 2, .vars = 1, .mutexes = 1 };
	struct stmt try = { .kind = S_TRYLOCK };
	evr_vec_push(&try.body, load(0, RELAXED, 0));
	evr_vec_push(&try.other, load(0, RELAXED, 1));
	evr_vec_push(&p.role[0], store(0, RELAXED, 1));
	evr_vec_push(&p.role[0], ((struct stmt){ .kind = S_LOCK }));
	evr_vec_push(&p.role[0], ((struct stmt){ .kind = S_UNLOCK }));
	evr_vec_push(&p.role[1], try);
	define_c11(&p, &options, &m);
	/* It comes first and reads either, fails and reads either, or comes last and reads 1. */
	assert_int_equal(m.classes, 5);
	assert_false(m.deadlock);
	c11_meaning_release(&m);
	options.locks = SEQ_CST;
	define_c11(&p, &options, &m);
	assert_int_equal(m.classes, 4);
	c11_meaning_release(&m);
	program_release(&p);
}

static bool includes(const struct c11_meaning *a, const struct c11_meaning *b)
{
	size_t found = 0;
	for (size_t i = 0; i < a->results.len; i++)
		for (size_t k = 0; k < b->results.len; k++)
			found += a->results.data[i] == b->results.data[k];
	return found == b->results.len;
}

static bool has_loops(const struct block *b)
{
	bool has = false;
	for (size_t i = 0; i < b->len; i++) {
		const struct stmt *s = &b->data[i];
		has |= s->kind == S_AWAIT || s->kind == S_RETRY || s->kind == S_SPIN_ON_TRYLOCK ||
		       has_loops(&s->body) || has_loops(&s->other);
	}
	return has;
}

static bool program_has_loops(const struct program *p)
{
	bool has = false;
	for (unsigned r = 0; r < p->roles; r++)
		has |= has_loops(&p->role[r]);
	return has;
}

/* Stronger orders, or longer release sequences, have no other results; reads from later writes never survive. */
static void test_random(void **state)
{
	enum { PROGRAMS = 150 };
	(void)state;
	for (unsigned seed = 1; seed <= PROGRAMS; seed++) {
		struct program p, sc;
		struct c11_options options = { 0 };
		struct c11_meaning plain, other;
		program_random(&p, seed, F_ALL, C11);
		define_c11(&p, &options, &plain);
		c11_as_sc(&sc, &p);
		options.locks = SEQ_CST;
		define_c11(&sc, &options, &other);
		assert_true(plain.too_large || other.too_large || includes(&plain, &other));
		c11_meaning_release(&other);
		options = (struct c11_options){ .c11_sequences = true };
		define_c11(&p, &options, &other);
		assert_true(plain.too_large || other.too_large ||
			    (includes(&plain, &other) && other.classes <= plain.classes && other.pairs <= plain.pairs));
		c11_meaning_release(&other);
		if (plain.graphs < 60 && !program_has_loops(&p)) {
			options = (struct c11_options){ .promises = true };
			define_c11(&p, &options, &other);
			assert_true(other.too_large || (other.classes == plain.classes && other.pairs == plain.pairs &&
							includes(&other, &plain) && includes(&plain, &other)));
			c11_meaning_release(&other);
		}
		c11_meaning_release(&plain);
		program_release(&sc);
		program_release(&p);
	}
}

/* Rounds that fail change nothing: with some of them there are more graphs, and nothing else. */
static void test_rounds(void **state)
{
	enum { PROGRAMS = 60, LARGE = 400 };
	unsigned tried = 0, more = 0;
	(void)state;
	for (unsigned seed = 1; tried < PROGRAMS; seed++) {
		struct program p;
		struct c11_meaning without, with;
		program_random(&p, seed, F_ALL, C11);
		if (program_has_loops(&p)) {
			struct c11_options options = { .spurious = 1 };
			define_c11(&p, &options, &without);
			options.rounds = 1;
			if (!without.too_large && without.graphs < LARGE) {
				define_c11(&p, &options, &with);
				if (!with.too_large) {
					assert_true(includes(&with, &without) && includes(&without, &with));
					assert_int_equal(with.no_progress, without.no_progress);
					assert_int_equal(with.deadlock, without.deadlock);
					assert_int_equal(with.racy, without.racy);
					more += with.classes > without.classes;
					tried++;
				}
				c11_meaning_release(&with);
			}
			c11_meaning_release(&without);
		}
		program_release(&p);
	}
	assert_true(more > PROGRAMS / 4);
}

/* Loops, counted by hand. Role 0 is what is given; role 1 stores 1 and then 2 into x. */
static void expect_loop(struct stmt loop, size_t results, bool no_progress)
{
	struct program p = { .flavour = C11, .layout = layouts, .roles = 2, .vars = 1 };
	struct c11_options options = { .spurious = 1 };
	struct c11_meaning m;
	evr_vec_push(&p.role[0], loop);
	evr_vec_push(&p.role[1], store(0, RELAXED, 1));
	evr_vec_push(&p.role[1], store(0, RELAXED, 2));
	define_c11(&p, &options, &m);
	assert_false(m.too_large);
	assert_false(m.deadlock);
	assert_int_equal(m.results.len, results);
	assert_int_equal(m.no_progress, no_progress);
	c11_meaning_release(&m);
	program_release(&p);
}

static struct stmt around(struct stmt s, int value, bool negated)
{
	struct stmt loop = { .kind = S_RETRY, .reg = s.reg, .value = value, .negated = negated };
	evr_vec_push(&loop.body, s);
	return loop;
}

static void test_loops(void **state)
{
	struct stmt await = { .kind = S_AWAIT, .order = RELAXED, .from_register = true };
	struct stmt cas = { .kind = S_CAS, .order = RELAXED, .value = 3, .expected = 2 };
	struct stmt update = { .kind = S_UPDATE, .order = RELAXED, .value = 1, .index = 1 }, loop;
	(void)state;
	/* x == 2 is found, some time; x == 1 may be missed; x == 3 is never there. */
	await.value = 2;
	expect_loop(await, 1, false);
	await.value = 1;
	expect_loop(await, 1, true);
	await.value = 3;
	expect_loop(await, 0, true);
	/* x != 0 is 1 or 2. */
	await.value = 0;
	await.negated = true;
	expect_loop(await, 2, false);
	expect_loop(around(load(0, ACQUIRE, 0), 0, true), 2, false);
	expect_loop(around(load(0, ACQUIRE, 0), 1, false), 1, true);
	/* The compare-exchange may come too late for 1, and never for 2. */
	expect_loop(around(cas, 2, false), 1, false);
	cas.expected = 1;
	expect_loop(around(cas, 1, false), 1, true);
	/* From 0 on: it finds 0, 1 or 2, and succeeds in the end. */
	loop = around(update, 1, false);
	loop.reg = update.index;
	expect_loop(loop, 3, false);
	/* Fails for no reason once: knows it, or not. */
	update.weak = true;
	loop = around(update, 1, false);
	loop.reg = update.index;
	expect_loop(loop, 3, false);
}

/* A choice is part of the class; a weak compare-exchange makes one, and stops if it would have failed anyway. */
static void test_choices(void **state)
{
	struct program p = { .flavour = C11, .layout = layouts, .roles = 2, .vars = 1 };
	struct c11_options options = { 0 };
	struct c11_meaning m;
	(void)state;
	evr_vec_push(&p.role[0], ((struct stmt){ .kind = S_CHOOSE, .value = 2 }));
	evr_vec_push(&p.role[1], ((struct stmt){ .kind = S_CHOOSE, .value = 3 }));
	define_c11(&p, &options, &m);
	assert_int_equal(m.classes, 6);
	assert_int_equal(m.results.len, 6);
	c11_meaning_release(&m);
	program_release(&p);

	p = (struct program){ .flavour = C11, .layout = layouts, .roles = 2, .vars = 1, .epilogue = true };
	evr_vec_push(&p.role[0],
		     ((struct stmt){ .kind = S_CAS, .weak = true, .order = RELAXED, .expected = 0, .value = 2 }));
	evr_vec_push(&p.role[1], store(0, RELAXED, 1));
	define_c11(&p, &options, &m);
	/* It reads 0, and 1 is the last; or it reads 1. */
	assert_int_equal(m.classes, 2);
	c11_meaning_release(&m);
	options.spurious = 1;
	define_c11(&p, &options, &m);
	/* It reads 0 and does nothing, 1 is the last, which looks the same; or it reads 1 and is of no interest. */
	assert_int_equal(m.classes, 4);
	assert_int_equal(m.results.len, 2);
	assert_false(m.deadlock);
	c11_meaning_release(&m);
	program_release(&p);
}

int main(void)
{
	static const struct CMUnitTest all[] = {
		cmocka_unit_test(test_litmus),
		cmocka_unit_test(test_other_litmus),
		cmocka_unit_test(test_release_sequences),
		cmocka_unit_test(test_clauses),
		cmocka_unit_test(test_monotone),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_races),
		cmocka_unit_test(test_locks),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_choices),
	};
	return cmocka_run_group_tests(all, read_files, release_files);
}
