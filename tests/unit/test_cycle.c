#include "twin.h"

#include "event/cycle.h"
#include "event/cyclic.h"
#include "model/model.h"

#include <string.h>

/*
 * Random executions of threads with store buffers, made here step by step: a store goes to its thread's buffer or to memory,
 * any buffered store that no older one to its bytes holds back may go next. The twins are the matrices of event/graph.h.
 */
enum { BYTES = 10, THREADS = 4, LENGTH = 28 };

struct machine {
	struct evr_trace *trace;
	uint64_t *random;
	bool fifo, small; /* small: accesses to two locations of one byte, so that much happens between few */
	EVR_VEC(evr_event_id) buffer[THREADS];
};

static bool overlap(const struct evr_event *a, const struct evr_event *b)
{
	return a->address < b->address + b->size && b->address < a->address + a->size;
}

static void update(struct machine *m, unsigned t, size_t i)
{
	const struct evr_event *events = m->trace->events.data;
	struct evr_event e = events[m->buffer[t].data[i]];
	for (size_t k = 0; k < i; k++)
		if (m->fifo || overlap(&events[m->buffer[t].data[k]], &e))
			return;
	e.kind = EVR_UPDATE;
	e.flags = 0;
	evr_trace_append(m->trace, &e);
	memmove(&m->buffer[t].data[i], &m->buffer[t].data[i + 1],
		(m->buffer[t].len - i - 1) * sizeof(*m->buffer[t].data));
	m->buffer[t].len--;
}

static void flush(struct machine *m, unsigned t)
{
	while (m->buffer[t].len)
		update(m, t, 0);
}

static void append(struct machine *m, struct evr_event e)
{
	bool waits = e.kind != EVR_READ && e.kind != EVR_CHOOSE && !evr_event_is_buffered(&e);
	if (waits)
		flush(m, e.thread);
	evr_event_id id = evr_trace_append(m->trace, &e);
	if (evr_event_is_buffered(&e))
		evr_vec_push(&m->buffer[e.thread], id);
}

static void some_access(struct machine *m, evr_thread_id t)
{
	static const uint8_t rare[] = { EVR_RMW, EVR_CAS, EVR_FENCE, EVR_CHOOSE };
	uint8_t kind = twin_below(m->random, 2) ? EVR_READ : EVR_WRITE;
	struct evr_event e = { .thread = t,
			       .kind = twin_below(m->random, 8) ? kind : rare[twin_below(m->random, 4)],
			       .source = EVR_NO_EVENT };
	if (e.kind != EVR_FENCE && e.kind != EVR_CHOOSE) {
		e.size = m->small ? 1 : 1u << twin_below(m->random, 4);
		e.address = 1000 + twin_below(m->random, m->small ? 2 : BYTES - e.size + 1);
		e.read = twin_below(m->random, 2); /* of a CAS: it fails if 1 */
	}
	if (e.kind == EVR_WRITE && twin_below(m->random, 8))
		e.flags = EVR_BUFFERED;
	append(m, e);
}

/*
 * Main creates the others and joins some; in between, anything. Before these it waits for its buffer, which is an event without a number.
 * The last updates may be missing.
 */
static void some_execution(struct machine *m)
{
	unsigned threads = 2 + (unsigned)twin_below(m->random, THREADS - 1), running = 1;
	evr_trace_begin(m->trace, 0);
	bool ended[THREADS] = { false };
	for (unsigned i = 0; i < THREADS; i++)
		evr_vec_clear(&m->buffer[i]);
	for (unsigned n = 0; n < LENGTH; n++) {
		unsigned t = (unsigned)twin_below(m->random, running);
		if (running < threads && !twin_below(m->random, running < 2 ? 1 : 4)) {
			append(m, (struct evr_event){ .kind = EVR_DRAIN });
			append(m, (struct evr_event){ .kind = EVR_CREATE, .other = running++ });
		} else if (t && !ended[t] && !twin_below(m->random, 12)) {
			append(m, (struct evr_event){ .kind = EVR_DRAIN, .thread = (evr_thread_id)t });
			append(m, (struct evr_event){ .kind = EVR_EXIT, .thread = (evr_thread_id)t });
			append(m, (struct evr_event){ .kind = EVR_DRAIN });
			append(m, (struct evr_event){ .kind = EVR_JOIN, .other = t });
			ended[t] = true;
		} else if (m->buffer[t].len && !twin_below(m->random, 4)) {
			update(m, t, twin_below(m->random, m->buffer[t].len));
		} else if (!ended[t]) {
			some_access(m, (evr_thread_id)t);
		}
	}
	for (unsigned t = 0; t < THREADS && twin_below(m->random, 10); t++)
		flush(m, t);
}

/* A relation by name, with everything that follows from it for one byte: co leads to all later writes. */
static void relate(const struct evr_graph *g, struct evr_relation *r, enum evr_cycle_edge edge)
{
	evr_relation_clear(r, g->trace->events.len);
	if (edge == EVR_CYCLE_RF)
		evr_graph_add_rf(g, r, false);
	if (edge == EVR_CYCLE_FR)
		evr_graph_add_fr(g, r, SIZE_MAX);
	for (size_t b = 0; edge == EVR_CYCLE_CO && b < g->bytes.len; b++)
		for (size_t k = 0; k < g->bytes.data[b].writes.len; k++)
			for (size_t i = 0; i < k; i++)
				evr_relation_add(r, g->bytes.data[b].writes.data[i], g->bytes.data[b].writes.data[k]);
	if (edge == EVR_CYCLE_PO || edge == EVR_CYCLE_CREATE || edge == EVR_CYCLE_JOIN)
		evr_graph_add_po(g, r, NULL);
}

/* The length of a shortest cycle, by searching from every event; 0 if there is none. */
static size_t shortest(const struct evr_graph *g)
{
	struct evr_relation all = { 0 }, one = { 0 };
	size_t n = g->trace->events.len, best = 0;
	evr_relation_clear(&all, n);
	for (unsigned edge = EVR_CYCLE_PO; edge <= EVR_CYCLE_FR; edge++) {
		relate(g, &one, (enum evr_cycle_edge)edge);
		for (size_t i = 0; i < n * all.words; i++)
			all.bits.data[i] |= one.bits.data[i];
	}
	for (size_t start = 0; start < n; start++) {
		size_t distance[2 * LENGTH + 4 * THREADS + 1] = { 0 }, queue[EVR_COUNT(distance)], len = 1;
		queue[0] = start;
		for (size_t i = 0; i < len; i++) {
			for (size_t to = 0; to < n; to++) {
				if (distance[to] || !evr_relation_has(&all, (evr_event_id)queue[i], (evr_event_id)to))
					continue;
				distance[to] = distance[queue[i]] + 1;
				if (to != start)
					queue[len++] = to;
			}
		}
		/* The start's own distance counts as 0 until the cycle closes; then nothing is as near any more. */
		if (distance[start] && (!best || distance[start] < best))
			best = distance[start];
	}
	evr_relation_release(&all);
	evr_relation_release(&one);
	return best;
}

static void is_a_cycle(const struct evr_graph *g, const evr_cycle *c, evr_event_id over)
{
	struct evr_relation r = { 0 };
	const struct evr_event *events = g->trace->events.data;
	assert_int_equal(c->data[0].edge, EVR_CYCLE_PO);
	assert_int_equal(c->data[1].event, over);
	assert_true(c->data[0].overtaken);
	for (size_t i = 0; i < c->len; i++) {
		evr_event_id a = c->data[i].event, b = c->data[(i + 1) % c->len].event;
		relate(g, &r, c->data[i].edge);
		assert_true(evr_relation_has(&r, a, b));
		assert_true((c->data[i].edge == EVR_CYCLE_PO) == (events[a].thread == events[b].thread));
		/* Program order is drawn in one step. */
		assert_true(c->data[i].edge != EVR_CYCLE_PO || c->data[(i + 1) % c->len].edge != EVR_CYCLE_PO);
	}
	evr_relation_release(&r);
}

static void judges_random_executions(void **state)
{
	(void)state;
	struct evr_trace t = { 0 };
	struct evr_graph g = { 0 };
	struct evr_cyclic *cyclic = evr_cyclic_new();
	struct evr_cycle_search *search = evr_cycle_search_new();
	evr_cycle cycle = { 0 };
	uint64_t random = 1;
	struct machine m = { .trace = &t, .random = &random };
	unsigned found = 0, none = 0;
	for (int round = 0; round < 20000; round++) {
		m.fifo = round % 2;
		m.small = round % 4 < 2;
		some_execution(&m);
		evr_graph_build(&g, &t, false);
		bool expected = !evr_model_sc.allows(&g);
		assert_int_equal(evr_cyclic_test(cyclic, &t), expected);
		size_t best = 0;
		evr_cycle_search_begin(search, &t, false);
		for (evr_event_id i = 0; (i = evr_cycle_start(search, i)) != EVR_NO_EVENT; i++) {
			if (!evr_cycle_through(search, i, &cycle))
				continue;
			is_a_cycle(&g, &cycle, i);
			best = !best || cycle.len < best ? cycle.len : best;
		}
		assert_int_equal(best, shortest(&g));
		assert_int_equal(best > 0, expected);
		found += expected;
		none += !expected;
	}
	/* Both answers were asked for. */
	assert_true(found > 2000 && none > 2000);
	for (unsigned i = 0; i < THREADS; i++)
		evr_vec_release(&m.buffer[i]);
	evr_vec_release(&cycle);
	evr_cycle_search_free(search);
	evr_cyclic_free(cyclic);
	evr_graph_release(&g);
	evr_trace_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(judges_random_executions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
