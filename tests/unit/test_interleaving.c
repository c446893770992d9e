#include "twin.h"

#include "event/cycle.h"
#include "model/interleaving.h"
#include "model/model.h"

#include <string.h>

/*
 * Random executions whose events name their sources: threads that main creates and perhaps joins, reads from any earlier write, writes at
 * any place in coherence, read-modify-writes, and seq_cst fences as updates of a hidden location.
 */
enum { THREADS = 4, LENGTH = 15, LOCATIONS = 3, FENCE_ADDRESS = 1, BASE = 1000, MOST = 32 };

static uint64_t seed;

static size_t below(size_t limit)
{
	return twin_below(&seed, limit);
}

static bool accesses(const struct evr_event *e)
{
	return e->kind != EVR_FENCE && (evr_event_reads(e) || evr_event_writes(e));
}

/* A write to the location, or none. `last`: the newest. */
static evr_event_id some_write(const struct evr_trace *t, uintptr_t address, bool last)
{
	evr_event_id found[MOST + 1] = { EVR_NO_EVENT };
	size_t n = 1;
	for (size_t i = 0; i < t->events.len; i++)
		if (evr_event_writes(&t->events.data[i]) && t->events.data[i].address == address)
			found[n++] = (evr_event_id)i;
	return found[last ? n - 1 : below(n)];
}

static void some_access(struct evr_trace *t, unsigned thread, uint32_t size)
{
	static const uint8_t kinds[] = { EVR_READ,  EVR_READ,  EVR_READ, EVR_WRITE,
					 EVR_WRITE, EVR_WRITE, EVR_RMW,  EVR_FENCE };
	static const struct evr_site full = { .file = "test.c", .order = EVR_SEQ_CST };
	struct evr_event e = { .thread = (evr_thread_id)thread, .kind = kinds[below(EVR_COUNT(kinds))], .site = &full };
	bool fence = e.kind == EVR_FENCE;
	e.size = fence ? 1 : size;
	e.address = fence ? FENCE_ADDRESS : BASE + 8 * below(LOCATIONS) + (size < 8 ? size * below(2) : 0);
	e.source = some_write(t, e.address, fence);
	evr_trace_append(t, &e);
}

static void some_execution(struct evr_trace *t)
{
	unsigned threads = 2 + (unsigned)below(THREADS - 1), running = 1;
	bool joined[THREADS] = { false };
	uint32_t size = 4u << below(2);
	size_t length = 8 + below(LENGTH - 7);
	evr_trace_begin(t, 0);
	for (size_t n = 0; n < length; n++) {
		unsigned thread = (unsigned)below(running);
		if (running < threads && !below(running < 2 ? 1 : 3)) {
			while (joined[thread])
				thread = (unsigned)below(running);
			evr_trace_record(t, (evr_thread_id)thread, EVR_CREATE, NULL, running);
			evr_trace_record(t, (evr_thread_id)running++, EVR_START, NULL, 0);
		} else if (thread && !joined[thread] && !below(8)) {
			joined[thread] = true;
			evr_trace_record(t, (evr_thread_id)thread, EVR_EXIT, NULL, 0);
			evr_trace_record(t, 0, EVR_JOIN, NULL, thread);
		} else if (!joined[thread]) {
			some_access(t, thread, size);
		}
	}
}

/* ---- the twin of the question: all interleavings ---- */

struct run {
	const struct evr_trace *t;
	const struct evr_relation *po;
	evr_event_id now[2 * LOCATIONS];
	uint32_t done;
};

static unsigned slot_of(const struct evr_event *e)
{
	return (unsigned)(e->address - BASE) / 4;
}

static bool may_come(const struct run *r, evr_event_id id)
{
	const struct evr_event *e = &r->t->events.data[id];
	for (evr_event_id i = 0; i < r->t->events.len; i++)
		if (!(r->done >> i & 1) && evr_relation_has(r->po, i, id))
			return false;
	return !accesses(e) || !evr_event_reads(e) || r->now[slot_of(e)] == e->source;
}

static bool can_end(struct run r)
{
	size_t n = r.t->events.len;
	if (r.done == (UINT32_C(1) << n) - 1)
		return true;
	for (evr_event_id i = 0; i < n; i++) {
		if (r.done >> i & 1 || !may_come(&r, i))
			continue;
		const struct evr_event *e = &r.t->events.data[i];
		struct run next = r;
		next.done |= UINT32_C(1) << i;
		if (accesses(e) && evr_event_writes(e))
			next.now[slot_of(e)] = i;
		if (can_end(next))
			return true;
		/* What changes nothing may as well come at once. */
		if (!accesses(e) || !evr_event_writes(e))
			return false;
	}
	return false;
}

static void is_an_interleaving(struct run r, const evr_rf_ids *order)
{
	size_t n = 0;
	for (size_t i = 0; i < r.t->events.len; i++)
		n += accesses(&r.t->events.data[i]);
	assert_int_equal(order->len, n);
	for (size_t k = 0; k < order->len; k++) {
		evr_event_id id = order->data[k];
		/* What accesses nothing comes as soon as it can. */
		for (evr_event_id i = 0; i < r.t->events.len; i++)
			if (!accesses(&r.t->events.data[i]) && !(r.done >> i & 1) && may_come(&r, i)) {
				r.done |= UINT32_C(1) << i;
				i = (evr_event_id)-1;
			}
		assert_true(accesses(&r.t->events.data[id]) && !(r.done >> id & 1) && may_come(&r, id));
		r.done |= UINT32_C(1) << id;
		if (evr_event_writes(&r.t->events.data[id]))
			r.now[slot_of(&r.t->events.data[id])] = id;
	}
}

static void finds_interleavings(void **state)
{
	(void)state;
	struct evr_trace t = { 0 };
	struct evr_graph g = { 0 };
	struct evr_relation po = { 0 };
	struct evr_interleaving *o = evr_interleaving_new();
	unsigned found = 0, none = 0, chained = 0;
	seed = 11;
	for (int round = 0; round < 20000; round++) {
		const evr_rf_ids *order = NULL;
		some_execution(&t);
		evr_graph_build(&g, &t, true);
		evr_relation_clear(&po, t.events.len);
		evr_graph_add_po(&g, &po, NULL);
		struct run r = { .t = &t, .po = &po };
		for (unsigned i = 0; i < EVR_COUNT(r.now); i++)
			r.now[i] = EVR_NO_EVENT;
		bool answer = evr_interleaving_find(o, &t, &order);
		if (answer != can_end(r))
			fail_msg("round %d: there is %s interleaving", round, answer ? "no" : "an");
		if (answer)
			is_an_interleaving(r, order);
		*(answer ? &found : &none) += 1;
		/* With the fences' chain there would be none. */
		if (answer && !evr_model_sc.allows(&g) && evr_model_ra.allows(&g))
			chained++;
	}
	assert_true(found > 4000 && none > 4000 && chained > 10);
	evr_interleaving_free(o);
	evr_relation_release(&po);
	evr_graph_release(&g);
	evr_trace_release(&t);
}

/*
 *	x = 1     fence     y = 1
 *	fence     a = y     b = x
 *
 * Both reads find 0, and the first fence comes before the second. So it can be under RA. Without fences it is an interleaving: a, y, b,
 * x. With them there is none, since x comes before its fence, that before the other, and that before a.
 */
static void ignores_the_order_of_fences(void **state)
{
	(void)state;
	static const struct evr_site full = { .file = "test.c", .order = EVR_SEQ_CST };
	struct evr_trace t = { 0 };
	struct evr_graph g = { 0 };
	struct evr_interleaving *o = evr_interleaving_new();
	const evr_rf_ids *order = NULL;
	const struct evr_event events[] = {
		{ .thread = 0, .kind = EVR_WRITE, .address = BASE, .size = 4, .predecessor = EVR_NO_EVENT },
		{ .thread = 0, .kind = EVR_FENCE, .address = 1, .size = 1, .source = EVR_NO_EVENT, .site = &full },
		{ .thread = 1, .kind = EVR_FENCE, .address = 1, .size = 1, .source = 1, .site = &full },
		{ .thread = 1, .kind = EVR_READ, .address = BASE + 8, .size = 4, .source = EVR_NO_EVENT },
		{ .thread = 2, .kind = EVR_WRITE, .address = BASE + 8, .size = 4, .predecessor = EVR_NO_EVENT },
		{ .thread = 2, .kind = EVR_READ, .address = BASE, .size = 4, .source = EVR_NO_EVENT },
	};
	evr_trace_begin(&t, 0);
	for (size_t i = 0; i < EVR_COUNT(events); i++)
		evr_trace_append(&t, &events[i]);
	evr_graph_build(&g, &t, true);
	assert_true(evr_model_ra.allows(&g));
	assert_false(evr_model_sc.allows(&g));
	assert_true(evr_interleaving_find(o, &t, &order));
	assert_int_equal(order->len, 4);
	evr_interleaving_free(o);
	evr_graph_release(&g);
	evr_trace_release(&t);
}

/* ---- cycles, and the fences that forbid them ---- */

struct edges {
	struct evr_relation of[EVR_CYCLE_FR + 1];
};

/* Coherence and from-reads by their definition; what fences update is left out. */
static void relate(const struct evr_graph *g, struct edges *e)
{
	size_t n = g->trace->events.len;
	const struct evr_event *events = g->trace->events.data;
	for (unsigned k = 0; k <= EVR_CYCLE_FR; k++)
		evr_relation_clear(&e->of[k], n);
	evr_graph_add_po(g, &e->of[EVR_CYCLE_PO], NULL);
	for (size_t b = 0; b < g->bytes.len; b++) {
		const struct evr_graph_byte *x = &g->bytes.data[b];
		for (size_t k = 0; x->address != FENCE_ADDRESS && k < x->writes.len; k++)
			for (size_t i = 0; i < k; i++)
				evr_relation_add(&e->of[EVR_CYCLE_CO], x->writes.data[i], x->writes.data[k]);
	}
	for (evr_event_id r = 0; r < n; r++) {
		if (!accesses(&events[r]) || !evr_event_reads(&events[r]))
			continue;
		if (events[r].source != EVR_NO_EVENT)
			evr_relation_add(&e->of[EVR_CYCLE_RF], events[r].source, r);
		for (evr_event_id w = 0; w < n; w++)
			if (w != r && accesses(&events[w]) && evr_event_writes(&events[w]) &&
			    events[w].address == events[r].address &&
			    (events[r].source == EVR_NO_EVENT ||
			     evr_relation_has(&e->of[EVR_CYCLE_CO], events[r].source, w)))
				evr_relation_add(&e->of[EVR_CYCLE_FR], r, w);
	}
}

static bool has_edge(const struct edges *e, enum evr_cycle_edge edge, evr_event_id a, evr_event_id b)
{
	bool program = edge == EVR_CYCLE_PO || edge == EVR_CYCLE_CREATE || edge == EVR_CYCLE_JOIN;
	return evr_relation_has(&e->of[program ? EVR_CYCLE_PO : edge], a, b);
}

static size_t shortest(const struct edges *e, size_t n)
{
	size_t best = 0;
	for (evr_event_id start = 0; start < n; start++) {
		size_t distance[MOST] = { 0 }, len = 1;
		evr_event_id queue[MOST] = { start };
		for (size_t i = 0; i < len; i++)
			for (evr_event_id to = 0; to < n; to++) {
				bool linked = false;
				for (unsigned k = 0; k <= EVR_CYCLE_FR; k++)
					linked |= evr_relation_has(&e->of[k], queue[i], to);
				if (!linked || distance[to])
					continue;
				distance[to] = distance[queue[i]] + 1;
				if (to != start)
					queue[len++] = to;
			}
		if (distance[start] && (!best || distance[start] < best))
			best = distance[start];
	}
	return best;
}

static void is_a_cycle(const struct evr_trace *t, const struct edges *e, const evr_cycle *c, evr_event_id over)
{
	assert_int_equal(c->data[1].event, over);
	assert_true(c->data[0].edge <= EVR_CYCLE_JOIN && c->data[1].edge > EVR_CYCLE_JOIN);
	for (size_t i = 0; i < c->len; i++) {
		evr_event_id a = c->data[i].event, b = c->data[(i + 1) % c->len].event;
		assert_true(has_edge(e, c->data[i].edge, a, b));
		assert_false(c->data[i].overtaken);
		assert_true((c->data[i].edge == EVR_CYCLE_PO) ==
			    (t->events.data[a].thread == t->events.data[b].thread));
	}
}

/*
 * Definition 3.1 of paper 000, with more fences than the trace has: their numbers follow those of its events, and each is right before
 * an event, in the order in which all fences are chained.
 */
struct chain {
	evr_event_id fence[MOST], before[MOST]; /* before: of those that are new; EVR_NO_EVENT for others */
	size_t len;
};

static void add_fence(struct evr_relation *r, const struct evr_trace *t, evr_event_id fence, evr_event_id before)
{
	for (evr_event_id i = 0; i < t->events.len; i++) {
		if (t->events.data[i].thread != t->events.data[before].thread)
			continue;
		if (i < before)
			evr_relation_add(r, i, fence);
		else
			evr_relation_add(r, fence, i);
	}
}

static bool is_allowed(const struct evr_trace *t, const struct evr_graph *g, const struct edges *e,
		       const struct chain *c)
{
	size_t n = t->events.len, all = n + c->len;
	struct evr_relation hb = { 0 }, r = { 0 };
	bool fine = true;
	evr_relation_clear(&hb, all);
	for (evr_event_id a = 0; a < n; a++)
		for (evr_event_id b = 0; b < n; b++)
			if (has_edge(e, EVR_CYCLE_PO, a, b) || has_edge(e, EVR_CYCLE_RF, a, b))
				evr_relation_add(&hb, a, b);
	for (size_t i = 0; i < c->len; i++) {
		if (c->before[i] != EVR_NO_EVENT)
			add_fence(&hb, t, c->fence[i], c->before[i]);
		if (i)
			evr_relation_add(&hb, c->fence[i - 1], c->fence[i]);
	}
	for (size_t b = 0; fine && b < g->bytes.len; b++) {
		uintptr_t address = g->bytes.data[b].address;
		evr_relation_clear(&r, all);
		memcpy(r.bits.data, hb.bits.data, all * r.words * sizeof(uint64_t));
		for (evr_event_id i = 0; i < n; i++)
			for (evr_event_id k = 0; k < n; k++)
				if (accesses(&t->events.data[i]) && accesses(&t->events.data[k]) &&
				    t->events.data[i].address == address && t->events.data[k].address == address &&
				    (has_edge(e, EVR_CYCLE_CO, i, k) || has_edge(e, EVR_CYCLE_FR, i, k)))
					evr_relation_add(&r, i, k);
		fine = evr_relation_acyclic(&r);
	}
	evr_relation_release(&hb);
	evr_relation_release(&r);
	return fine;
}

/* In whichever order the fences from `from` on are chained. */
static bool is_ever_allowed(const struct evr_trace *t, const struct evr_graph *g, const struct edges *e, struct chain c,
			    size_t from)
{
	if (from == c.len)
		return is_allowed(t, g, e, &c);
	for (size_t i = from; i < c.len; i++) {
		struct chain other = c;
		other.fence[from] = c.fence[i];
		other.before[from] = c.before[i];
		other.fence[i] = c.fence[from];
		other.before[i] = c.before[from];
		if (is_ever_allowed(t, g, e, other, from + 1))
			return true;
	}
	return false;
}

static struct chain chain_of(const struct evr_trace *t)
{
	struct chain c = { .len = 0 };
	for (evr_event_id i = 0; i < t->events.len; i++)
		if (t->events.data[i].kind == EVR_FENCE) {
			c.fence[c.len] = i;
			c.before[c.len++] = EVR_NO_EVENT;
		}
	return c;
}

/* With the fences that are proposed the execution cannot be, however the fences are ordered. */
static size_t fences_forbid(const struct evr_trace *t, const struct evr_graph *g, const struct edges *e,
			    evr_cycle *cycle)
{
	struct chain c = chain_of(t);
	size_t old = c.len, missing = 0;
	evr_cycle_place_fences(t, cycle, NULL);
	for (size_t i = 0; i < cycle->len; i++) {
		if (!cycle->data[i].fence)
			continue;
		assert_int_equal(cycle->data[i].edge, EVR_CYCLE_PO);
		c.fence[c.len] = (evr_event_id)(t->events.len + missing++);
		c.before[c.len++] = cycle->data[(i + 1) % cycle->len].event;
	}
	assert_true(missing > 0);
	if (old + missing <= 5)
		assert_false(is_ever_allowed(t, g, e, c, 0));
	return missing;
}

static void finds_cycles_and_fences(void **state)
{
	(void)state;
	struct evr_trace t = { 0 };
	struct evr_graph g = { 0 };
	struct edges e = { 0 };
	struct evr_cycle_search *search = evr_cycle_search_new();
	evr_cycle cycle = { 0 };
	unsigned found = 0, none = 0, one = 0;
	seed = 5;
	for (int round = 0; round < 400000 && found < 500; round++) {
		some_execution(&t);
		evr_graph_build(&g, &t, true);
		if (!evr_model_ra.allows(&g))
			continue;
		relate(&g, &e);
		assert_true(is_allowed(&t, &g, &e, &(struct chain){ .len = 0 }));
		size_t best = 0, expected = shortest(&e, t.events.len);
		evr_cycle_search_begin(search, &t, true);
		for (evr_event_id i = 0; (i = evr_cycle_start(search, i)) != EVR_NO_EVENT; i++) {
			if (!evr_cycle_through(search, i, &cycle))
				continue;
			is_a_cycle(&t, &e, &cycle, i);
			best = !best || cycle.len < best ? cycle.len : best;
			one += fences_forbid(&t, &g, &e, &cycle) == 1;
		}
		assert_int_equal(best, expected);
		*(best ? &found : &none) += 1;
	}
	assert_true(found >= 500 && none > 3000 && one > 100);
	for (unsigned k = 0; k <= EVR_CYCLE_FR; k++)
		evr_relation_release(&e.of[k]);
	evr_vec_release(&cycle);
	evr_cycle_search_free(search);
	evr_graph_release(&g);
	evr_trace_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_interleavings),
		cmocka_unit_test(ignores_the_order_of_fences),
		cmocka_unit_test(finds_cycles_and_fences),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
