/*
 * What multiplies the executions: of some random executions, each read, read-modify-write and lock has as many choices as other threads have written to its location, and one more.
 * The logarithms of these add up to that of a number which is not that of the executions, but grows for the same reasons. So does what is left of the sum without one of the threads,
 * or without the last round of each loop: the logarithm of the number of executions shrinks about as much.
 *
 * Invariant: only a copy of the checker runs these executions, so nothing of the search changes.
 */
#include "runtime/advice.h"

#include "runtime/copies.h"
#include "runtime/findings/findings.h"
#include "runtime/runtime.h"
#include "runtime/search.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#define EXECUTIONS 20
#define SECONDS 0.2 /* of CPU, for all of them */
#define TENTHS 10 /* of a second that are waited */
#define TOLD 3 /* locations, */
#define LEAST 0.1 /* if they have this share */

/* A place in the source that accesses a location, in the last execution. */
struct place {
	const struct evr_site *site;
	unsigned times;
	uint64_t threads; /* bit set, of the first 64 */
};

struct topic {
	struct evr_event example;
	double choices;
	EVR_VEC(struct place) places;
};

static EVR_LASTING EVR_VEC(struct topic) topics;
static EVR_LASTING unsigned runs;
/* All choices; those that are left without a thread, and without the last round of each loop. */
static EVR_LASTING struct {
	double all, without[EVR_MAX_THREADS], shorter;
	unsigned threads;
	bool loops; /* something comes several times */
	struct evr_strbuf names[EVR_MAX_THREADS];
} sums;

/* Of a number from 1 on, nearly. */
static double binary_logarithm(size_t n)
{
	unsigned whole = 63u - (unsigned)__builtin_clzll((unsigned long long)n);
	return whole + (double)(n - ((size_t)1 << whole)) / (double)((size_t)1 << whole);
}

static bool overlap(const struct evr_event *a, const struct evr_event *b)
{
	return a->address < b->address + evr_model_extent(b) && b->address < a->address + evr_model_extent(a);
}

static bool chooses(const struct evr_event *e)
{
	return (e->kind == EVR_READ || e->kind == EVR_RMW || e->kind == EVR_CAS || e->kind == EVR_LOCK) && e->site;
}

static struct topic *topic_of(const struct evr_event *e)
{
	for (size_t i = 0; i < topics.len; i++)
		if (topics.data[i].example.address == e->address)
			return &topics.data[i];
	evr_vec_push(&topics, (struct topic){ .example = *e });
	return &evr_vec_last(&topics);
}

static void note_place(struct topic *t, const struct evr_event *e)
{
	uint64_t thread = UINT64_C(1) << (e->thread % 64);
	for (size_t i = 0; i < t->places.len; i++) {
		struct place *p = &t->places.data[i];
		if (p->site->line == e->site->line && p->site->file == e->site->file) {
			p->times++;
			p->threads |= thread;
			return;
		}
	}
	evr_vec_push(&t->places, (struct place){ e->site, 1, thread });
}

/* What was known when an event of the last execution happened. */
struct moment {
	uint64_t locks; /* those that its thread held, bit set of the first 64 mutexes */
	bool joined; /* had its thread waited for another one to end? */
};

static EVR_LASTING EVR_VEC(struct moment) moments;
static EVR_LASTING EVR_VEC(bool) last_round; /* of its events */
static EVR_LASTING EVR_VEC(uintptr_t) mutexes;
static EVR_LASTING size_t begins[EVR_MAX_THREADS]; /* where the first event of a thread is */

static uint64_t mutex_bit(uintptr_t address)
{
	size_t i = 0;
	while (i < mutexes.len && mutexes.data[i] != address)
		i++;
	if (i == mutexes.len)
		evr_vec_push(&mutexes, address);
	return i < 64 ? UINT64_C(1) << i : 0;
}

static void find_moments(const struct evr_trace *trace)
{
	struct moment now[EVR_MAX_THREADS] = { { 0 } };
	evr_vec_clear(&moments);
	evr_vec_clear(&mutexes);
	for (size_t i = 0; i < trace->events.len; i++) {
		const struct evr_event *e = &trace->events.data[i];
		struct moment *m = &now[e->thread];
		evr_vec_push(&moments, *m);
		if (!e->index)
			begins[e->thread] = i;
		if ((e->kind == EVR_LOCK || e->kind == EVR_TRYLOCK || e->kind == EVR_TIMEDLOCK) && evr_event_writes(e))
			m->locks |= mutex_bit(e->address);
		else if (e->kind == EVR_UNLOCK)
			m->locks &= ~mutex_bit(e->address);
		m->joined |= e->kind == EVR_JOIN;
	}
}

/* Could the read find what that event has written, or not? What one lock guards, and what is ordered by create and join, is no choice of its own. */
static bool is_choice(const struct evr_trace *trace, size_t read, size_t write)
{
	const struct evr_event *e = &trace->events.data[read], *o = &trace->events.data[write];
	bool before = o->thread == 0 && write < begins[e->thread];
	return o->thread != e->thread && !before && o->kind != EVR_UPDATE && evr_event_writes(o) && overlap(e, o) &&
	       !(moments.data[read].locks & moments.data[write].locks);
}

static bool is_same_place(const struct evr_event *a, const struct evr_event *b)
{
	return a->thread == b->thread && a->kind == b->kind && b->site && a->site->line == b->site->line &&
	       a->site->file == b->site->file;
}

/* Which events belong to the last of several rounds: those of a place that the thread has been at before, and comes to no more. */
static void find_last_rounds(const struct evr_trace *trace)
{
	evr_vec_clear(&last_round);
	for (size_t i = 0; i < trace->events.len; i++) {
		const struct evr_event *e = &trace->events.data[i];
		bool before = false, again = false;
		for (size_t k = 0; e->site && !again && k < trace->events.len; k++)
			if (k != i && is_same_place(e, &trace->events.data[k]))
				*(k < i ? &before : &again) = true;
		evr_vec_push(&last_round, before && !again);
		sums.loops |= before;
	}
}

static void note_names(void)
{
	for (; sums.threads < evr_rt.world.threads; sums.threads++) {
		evr_strbuf_init(&sums.names[sums.threads]);
		evr_name_thread(&sums.names[sums.threads], (evr_thread_id)sums.threads);
	}
}

/* An event that has a choice: what is left of it without a thread, or a round? */
static void add_choice(const struct evr_trace *trace, size_t i, size_t sources)
{
	const struct evr_event *e = &trace->events.data[i];
	size_t by[EVR_MAX_THREADS] = { 0 }, last = 0;
	for (size_t k = 0; k < trace->events.len; k++)
		if (is_choice(trace, i, k)) {
			by[trace->events.data[k].thread]++;
			last += last_round.data[k];
		}
	sums.all += binary_logarithm(sources);
	for (unsigned t = 0; t < sums.threads; t++)
		sums.without[t] += t == e->thread ? 0 : binary_logarithm(sources - by[t]);
	sums.shorter += last_round.data[i] ? 0 : binary_logarithm(sources - last);
}

static bool look(void *self)
{
	(void)self;
	const struct evr_trace *trace = &evr_rt.world.trace;
	find_moments(trace);
	find_last_rounds(trace);
	note_names();
	for (size_t i = 0; i < trace->events.len; i++) {
		const struct evr_event *e = &trace->events.data[i];
		size_t sources = 1;
		for (size_t k = 0; k < trace->events.len && chooses(e) && !moments.data[i].joined; k++)
			sources += is_choice(trace, i, k);
		if (sources == 1)
			continue;
		struct topic *t = topic_of(e);
		t->choices += binary_logarithm(sources);
		note_place(t, e);
		add_choice(trace, i, sources);
	}
	return true;
}

static bool has_budget(void *began)
{
	return runs++ < EXECUTIONS && evr_cpu() - *(const double *)began < SECONDS;
}

static bool is_outdated(void *unused)
{
	(void)unused;
	return false;
}

static int by_choices(const void *a, const void *b)
{
	double x = ((const struct topic *)a)->choices, y = ((const struct topic *)b)->choices;
	return (x < y) - (x > y);
}

/* "counter.c:12 (3 times in each of 4 threads), counter.c:20". */
static void describe(struct evr_strbuf *out, const struct topic *t)
{
	for (size_t i = 0; i < t->places.len && i < 2; i++) {
		const struct place *p = &t->places.data[i];
		unsigned threads = (unsigned)__builtin_popcountll(p->threads), times = p->times / runs / threads;
		evr_strbuf_printf(out, "%s%s:%u", i ? ", " : "", p->site->file, p->site->line);
		if (times > 1)
			evr_strbuf_printf(out, " (%u times in %s%u thread%s)", times, threads > 1 ? "each of " : "",
					  threads, evr_plural(threads));
		else if (threads > 1)
			evr_strbuf_printf(out, " (in %u threads)", threads);
	}
}

/* The thread without which least is left, if others remain that do something together; and the rounds. */
static void tell_cuts(int fd)
{
	unsigned best = 1;
	for (unsigned t = 2; t < sums.threads; t++)
		if (sums.without[t] <= sums.without[best])
			best = t;
	if (sums.threads > 3 && sums.without[best] < sums.all) {
		char *what = evr_format("without T%u%s%s%s", best, sums.names[best].len ? " (" : "",
					sums.names[best].text, sums.names[best].len ? ")" : "");
		evr_wire_cut(fd, sums.without[best] / sums.all, what);
		free(what);
	}
	if (sums.loops && sums.shorter < sums.all)
		evr_wire_cut(fd, sums.shorter / sums.all, "with one fewer iteration of each loop");
}

static void tell(int fd)
{
	double all = 0;
	for (size_t i = 0; i < topics.len; i++)
		all += topics.data[i].choices;
	if (topics.len)
		qsort(topics.data, topics.len, sizeof(*topics.data), by_choices);
	for (size_t i = 0; i < topics.len && i < TOLD && topics.data[i].choices >= LEAST * all; i++) {
		struct evr_strbuf name, places;
		evr_strbuf_init(&name);
		evr_strbuf_init(&places);
		evr_name_location(&name, &topics.data[i].example);
		describe(&places, &topics.data[i]);
		evr_wire_topic(fd, (unsigned)(100 * topics.data[i].choices / all + 0.5), name.text, places.text);
	}
	if (topics.len)
		tell_cuts(fd);
}

static void die_quietly(const char *message)
{
	(void)message;
	_exit(0);
}

static _Noreturn void be_copy(int fd)
{
	static const struct evr_policy policy = { has_budget, look, NULL, is_outdated };
	double began = evr_cpu();
	evr_copy_begin(fd);
	evr_die_hook = die_quietly;
	evr_rt.world.erases = false;
	evr_stop_search(""); /* the copy was not stopped */
	struct evr_engine *e = evr_engine_scout(&evr_rt.world);
	evr_search(&evr_tested, e, &policy, &began);
	runs -= runs > 1;
	tell(fd);
	_exit(0);
}

void evr_advice(void)
{
	struct evr_copy child = { .fd = -1 };
	if (evr_copy_start(&child))
		be_copy(child.fd);
	bool over = false;
	for (int tenths = 0; !over && tenths < TENTHS; tenths++) {
		struct pollfd p = { .fd = child.fd, .events = POLLIN };
		poll(&p, 1, 100);
		over = evr_copy_poll(&child);
	}
	for (size_t i = 0; i < child.heard->topics.len; i++) {
		const struct evr_result_topic *t = &child.heard->topics.data[i];
		evr_wire_topic(evr_rt.config.fd, t->share, t->location, t->places);
	}
	for (size_t i = 0; i < child.heard->cuts.len; i++)
		evr_wire_cut(evr_rt.config.fd, child.heard->cuts.data[i].rest, child.heard->cuts.data[i].what);
	evr_copy_end(&child);
}
