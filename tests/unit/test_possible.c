/*
 * Whole executions that nobody has run: can they happen? RC11's oracle against its axioms with all coherence orders, on random graphs; and
 * the part of an execution that an event depends on.
 */
#include "twin.h"

#include "model/possible.h"

#include <string.h>

enum { THREADS = 4, PLENTY = 1000000, ORDERS = EVR_SEQ_CST + 1 };
enum { X = 1000, MUTEX = 2000 };

static struct evr_site sites[ORDERS];

static void set_up_sites(void)
{
	for (unsigned i = 0; i < ORDERS; i++)
		sites[i] = (struct evr_site){ "test.c", "f", i, 1, (uint8_t)i, EVR_RELAXED * EVR_SITE_FAILURE };
}

static struct evr_event *add(struct evr_trace *t, unsigned thread, unsigned kind, uintptr_t at, unsigned order)
{
	struct evr_event e;
	evr_event_init(&e, (evr_thread_id)thread, kind, at, at ? 4 : 0, &sites[order]);
	evr_trace_append(t, &e);
	return &evr_vec_last(&t->events);
}

static evr_event_id last_event(const struct evr_trace *t)
{
	return (evr_event_id)t->events.len - 1;
}

/* What both say. */
static bool is_possible(const struct evr_trace *t)
{
	enum evr_possible p = evr_model_possible_by_axioms(&evr_model_rc11, t, PLENTY);
	assert_true(p != EVR_UNDECIDED);
	assert_int_equal(evr_model_possible(&evr_model_rc11, t), p == EVR_POSSIBLE);
	return p == EVR_POSSIBLE;
}

/* Thread 0 writes x and then y, thread 1 sees y and not x. */
static bool passes(unsigned write, unsigned read, unsigned fence)
{
	struct evr_trace t = { 0 };
	evr_trace_begin(&t, 0);
	add(&t, 0, EVR_WRITE, X, EVR_RELAXED);
	add(&t, 0, EVR_WRITE, X + 4, write)->source = EVR_NO_EVENT;
	add(&t, 1, EVR_READ, X + 4, read)->source = 1;
	if (fence)
		add(&t, 1, EVR_FENCE, 0, fence);
	add(&t, 1, EVR_READ, X, EVR_RELAXED)->source = EVR_NO_EVENT;
	bool possible = is_possible(&t);
	evr_trace_release(&t);
	return possible;
}

static void test_message_passing(void **state)
{
	(void)state;
	set_up_sites();
	assert_true(passes(EVR_RELAXED, EVR_RELAXED, 0));
	assert_true(passes(EVR_RELEASE, EVR_RELAXED, 0));
	assert_false(passes(EVR_RELEASE, EVR_ACQUIRE, 0));
	assert_false(passes(EVR_RELEASE, EVR_RELAXED, EVR_ACQUIRE));
	assert_true(passes(EVR_RELEASE, EVR_RELAXED, EVR_RELEASE));
}

/* Both threads write, then read the initial value of the other's. */
static bool buffers(unsigned order)
{
	struct evr_trace t = { 0 };
	evr_trace_begin(&t, 0);
	for (unsigned i = 0; i < 2; i++) {
		add(&t, i, EVR_WRITE, X + 4 * i, order);
		add(&t, i, EVR_READ, X + 4 * (1 - i), order);
	}
	bool possible = is_possible(&t);
	evr_trace_release(&t);
	return possible;
}

static void test_store_buffering(void **state)
{
	(void)state;
	set_up_sites();
	assert_true(buffers(EVR_RELAXED));
	assert_false(buffers(EVR_SEQ_CST));
}

/* ---- random ones ---- */

static evr_event_id some_write(const struct evr_trace *t, uint64_t *seed, uintptr_t at)
{
	evr_event_id source = EVR_NO_EVENT;
	for (evr_event_id i = 0; i < t->events.len; i++) {
		const struct evr_event *w = &t->events.data[i];
		if (w->address == at && evr_event_writes(w) && twin_below(seed, 2))
			source = i;
	}
	return source;
}

/* `sequential`: most are seq_cst, and what is wrong with them is no matter of coherence alone. */
static void random_access(struct evr_trace *t, uint64_t *seed, unsigned thread, bool sequential)
{
	static const uint8_t kinds[] = { EVR_READ, EVR_READ, EVR_WRITE, EVR_WRITE, EVR_RMW, EVR_FENCE, EVR_CAS };
	static const uint8_t orders[][4] = {
		[EVR_READ] = { EVR_RELAXED, EVR_ACQUIRE, EVR_SEQ_CST, EVR_PLAIN },
		[EVR_WRITE] = { EVR_RELAXED, EVR_RELEASE, EVR_SEQ_CST, EVR_PLAIN },
		[EVR_RMW] = { EVR_RELAXED, EVR_ACQUIRE, EVR_RELEASE, EVR_SEQ_CST },
		[EVR_CAS] = { EVR_RELAXED, EVR_ACQ_REL, EVR_RELEASE, EVR_SEQ_CST },
		[EVR_FENCE] = { EVR_SEQ_CST, EVR_ACQUIRE, EVR_RELEASE, EVR_ACQ_REL },
	};
	unsigned kind = kinds[twin_below(seed, sizeof(kinds))], order = orders[kind][twin_below(seed, 4)];
	if (sequential && twin_below(seed, 4))
		order = EVR_SEQ_CST;
	uintptr_t at = X + 4 * twin_below(seed, 2);
	evr_event_id source = kind == EVR_WRITE ? EVR_NO_EVENT : some_write(t, seed, at);
	struct evr_event *e = add(t, thread, kind, kind == EVR_FENCE ? 0 : at, order);
	e->source = kind == EVR_FENCE ? EVR_NO_EVENT : source;
	e->expected = kind == EVR_CAS && twin_below(seed, 2); /* then it fails */
}

/* Thread 0 creates the others, which may have to wait, and joins some. */
static void random_execution(struct evr_trace *t, uint64_t *seed, bool sequential)
{
	unsigned length = 6 + (unsigned)twin_below(seed, 7);
	bool created[THREADS] = { true }, joined[THREADS] = { false };
	evr_trace_begin(t, 0);
	while (t->events.len < length) {
		unsigned thread = (unsigned)twin_below(seed, THREADS);
		if (joined[thread])
			continue;
		if (!created[thread]) {
			add(t, 0, EVR_CREATE, 0, EVR_PLAIN)->other = thread;
			created[thread] = true;
		} else if (thread && !twin_below(seed, 12)) {
			add(t, 0, EVR_JOIN, 0, EVR_PLAIN)->other = thread;
			joined[thread] = true;
		} else {
			random_access(t, seed, thread, sequential);
		}
	}
}

/* What is possible has only possible parts, and each part has all that its events depend on. */
static void check_part(const struct evr_trace *t, evr_event_id last, bool possible)
{
	struct evr_trace part = { 0 };
	evr_model_part(t, last, &part);
	const struct evr_event *e = &evr_vec_last(&part.events), *whole = &t->events.data[last];
	assert_true(e->thread == whole->thread && e->index == whole->index);
	unsigned next[THREADS] = { 0 };
	bool created[THREADS] = { true };
	for (evr_event_id i = 0; i < part.events.len; i++) {
		e = &part.events.data[i];
		assert_true(e->index == next[e->thread]++ && created[e->thread]);
		if (e->kind == EVR_CREATE)
			created[e->other] = true;
		if (!evr_event_reads(e))
			continue;
		/* Its source is the same event. */
		const struct evr_event *old = t->events.data;
		while (old->thread != e->thread || old->index != e->index)
			old++;
		assert_int_equal(e->source == EVR_NO_EVENT, old->source == EVR_NO_EVENT);
		if (e->source == EVR_NO_EVENT)
			continue;
		assert_int_equal(part.events.data[e->source].thread, t->events.data[old->source].thread);
		assert_int_equal(part.events.data[e->source].index, t->events.data[old->source].index);
	}
	assert_true(is_possible(&part) || !possible);
	evr_trace_release(&part);
}

static void test_random(void **state)
{
	(void)state;
	struct evr_trace t = { 0 };
	uint64_t seed = 1;
	unsigned some = 0, none = 0;
	set_up_sites();
	for (unsigned i = 0; i < 20000; i++) {
		random_execution(&t, &seed, i % 2);
		bool possible = is_possible(&t);
		*(possible ? &some : &none) += 1;
		check_part(&t, last_event(&t), possible);
		check_part(&t, last_event(&t) / 2, possible);
	}
	assert_true(some > 500 && none > 500);
	evr_trace_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_message_passing),
		cmocka_unit_test(test_store_buffering),
		cmocka_unit_test(test_random),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
