/*
 * A cycle of an execution that SC does not have, told to people: drawn, with the fences, or the orders of accesses, that forbid it.
 *
 * Invariant: the trace is the one that the cycle was found in, and if its events name their sources, coherence is complete.
 */
#include "runtime/findings/robust.h"

#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

/* ---- telling ---- */

static void add_short_place(struct evr_strbuf *out, const struct evr_site *s)
{
	const char *slash = s ? strrchr(s->file, '/') : NULL;
	evr_strbuf_printf(out, "%s:%u", slash ? slash + 1 : s ? s->file : "?", s ? s->line : 0);
}

static void add_place(struct evr_strbuf *out, const struct evr_site *s, bool column)
{
	evr_strbuf_printf(out, "%s:%u", s ? s->file : "?", s ? s->line : 0);
	if (column && s)
		evr_strbuf_printf(out, ":%u", s->column);
}

static void add_pair(struct evr_strbuf *out, const struct evr_event *a, const struct evr_event *b)
{
	const struct evr_site *x = a->site, *y = b->site;
	bool one_line = x && y && x->line == y->line && !strcmp(x->file, y->file);
	evr_strbuf_puts(out, "between ");
	add_place(out, x, one_line);
	evr_strbuf_puts(out, " and ");
	add_place(out, y, one_line);
}

/* Before a load only the weightiest fence helps; between stores it is enough that they leave in order. */
static bool needs_full_fence(const struct evr_event *second)
{
	return evr_robust_by_sources() || evr_event_reads(second);
}

static void add_event(struct evr_strbuf *out, const struct evr_event *e)
{
	struct evr_strbuf location, effect;
	evr_strbuf_init(&location);
	evr_strbuf_init(&effect);
	evr_name_location(&location, e);
	evr_name_effect(&effect, e);
	if (e->kind != EVR_WRITE)
		evr_strbuf_printf(out, "%s%s", evr_event_name(e), location.len ? " " : "");
	evr_strbuf_puts(out, location.text);
	if (effect.len)
		evr_strbuf_printf(out, "%s%s", location.len ? " = " : " ", effect.text);
	evr_strbuf_release(&location);
	evr_strbuf_release(&effect);
}

/* "thread 1", "sb.c:12", "x = 1" */
#define COLUMNS 3

static void add_column(struct evr_strbuf *out, unsigned column, const struct evr_event *e)
{
	if (column == 0)
		evr_strbuf_printf(out, "thread %u", e->thread);
	else if (column == 1)
		add_short_place(out, e->site);
	else
		add_event(out, e);
}

static size_t width_of(const evr_cycle *c, unsigned column)
{
	struct evr_strbuf b;
	size_t width = 0;
	evr_strbuf_init(&b);
	for (size_t i = 0; i < c->len; i++) {
		evr_strbuf_clear(&b);
		add_column(&b, column, &evr_rt.world.trace.events.data[c->data[i].event]);
		width = b.len > width ? b.len : width;
	}
	evr_strbuf_release(&b);
	return width;
}

static void draw(struct evr_strbuf *out, const evr_cycle *c)
{
	size_t width[COLUMNS];
	for (unsigned k = 0; k < COLUMNS; k++)
		width[k] = width_of(c, k);
	evr_strbuf_puts(out, "a cycle: each access must come before the next, which no interleaving allows\n");
	for (size_t i = 0; i < c->len; i++) {
		for (unsigned k = 0; k < COLUMNS; k++) {
			size_t begin = out->len + 2;
			evr_strbuf_puts(out, "  ");
			add_column(out, k, &evr_rt.world.trace.events.data[c->data[i].event]);
			while (out->len < begin + width[k])
				evr_strbuf_putc(out, ' ');
		}
		evr_strbuf_printf(out, "  --%s-->", evr_cycle_edge_name(c->data[i].edge));
		if (c->data[i].overtaken)
			evr_strbuf_puts(out, "  (still buffered)");
		if (i + 1 == c->len)
			evr_strbuf_puts(out, "  back to the first");
		evr_strbuf_putc(out, '\n');
	}
}

/* Is a fence missing between step i of the cycle and the next: may the model reorder them? */
static bool lacks_fence(const evr_cycle *c, size_t i)
{
	if (evr_robust_by_sources())
		return c->data[i].fence;
	return c->data[i].edge == EVR_CYCLE_PO &&
	       evr_cycle_relaxed(&evr_rt.world.trace, c->data[i].event, c->data[(i + 1) % c->len].event,
				 evr_rt.world.model->keeps);
}

/* Several threads may have run the same lines. */
static bool proposed(const evr_cycle *c, size_t i)
{
	const struct evr_event *events = evr_rt.world.trace.events.data;
	for (size_t k = 0; k < i; k++)
		if (lacks_fence(c, k) && events[c->data[k].event].site == events[c->data[i].event].site &&
		    events[c->data[k + 1].event].site == events[c->data[(i + 1) % c->len].event].site)
			return true;
	return false;
}

/* All that the model may reorder, not only what it did here: else it would do the rest another time. */
static void propose(struct evr_strbuf *out, const evr_cycle *c)
{
	const struct evr_event *events = evr_rt.world.trace.events.data;
	evr_strbuf_puts(out, "fences that forbid it, each right before the second access:\n");
	for (size_t i = 0; i < c->len; i++) {
		const struct evr_event *a = &events[c->data[i].event], *b = &events[c->data[(i + 1) % c->len].event];
		if (!lacks_fence(c, i) || proposed(c, i))
			continue;
		evr_strbuf_puts(out, "  ");
		add_pair(out, a, b);
		evr_strbuf_puts(out,
				needs_full_fence(b)
					? ": a full fence, atomic_thread_fence(memory_order_seq_cst)\n"
					: ": a release fence, atomic_thread_fence(memory_order_release), or make the "
					  "second a release store\n");
	}
}

/* ---- orders ---- */

#define LARGE 2000 /* of so many events nobody asks the axioms, which are slow */

/* How strong accesses that are executed at a place are to be; those that are stronger already stay so. */
enum strength { AS_IT_IS, RELEASE_ACQUIRE, SEQ_CST };

struct place {
	const struct evr_site *site;
	enum strength strength;
};
typedef EVR_VEC(struct place) places;

static unsigned raised(const struct evr_event *e, enum strength strength)
{
	bool reads = evr_event_reads(e), writes = evr_event_writes(e);
	if (strength == AS_IT_IS || evr_event_order_taken(e) == EVR_SEQ_CST)
		return evr_event_order_taken(e);
	if (strength == SEQ_CST)
		return EVR_SEQ_CST;
	return reads && writes ? EVR_ACQ_REL : reads ? EVR_ACQUIRE : EVR_RELEASE;
}

static enum strength strength_at(const places *all, const struct evr_site *site)
{
	for (size_t i = 0; i < all->len; i++)
		if (all->data[i].site == site)
			return all->data[i].strength;
	return AS_IT_IS;
}

/* Does the model not allow the execution of the cycle if these accesses on the cycle are stronger? */
static bool orders_forbid(const evr_cycle *c, const places *all)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	struct evr_trace changed = *t;
	struct evr_graph graph = { 0 };
	struct evr_site *sites = evr_alloc(c->len * sizeof(*sites));
	changed.events.data = NULL;
	changed.events.len = changed.events.cap = 0;
	for (size_t i = 0; i < t->events.len; i++)
		evr_vec_push(&changed.events, t->events.data[i]);
	EVR_ASSERT(changed.events.data);
	for (size_t i = 0; i < c->len; i++) {
		struct evr_event *e = &changed.events.data[c->data[i].event];
		enum strength strength = strength_at(all, e->site);
		if (strength == AS_IT_IS)
			continue;
		unsigned order = raised(e, strength);
		sites[i] = *e->site;
		if (e->kind == EVR_CAS && !evr_event_writes(e))
			sites[i].flags = (uint8_t)(sites[i].flags % EVR_SITE_FAILURE + EVR_SITE_FAILURE * order);
		else
			sites[i].order = (uint8_t)order;
		e->site = &sites[i];
	}
	evr_graph_build(&graph, &changed, true);
	bool forbidden = !evr_rt.world.model->allows(&graph);
	evr_graph_release(&graph);
	evr_trace_release(&changed);
	free(sites);
	return forbidden;
}

/* As weak as possible, one place after the other. False: even seq_cst everywhere does not forbid the cycle. */
static bool choose_orders(const evr_cycle *c, places *all)
{
	const struct evr_event *events = evr_rt.world.trace.events.data;
	for (size_t i = 0; i < c->len; i++) {
		const struct evr_event *e = &events[c->data[i].event];
		bool atomic = evr_event_is_access(e) && evr_event_order(e) != EVR_PLAIN;
		if (atomic && evr_event_order_taken(e) != EVR_SEQ_CST && strength_at(all, e->site) == AS_IT_IS)
			evr_vec_push(all, (struct place){ e->site, SEQ_CST });
	}
	if (!all->len || !orders_forbid(c, all))
		return false;
	for (size_t i = 0; i < all->len; i++) {
		struct place *p = &all->data[i];
		p->strength = AS_IT_IS;
		while (p->strength < SEQ_CST && !orders_forbid(c, all))
			p->strength++;
	}
	return true;
}

/* If stronger accesses forbid the cycle as well as fences do, say which. */
static void propose_orders(struct evr_strbuf *out, const evr_cycle *c)
{
	const struct evr_event *events = evr_rt.world.trace.events.data;
	places all = { 0 };
	if (evr_robust_by_sources() && evr_rt.world.trace.events.len <= LARGE && choose_orders(c, &all))
		evr_strbuf_puts(out, "or stronger orders that forbid it:\n");
	else
		evr_vec_clear(&all);
	for (size_t i = 0; i < c->len; i++) {
		const struct evr_event *e = &events[c->data[i].event];
		unsigned order = raised(e, strength_at(&all, e->site));
		bool told = strength_at(&all, e->site) == AS_IT_IS || order == evr_event_order_taken(e);
		for (size_t k = 0; k < i; k++)
			told |= events[c->data[k].event].site == e->site;
		if (told)
			continue;
		evr_strbuf_puts(out, "  ");
		add_place(out, e->site, true);
		evr_strbuf_printf(out, ": %s instead of %s\n", evr_order_name(order),
				  evr_order_name(evr_event_order_taken(e)));
	}
	evr_vec_release(&all);
}

/* ---- `--check` ---- */

/* When the event took effect, by its definition. */
static evr_event_id effect_of(const struct evr_trace *t, evr_event_id id)
{
	const struct evr_event *e = &t->events.data[id];
	for (evr_event_id i = id; evr_event_is_buffered(e) && i < t->events.len; i++) {
		const struct evr_event *u = &t->events.data[i];
		if (u->kind == EVR_UPDATE && u->thread == e->thread && u->index == e->index)
			return i;
	}
	return id;
}

static bool has_edge(const struct evr_graph *g, struct evr_relation *r, evr_event_id a, evr_event_id b,
		     enum evr_cycle_edge edge)
{
	const struct evr_event *x = &g->trace->events.data[a], *y = &g->trace->events.data[b];
	switch (edge) {
	case EVR_CYCLE_PO:
		return x->thread == y->thread && x->index < y->index;
	case EVR_CYCLE_CREATE:
		return x->kind == EVR_CREATE && x->other == y->thread;
	case EVR_CYCLE_JOIN:
		return y->kind == EVR_JOIN && y->other == x->thread;
	default:
		break;
	}
	evr_relation_clear(r, g->trace->events.len);
	if (edge == EVR_CYCLE_RF)
		evr_graph_add_rf(g, r, false);
	else if (edge == EVR_CYCLE_CO)
		evr_graph_add_co(g, r, SIZE_MAX);
	else
		evr_graph_add_fr(g, r, SIZE_MAX);
	/* The graph has the edges between neighbours only. */
	if (edge == EVR_CYCLE_CO)
		evr_relation_close(r);
	return evr_relation_has(r, a, b);
}

/* A cycle that is reported must be one, and only a store can be said to have been buffered. */
static void judge_cycle(const evr_cycle *c)
{
	struct evr_graph graph = { 0 };
	struct evr_relation relation = { 0 };
	const struct evr_trace *t = &evr_rt.world.trace;
	evr_graph_build(&graph, t, evr_robust_by_sources());
	for (size_t i = 0; i < c->len; i++) {
		const struct evr_cycle_step *step = &c->data[i];
		evr_event_id next = c->data[(i + 1) % c->len].event;
		bool late = step->edge == EVR_CYCLE_PO && effect_of(t, next) < effect_of(t, step->event);
		if (!has_edge(&graph, &relation, step->event, next, step->edge) || step->overtaken != late)
			evr_rt.engine->failure = "self-check: a cycle was reported that the execution does not have";
	}
	evr_relation_release(&relation);
	evr_graph_release(&graph);
}

void evr_robust_report(const struct evr_cycle_search *s, const evr_cycle *c)
{
	if (evr_rt.config.check)
		judge_cycle(c);
	const struct evr_trace *t = &evr_rt.world.trace;
	const struct evr_event *a = &t->events.data[c->data[0].event], *b = &t->events.data[c->data[1].event];
	struct evr_strbuf message, detail;
	evr_event_id last = 0;
	evr_strbuf_init(&message);
	evr_strbuf_init(&detail);
	evr_strbuf_printf(&message, "not possible under SC: a %s fence is missing ",
			  needs_full_fence(b) ? "full" : "release");
	add_pair(&message, a, b);
	draw(&detail, c);
	propose(&detail, c);
	propose_orders(&detail, c);
	for (size_t i = 0; i < c->len; i++) {
		evr_event_id effect = evr_cycle_effect(s, c->data[i].event);
		last = effect > last ? effect : last;
	}
	evr_fault_add("not-robust", b->site, b->thread, message.text, detail.text);
	evr_vec_last(&evr_execution.faults).event = last;
}
