/*
 * The execution is recorded as a reads-from trace, and SC's oracle is asked about all of it.
 *
 * Invariant between two calls: locations stay known, and no event of the last trace matters.
 */
#include "model/interleaving.h"

#include "model/oracle.h"

#include <stdlib.h>

#define NONE EVR_NO_EVENT

struct evr_interleaving {
	struct evr_rf trace;
	struct evr_oracle *oracle;
	struct evr_rf_change whole; /* the question: nothing stays, and all events follow */
};

struct evr_interleaving *evr_interleaving_new(void)
{
	struct evr_interleaving *o = evr_alloc(sizeof(*o));
	evr_rf_init(&o->trace, NULL);
	o->trace.names_sources = true;
	o->oracle = evr_oracle_sc.create(&o->trace);
	return o;
}

void evr_interleaving_free(struct evr_interleaving *o)
{
	struct evr_rf_change *c = &o->whole;
	o->oracle->ops->destroy(o->oracle);
	evr_rf_release(&o->trace);
	evr_vecs_release(&c->items, &c->from, &c->afters, &c->sources, &c->number, &c->order);
	free(o);
}

static bool accesses_memory(const struct evr_event *e)
{
	return e->kind != EVR_FENCE && (evr_event_reads(e) || evr_event_writes(e));
}

/* All locations come first: memory must not be divided anew when events refer to its cells. */
static void record(struct evr_rf *t, const struct evr_trace *trace)
{
	evr_rf_unrecord(t, 0);
	evr_rf_rewind(t, 0);
	t->order.len = t->position.len = 0;
	t->trace = trace;
	for (size_t i = 0; i < trace->events.len; i++) {
		const struct evr_event *e = &trace->events.data[i];
		if (!accesses_memory(e))
			continue;
		evr_rf_location(t, e);
		evr_vec_push(&t->position, (evr_event_id)i);
	}
	evr_rf_begin(t);
	evr_rf_finish(t);
}

/* The numbers of the events stay what they are. */
static void ask_about_all(struct evr_interleaving *o)
{
	const struct evr_rf *t = &o->trace;
	struct evr_rf_change *c = &o->whole;
	c->items.len = c->from.len = c->number.len = c->afters.len = c->sources.len = 0;
	for (evr_event_id e = 0; e < t->events.len; e++) {
		evr_vec_push(&c->items, t->events.data[e]);
		evr_vec_push(&c->from, e);
		evr_vec_push(&c->number, e);
	}
	for (size_t i = 0; i < t->afters.len; i++)
		evr_vec_push(&c->afters, t->afters.data[i]);
	for (size_t i = 0; i < t->sources.len; i++)
		evr_vec_push(&c->sources, t->sources.data[i]);
}

bool evr_interleaving_find(struct evr_interleaving *o, const struct evr_trace *t, const evr_rf_ids **order)
{
	record(&o->trace, t);
	ask_about_all(o);
	if (!o->oracle->ops->consistent(o->oracle, &o->whole))
		return false;
	evr_rf_ids *found = &o->whole.order;
	for (size_t k = 0; k < found->len; k++)
		found->data[k] = o->trace.position.data[o->trace.rank.data[found->data[k]]];
	*order = found;
	return true;
}
