/*
 * RC11, the C11 memory model as repaired by Lahav, Vafeiadis, Kang, Hur and Dreyer (PLDI 2017), relation by relation:
 *
 *   rs  = [W]; [W, atomic]; (rf; rmw)*              C++20 and C23; in C11 later atomic stores of the same thread belong to it, too
 *   sw  = [release]; ([F]; sb)?; rs; rf; [R, atomic]; (sb; [F])?; [acquire]
 *   hb  = (sb u sw u create u join)+
 *   eco = rf u mo; rf? u rb; rf?                    where rb = rf^-1; mo without identity
 *   COHERENCE     hb; eco? is irreflexive
 *   ATOMICITY     a read-modify-write comes right after its source
 *   NO-THIN-AIR   sb u rf is acyclic: the order of the trace
 *   scb = sb u sb|other; hb; sb|other u hb|loc u mo u rb     |other: not to the same location
 *   psc = ([SC] u [Fsc]; hb?); scb; ([SC] u hb?; [Fsc])  u  [Fsc]; (hb u hb; eco; hb); [Fsc]
 *   SC            psc is acyclic
 *
 * A step chooses a source, or a place in the modification order (model/sources.h). A read-modify-write is one event. A lock is one
 * that acquires, an unlock a release write; a trylock that fails is a relaxed read. The creation, the start and the end of a thread, and
 * its being joined, are events without a location.
 */
#include "model/rc11.h"
#include "model/oracle.h"
#include "model/sources.h"

struct rc11 {
	struct evr_sources sources;
	struct evr_relation sb, rf, rmw, sw, hb, mo, rb, eco, scb, psc;
	struct evr_relation left, right, one, two; /* for compositions */
};

/* ---- sets ---- */

static bool has_location(const struct evr_event *e)
{
	return evr_event_reads(e) || evr_event_writes(e);
}

static bool same_location(const struct evr_event *a, const struct evr_event *b)
{
	return has_location(a) && has_location(b) && a->address == b->address;
}

static unsigned order_of(const struct evr_event *e)
{
	return has_location(e) || e->kind == EVR_FENCE ? evr_event_order_if(e, evr_event_writes(e)) : EVR_PLAIN;
}

static bool acquires(const struct evr_event *e)
{
	unsigned o = order_of(e);
	return (evr_event_reads(e) || e->kind == EVR_FENCE) &&
	       (o == EVR_ACQUIRE || o == EVR_ACQ_REL || o == EVR_SEQ_CST);
}

static bool releases(const struct evr_event *e)
{
	unsigned o = order_of(e);
	return (evr_event_writes(e) || e->kind == EVR_FENCE) &&
	       (o == EVR_RELEASE || o == EVR_ACQ_REL || o == EVR_SEQ_CST);
}

static bool is_sc(const struct evr_event *e)
{
	return order_of(e) == EVR_SEQ_CST;
}

static bool is_sc_fence(const struct evr_event *e)
{
	return e->kind == EVR_FENCE && is_sc(e);
}

/* ---- relations ---- */

static void find_given(struct rc11 *m)
{
	const struct evr_trace *t = &m->sources.trial;
	evr_event_id n = (evr_event_id)t->events.len;
	evr_relation_clear(&m->sb, n);
	evr_relation_clear(&m->rf, n);
	evr_relation_clear(&m->rmw, n);
	for (evr_event_id b = 0; b < n; b++) {
		const struct evr_event *e = &t->events.data[b];
		for (evr_event_id a = 0; a < b; a++)
			if (t->events.data[a].thread == e->thread)
				evr_relation_add(&m->sb, a, b);
		if (evr_event_reads(e) && e->source != EVR_NO_EVENT)
			evr_relation_add(&m->rf, e->source, b);
		if (evr_event_reads(e) && evr_event_writes(e) && e->source != EVR_NO_EVENT)
			evr_relation_add(&m->rmw, e->source, b);
	}
}

/* Into `one`: ([release]; ([F]; sb)?); rs. `rmw` is rf; rmw, of which any number may follow. */
static void find_releases(struct rc11 *m, bool c11_sequences)
{
	const struct evr_trace *t = &m->sources.trial;
	evr_event_id n = (evr_event_id)t->events.len;
	evr_relation_clear(&m->left, n);
	for (evr_event_id a = 0; a < n; a++)
		for (evr_event_id b = a; b < n; b++) {
			const struct evr_event *x = &t->events.data[a], *y = &t->events.data[b];
			bool heads =
				y == x || (x->kind == EVR_FENCE && x->thread == y->thread) ||
				(c11_sequences && x->thread == y->thread && evr_event_writes(x) && same_location(x, y));
			if (releases(x) && heads && evr_event_writes(y) && order_of(y) != EVR_PLAIN)
				evr_relation_add(&m->left, a, b);
		}
	evr_relation_copy(&m->right, &m->rmw);
	evr_relation_close(&m->right);
	evr_relation_copy(&m->one, &m->left);
	evr_relation_add_composition(&m->one, &m->left, &m->right);
}

static void find_hb(struct rc11 *m, bool c11_sequences)
{
	const struct evr_trace *t = &m->sources.trial;
	evr_event_id n = (evr_event_id)t->events.len;
	find_releases(m, c11_sequences);
	evr_relation_clear(&m->two, n); /* rf; [R, atomic]; (sb; [F])?; [acquire] */
	for (evr_event_id r = 0; r < n; r++) {
		const struct evr_event *x = &t->events.data[r];
		if (!evr_event_reads(x) || order_of(x) == EVR_PLAIN || x->source == EVR_NO_EVENT)
			continue;
		for (evr_event_id b = r; b < n; b++) {
			const struct evr_event *y = &t->events.data[b];
			if (acquires(y) && (b == r || (y->kind == EVR_FENCE && y->thread == x->thread)))
				evr_relation_add(&m->two, x->source, b);
		}
	}
	evr_relation_clear(&m->sw, n);
	evr_relation_add_composition(&m->sw, &m->one, &m->two);
	evr_relation_copy(&m->hb, &m->sb);
	evr_relation_unite(&m->hb, &m->sw);
	for (evr_event_id a = 0; a < n; a++)
		for (evr_event_id b = a + 1; b < n; b++) {
			const struct evr_event *x = &t->events.data[a], *y = &t->events.data[b];
			if ((x->kind == EVR_CREATE && x->other == y->thread) ||
			    (y->kind == EVR_JOIN && y->other == x->thread))
				evr_relation_add(&m->hb, a, b);
		}
	evr_relation_close(&m->hb);
}

/* The initial writes are no events: what reads from one is before all writes to the location. */
static void find_eco(struct rc11 *m)
{
	const struct evr_graph *g = &m->sources.graph;
	const struct evr_trace *t = &m->sources.trial;
	evr_event_id n = (evr_event_id)t->events.len;
	evr_relation_clear(&m->mo, n);
	evr_relation_clear(&m->rb, n);
	for (evr_event_id w = 0; w < n; w++) {
		if (!evr_event_writes(&t->events.data[w]))
			continue;
		const struct evr_graph_byte *b = &g->bytes.data[*evr_map_get(&g->byte_of, t->events.data[w].address)];
		for (size_t k = b->writes.len; k > 0 && b->writes.data[k - 1] != w; k--)
			evr_relation_add(&m->mo, w, b->writes.data[k - 1]);
	}
	for (evr_event_id r = 0; r < n; r++) {
		const struct evr_event *e = &t->events.data[r];
		if (!evr_event_reads(e))
			continue;
		const struct evr_graph_byte *b = &g->bytes.data[*evr_map_get(&g->byte_of, e->address)];
		for (size_t k = b->writes.len; k > 0 && b->writes.data[k - 1] != e->source; k--)
			if (b->writes.data[k - 1] != r)
				evr_relation_add(&m->rb, r, b->writes.data[k - 1]);
	}
	evr_relation_copy(&m->eco, &m->rf);
	evr_relation_unite(&m->eco, &m->mo);
	evr_relation_unite(&m->eco, &m->rb);
	evr_relation_add_composition(&m->eco, &m->mo, &m->rf);
	evr_relation_add_composition(&m->eco, &m->rb, &m->rf);
}

static bool is_coherent(struct rc11 *m)
{
	evr_relation_copy(&m->one, &m->hb);
	evr_relation_add_composition(&m->one, &m->hb, &m->eco);
	return evr_relation_irreflexive(&m->one);
}

/* rb; mo has no read-modify-write: nothing comes between its source and itself. */
static bool is_atomic(struct rc11 *m)
{
	evr_relation_clear(&m->one, m->rb.n);
	evr_relation_add_composition(&m->one, &m->rb, &m->mo);
	return evr_relation_irreflexive(&m->one);
}

static void find_scb(struct rc11 *m)
{
	const struct evr_trace *t = &m->sources.trial;
	evr_event_id n = (evr_event_id)t->events.len;
	evr_relation_copy(&m->scb, &m->sb);
	evr_relation_unite(&m->scb, &m->mo);
	evr_relation_unite(&m->scb, &m->rb);
	evr_relation_clear(&m->one, n); /* sb|other */
	for (evr_event_id a = 0; a < n; a++)
		for (evr_event_id b = a + 1; b < n; b++) {
			bool same = same_location(&t->events.data[a], &t->events.data[b]);
			if (!same && evr_relation_has(&m->sb, a, b))
				evr_relation_add(&m->one, a, b);
			if (same && evr_relation_has(&m->hb, a, b))
				evr_relation_add(&m->scb, a, b);
		}
	evr_relation_clear(&m->two, n);
	evr_relation_add_composition(&m->two, &m->one, &m->hb);
	evr_relation_add_composition(&m->scb, &m->two, &m->one);
}

/* [SC] u [Fsc]; hb? and [SC] u hb?; [Fsc] */
static void find_ends(struct rc11 *m)
{
	const struct evr_trace *t = &m->sources.trial;
	evr_event_id n = (evr_event_id)t->events.len;
	evr_relation_clear(&m->left, n);
	evr_relation_clear(&m->right, n);
	for (evr_event_id a = 0; a < n; a++) {
		const struct evr_event *x = &t->events.data[a];
		if (!is_sc(x))
			continue;
		evr_relation_add(&m->left, a, a);
		evr_relation_add(&m->right, a, a);
		for (evr_event_id b = 0; is_sc_fence(x) && b < n; b++) {
			if (evr_relation_has(&m->hb, a, b))
				evr_relation_add(&m->left, a, b);
			if (evr_relation_has(&m->hb, b, a))
				evr_relation_add(&m->right, b, a);
		}
	}
}

static bool is_sequential(struct rc11 *m)
{
	const struct evr_trace *t = &m->sources.trial;
	evr_event_id n = (evr_event_id)t->events.len;
	bool any = false;
	for (evr_event_id a = 0; a < n; a++)
		any |= is_sc(&t->events.data[a]);
	if (!any)
		return true;
	find_scb(m);
	find_ends(m);
	evr_relation_clear(&m->one, n);
	evr_relation_add_composition(&m->one, &m->left, &m->scb);
	evr_relation_clear(&m->psc, n);
	evr_relation_add_composition(&m->psc, &m->one, &m->right);
	evr_relation_clear(&m->one, n);
	evr_relation_add_composition(&m->one, &m->hb, &m->eco);
	evr_relation_copy(&m->two, &m->hb);
	evr_relation_add_composition(&m->two, &m->one, &m->hb);
	for (evr_event_id a = 0; a < n; a++)
		for (evr_event_id b = 0; b < n && is_sc_fence(&t->events.data[a]); b++)
			if (is_sc_fence(&t->events.data[b]) && evr_relation_has(&m->two, a, b))
				evr_relation_add(&m->psc, a, b);
	return evr_relation_acyclic(&m->psc);
}

static bool possible(struct evr_world *w, const struct evr_event *e)
{
	struct rc11 *m = w->model_state;
	(void)e;
	find_given(m);
	find_hb(m, w->trace.c11_release_sequences);
	find_eco(m);
	return is_atomic(m) && is_coherent(m) && is_sequential(m);
}

static void begin(struct evr_world *w)
{
	evr_sources_begin(w, sizeof(struct rc11), possible);
}

/* By itself: without fences, and not by way of a release sequence. */
static bool synchronises(const struct evr_trace *t, const struct evr_event *write, const struct evr_event *read)
{
	(void)t;
	return releases(write) && acquires(read);
}

const struct evr_model_ops evr_model_rc11 = {
	EVR_MODEL_ROW(rc11),
	.memory_stays_initial = true,
	.coherence_per_location = true,
	.skips_ordered = true,
	.heeds_orders = true,
	.summary = "C11: each access has the order that it declares",
	.fences = 1u << EVR_ACQUIRE | 1u << EVR_RELEASE | 1u << EVR_ACQ_REL | 1u << EVR_SEQ_CST,
	.note_on_locked_atomics = "atomic objects of more than 16 bytes are accessed under a lock: "
				  "C11 allows more than was explored",
	.pieces = evr_model_no_pieces,
	.begin = begin,
	.steps = evr_sources_steps,
	.all_steps = evr_sources_all_steps,
	.ready = evr_model_thread_ready,
	.execute = evr_sources_execute,
	.allows = evr_rc11_allows,
	.oracle = &evr_oracle_rc11,
	.synchronises = synchronises,
};
