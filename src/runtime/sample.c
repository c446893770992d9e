/*
 * Executions are drawn of two kinds, in turns. Those of the first are independent of each other and come from one distribution: what is said about probabilities
 * rests on them alone. Those of the second are guided: they repeat the beginning of an execution that has covered a new pair of places, one that writes and one that
 * reads from there, and go on at random. They are there to see more.
 *
 * Invariant: which executions are of the first kind depends on nothing that happens in them.
 */
#include "runtime/sample.h"

#include "base/set.h"
#include "explore/hunt.h"
#include "runtime/hunt.h"
#include "runtime/numbers.h"
#include "runtime/runtime.h"
#include "runtime/search.h"

#include <stdlib.h>
#include <string.h>

#define PILOTS 32 /* executions that show how long executions are; they are of neither kind */
#define KEPT 32 /* executions whose beginnings are repeated: the last ones that have covered a new pair */
#define FAILED 0x80000000u /* in `draws` */

/* An execution that has covered something new. */
struct lead {
	evr_steps steps;
	unsigned weakness;
};

static EVR_LASTING struct {
	struct evr_result *result;
	struct evr_engine *engine;
	struct evr_numbers numbers;
	struct evr_set pairs;
	EVR_VEC(uint32_t) draws; /* of each that is independent: the number of its class, with FAILED or not */
	struct lead leads[KEPT];
	size_t lead_count; /* all that there ever were */
	uint64_t count; /* executions since the last restart */
	uint64_t random;
	bool guided; /* the present one is */
} sample;

bool evr_sample_wanted(void)
{
	return evr_rt.config.sample && !evr_rt.config.replay;
}

static size_t random_below(size_t n)
{
	sample.random = evr_hash64(sample.random + 1);
	return (size_t)((sample.random >> 32) * n >> 32);
}

/* ---- what an execution covers ---- */

static bool is_access(const struct evr_event *e)
{
	return e->kind == EVR_READ || e->kind == EVR_RMW || e->kind == EVR_CAS;
}

/* True: there was a new one. */
static bool note_pairs(void)
{
	const struct evr_graph *g = &sample.numbers.graph;
	const struct evr_trace *t = g->trace;
	size_t before = sample.pairs.len;
	for (size_t i = 0; i < g->reads.len; i++) {
		const struct evr_graph_read *r = &g->reads.data[i];
		const struct evr_event *e = &t->events.data[r->read];
		const struct evr_site *from = r->source == EVR_NO_EVENT ? NULL : t->events.data[r->source].site;
		if (is_access(e))
			evr_set_add(&sample.pairs, (struct evr_key){ (uintptr_t)from, (uintptr_t)e->site }, NULL);
	}
	sample.result->sample.pairs = sample.pairs.len;
	return sample.pairs.len > before;
}

static void keep_lead(void)
{
	struct lead *l = &sample.leads[sample.lead_count++ % KEPT];
	evr_vec_clear(&l->steps);
	for (size_t i = 0; i < evr_execution.taken.len; i++)
		evr_vec_push(&l->steps, evr_execution.taken.data[i]);
	l->weakness = evr_hunt_weakness(sample.engine);
}

/* ---- the search ---- */

/* The second kind has every other execution, as soon as there is something to go by. */
static bool begin(void *self)
{
	(void)self;
	if (sample.count == PILOTS)
		evr_hunt_settle(sample.engine);
	sample.guided = sample.count >= PILOTS && sample.count % 2 && sample.lead_count;
	if (!sample.guided)
		return true;
	size_t n = sample.lead_count < KEPT ? sample.lead_count : KEPT;
	const struct lead *l = &sample.leads[random_below(n)];
	evr_hunt_follow(sample.engine, l->steps.data, random_below(l->steps.len + 1), l->weakness);
	return true;
}

static void count(void)
{
	struct evr_result *r = sample.result;
	if (sample.engine->abandoned || evr_execution.truncated)
		r->truncated++;
	else if (evr_execution.blocked)
		r->blocked++;
	else
		r->executions++;
	r->events += evr_rt.world.trace.events.len;
	if (r->executions + r->blocked + r->truncated == 1)
		evr_result_set(&r->output, evr_execution.output.text);
}

static bool visit(void *self)
{
	(void)self;
	count();
	uint32_t class = evr_numbers_add(&sample.numbers);
	sample.result->sample.classes = sample.numbers.count;
	if (sample.count >= PILOTS && !sample.guided)
		evr_vec_push(&sample.draws, class | (evr_execution.faults.len ? FAILED : 0));
	if (note_pairs() && !sample.engine->abandoned)
		keep_lead();
	sample.count++;
	evr_hunt_look(sample.engine, sample.result);
	return true;
}

static bool go_on(void *self)
{
	(void)self;
	const struct evr_result *r = sample.result;
	uint64_t most = evr_rt.config.max_executions;
	if (most && r->executions + r->blocked + r->truncated >= most)
		evr_stop_search("limit on executions");
	return !evr_search_stopped() && (!r->findings.len || evr_rt.config.keep_going);
}

static unsigned hunters(void)
{
	unsigned all = evr_hunt_hunters() & ~(1u << EVR_HUNTER_CYCLES);
	return all ? all : 1u << EVR_HUNTER_POS;
}

/* Something was learned: classes, and how they are distributed, are others now. */
static bool is_outdated(void *self)
{
	(void)self;
	return false;
}

static void start(void)
{
	struct evr_result *r = sample.result;
	r->executions = r->blocked = r->truncated = r->events = 0;
	r->sample = (struct evr_result_sample){ .there = true };
	evr_numbers_clear(&sample.numbers);
	evr_set_clear(&sample.pairs);
	evr_vec_clear(&sample.draws);
	sample.lead_count = sample.count = 0;
	sample.random = evr_rt.config.seed;
	if (sample.engine)
		sample.engine->ops->destroy(sample.engine);
	/* A new one: nothing that it knows of executions before may decide about those that come. */
	sample.engine = evr_rt.engine = evr_engine_hunt(&evr_rt.world, hunters(), evr_rt.config.seed);
}

/* ---- sums ---- */

static void sum_up(void)
{
	struct evr_result_sample *s = &sample.result->sample;
	size_t n = sample.draws.len, half = n / 2;
	uint32_t *times = evr_alloc((s->classes + 1) * sizeof(*times));
	s->draws = n;
	for (size_t i = 0; i < n; i++) {
		uint32_t draw = sample.draws.data[i], class = draw & ~FAILED;
		/* Those of the first half count before the second one begins: then 0 means that none had the class. */
		if (i >= half) {
			bool is_new = !times[class] || times[class] & FAILED;
			s->later++;
			s->later_new += is_new;
			s->later_failing += is_new && draw & FAILED;
			times[class] |= is_new ? FAILED : 0;
		}
		times[class]++;
		s->failing += (draw & FAILED) != 0;
	}
	for (size_t i = 0; i < s->classes; i++) {
		s->drawn_classes += times[i] != 0;
		s->once += (times[i] & ~FAILED) == 1;
		s->twice += (times[i] & ~FAILED) == 2;
	}
	free(times);
}

void evr_sample(struct evr_result *r, const struct evr_engine_ops *classes_of)
{
	static const struct evr_policy policy = { begin, visit, go_on, is_outdated };
	sample.result = r;
	evr_numbers_init(&sample.numbers, classes_of);
	enum evr_search_end end;
	do {
		start();
		end = evr_search(&evr_tested, sample.engine, &policy, NULL);
	} while (end == EVR_OUTDATED);
	if (sample.engine->failure)
		evr_wire_error(evr_rt.config.fd, EVR_INTERNAL, sample.engine->failure);
	sum_up();
	evr_wire_sample(evr_rt.config.fd, &r->sample);
}
