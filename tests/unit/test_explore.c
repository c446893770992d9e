#include "twin.h"

#include "event/mutex.h"
#include "explore/engine.h"
#include "model/oracle.h"

#include <stdio.h>
#include <string.h>

/*
 * A program without a runtime: threads that are lists of operations on a few variables and mutexes. The runner asks an
 * engine for steps as the runtime would; the twin enumerates the interleavings by recursion, with mutexes of its own.
 */
enum { THREADS = 4, LENGTH = 6, VARIABLES = 2, MUTEXES = 2 };

struct operation {
	uint8_t kind;
	unsigned what;  /* variable, mutex, or number of choices */
	unsigned value; /* of a write */
};

struct program {
	unsigned threads, len[THREADS];
	struct operation code[THREADS][LENGTH];
};

static uint32_t variables[VARIABLES];
static struct evr_mutex mutexes[MUTEXES];
static struct evr_world world = { .most_preemptions = -1 };
static unsigned pc[THREADS];

static void offer(const struct program *p)
{
	world.threads = p->threads;
	for (unsigned t = 0; t < p->threads; t++) {
		world.waiting[t] = pc[t] < p->len[t];
		if (!world.waiting[t])
			continue;
		const struct operation *o = &p->code[t][pc[t]];
		bool mutex = o->kind == EVR_LOCK || o->kind == EVR_UNLOCK || o->kind == EVR_TRYLOCK;
		world.pending[t] = (struct evr_event){
			.kind = o->kind,
			.thread = (evr_thread_id)t,
			.size = mutex ? sizeof(struct evr_mutex) : 4,
			.address = mutex ? (uintptr_t)&mutexes[o->what] : (uintptr_t)&variables[o->what % VARIABLES],
			.written = o->kind == EVR_CHOOSE ? o->what : o->value,
			.op = o->kind == EVR_RMW ? EVR_RMW_ADD : 0,
		};
	}
}

/* An execution as text: for each step its thread, and its variant if there is one. */
typedef EVR_VEC(char *) texts;

static char *run(struct evr_engine *e, const struct program *p, unsigned cut)
{
	char text[2 * THREADS * LENGTH + 1];
	size_t n = 0;
	memset(pc, 0, sizeof(pc));
	evr_undo_restore(&world.undo);
	evr_trace_begin(&world.trace, e->prefix);
	world.model->begin(&world);
	for (unsigned steps = 0; steps < cut; steps++) {
		offer(p);
		struct evr_step s = e->ops->next(e);
		if (s.actor == EVR_NO_ACTOR)
			break;
		struct evr_event event = world.pending[s.actor];
		world.model->execute(&world, s, &event);
		evr_trace_append(&world.trace, &event);
		pc[s.actor]++;
		text[n++] = (char)('0' + s.actor);
		if (event.kind == EVR_CHOOSE)
			text[n++] = (char)('a' + s.variant);
	}
	text[n] = '\0';
	return evr_strdup(text);
}

/* All executions. The prefix that each is said to repeat of the one before, it does repeat; and no more is. */
static void run_all(struct evr_engine *e, const struct program *p, unsigned cut, texts *out)
{
	do {
		char *text = run(e, p, cut);
		assert_int_equal(world.trace.diverged, EVR_NO_EVENT);
		evr_vec_push(out, text);
	} while (e->ops->advance(e));
}

static void enumerate(const struct program *p, unsigned at[THREADS], int holder[MUTEXES], char *text, size_t n,
		      unsigned left, texts *out)
{
	bool any = false;
	for (unsigned t = 0; left && t < p->threads; t++) {
		if (at[t] == p->len[t])
			continue;
		const struct operation *o = &p->code[t][at[t]];
		unsigned ways = o->kind == EVR_CHOOSE ? o->what : 1;
		if (o->kind == EVR_LOCK && holder[o->what] >= 0)
			ways = 0;
		for (unsigned way = 0; way < ways; way++) {
			int saved[MUTEXES];
			size_t k = n;
			memcpy(saved, holder, sizeof(saved));
			if ((o->kind == EVR_LOCK || o->kind == EVR_TRYLOCK) && holder[o->what] < 0)
				holder[o->what] = (int)t;
			else if (o->kind == EVR_UNLOCK && holder[o->what] == (int)t)
				holder[o->what] = -1;
			text[k++] = (char)('0' + t);
			if (o->kind == EVR_CHOOSE)
				text[k++] = (char)('a' + way);
			at[t]++;
			enumerate(p, at, holder, text, k, left - 1, out);
			at[t]--;
			memcpy(holder, saved, sizeof(saved));
			any = true;
		}
	}
	if (any)
		return;
	text[n] = '\0';
	evr_vec_push(out, evr_strdup(text));
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void release(texts *t)
{
	for (size_t i = 0; i < t->len; i++)
		free(t->data[i]);
	evr_vec_release(t);
}

/* The same executions, each of them once. */
static void compare(texts *got, const struct program *p, unsigned cut)
{
	texts expected = { 0 };
	unsigned at[THREADS] = { 0 };
	int holder[MUTEXES] = { -1, -1 };
	char text[2 * THREADS * LENGTH + 1];
	enumerate(p, at, holder, text, 0, cut, &expected);
	assert_int_equal(got->len, expected.len);
	qsort(got->data, got->len, sizeof(*got->data), by_text);
	qsort(expected.data, expected.len, sizeof(*expected.data), by_text);
	for (size_t i = 0; i < got->len; i++) {
		assert_string_equal(got->data[i], expected.data[i]);
		assert_true(i == 0 || strcmp(got->data[i - 1], got->data[i]));
	}
	release(&expected);
}

static struct program writers(unsigned threads, const unsigned *len)
{
	struct program p = { .threads = threads };
	for (unsigned t = 0; t < threads; t++) {
		p.len[t] = len[t];
		for (unsigned i = 0; i < len[t]; i++)
			p.code[t][i] = (struct operation){ EVR_WRITE, 0, t * 10 + i };
	}
	return p;
}

static void executions_are_the_multinomial(void **state)
{
	(void)state;
	static const struct {
		unsigned threads, len[THREADS];
		size_t executions;
	} cases[] = {
		{ 1, { 0 }, 1 },       { 1, { 5 }, 1 },           { 2, { 1, 1 }, 2 },       { 2, { 2, 2 }, 6 },
		{ 2, { 6, 6 }, 924 },  { 3, { 2, 2, 2 }, 90 },    { 3, { 3, 3, 3 }, 1680 }, { 4, { 2, 2, 2, 2 }, 2520 },
		{ 3, { 0, 2, 1 }, 3 }, { 4, { 1, 1, 1, 1 }, 24 }, { 3, { 1, 2, 3 }, 60 },
	};
	for (size_t i = 0; i < EVR_COUNT(cases); i++) {
		struct program p = writers(cases[i].threads, cases[i].len);
		struct evr_engine *e = evr_engine_none.create(&world);
		texts got = { 0 };
		run_all(e, &p, UINT32_MAX, &got);
		assert_int_equal(got.len, cases[i].executions);
		compare(&got, &p, UINT32_MAX);
		release(&got);
		e->ops->destroy(e);
	}
}

static struct program some_program(uint64_t *random)
{
	static const uint8_t kinds[] = { EVR_READ, EVR_WRITE, EVR_RMW, EVR_LOCK, EVR_UNLOCK, EVR_TRYLOCK, EVR_CHOOSE };
	struct program p = { .threads = 1 + (unsigned)twin_below(random, 3) };
	for (unsigned t = 0; t < p.threads; t++) {
		bool held[MUTEXES] = { false };
		p.len[t] = (unsigned)twin_below(random, 4);
		for (unsigned i = 0; i < p.len[t]; i++) {
			struct operation *o = &p.code[t][i];
			*o = (struct operation){ kinds[twin_below(random, EVR_COUNT(kinds))],
						 (unsigned)twin_below(random, 2), (unsigned)twin_below(random, 3) };
			/* A thread that locks what it holds is a finding, which is not the engine's matter. */
			if (o->kind == EVR_CHOOSE)
				o->what = 1 + (unsigned)twin_below(random, 3);
			else if ((o->kind == EVR_LOCK || o->kind == EVR_TRYLOCK) && held[o->what])
				o->kind = EVR_UNLOCK;
			if (o->kind == EVR_LOCK || o->kind == EVR_TRYLOCK)
				held[o->what] = true;
			else if (o->kind == EVR_UNLOCK)
				held[o->what] = false;
		}
	}
	return p;
}

/* Programs with mutexes and choices; under the self-check as well; cut short; and from the start again, half way. */
static void against_recursion(void **state)
{
	(void)state;
	uint64_t random = 1;
	for (int round = 0; round < 300; round++) {
		struct program p = some_program(&random);
		unsigned cut = round % 3 ? UINT32_MAX : (unsigned)twin_below(&random, 8);
		struct evr_engine *e = evr_engine_none.create(&world);
		texts got = { 0 };
		if (round % 5 == 0) {
			bool more = true;
			for (size_t n = twin_below(&random, 20); n > 0 && more; n--) {
				free(run(e, &p, cut));
				more = e->ops->advance(e);
			}
			e->ops->restart(e);
		}
		run_all(e, &p, cut, &got);
		compare(&got, &p, cut);
		e->ops->destroy(e);
		/* Every execution is run twice, the second time as the repetition of the first. */
		size_t executions = 0;
		e = evr_engine_check(evr_engine_none.create(&world));
		do {
			free(run(e, &p, cut));
			assert_int_equal(world.trace.diverged, EVR_NO_EVENT);
			executions += !e->rerun;
		} while (e->ops->advance(e));
		assert_null(e->failure);
		assert_int_equal(executions, got.len);
		e->ops->destroy(e);
		release(&got);
	}
}

/* An execution that ends within what it repeats, as a program that is not deterministic may, leaves nothing of the old. */
static void cut_within_the_prefix(void **state)
{
	(void)state;
	struct program p = writers(2, (const unsigned[]){ 2, 2 });
	struct evr_engine *e = evr_engine_none.create(&world);
	static const struct {
		unsigned cut;
		const char *text;
	} runs[] = { { 9, "0011" }, { 1, "0" }, { 9, "1001" }, { 9, "1010" }, { 9, "1100" } };
	for (size_t i = 0; i < EVR_COUNT(runs); i++) {
		char *text = run(e, &p, runs[i].cut);
		assert_string_equal(text, runs[i].text);
		free(text);
		assert_int_equal(e->ops->advance(e), i + 1 < EVR_COUNT(runs));
	}
	e->ops->destroy(e);
}

static void replay_follows_its_steps(void **state)
{
	(void)state;
	struct program p = writers(3, (const unsigned[]){ 2, 2, 2 });
	const struct evr_step steps[] = { { 2, 0 }, { 0, 0 }, { 2, 0 }, { 1, 0 } };
	struct evr_engine *e = evr_engine_replay(&world, steps, EVR_COUNT(steps));
	char *text = run(e, &p, UINT32_MAX);
	/* Where the steps end, the first thread goes on. */
	assert_string_equal(text, "202101");
	assert_null(e->failure);
	free(text);
	assert_false(e->ops->advance(e));
	e->ops->restart(e);
	text = run(e, &p, UINT32_MAX);
	assert_string_equal(text, "202101");
	free(text);
	e->ops->destroy(e);
}

static void replay_refuses_what_does_not_fit(void **state)
{
	(void)state;
	struct program p = writers(2, (const unsigned[]){ 1, 1 });
	const struct evr_step bad[][2] = { { { 0, 0 }, { 0, 0 } }, { { 0, 0 }, { 7, 0 } }, { { 1, 0 }, { 0, 1 } } };
	for (size_t i = 0; i < EVR_COUNT(bad); i++) {
		struct evr_engine *e = evr_engine_replay(&world, bad[i], 2);
		char *text = run(e, &p, UINT32_MAX);
		assert_int_equal(strlen(text), 1);
		assert_non_null(e->failure);
		free(text);
		e->ops->destroy(e);
	}
}

/* Models and engines with a fault: the self-check must find each of them. */

static void begin_nothing(struct evr_world *w)
{
	(void)w;
}

static void stale_read(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	evr_model_sc.execute(w, s, e);
	if (e->kind == EVR_READ)
		e->read = 0;
}

static void lost_update(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	/* A write is recorded, and does not take place. */
	if (e->kind != EVR_RMW)
		evr_model_sc.execute(w, s, e);
	else
		e->written += e->read = evr_memory_load(e->address, e->size);
}

static void torn_write(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	if (e->kind == EVR_WRITE)
		evr_model_store(w, e->address, 1, e->written & 0xff);
	else
		evr_model_sc.execute(w, s, e);
}

static void open_mutex_steps(struct evr_world *w, evr_steps *out)
{
	for (unsigned t = 0; t < w->threads; t++)
		if (w->waiting[t])
			evr_vec_push(out, (struct evr_step){ (uint16_t)t, 0 });
}

static void open_mutex(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	if (e->kind == EVR_LOCK)
		e->result = 0;
	else
		evr_model_sc.execute(w, s, e);
}

static const char *check_with(const struct evr_model_ops *model, struct evr_engine *inner, const struct program *p)
{
	struct evr_engine *e = evr_engine_check(inner);
	world.model = model;
	size_t runs = 0;
	do
		free(run(e, p, UINT32_MAX));
	while (e->ops->advance(e) && ++runs < 100000);
	const char *failure = e->failure;
	e->ops->destroy(e);
	world.model = &evr_model_sc;
	return failure;
}

static void check_finds_faulty_models(void **state)
{
	(void)state;
	const struct program memory = {
		.threads = 2,
		.len = { 2, 2 },
		.code = { { { EVR_WRITE, 0, 0x101 }, { EVR_RMW, 1, 1 } }, { { EVR_RMW, 1, 1 }, { EVR_READ, 0, 0 } } },
	};
	const struct program mutex = {
		.threads = 2,
		.len = { 2, 2 },
		.code = { { { EVR_LOCK, 0, 0 }, { EVR_UNLOCK, 0, 0 } }, { { EVR_LOCK, 0, 0 }, { EVR_UNLOCK, 0, 0 } } },
	};
	const struct evr_model_ops stale = { .name = "stale",
					     .summary = "",
					     .begin = begin_nothing,
					     .steps = open_mutex_steps,
					     .execute = stale_read,
					     .allows = evr_model_sc.allows };
	const struct evr_model_ops lost = { .name = "lost",
					    .summary = "",
					    .begin = begin_nothing,
					    .steps = open_mutex_steps,
					    .execute = lost_update,
					    .allows = evr_model_sc.allows };
	const struct evr_model_ops torn = { .name = "torn",
					    .summary = "",
					    .begin = begin_nothing,
					    .steps = open_mutex_steps,
					    .execute = torn_write,
					    .allows = evr_model_sc.allows };
	const struct evr_model_ops open = { .name = "open",
					    .summary = "",
					    .begin = begin_nothing,
					    .steps = open_mutex_steps,
					    .execute = open_mutex,
					    .allows = evr_model_sc.allows };
	const char *read = "self-check: a read did not return the value of its source";
	assert_null(check_with(&evr_model_sc, evr_engine_none.create(&world), &memory));
	assert_null(check_with(&evr_model_sc, evr_engine_none.create(&world), &mutex));
	assert_string_equal(check_with(&stale, evr_engine_none.create(&world), &memory), read);
	assert_string_equal(check_with(&lost, evr_engine_none.create(&world), &memory), read);
	assert_string_equal(check_with(&torn, evr_engine_none.create(&world), &memory), read);
	assert_string_equal(check_with(&open, evr_engine_none.create(&world), &mutex),
			    "self-check: two threads held one mutex");
}

/* Wraps `none` and explores its third execution twice. */
struct stutter {
	struct evr_engine base;
	struct evr_engine *inner;
	evr_steps taken;
	size_t position, executions;
	bool again;
};

static struct evr_step stutter_next(struct evr_engine *e)
{
	struct stutter *s = (struct stutter *)e;
	if (s->again)
		return s->position < s->taken.len ? s->taken.data[s->position++] : (struct evr_step){ EVR_NO_ACTOR, 0 };
	struct evr_step step = s->inner->ops->next(s->inner);
	if (step.actor != EVR_NO_ACTOR)
		evr_vec_push(&s->taken, step);
	return step;
}

static bool stutter_advance(struct evr_engine *e)
{
	struct stutter *s = (struct stutter *)e;
	if (!s->again && ++s->executions == 3) {
		s->again = true;
		return true;
	}
	s->again = false;
	evr_vec_clear(&s->taken);
	bool more = s->inner->ops->advance(s->inner);
	e->prefix = s->inner->prefix;
	return more;
}

static void stutter_destroy(struct evr_engine *e)
{
	struct stutter *s = (struct stutter *)e;
	s->inner->ops->destroy(s->inner);
	evr_vec_release(&s->taken);
	free(s);
}

static void check_finds_a_repeated_execution(void **state)
{
	(void)state;
	static const struct evr_engine_ops ops = {
		.name = "stutter", .destroy = stutter_destroy, .next = stutter_next, .advance = stutter_advance
	};
	struct program p = writers(3, (const unsigned[]){ 2, 1, 1 });
	struct stutter *s = evr_alloc(sizeof(*s));
	s->base.ops = &ops;
	s->base.world = &world;
	s->inner = evr_engine_none.create(&world);
	const char *failure = check_with(&evr_model_sc, &s->base, &p);
	assert_non_null(failure);
	assert_string_equal(failure, "self-check: the same execution came twice");
}

/* What a read returns depends on how often it was asked: only the repetition can tell. */
static void moody(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	static unsigned asked;
	evr_model_sc.execute(w, s, e);
	if (e->kind == EVR_CHOOSE)
		e->choices = ++asked;
}

static void check_repeats_each_execution(void **state)
{
	(void)state;
	const struct evr_model_ops model = { .name = "moody",
					     .summary = "",
					     .begin = begin_nothing,
					     .steps = open_mutex_steps,
					     .execute = moody,
					     .allows = evr_model_sc.allows };
	const struct program p = { .threads = 1,
				   .len = { 2 },
				   .code = { { { EVR_READ, 0, 0 }, { EVR_CHOOSE, 1, 0 } } } };
	struct evr_engine *e = evr_engine_check(evr_engine_none.create(&world));
	world.model = &model;
	free(run(e, &p, UINT32_MAX));
	assert_true(e->ops->advance(e));
	assert_true(e->rerun);
	free(run(e, &p, UINT32_MAX));
	assert_int_equal(world.trace.diverged, 1);
	e->ops->destroy(e);
	world.model = &evr_model_sc;
}

static void engines_are_found_by_name(void **state)
{
	(void)state;
	char *error = NULL;
	assert_ptr_equal(evr_engine_find("none", &evr_model_sc, &error), &evr_engine_none);
	assert_non_null(evr_engine_find(NULL, &evr_model_sc, &error));
	assert_null(error);
	assert_null(evr_engine_find("some", &evr_model_sc, &error));
	assert_string_equal(error, "unknown equivalence 'some' (equivalences: rf, traces, rvf, revisit, none)");
	free(error);
	assert_ptr_equal(evr_model_find("sc"), &evr_model_sc);
	assert_null(evr_model_find("cs"));
}

static struct evr_stats stats_of(const struct evr_engine *e)
{
	struct evr_stats s = { 0 };
	if (e->ops->stats)
		e->ops->stats(e, &s);
	return s;
}

static void assert_stats(const struct evr_engine *e, const uint64_t *expected)
{
	struct evr_stats s = stats_of(e);
	for (int i = EVR_STAT_QUESTIONS; i <= EVR_STAT_DECIDED; i++) {
		assert_true(s.kept[i]);
		assert_int_equal(s.count[i], expected[i - EVR_STAT_QUESTIONS]);
	}
}

/* An oracle that has been asked before it is there, so that each count is another. */
static struct evr_oracle *busy_oracle(const struct evr_rf *trace)
{
	static uint64_t created;
	struct evr_oracle *o = evr_oracle_sc.create(trace);
	o->asked = 10 + ++created;
	o->inserted = 4;
	o->saturated = 3;
	o->guided = 2;
	o->decided = 1;
	return o;
}

static void statistics_are_the_oracles(void **state)
{
	(void)state;
	struct evr_oracle_ops oracle = evr_oracle_sc;
	struct evr_model_ops model = evr_model_sc;
	oracle.create = busy_oracle;
	model.oracle = &oracle;
	world.model = &model;
	struct evr_engine *e = evr_engine_check(evr_engine_rf.create(&world));
	assert_stats(e, (const uint64_t[]){ 11, 4, 3, 2, 1 });
	e->ops->restart(e);
	assert_stats(e, (const uint64_t[]){ 12, 4, 3, 2, 1 });
	e->ops->destroy(e);
	world.model = &evr_model_sc;
}

/*
 * Store buffering. In the first execution thread 0 reads 0, and thread 1 what thread 0 wrote. Could thread 1 have read 0,
 * too? No. Could thread 0 have read what thread 1 wrote? Yes; and then, could thread 1 have read 0? Yes.
 */
static void statistics_of_a_search(void **state)
{
	(void)state;
	const struct program sb = { .threads = 2,
				    .len = { 2, 2 },
				    .code = { { { EVR_WRITE, 0, 1 }, { EVR_READ, 1, 0 } },
					      { { EVR_WRITE, 1, 1 }, { EVR_READ, 0, 0 } } } };
	for (int check = 0; check < 2; check++) {
		struct evr_engine *e = evr_engine_rf.create(&world);
		if (check)
			e = evr_engine_check(e);
		for (int round = 0; round < 2; round++) {
			do
				free(run(e, &sb, UINT32_MAX));
			while (e->ops->advance(e));
			assert_null(e->failure);
			struct evr_stats s = stats_of(e);
			assert_int_equal(s.count[EVR_STAT_QUESTIONS], 3);
			assert_int_equal(s.count[EVR_STAT_SATURATED], 1);
			assert_int_equal(s.count[EVR_STAT_INSERTED] + s.count[EVR_STAT_GUIDED], 2);
			assert_int_equal(s.count[EVR_STAT_DECIDED], 0);
			e->ops->restart(e);
			assert_stats(e, (const uint64_t[5]){ 0 });
		}
		e->ops->destroy(e);
	}
}

static void engines_without_statistics(void **state)
{
	(void)state;
	struct evr_engine *e = evr_engine_check(evr_engine_none.create(&world));
	struct evr_stats s = stats_of(e);
	for (int i = 0; i < EVR_STATS; i++)
		assert_false(s.kept[i]);
	e->ops->destroy(e);
}

static int setup(void **state)
{
	(void)state;
	world.model = &evr_model_sc;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	evr_trace_release(&world.trace);
	evr_undo_release(&world.undo);
	return 0;
}

/* Every model's row and its table are about the same model, and every engine says for which models it is the one to take. */
static void models_are_those_of_the_list(void **state)
{
	(void)state;
	static const char *const names[] = {
#define MODEL(model, ...) #model,
#include "model/models.def"
#undef MODEL
	};
	assert_int_equal(EVR_COUNT(names), EVR_MODELS);
	assert_null(evr_models[EVR_MODELS]);
	for (size_t i = 0; evr_models[i]; i++) {
		const struct evr_model_ops *m = evr_models[i];
		char *error = NULL;
		unsigned preferred = 0;
		assert_string_equal(m->name, names[i]);
		assert_ptr_equal(evr_model_find(names[i]), m);
		for (size_t k = 0; evr_engines[k]; k++) {
			const struct evr_engine_ops *ops = evr_engines[k];
			preferred += evr_engine_supports(ops, m) && ops->preferred && ops->preferred(m);
			const struct evr_engine_ops *found = evr_engine_find(ops->name, m, &error);
			bool supports = evr_engine_supports(ops, m);
			assert_true(supports ? found == ops
					     : !found || (found != ops && !strcmp(found->name, ops->name)));
			free(error);
			error = NULL;
		}
		assert_int_equal(preferred, 1);
		assert_int_equal(m->buffers_stores, m->busy != NULL);
		assert_false(m->reorders_stores && !m->buffers_stores);
		assert_false(m->is_sequential && (m->buffers_stores || m->memory_stays_initial));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models_are_those_of_the_list),
		cmocka_unit_test(executions_are_the_multinomial),
		cmocka_unit_test(against_recursion),
		cmocka_unit_test(cut_within_the_prefix),
		cmocka_unit_test(replay_follows_its_steps),
		cmocka_unit_test(replay_refuses_what_does_not_fit),
		cmocka_unit_test(check_finds_faulty_models),
		cmocka_unit_test(check_finds_a_repeated_execution),
		cmocka_unit_test(check_repeats_each_execution),
		cmocka_unit_test(engines_are_found_by_name),
		cmocka_unit_test(statistics_are_the_oracles),
		cmocka_unit_test(statistics_of_a_search),
		cmocka_unit_test(engines_without_statistics),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
