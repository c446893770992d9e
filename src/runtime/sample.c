/*
 * Executions are drawn of two kinds, in turns. Those of the first are independent of each other and come from one distribution: what is said about probabilities
 * rests on them alone. Those of the second are guided: they repeat the beginning of an execution that has covered a new pair of places, one that writes and one that
 * reads from there, and go on at random. They are there to see more.
 *
 * Invariant: which executions are of the first kind, and which of them are early, follows from their numbers (explore/hunt.h), and so does what is drawn there. So several
 * processes can draw, each in a range of its own, and what they have drawn is put together by adding up.
 */
#include "runtime/sample.h"

#include "base/set.h"
#include "explore/hunt.h"
#include "runtime/hunt.h"
#include "runtime/numbers.h"
#include "runtime/runtime.h"
#include "runtime/search.h"
#include "runtime/workers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PILOTS EVR_HUNT_PILOTS /* executions that show how long executions are; they are of neither kind */
#define KEPT 32 /* executions whose beginnings are repeated: the last ones that have covered a new pair */
#define MOST_UNTOLD 50000 /* classes of which a worker has something to tell */
#define IN_LINE 1000 /* classes, or pairs, of one record */

/* A class, and what was drawn of it independently; the early draws are those with even numbers, of their kind. */
struct tally {
	uint64_t key, early, early_failing, later, later_failing;
};

/* An execution that has covered something new. */
struct lead {
	evr_steps steps;
	unsigned weakness;
};

static EVR_LASTING struct {
	struct evr_result *result;
	const struct evr_engine_ops *classes_of;
	struct evr_engine *engine;
	struct evr_numbers numbers;
	struct evr_map tallied; /* the hash of a class -> its place in `tallies` */
	EVR_VEC(struct tally) tallies;
	struct evr_set pairs;
	EVR_VEC(struct evr_key) untold; /* pairs that only this process knows */
	struct lead leads[KEPT];
	size_t lead_count; /* all that there ever were */
	uint64_t number; /* of the present execution */
	uint64_t random;
	bool guided; /* the present one is */
} sample;

bool evr_sample_wanted(void)
{
	return evr_rt.config.sample && !evr_rt.config.replay;
}

static bool is_independent(void)
{
	return sample.number >= PILOTS && sample.number % 2 == 0;
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

static struct tally *tally_of(uint64_t key)
{
	uint64_t *place = evr_map_get(&sample.tallied, key);
	if (place)
		return &sample.tallies.data[*place];
	evr_map_put(&sample.tallied, key, sample.tallies.len);
	evr_vec_push(&sample.tallies, (struct tally){ .key = key });
	return &evr_vec_last(&sample.tallies);
}

static void note_class(void)
{
	struct tally *t = tally_of(evr_numbers_key(&sample.numbers));
	bool fails = evr_execution.faults.len;
	sample.result->sample.classes = sample.tallies.len;
	if (!is_independent())
		return;
	bool later = sample.number / 2 % 2;
	*(later ? &t->later : &t->early) += 1;
	*(later ? &t->later_failing : &t->early_failing) += fails;
}

static bool add_pair(struct evr_key pair)
{
	bool new = evr_set_add(&sample.pairs, pair, NULL);
	if (new)
		evr_vec_push(&sample.untold, pair);
	sample.result->sample.pairs = sample.pairs.len;
	return new;
}

/* True: there was a new one. */
static bool note_pairs(void)
{
	const struct evr_graph *g = &sample.numbers.graph;
	const struct evr_trace *t = g->trace;
	bool new = false;
	for (size_t i = 0; i < g->reads.len; i++) {
		const struct evr_graph_read *r = &g->reads.data[i];
		const struct evr_event *e = &t->events.data[r->read];
		const struct evr_site *from = r->source == EVR_NO_EVENT ? NULL : t->events.data[r->source].site;
		if (is_access(e))
			new |= add_pair((struct evr_key){ (uintptr_t)from, (uintptr_t)e->site });
	}
	return new;
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
	sample.number = evr_hunt_number(sample.engine);
	if (sample.number == PILOTS)
		evr_hunt_settle(sample.engine);
	sample.guided = sample.number >= PILOTS && !is_independent() && sample.lead_count;
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
	note_class();
	if (note_pairs() && !sample.engine->abandoned)
		keep_lead();
	evr_hunt_look(sample.engine, sample.result);
	return true;
}

static bool go_on(void *self)
{
	(void)self;
	const struct evr_result *r = sample.result;
	uint64_t most = evr_rt.config.max_executions;
	if (evr_rt.worker) {
		if (sample.tallies.len > MOST_UNTOLD)
			evr_worker_commits();
		return evr_worker_goes_on() && !evr_search_stopped();
	}
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
	if (evr_rt.worker)
		evr_worker_learned();
	return false;
}

static const struct evr_policy policy = { begin, visit, go_on, is_outdated };

static void forget(void)
{
	evr_map_clear(&sample.tallied);
	evr_vec_clear(&sample.tallies);
	evr_set_clear(&sample.pairs);
	evr_vec_clear(&sample.untold);
	sample.lead_count = 0;
	sample.random = evr_rt.config.seed;
}

static void start(void)
{
	struct evr_result *r = sample.result;
	r->executions = r->blocked = r->truncated = r->events = 0;
	r->sample = (struct evr_result_sample){ .there = true };
	forget();
	if (sample.engine)
		sample.engine->ops->destroy(sample.engine);
	/* A new one: nothing that it knows of executions before may decide about those that come. */
	sample.engine = evr_rt.engine = evr_engine_hunt(&evr_rt.world, hunters(), evr_rt.config.seed);
}

/* ---- sums ---- */

static void sum_up(void)
{
	struct evr_result_sample *s = &sample.result->sample;
	for (size_t i = 0; i < sample.tallies.len; i++) {
		const struct tally *t = &sample.tallies.data[i];
		uint64_t n = t->early + t->later;
		s->draws += n;
		s->failing += t->early_failing + t->later_failing;
		s->later += t->later;
		s->later_new += t->early ? 0 : t->later;
		s->later_failing += t->early ? 0 : t->later_failing;
		s->drawn_classes += n > 0;
		s->once += n == 1;
		s->twice += n == 2;
	}
	evr_wire_sample(evr_rt.config.fd, s);
}

void evr_sample(struct evr_result *r, const struct evr_engine_ops *classes_of)
{
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
}

/* ---- several workers ---- */

void evr_sample_divided(struct evr_result *r, const struct evr_engine_ops *classes_of)
{
	sample.result = r;
	sample.classes_of = classes_of;
	r->sample.there = true;
	evr_numbers_init(&sample.numbers, classes_of);
}

const struct evr_engine_ops *evr_sample_classes_of(void)
{
	return sample.classes_of;
}

void evr_sample_forget(void)
{
	forget();
	sample.result->sample.classes = sample.result->sample.pairs = 0;
}

void evr_sample_end(void)
{
	sum_up();
}

struct evr_engine *evr_sample_begin_worker(struct evr_result *r)
{
	sample.result = r;
	start();
	return sample.engine;
}

static bool is_pilot(void *self)
{
	(void)self;
	return evr_hunt_number(sample.engine) < PILOTS;
}

/* They belong to all workers, and count for none. */
static bool look_at_pilot(void *self)
{
	(void)self;
	evr_hunt_look(sample.engine, sample.result);
	return true;
}

static bool goes_on_after_pilot(void *self)
{
	(void)self;
	return !evr_search_stopped() && (!sample.result->findings.len || evr_rt.config.keep_going);
}

void evr_sample_pilots(void)
{
	static const struct evr_policy pilots = { is_pilot, look_at_pilot, goes_on_after_pilot, is_outdated };
	evr_search(&evr_tested, sample.engine, &pilots, NULL);
	evr_hunt_settle(sample.engine);
}

void evr_sample_explore(void)
{
	evr_search(&evr_tested, sample.engine, &policy, NULL);
}

void evr_sample_tell(struct evr_strbuf *to)
{
	for (size_t i = 0; i < sample.tallies.len; i++) {
		const struct tally *t = &sample.tallies.data[i];
		if (i % IN_LINE == 0)
			evr_strbuf_puts(to, i ? "\ndrawn" : "drawn");
		evr_strbuf_printf(to, "\t%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, t->key,
				  t->early, t->early_failing, t->later, t->later_failing);
	}
	if (sample.tallies.len)
		evr_strbuf_putc(to, '\n');
	for (size_t i = 0; i < sample.untold.len; i++) {
		const struct evr_key *pair = &sample.untold.data[i];
		if (i % IN_LINE == 0)
			evr_strbuf_puts(to, i ? "\npairs" : "pairs");
		evr_strbuf_printf(to, "\t%" PRIx64 "\t%" PRIx64, pair->one, pair->two);
	}
	if (sample.untold.len)
		evr_strbuf_putc(to, '\n');
	evr_map_clear(&sample.tallied);
	evr_vec_clear(&sample.tallies);
	evr_vec_clear(&sample.untold);
}

/* The numbers at *p, each with a tab before it. */
static bool take_numbers(const char **p, const int *bases, uint64_t *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned long long value;
		if (!evr_read_char(p, '\t') || !evr_read_number(p, bases[i], &value))
			return false;
		to[i] = value;
	}
	return true;
}

bool evr_sample_take_drawn(const char *p)
{
	static const int bases[] = { 16, 10, 10, 10, 10 };
	uint64_t n[5];
	while (*p) {
		if (!take_numbers(&p, bases, n, 5))
			return false;
		struct tally *t = tally_of(n[0]);
		t->early += n[1];
		t->early_failing += n[2];
		t->later += n[3];
		t->later_failing += n[4];
	}
	sample.result->sample.classes = sample.tallies.len;
	return true;
}

bool evr_sample_take_pairs(const char *p)
{
	static const int bases[] = { 16, 16 };
	uint64_t n[2];
	while (*p) {
		if (!take_numbers(&p, bases, n, 2))
			return false;
		add_pair((struct evr_key){ n[0], n[1] });
	}
	return true;
}
