/*
 * The finder of data races, and that of what synchronises with what, against the definition that --check has: small executions whose races are known, and random
 * ones in which all must find the same.
 */
#include "twin.h"

#include "event/happens.h"
#include "event/race.h"
#include "event/synchronises.h"
#include "explore/check_races.h"

#include <string.h>

enum { THREADS = 4, PLACES = 3, ORDERS = EVR_SEQ_CST + 1 };
enum { X = 1000, Y = 1016, MUTEX = 2000 };

/* Of each order, and of each order of failure, in so many places of a source file. */
static struct evr_site sites[ORDERS][ORDERS][PLACES];

static const struct evr_site *site_of(unsigned order, unsigned failure, unsigned place)
{
	struct evr_site *s = &sites[order][failure][place];
	*s = (struct evr_site){ "test.c",           "f",
				10 * order + place, 1,
				(uint8_t)order,     (uint8_t)(failure * EVR_SITE_FAILURE) };
	return s;
}

struct machine {
	struct evr_trace trace;
	struct evr_graph graph;
	bool c11; /* which release sequences the next execution has */
	struct evr_race_finder *finder;
	struct evr_race_definition definition;
	evr_race_pairs defined, found, one;
	evr_sw_edges edges;
	struct evr_relation before; /* happens-before, made of them */
};

static int set_up(void **state)
{
	struct machine *m = evr_alloc(sizeof(*m));
	m->finder = evr_race_finder_new();
	*state = m;
	return 0;
}

static int tear_down(void **state)
{
	struct machine *m = *state;
	evr_trace_release(&m->trace);
	evr_graph_release(&m->graph);
	evr_race_finder_free(m->finder);
	evr_race_definition_release(&m->definition);
	evr_vec_release(&m->defined);
	evr_vec_release(&m->found);
	evr_vec_release(&m->one);
	evr_vec_release(&m->edges);
	evr_relation_release(&m->before);
	free(m);
	return 0;
}

static void begin(struct machine *m)
{
	evr_trace_begin(&m->trace, 0);
}

static struct evr_event *last(struct machine *m)
{
	return &evr_vec_last(&m->trace.events);
}

static struct evr_event *add(struct machine *m, unsigned thread, unsigned kind, uintptr_t at, unsigned size,
			     unsigned order)
{
	struct evr_event e;
	evr_event_init(&e, (evr_thread_id)thread, kind, at, size, site_of(order, EVR_RELAXED, 0));
	evr_trace_append(&m->trace, &e);
	return last(m);
}

static void add_cas(struct machine *m, unsigned thread, bool fails, unsigned success, unsigned failure)
{
	struct evr_event *e = add(m, thread, EVR_CAS, X, 4, success);
	e->site = site_of(success, failure, 0);
	e->expected = fails;
}

static void add_thread(struct machine *m, unsigned parent, unsigned child)
{
	add(m, parent, EVR_CREATE, 0, 0, EVR_PLAIN)->other = child;
}

static bool releases(const struct evr_event *e)
{
	return e->kind == EVR_UNLOCK || evr_order_releases(evr_happens_order(e));
}

static bool acquires(const struct evr_event *e)
{
	return e->kind == EVR_LOCK || e->kind == EVR_TRYLOCK || e->kind == EVR_TIMEDLOCK ||
	       evr_order_acquires(evr_happens_order(e));
}

/* The edges make the happens-before of the definition, no more and no less; each is one that there can be. */
static void compare_edges(struct machine *m)
{
	const struct evr_event *events = m->trace.events.data;
	evr_vec_clear(&m->edges);
	evr_sw_find(&m->graph, &m->edges);
	evr_relation_clear(&m->before, m->trace.events.len);
	evr_graph_add_po(&m->graph, &m->before, NULL);
	for (size_t i = 0; i < m->edges.len; i++) {
		const struct evr_sw_edge *e = &m->edges.data[i];
		assert_true(events[e->from].thread != events[e->to].thread);
		assert_true(releases(&events[e->from]) && acquires(&events[e->to]));
		assert_true(!i || e->from > e[-1].from || (e->from == e[-1].from && e->to > e[-1].to));
		evr_relation_add(&m->before, e->from, e->to);
	}
	evr_relation_close(&m->before);
	for (evr_event_id a = 0; a < m->trace.events.len; a++)
		for (evr_event_id b = 0; b < m->trace.events.len; b++)
			assert_true(evr_relation_has(&m->before, a, b) ==
				    evr_relation_has(&m->definition.before, a, b));
}

/* Each pair alone, of those that are defined to be in a race and of some others. */
static void compare_pairs(struct machine *m, const struct evr_graph *g)
{
	for (size_t i = 0; i < m->defined.len; i++)
		assert_true(evr_race_between(m->finder, &m->trace, g, m->defined.data[i]));
	for (evr_event_id b = 1; b < m->trace.events.len; b += 5) {
		struct evr_race_pair p = { b - 1 - b % 4 % b, b };
		bool defined = false;
		for (size_t i = 0; i < m->defined.len; i++)
			defined |= m->defined.data[i].first == p.first && m->defined.data[i].second == b;
		assert_true(evr_race_between(m->finder, &m->trace, g, p) == defined);
	}
}

/* What both say; true if there is a race. */
static bool judge(struct machine *m, bool axiomatic)
{
	evr_graph_build(&m->graph, &m->trace, axiomatic);
	evr_graph_link(&m->graph, &m->trace);
	const struct evr_graph *g = axiomatic ? NULL : &m->graph;
	evr_vec_clear(&m->defined);
	evr_vec_clear(&m->found);
	evr_vec_clear(&m->one);
	m->definition.c11 = m->trace.c11_release_sequences = m->c11;
	bool some = evr_race_find(m->finder, &m->trace, g, false, &m->one);
	assert_true(evr_race_find(m->finder, &m->trace, g, true, &m->found) == some);
	assert_true(evr_race_define(&m->definition, &m->graph, &m->defined));
	assert_true(evr_races_agree(&m->trace, &m->defined, &m->found));
	assert_int_equal(some, m->defined.len > 0);
	assert_int_equal(some, m->one.len == 1);
	if (some)
		assert_memory_equal(&m->one.data[0], &m->found.data[0], sizeof(m->one.data[0]));
	compare_edges(m);
	compare_pairs(m, g);
	return some;
}

/* Thread 1 writes y and then x, in the order given; thread 2 reads x and then y. */
static bool passes(struct machine *m, unsigned fence1, unsigned write, unsigned read, unsigned fence2)
{
	begin(m);
	add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
	if (fence1)
		add(m, 1, EVR_FENCE, 0, 0, fence1);
	add(m, 1, EVR_WRITE, X, 4, write);
	add(m, 2, EVR_READ, X, 4, read);
	if (fence2)
		add(m, 2, EVR_FENCE, 0, 0, fence2);
	add(m, 2, EVR_READ, Y, 4, EVR_PLAIN);
	return !judge(m, false);
}

static void test_message_passing(void **state)
{
	struct machine *m = *state;
	assert_true(passes(m, 0, EVR_RELEASE, EVR_ACQUIRE, 0));
	assert_true(passes(m, 0, EVR_SEQ_CST, EVR_SEQ_CST, 0));
	assert_false(passes(m, 0, EVR_RELAXED, EVR_ACQUIRE, 0));
	assert_false(passes(m, 0, EVR_RELEASE, EVR_RELAXED, 0));
	assert_true(passes(m, EVR_RELEASE, EVR_RELAXED, EVR_ACQUIRE, 0));
	assert_true(passes(m, 0, EVR_RELEASE, EVR_RELAXED, EVR_ACQUIRE));
	assert_true(passes(m, EVR_ACQ_REL, EVR_RELAXED, EVR_RELAXED, EVR_SEQ_CST));
	assert_false(passes(m, EVR_ACQUIRE, EVR_RELAXED, EVR_ACQUIRE, 0));
	assert_false(passes(m, 0, EVR_RELEASE, EVR_RELAXED, EVR_RELEASE));
	/* The flag itself is in a race if it is not atomic on both sides, and then tells nothing. */
	assert_false(passes(m, 0, EVR_PLAIN, EVR_ACQUIRE, 0));
	assert_false(passes(m, EVR_SEQ_CST, EVR_RELEASE, EVR_PLAIN, EVR_SEQ_CST));
	assert_int_equal(m->found.len, 2);
}

/* A fence behind the write, or before the read, comes too late, or too early. */
static void test_misplaced_fences(void **state)
{
	struct machine *m = *state;
	begin(m);
	add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
	add(m, 1, EVR_WRITE, X, 4, EVR_RELAXED);
	add(m, 1, EVR_FENCE, 0, 0, EVR_RELEASE);
	add(m, 2, EVR_FENCE, 0, 0, EVR_ACQUIRE);
	add(m, 2, EVR_READ, X, 4, EVR_RELAXED);
	add(m, 2, EVR_READ, Y, 4, EVR_PLAIN);
	assert_true(judge(m, false));
	/* What is written behind a release fence is not released by it. */
	begin(m);
	add(m, 1, EVR_FENCE, 0, 0, EVR_RELEASE);
	add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
	add(m, 1, EVR_WRITE, X, 4, EVR_RELAXED);
	add(m, 2, EVR_READ, X, 4, EVR_ACQUIRE);
	add(m, 2, EVR_READ, Y, 4, EVR_PLAIN);
	assert_true(judge(m, false));
}

/* Thread 1 releases x, thread 2 does something to it, thread 3 acquires it. */
static bool continues(struct machine *m, unsigned kind, unsigned thread, unsigned order)
{
	begin(m);
	add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
	add(m, 1, EVR_WRITE, X, 4, EVR_RELEASE);
	add(m, thread, kind, X, 4, order);
	add(m, 3, EVR_READ, X, 4, EVR_ACQUIRE);
	add(m, 3, EVR_READ, Y, 4, EVR_PLAIN);
	return !judge(m, false);
}

static void test_release_sequences(void **state)
{
	struct machine *m = *state;
	assert_true(continues(m, EVR_RMW, 2, EVR_RELAXED));
	assert_true(continues(m, EVR_RMW, 1, EVR_RELAXED));
	assert_false(continues(m, EVR_WRITE, 2, EVR_RELAXED));
	assert_false(continues(m, EVR_WRITE, 2, EVR_RELEASE));
	/* As in C23; in C11 it would. */
	assert_false(continues(m, EVR_WRITE, 1, EVR_RELAXED));
	/* A failed compare-exchange writes nothing, and is in nobody's way. */
	begin(m);
	add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
	add(m, 1, EVR_WRITE, X, 4, EVR_RELEASE);
	add_cas(m, 2, true, EVR_SEQ_CST, EVR_RELAXED);
	add(m, 3, EVR_READ, X, 4, EVR_ACQUIRE);
	add(m, 3, EVR_READ, Y, 4, EVR_PLAIN);
	assert_false(judge(m, false));
	/* Not even with the release of its success has it released anything. */
	begin(m);
	add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
	add(m, 1, EVR_WRITE, X, 4, EVR_RELAXED);
	add_cas(m, 1, true, EVR_ACQ_REL, EVR_RELAXED);
	add(m, 3, EVR_READ, X, 4, EVR_ACQUIRE);
	add(m, 3, EVR_READ, Y, 4, EVR_PLAIN);
	assert_true(judge(m, false));
}

/* A later store of the head's thread belongs to the sequence, and so do the read-modify-writes behind that. */
static void test_release_sequences_of_c11(void **state)
{
	struct machine *m = *state;
	for (unsigned c11 = 0; c11 < 2; c11++) {
		m->c11 = c11;
		assert_int_equal(continues(m, EVR_WRITE, 1, EVR_RELAXED), c11);
		assert_true(continues(m, EVR_RMW, 2, EVR_RELAXED));
		assert_false(continues(m, EVR_WRITE, 1, EVR_PLAIN));
		assert_false(continues(m, EVR_WRITE, 2, EVR_RELEASE));
		/* Behind another thread's store; the standard would say no, RC11 says yes. */
		begin(m);
		add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
		add(m, 1, EVR_WRITE, X, 4, EVR_RELEASE);
		add(m, 2, EVR_WRITE, X, 4, EVR_RELAXED);
		add(m, 1, EVR_WRITE, X, 4, EVR_RELAXED);
		add(m, 2, EVR_RMW, X, 4, EVR_RELAXED);
		add(m, 3, EVR_READ, X, 4, EVR_ACQUIRE);
		add(m, 3, EVR_READ, Y, 4, EVR_PLAIN);
		assert_int_equal(judge(m, false), !c11);
		/* What the thread does between head and store is not released. */
		begin(m);
		add(m, 1, EVR_WRITE, X, 4, EVR_RELEASE);
		add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
		add(m, 1, EVR_WRITE, X, 4, EVR_RELAXED);
		add(m, 3, EVR_READ, X, 4, EVR_ACQUIRE);
		add(m, 3, EVR_READ, Y, 4, EVR_PLAIN);
		assert_true(judge(m, false));
		/* A read-modify-write continues the sequence of another thread, but that thread's store behind it does not: it is not the head's. */
		begin(m);
		add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
		add(m, 1, EVR_WRITE, X, 4, EVR_RELEASE);
		add(m, 2, EVR_RMW, X, 4, EVR_RELEASE);
		add(m, 2, EVR_WRITE, X, 4, EVR_RELAXED);
		add(m, 3, EVR_READ, X, 4, EVR_ACQUIRE);
		add(m, 3, EVR_READ, Y, 4, EVR_PLAIN);
		assert_true(judge(m, false));
		/* Another location is no part of it, and neither is one that only a wider access would join. */
		begin(m);
		add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
		add(m, 1, EVR_WRITE, X, 4, EVR_RELEASE);
		add(m, 1, EVR_WRITE, X + 4, 4, EVR_RELAXED);
		add(m, 3, EVR_READ, X + 4, 4, EVR_ACQUIRE);
		add(m, 3, EVR_READ, Y, 4, EVR_PLAIN);
		assert_true(judge(m, false));
	}
}

static bool acquires_by_cas(struct machine *m, bool fails, unsigned success, unsigned failure)
{
	begin(m);
	add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
	add(m, 1, EVR_WRITE, X, 4, EVR_RELEASE);
	add_cas(m, 2, fails, success, failure);
	add(m, 2, EVR_READ, Y, 4, EVR_PLAIN);
	return !judge(m, false);
}

static void test_compare_exchange(void **state)
{
	struct machine *m = *state;
	assert_true(acquires_by_cas(m, false, EVR_ACQUIRE, EVR_RELAXED));
	assert_false(acquires_by_cas(m, true, EVR_ACQUIRE, EVR_RELAXED));
	assert_true(acquires_by_cas(m, true, EVR_RELAXED, EVR_ACQUIRE));
	assert_false(acquires_by_cas(m, false, EVR_RELEASE, EVR_ACQUIRE));
	assert_true(acquires_by_cas(m, true, EVR_RELAXED, EVR_SEQ_CST));
}

/* Thread 1 writes under a lock and releases it; thread 2 does `kind`, with this result, and reads. */
static bool is_locked(struct machine *m, unsigned unlock, unsigned kind, unsigned result, unsigned lock)
{
	begin(m);
	add(m, 1, EVR_LOCK, MUTEX, 4, EVR_PLAIN)->lock = (uint8_t)lock;
	add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
	add(m, 1, unlock, MUTEX, 4, EVR_PLAIN)->lock = (uint8_t)lock;
	struct evr_event *e = add(m, 2, kind, kind == EVR_JOIN ? 0 : MUTEX, kind == EVR_JOIN ? 0 : 4, EVR_PLAIN);
	e->lock = (uint8_t)lock;
	e->result = result;
	add(m, 2, EVR_READ, Y, 4, EVR_PLAIN);
	return !judge(m, false);
}

static void test_locks(void **state)
{
	struct machine *m = *state;
	assert_true(is_locked(m, EVR_UNLOCK, EVR_LOCK, 0, EVR_LOCK_MUTEX));
	assert_true(is_locked(m, EVR_UNLOCK, EVR_TRYLOCK, 0, EVR_LOCK_MUTEX));
	assert_true(is_locked(m, EVR_UNLOCK, EVR_TIMEDLOCK, 0, EVR_LOCK_SPIN));
	assert_false(is_locked(m, EVR_UNLOCK, EVR_TRYLOCK, 16, EVR_LOCK_MUTEX));
	assert_true(is_locked(m, EVR_UNLOCK, EVR_LOCK, 0, EVR_LOCK_SEMAPHORE_EMPTY));
	/* These are no locks of the program's. */
	assert_false(is_locked(m, EVR_UNLOCK, EVR_LOCK, 0, EVR_LOCK_ATOMIC));
	assert_false(is_locked(m, EVR_UNLOCK, EVR_LOCK, 0, EVR_LOCK_COND));
	/* To make a mutex is not to release it. */
	assert_false(is_locked(m, EVR_MUTEX_INIT, EVR_LOCK, 0, EVR_LOCK_MUTEX));
}

/* What an access acquires happens before itself: the flag may have been made plainly, by whoever then released it. */
static void test_own_acquire(void **state)
{
	struct machine *m = *state;
	begin(m);
	add(m, 1, EVR_WRITE, X, 4, EVR_PLAIN);
	add(m, 1, EVR_WRITE, X, 4, EVR_RELEASE);
	add(m, 2, EVR_READ, X, 4, EVR_ACQUIRE);
	assert_false(judge(m, false));
	last(m)->site = site_of(EVR_RELAXED, EVR_RELAXED, 0);
	assert_true(judge(m, false));
}

static void test_threads(void **state)
{
	struct machine *m = *state;
	begin(m);
	add(m, 0, EVR_WRITE, Y, 4, EVR_PLAIN);
	add_thread(m, 0, 1);
	add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
	add_thread(m, 1, 2);
	add(m, 2, EVR_WRITE, Y, 4, EVR_PLAIN);
	assert_false(judge(m, false));
	add(m, 0, EVR_READ, Y, 4, EVR_PLAIN);
	assert_true(judge(m, false));
	assert_int_equal(m->found.len, 2);
	begin(m);
	add_thread(m, 0, 1);
	add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
	add(m, 0, EVR_JOIN, 0, 0, EVR_PLAIN)->other = 1;
	add(m, 0, EVR_READ, Y, 4, EVR_PLAIN);
	assert_false(judge(m, false));
	/* A thread that has made no event yet has no part in anybody's fences. */
	begin(m);
	add(m, 0, EVR_FENCE, 0, 0, EVR_RELEASE);
	add(m, 0, EVR_WRITE, Y, 4, EVR_PLAIN);
	add_thread(m, 0, 2);
	add(m, 0, EVR_WRITE, X, 4, EVR_RELAXED);
	add(m, 1, EVR_READ, X, 4, EVR_ACQUIRE);
	add(m, 1, EVR_READ, Y, 4, EVR_PLAIN);
	assert_true(judge(m, false));
}

/* Accesses of both threads to these bytes: is there a race? */
static bool clash(struct machine *m, unsigned kind1, uintptr_t at1, unsigned size1, unsigned order1, unsigned kind2,
		  uintptr_t at2, unsigned size2, unsigned order2)
{
	begin(m);
	add(m, 1, kind1, at1, size1, order1);
	add(m, 2, kind2, at2, size2, order2);
	return judge(m, false);
}

static void test_conflicts(void **state)
{
	struct machine *m = *state;
	assert_true(clash(m, EVR_WRITE, X, 4, EVR_PLAIN, EVR_WRITE, X, 4, EVR_PLAIN));
	assert_true(clash(m, EVR_WRITE, X, 4, EVR_RELAXED, EVR_READ, X, 4, EVR_PLAIN));
	assert_true(clash(m, EVR_READ, X, 4, EVR_PLAIN, EVR_RMW, X, 4, EVR_SEQ_CST));
	assert_false(clash(m, EVR_READ, X, 4, EVR_PLAIN, EVR_READ, X, 4, EVR_PLAIN));
	assert_false(clash(m, EVR_WRITE, X, 4, EVR_RELAXED, EVR_WRITE, X, 4, EVR_RELAXED));
	assert_true(clash(m, EVR_WRITE, X, 2, EVR_PLAIN, EVR_WRITE, X + 1, 1, EVR_PLAIN));
	assert_true(clash(m, EVR_READ, X + 3, 1, EVR_PLAIN, EVR_WRITE, X, 4, EVR_PLAIN));
	assert_false(clash(m, EVR_WRITE, X, 2, EVR_PLAIN, EVR_WRITE, X + 2, 2, EVR_PLAIN));
	assert_false(clash(m, EVR_WRITE, X + 1, 1, EVR_PLAIN, EVR_WRITE, X, 1, EVR_PLAIN));
	/* To free memory is to write all of it, and never atomic. */
	assert_true(clash(m, EVR_READ, X + 8, 4, EVR_SEQ_CST, EVR_FREE, X, 16, EVR_PLAIN));
	assert_false(clash(m, EVR_WRITE, X + 16, 4, EVR_PLAIN, EVR_FREE, X, 16, EVR_PLAIN));
	/* Of atomic objects in pieces, each piece tells what its writer knew. */
	begin(m);
	add(m, 1, EVR_WRITE, Y, 4, EVR_PLAIN);
	add(m, 1, EVR_WRITE, X + 2, 2, EVR_RELEASE);
	add(m, 3, EVR_WRITE, X, 2, EVR_RELAXED);
	add(m, 2, EVR_READ, X, 4, EVR_ACQUIRE);
	add(m, 2, EVR_READ, Y, 4, EVR_PLAIN);
	assert_false(judge(m, false));
}

/* Every access that a later one is in a race with is found, not only the newest. */
static void test_all_pairs(void **state)
{
	struct machine *m = *state;
	begin(m);
	for (unsigned place = 0; place < PLACES; place++) {
		add(m, 1, EVR_READ, Y, 4, EVR_PLAIN)->site = site_of(EVR_PLAIN, 0, place);
		add(m, 2, EVR_READ, Y, 4, EVR_PLAIN)->site = site_of(EVR_PLAIN, 0, place);
	}
	add(m, 1, EVR_READ, Y, 4, EVR_PLAIN)->site = site_of(EVR_PLAIN, 0, 0);
	add(m, 3, EVR_WRITE, Y, 4, EVR_PLAIN);
	assert_true(judge(m, false));
	assert_int_equal(m->defined.len, 2 * PLACES + 1);
	assert_int_equal(m->found.len, 2 * PLACES);
}

/* ---- what synchronises with what ---- */

/* The edges, as "0>1 " for the first and the second event of a trace. */
static void check_edges(struct machine *m, const char *expected)
{
	char text[100] = "";
	judge(m, false);
	for (size_t i = 0, n = 0; i < m->edges.len; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%u>%u ", m->edges.data[i].from, m->edges.data[i].to);
	assert_string_equal(text, expected);
}

static void test_edges(void **state)
{
	struct machine *m = *state;
	begin(m);
	add(m, 1, EVR_WRITE, X, 4, EVR_RELEASE);
	add(m, 2, EVR_READ, X, 4, EVR_ACQUIRE);
	add(m, 1, EVR_READ, X, 4, EVR_ACQUIRE); /* within a thread nothing is to be said */
	check_edges(m, "0>1 ");
	/* Of fences, those next to the accesses; and one edge, however many reads there were. */
	begin(m);
	add(m, 1, EVR_FENCE, 0, 0, EVR_RELEASE);
	add(m, 1, EVR_FENCE, 0, 0, EVR_SEQ_CST);
	add(m, 1, EVR_WRITE, X, 4, EVR_RELAXED);
	add(m, 2, EVR_READ, X, 4, EVR_RELAXED);
	add(m, 2, EVR_READ, X, 4, EVR_RELAXED);
	add(m, 2, EVR_FENCE, 0, 0, EVR_ACQ_REL);
	add(m, 2, EVR_FENCE, 0, 0, EVR_ACQUIRE);
	check_edges(m, "1>5 ");
	/* A counter: each of those who only release is named, those before one who also acquires are not. */
	begin(m);
	add(m, 0, EVR_RMW, X, 4, EVR_RELEASE);
	add(m, 1, EVR_RMW, X, 4, EVR_RELEASE);
	add(m, 2, EVR_RMW, X, 4, EVR_RELAXED);
	add(m, 3, EVR_RMW, X, 4, EVR_ACQ_REL);
	check_edges(m, "0>3 1>3 ");
	add(m, 2, EVR_READ, X, 4, EVR_ACQUIRE);
	check_edges(m, "0>3 1>3 3>4 ");
	begin(m);
	add(m, 1, EVR_LOCK, MUTEX, 4, EVR_PLAIN);
	add(m, 1, EVR_UNLOCK, MUTEX, 4, EVR_PLAIN);
	add(m, 2, EVR_LOCK, MUTEX, 4, EVR_PLAIN);
	check_edges(m, "1>2 ");
}

/* With the release sequences of C11, later stores of the head's thread belong to them. */
static void test_edges_of_c11(void **state)
{
	struct machine *m = *state;
	begin(m);
	add(m, 1, EVR_WRITE, X, 4, EVR_RELEASE);
	add(m, 1, EVR_WRITE, Y, 4, EVR_RELEASE);
	add(m, 1, EVR_WRITE, X, 4, EVR_RELAXED);
	add(m, 2, EVR_RMW, X, 4, EVR_RELAXED);
	add(m, 3, EVR_READ, X, 4, EVR_ACQUIRE);
	check_edges(m, "");
	m->trace.c11_release_sequences = true;
	m->edges.len = 0;
	evr_sw_find(&m->graph, &m->edges);
	assert_int_equal(m->edges.len, 1);
	assert_int_equal(m->edges.data[0].from, 0);
	assert_int_equal(m->edges.data[0].to, 4);
	m->trace.c11_release_sequences = false;
}

/* ---- random executions ---- */

struct maker {
	struct machine *m;
	uint64_t *seed;
	bool axiomatic, mixed, frees;
	bool born[THREADS], ended[THREADS];
	int holder[3]; /* of each mutex: thread, or -1 */
	evr_event_id newest[4]; /* axiomatic: of each location, the last write; then of each mutex */
	evr_event_id newest_lock[3];
	evr_event_id buffered[THREADS]; /* a store that has not reached memory */
};

static const struct evr_site *random_site(struct maker *k, unsigned order)
{
	static const unsigned failures[] = { EVR_RELAXED, EVR_ACQUIRE, EVR_SEQ_CST };
	return site_of(order, failures[twin_below(k->seed, 3)], (unsigned)twin_below(k->seed, PLACES));
}

static void drain(struct maker *k, unsigned t)
{
	if (k->buffered[t] == EVR_NO_EVENT)
		return;
	struct evr_event e = k->m->trace.events.data[k->buffered[t]];
	e.kind = EVR_UPDATE;
	e.flags = 0;
	evr_trace_append(&k->m->trace, &e);
	k->buffered[t] = EVR_NO_EVENT;
}

/* Of an axiomatic execution: a read of any earlier write of the location; what writes comes last. */
static evr_event_id some_source(struct maker *k, const struct evr_event *e, unsigned location)
{
	evr_event_id source = EVR_NO_EVENT;
	if (e->kind != EVR_READ)
		return k->newest[location];
	for (evr_event_id i = 0; i < k->m->trace.events.len; i++) {
		const struct evr_event *w = &k->m->trace.events.data[i];
		if (w->address == e->address && evr_event_writes(w) && twin_below(k->seed, 3))
			source = i;
	}
	return source;
}

static void random_access(struct maker *k, unsigned t)
{
	static const uint8_t kinds[] = { EVR_READ, EVR_READ, EVR_WRITE, EVR_WRITE, EVR_RMW, EVR_CAS };
	unsigned kind = kinds[twin_below(k->seed, sizeof(kinds))], location = (unsigned)twin_below(k->seed, 3);
	unsigned order = (unsigned)twin_below(k->seed, ORDERS), size = 4, at = X + 4 * location;
	if (kind == EVR_RMW || kind == EVR_CAS)
		order = order ? order : EVR_RELAXED;
	if (k->mixed && twin_below(k->seed, 2)) {
		at += (unsigned)twin_below(k->seed, 4);
		size = 1 + (unsigned)twin_below(k->seed, 4);
	}
	bool buffer = kind == EVR_WRITE && !k->axiomatic && !twin_below(k->seed, 3);
	if (kind != EVR_READ)
		drain(k, t);
	struct evr_event *e = add(k->m, t, kind, at, size, order);
	e->site = random_site(k, order);
	e->expected = kind == EVR_CAS && !twin_below(k->seed, 2);
	if (k->axiomatic)
		e->source = some_source(k, e, location);
	if (k->axiomatic && evr_event_writes(e))
		k->newest[location] = (evr_event_id)k->m->trace.events.len - 1;
	if (buffer) {
		e->flags = EVR_BUFFERED;
		k->buffered[t] = (evr_event_id)k->m->trace.events.len - 1;
	}
}

/* The last of the three locks is handed over, and the second one the program knows nothing of. */
static void random_lock(struct maker *k, unsigned t)
{
	unsigned i = (unsigned)twin_below(k->seed, 3);
	bool mine = k->holder[i] == (int)t || (i == 2 && k->holder[i] >= 0);
	bool taken = k->holder[i] >= 0;
	unsigned kind = mine ? EVR_UNLOCK : taken ? EVR_TRYLOCK : EVR_LOCK;
	if (!taken && !twin_below(k->seed, 8))
		kind = EVR_MUTEX_INIT;
	drain(k, t);
	struct evr_event *e = add(k->m, t, kind, MUTEX + 64 * i, 4, EVR_PLAIN);
	e->lock = i == 1 ? EVR_LOCK_COND : i == 2 ? EVR_LOCK_SEMAPHORE_EMPTY : EVR_LOCK_MUTEX;
	e->result = kind == EVR_TRYLOCK ? 16 : 0;
	e->source = k->newest_lock[i];
	if (evr_event_writes(e))
		k->newest_lock[i] = (evr_event_id)k->m->trace.events.len - 1;
	if (kind == EVR_LOCK || kind == EVR_UNLOCK)
		k->holder[i] = kind == EVR_LOCK ? (int)t : -1;
}

static void random_thread(struct maker *k, unsigned t)
{
	unsigned other = (unsigned)twin_below(k->seed, THREADS);
	drain(k, t);
	if (!k->born[other]) {
		add_thread(k->m, t, other);
		k->born[other] = twin_below(k->seed, 10); /* or it does nothing, and nobody waits for it */
		if (k->born[other])
			add(k->m, other, EVR_START, 0, 0, EVR_PLAIN);
	} else if (other != t && twin_below(k->seed, 3) == 0) {
		drain(k, other);
		add(k->m, t, EVR_JOIN, 0, 0, EVR_PLAIN)->other = other;
		k->ended[other] = true;
	}
}

static void random_execution(struct maker *k)
{
	begin(k->m);
	unsigned length = 8 + (unsigned)twin_below(k->seed, 30);
	memset(k->buffered, 0xff, sizeof(k->buffered));
	memset(k->newest, 0xff, sizeof(k->newest));
	memset(k->newest_lock, 0xff, sizeof(k->newest_lock));
	for (unsigned i = 0; i < 3; i++)
		k->holder[i] = -1;
	for (unsigned t = 0; t < THREADS; t++) {
		k->born[t] = !t || twin_below(k->seed, 2);
		k->ended[t] = false;
		if (k->born[t])
			add(k->m, t, EVR_START, 0, 0, EVR_PLAIN);
	}
	while (k->m->trace.events.len < length) {
		unsigned t = (unsigned)twin_below(k->seed, THREADS), dice = (unsigned)twin_below(k->seed, 20);
		if (!k->born[t] || k->ended[t])
			t = 0;
		if (k->ended[t])
			return;
		if (dice < 13)
			random_access(k, t);
		else if (dice < 15)
			add(k->m, t, EVR_FENCE, 0, 0, EVR_ACQUIRE + (unsigned)twin_below(k->seed, 4));
		else if (dice < 18)
			random_lock(k, t);
		else if (dice < 19)
			random_thread(k, t);
		else if (k->frees)
			add(k->m, t, EVR_FREE, X, 8, EVR_PLAIN);
		else
			drain(k, (unsigned)twin_below(k->seed, THREADS));
	}
}

static void test_random(void **state)
{
	struct machine *m = *state;
	uint64_t seed = 1;
	unsigned some = 0, none = 0;
	for (unsigned i = 0; i < 20000; i++) {
		struct maker k = { .m = m, .seed = &seed, .axiomatic = i % 2 };
		k.mixed = !k.axiomatic && i % 4 == 2;
		k.frees = !k.axiomatic && i % 16 == 8;
		m->c11 = i % 3 == 0;
		random_execution(&k);
		*(judge(m, k.axiomatic) ? &some : &none) += 1;
	}
	assert_true(some > 1000 && none > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_message_passing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_misplaced_fences, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_release_sequences, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_release_sequences_of_c11, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_compare_exchange, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_locks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_own_acquire, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_threads, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_conflicts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_all_pairs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_edges, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_edges_of_c11, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_random, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
