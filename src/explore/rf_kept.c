/*
 * Engine `rf`: branches that wait for their turn. Whether one is possible is asked only then: of a long execution there are many, and
 * each question is about all of its events. A branch is kept as what it changes in the trace in which it was found. All branches of an execution share one
 * copy of that trace, which is made when the trace is about to become another one, if there still are branches of it then.
 *
 * Invariants: a copy has the events from the first node on at which there is a branch of it; those before the node are in the present
 * trace as long as the node is. It goes with its last branch. What is shown of it is what the branch needs that is shown, at least.
 */
#include "explore/rf_search.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

/* An event. `details` have what most events do not need. */
struct item {
	evr_thread_id thread;
	uint8_t kind, flags;
	uint32_t index : 27, order : 4, apart : 1;
	uint32_t location;
	evr_event_id source;
};

#define MORE 0x80 /* in an item's flags: it has details */

/* The events of a trace, in one block, and the order in which they were executed. */
struct evr_rf_kept_trace {
	uint32_t branches; /* how many are still to be taken */
	evr_event_id from; /* the first event */
	uint32_t items, details;
	uint32_t steps; /* bytes, if every event takes effect at once: of small numbers, the threads whose turn it is */
	uint32_t order_len; /* otherwise the order as it is: so many of the details, the last */
	struct item *item; /* items, details, and then steps */
};

struct evr_rf_branch {
	struct evr_rf_branch *next;
	struct evr_rf_kept_trace *trace;
	uint32_t changed; /* 0: it stands for all branches of the read at its node that have not been found yet */
	uint32_t details, threads;
	/* Its past, of so many threads; the changed events, and which ones they are; details. */
};

/* ---- events ---- */

static bool reads_cells(const struct evr_rf_event *x)
{
	return x->cells > 1 && x->flags & EVR_RF_READS;
}

/* Variant, region, how many others it comes after, these, and its sources if there are several. */
static uint32_t details_of(const struct evr_rf_event *x)
{
	if (EVR_LIKELY(!x->variant && !x->region && !x->afters && !reads_cells(x)))
		return 0;
	return 3 + x->afters + (reads_cells(x) ? x->cells : 0);
}

static uint32_t *pack(const struct evr_rf_event *x, const evr_event_id *afters, const evr_event_id *sources,
		      struct item *item, uint32_t *details)
{
	bool more = details_of(x) > 0;
	*item = (struct item){
		.thread = x->thread,
		.kind = x->kind,
		.flags = (uint8_t)(x->flags | (more ? MORE : 0)),
		.index = x->index,
		.order = x->order,
		.apart = x->apart,
		.location = x->location,
		.source = x->source,
	};
	if (!more)
		return details;
	*details++ = x->variant;
	*details++ = x->region;
	*details++ = x->afters;
	for (uint32_t i = 0; i < x->afters; i++)
		*details++ = afters[x->after + i];
	for (uint32_t i = 0; reads_cells(x) && i < x->cells; i++)
		*details++ = sources[x->sources + i];
	return details;
}

static const uint32_t *unpack(const struct evr_rf *t, const struct item *item, const uint32_t *details,
			      struct evr_rf_changed *c)
{
	struct evr_rf_event *x = &c->event;
	x->thread = item->thread;
	x->kind = item->kind;
	x->flags = item->flags & ~MORE;
	x->index = item->index;
	x->order = item->order;
	x->apart = item->apart;
	x->location = item->location;
	x->source = item->source;
	x->variant = x->region = x->afters = x->after = x->sources = 0;
	if (x->location != EVR_NO_LOCATION) {
		x->cell = t->division.of.data[x->location].cell;
		x->cells = t->division.of.data[x->location].cells;
	}
	c->afters = c->sources = NULL;
	if (item->flags & MORE) {
		x->variant = *details++;
		x->region = *details++;
		x->afters = *details++;
		c->afters = details;
		details += x->afters;
		c->sources = details;
		details += reads_cells(x) ? x->cells : 0;
	}
	return details;
}

/* ---- branches ---- */

struct changed_item {
	struct item item;
	evr_event_id id;
};

static size_t size_of_branch(const struct evr_rf_branch *b)
{
	return sizeof(*b) + b->threads * sizeof(int32_t) + b->changed * sizeof(struct changed_item) +
	       b->details * sizeof(uint32_t);
}

void evr_rf_keep_branch(struct evr_rf_search *f, evr_event_id node, const int32_t *past,
			const struct evr_rf_changed *changed, unsigned n)
{
	struct evr_rf_kept *k = &f->kept;
	struct evr_rf_node *at = &f->nodes.data[node];
	if (!k->shown) {
		k->shown = k->present = evr_pool_get(&k->pool, sizeof(*k->present));
		*k->present = (struct evr_rf_kept_trace){ .from = node };
	}
	struct evr_rf_branch head = { at->branches, k->shown, n, 0, n ? f->t.threads : 0 };
	for (unsigned i = 0; i < n; i++)
		head.details += details_of(&changed[i].event);
	struct evr_rf_branch *b = evr_pool_get(&k->pool, size_of_branch(&head));
	*b = head;
	at->branches = b;
	b->trace->branches++;
	if (node < b->trace->from)
		b->trace->from = node;
	int32_t *clock = (int32_t *)(b + 1);
	struct changed_item *item = (struct changed_item *)(clock + b->threads);
	uint32_t *details = (uint32_t *)(item + n);
	if (n)
		memcpy(clock, past, b->threads * sizeof(*clock));
	for (unsigned i = 0; i < n; i++) {
		details = pack(&changed[i].event, changed[i].afters, changed[i].sources, &item[i].item, details);
		item[i].id = changed[i].id;
	}
}

static void release_trace(struct evr_rf_kept *k, struct evr_rf_kept_trace *s)
{
	size_t size = s->items * sizeof(struct item) + s->details * sizeof(uint32_t) + s->steps;
	if (k->shown == s)
		k->shown = NULL;
	if (k->present == s)
		k->present = NULL;
	else
		evr_pool_put(&k->pool, s->item, size);
	evr_pool_put(&k->pool, s, sizeof(*s));
}

static void release_branch(struct evr_rf_kept *k, struct evr_rf_branch *b)
{
	if (!--b->trace->branches)
		release_trace(k, b->trace);
	evr_pool_put(&k->pool, b, size_of_branch(b));
}

void evr_rf_drop_branch(struct evr_rf_search *f, evr_event_id node)
{
	struct evr_rf_branch *b = f->nodes.data[node].branches;
	f->nodes.data[node].branches = b->next;
	release_branch(&f->kept, b);
}

/* ---- traces ---- */

void evr_rf_keep_present(struct evr_rf_search *f)
{
	const struct evr_rf *t = &f->t;
	struct evr_rf_kept_trace *s = f->kept.present;
	if (!s)
		return;
	bool at_once = t->order.len == t->events.len && t->threads <= UINT8_MAX + 1;
	s->items = (uint32_t)t->events.len - s->from;
	*(at_once ? &s->steps : &s->order_len) = (uint32_t)t->order.len;
	s->details = s->order_len;
	for (evr_event_id e = s->from; e < t->events.len; e++)
		s->details += details_of(&t->events.data[e]);
	size_t size = s->items * sizeof(struct item) + s->details * sizeof(uint32_t) + s->steps;
	s->item = evr_pool_get(&f->kept.pool, size);
	uint32_t *details = (uint32_t *)(s->item + s->items);
	uint8_t *steps = (uint8_t *)(details + s->details);
	for (uint32_t i = 0; i < s->items; i++)
		details = pack(&t->events.data[s->from + i], t->afters.data, t->sources.data, &s->item[i], details);
	for (size_t i = 0; i < s->steps; i++)
		steps[i] = (uint8_t)t->events.data[t->order.data[i]].thread;
	if (s->order_len)
		memcpy(details, t->order.data, s->order_len * sizeof(*details));
	f->kept.present = NULL;
}

/* The order in which the trace was executed, as far as it has the events. */
static void show_order(struct evr_rf *t, const struct evr_rf_kept_trace *s)
{
	const uint32_t *details = (const uint32_t *)(s->item + s->items);
	const uint8_t *steps = (const uint8_t *)(details + s->details);
	const evr_event_id *order = details + s->details - s->order_len;
	uint32_t done[EVR_MAX_THREADS];
	memset(done, 0, t->threads * sizeof(*done));
	t->order.len = 0;
	evr_vec_reserve(&t->order, s->steps + s->order_len);
	evr_vec_reserve(&t->rank, t->events.len);
	evr_vec_reserve(&t->effect, t->events.len);
	for (uint32_t i = 0; i < s->steps; i++) {
		const evr_rf_ids *mine = &t->of_thread[steps[i]];
		uint32_t n = done[steps[i]]++;
		if (n < mine->len)
			t->order.data[t->order.len++] = mine->data[n];
	}
	for (uint32_t i = 0; i < s->order_len; i++)
		if (evr_rf_event_of(order[i]) < t->events.len)
			t->order.data[t->order.len++] = order[i];
	for (uint32_t i = 0; i < t->order.len; i++) {
		evr_event_id e = evr_rf_event_of(t->order.data[i]);
		(evr_rf_is_update(t->order.data[i]) ? &t->effect : &t->rank)->data[e] = i;
	}
}

/* Its events from the node on, those below `end`; the ones before the node are there. */
static void show_trace(struct evr_rf_search *f, struct evr_rf_kept_trace *s, evr_event_id node, evr_event_id end)
{
	struct evr_rf *t = &f->t;
	struct evr_rf_kept *k = &f->kept;
	evr_rf_keep_present(f);
	if (!k->moved) {
		evr_rf_ids ran = k->ran;
		k->ran = t->order;
		t->order = ran;
		k->moved = true;
	}
	evr_rf_rewind(t, node);
	f->oracle->ops->rewind(f->oracle, node);
	const uint32_t *details = (const uint32_t *)(s->item + s->items);
	for (evr_event_id i = 0; i < s->items && s->from + i < end; i++) {
		struct evr_rf_changed c = { 0 };
		details = unpack(t, &s->item[i], details, &c);
		if (s->from + i >= node)
			evr_rf_append(t, &c.event, c.afters, c.sources);
	}
	show_order(t, s);
	k->shown = s;
}

/* The branch needs no events of its trace from this one on. */
static evr_event_id end_of(const struct evr_rf_branch *b, const int32_t *clock, const struct changed_item *item,
			   evr_event_id node)
{
	const struct evr_rf_kept_trace *s = b->trace;
	evr_event_id end = node;
	for (uint32_t i = 0; i < b->changed; i++)
		if (item[i].id != NONE && item[i].id >= end)
			end = item[i].id + 1;
	for (uint32_t i = s->items; i-- > 0 && s->from + i >= end;)
		if (clock[s->item[i].thread] > (int32_t)s->item[i].index)
			return s->from + i + 1;
	return end;
}

bool evr_rf_find_kept_branches(struct evr_rf_search *f, evr_event_id node)
{
	struct evr_rf_branch *b = f->nodes.data[node].branches;
	const struct evr_rf_kept_trace *s = b->trace;
	if (b->changed)
		return false;
	if (f->kept.shown != s || (f->kept.present != s && f->t.events.len < s->from + s->items))
		show_trace(f, b->trace, node, NONE);
	/* Those that are found now belong to the same trace, which b keeps until then. */
	f->nodes.data[node].branches = b->next;
	evr_rf_find_branches_of(f, node);
	release_branch(&f->kept, b);
	return true;
}

unsigned evr_rf_show_branch(struct evr_rf_search *f, evr_event_id node, struct evr_rf_changed changed[2],
			    const int32_t **past)
{
	struct evr_rf_kept *k = &f->kept;
	const struct evr_rf_branch *b = f->nodes.data[node].branches;
	const int32_t *clock = (const int32_t *)(b + 1);
	const struct changed_item *item = (const struct changed_item *)(clock + b->threads);
	const uint32_t *details = (const uint32_t *)(item + b->changed);
	if (k->shown != b->trace) {
		show_trace(f, b->trace, node, end_of(b, clock, item, node));
	} else if (k->present != b->trace) {
		evr_event_id end = end_of(b, clock, item, node);
		/* The next one that needs more may need still more. */
		if (end > f->t.events.len)
			show_trace(f, b->trace, node, NONE);
	}
	/* There may be more threads by now. */
	evr_vec_clear(&k->past);
	for (unsigned i = 0; i < f->t.threads; i++)
		evr_vec_push(&k->past, i < b->threads ? clock[i] : 0);
	*past = k->past.data;
	for (uint32_t i = 0; i < b->changed; i++) {
		changed[i].id = item[i].id;
		changed[i].event = item[i].id == NONE ? (struct evr_rf_event){ 0 } : f->t.events.data[item[i].id];
		details = unpack(&f->t, &item[i].item, details, &changed[i]);
	}
	return b->changed;
}

bool evr_rf_show_order_that_ran(struct evr_rf_search *f)
{
	struct evr_rf_kept *k = &f->kept;
	bool moved = k->moved;
	evr_rf_keep_present(f);
	if (moved) {
		evr_rf_ids shown = f->t.order;
		f->t.order = k->ran;
		k->ran = shown;
	}
	k->moved = false;
	k->shown = NULL;
	return moved;
}

void evr_rf_kept_clear(struct evr_rf_kept *k)
{
	evr_pool_release(&k->pool);
	k->present = k->shown = NULL;
	k->moved = false;
}

void evr_rf_kept_release(struct evr_rf_kept *k)
{
	evr_rf_kept_clear(k);
	evr_vecs_release(&k->ran, &k->past);
}
