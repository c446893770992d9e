/*
 * Engine `rf`: the branches from the nodes of a trace. Invariant: the keys of a node have every branch that was asked for there, also
 * those that turned out to be impossible, until the search has left the node.
 */
#include "explore/rf_search.h"

#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

void evr_rf_search_clear(struct evr_rf_search *f)
{
	evr_vec_clear(&f->nodes);
	evr_vec_clear(&f->node_of);
	evr_set_clear(&f->keys);
	evr_set_clear(&f->explored);
	evr_rf_kept_clear(&f->kept);
	evr_vec_clear(&f->sums);
	f->block = f->extension = 0;
}

void evr_rf_search_release(struct evr_rf_search *f)
{
	evr_rf_kept_release(&f->kept);
	evr_set_release(&f->explored);
	evr_set_release(&f->keys);
	evr_vecs_release(&f->nodes, &f->node_of, &f->change.items, &f->change.from, &f->change.afters,
			 &f->change.sources, &f->change.number, &f->change.order, &f->hiding, &f->candidates, &f->sums);
	evr_clocks_release(&f->room);
}

/* ---- which branches have been asked for ---- */

static uint64_t identity(const struct evr_rf_event *x)
{
	return (uint64_t)x->thread << 32 | x->index;
}

static uint64_t identity_of_source(const struct evr_rf_search *f, evr_event_id source,
				   const struct evr_rf_event *before)
{
	if (source != EVR_RF_ITEM_BEFORE)
		return ~identity(&f->t.events.data[source]);
	EVR_ASSERT(before);
	return ~identity(before);
}

/* An event of a branch; `before`: the changed one before it. It is told by its thread and index, and by those of its sources. */
static void add_to_key(const struct evr_rf_search *f, struct evr_key *k, const struct evr_rf_event *x,
		       const evr_event_id *sources, const struct evr_rf_event *before)
{
	/* An event has a source or a variant, not both. */
	uint64_t way = x->source == NONE ? x->variant : identity_of_source(f, x->source, before);
	for (uint32_t i = 1; EVR_UNLIKELY(x->cells > 1) && x->flags & EVR_RF_READS && i < x->cells; i++) {
		evr_event_id source = sources[x->sources + i];
		way = evr_hash64(way + 1) ^ (source == NONE ? 0 : identity_of_source(f, source, before));
	}
	uint64_t one = evr_hash64(identity(x) ^ evr_hash64(way + 1));
	k->one += one;
	k->two += evr_hash64(one ^ 0x9e3779b97f4a7c15);
}

/* Is this branch new at the node? Then it is noted. */
static bool note_branch(struct evr_rf_search *f, evr_event_id node, struct evr_key k)
{
	k.one ^= evr_hash64(node + UINT64_C(1));
	return evr_set_add(&f->keys, k, &f->nodes.data[node].keys);
}

void evr_rf_forget(struct evr_rf_search *f, evr_event_id node)
{
	evr_set_remove(&f->keys, &f->nodes.data[node].keys);
}

void evr_rf_note(struct evr_rf_search *f, evr_event_id node, evr_event_id e)
{
	struct evr_key k = { 0 };
	add_to_key(f, &k, &f->t.events.data[e], f->t.sources.data, NULL);
	note_branch(f, node, k);
}

bool evr_rf_is_new(struct evr_rf_search *f)
{
	struct evr_key k = { 0 };
	for (evr_event_id e = 0; e < f->t.events.len; e++)
		add_to_key(f, &k, &f->t.events.data[e], f->t.sources.data, NULL);
	return evr_set_add(&f->explored, k, NULL);
}

bool evr_rf_note_block(struct evr_rf_search *f)
{
	struct evr_key k = { 0 };
	for (evr_event_id e = f->block; e < f->extension; e++)
		add_to_key(f, &k, &f->t.events.data[e], f->t.sources.data, NULL);
	return note_branch(f, f->block, k);
}

/* ---- asking ---- */

static evr_event_id source_number(const struct evr_rf_change *c, evr_event_id source)
{
	return source == EVR_RF_ITEM_BEFORE ? (evr_event_id)(c->prefix + c->items.len - 2) : evr_rf_number(c, source);
}

const struct evr_rf_event *evr_rf_add_item(struct evr_rf_search *f, const struct evr_rf_changed *z)
{
	struct evr_rf_change *c = &f->change;
	const struct evr_rf_event *x = &z->event;
	evr_event_id number = (evr_event_id)(c->prefix + c->items.len);
	evr_vec_push(&c->items, *x);
	evr_vec_push(&c->from, z->id);
	struct evr_rf_event *y = &evr_vec_last(&c->items);
	y->source = source_number(c, x->source);
	y->after = (uint32_t)c->afters.len;
	for (uint32_t i = 0; i < x->afters; i++)
		evr_vec_push(&c->afters, evr_rf_number(c, z->afters[x->after + i]));
	y->sources = (uint32_t)c->sources.len;
	for (uint32_t i = 0; x->cells > 1 && x->flags & EVR_RF_READS && i < x->cells; i++)
		evr_vec_push(&c->sources, source_number(c, z->sources[x->sources + i]));
	if (z->id != NONE)
		c->number.data[z->id - c->prefix] = number;
	return y;
}

void evr_rf_begin_change(struct evr_rf_search *f, evr_event_id node, evr_event_id end, unsigned changed)
{
	struct evr_rf_change *c = &f->change;
	c->prefix = node;
	c->changed = changed;
	c->items.len = c->from.len = c->afters.len = c->sources.len = 0;
	evr_vec_reserve(&c->number, end - node);
	c->number.len = end - node;
	for (evr_event_id i = node; i < end; i++)
		c->number.data[i - node] = NONE;
}

struct evr_rf_changed evr_rf_copy(const struct evr_rf *t, evr_event_id id, uint8_t flags)
{
	struct evr_rf_changed c = { id, t->events.data[id], t->afters.data, t->sources.data };
	c.event.flags = (uint8_t)(flags | (c.event.flags & EVR_RF_NATURE));
	return c;
}

unsigned evr_rf_kind(const struct evr_rf *t, evr_event_id id)
{
	unsigned kind = t->events.data[id].kind;
	return EVR_UNLIKELY(kind == EVR_FAULT) ? evr_rf_executed(t, id)->attempted : kind;
}

struct evr_rf_changed evr_rf_changed(const struct evr_rf *t, evr_event_id id, evr_event_id source, uint8_t flags)
{
	struct evr_rf_changed c = evr_rf_copy(t, id, (uint8_t)(flags | EVR_RF_CHANGED));
	if (EVR_UNLIKELY(c.event.kind == EVR_FAULT))
		c.event.flags |= evr_rf_nature(t, evr_rf_executed(t, id));
	c.event.kind = (uint8_t)evr_rf_kind(t, id);
	c.event.source = source;
	return c;
}

void evr_rf_sum_up(struct evr_rf_search *f)
{
	const struct evr_rf *t = &f->t;
	EVR_ASSERT(f->sums.len >= f->block);
	f->sums.len = f->block;
	for (evr_event_id e = f->block; e < t->events.len; e++) {
		const struct evr_rf_event *x = &t->events.data[e];
		struct evr_key k = { 0 };
		if (x->index)
			k = f->sums.data[t->of_thread[x->thread].data[x->index - 1]];
		add_to_key(f, &k, x, t->sources.data, NULL);
		evr_vec_push(&f->sums, k);
	}
}

/* Of the events from the node on that are in the past, of which there are so many of each thread, and of the changed ones. */
static struct evr_key key_of(const struct evr_rf_search *f, evr_event_id node, const int32_t *past,
			     const struct evr_rf_changed *changed, unsigned n)
{
	const struct evr_rf *t = &f->t;
	struct evr_key k = { 0 };
	for (unsigned i = 0; i < t->threads; i++) {
		const evr_rf_ids *mine = &t->of_thread[i];
		if (!past[i] || mine->data[past[i] - 1] < node)
			continue;
		const struct evr_key *last = &f->sums.data[mine->data[past[i] - 1]];
		uint32_t before = evr_rf_count_below(t, i, node);
		k.one += last->one;
		k.two += last->two;
		if (before) {
			k.one -= f->sums.data[mine->data[before - 1]].one;
			k.two -= f->sums.data[mine->data[before - 1]].two;
		}
	}
	for (unsigned i = 0; i < n; i++)
		add_to_key(f, &k, &changed[i].event, changed[i].sources, i ? &changed[i - 1].event : NULL);
	return k;
}

void evr_rf_propose(struct evr_rf_search *f, evr_event_id node, const int32_t *past,
		    const struct evr_rf_changed *changed, unsigned n)
{
	if (note_branch(f, node, key_of(f, node, past, changed, n)))
		evr_rf_keep_branch(f, node, past, changed, n);
}

void evr_rf_build_change(struct evr_rf_search *f, evr_event_id node, const int32_t *past,
			 const struct evr_rf_changed *changed, unsigned n)
{
	struct evr_rf *t = &f->t;
	evr_event_id end = node, last = node;
	for (unsigned i = 0; i < t->threads; i++)
		if (past[i] && t->of_thread[i].data[past[i] - 1] >= end)
			end = t->of_thread[i].data[past[i] - 1] + 1;
	last = end;
	for (unsigned i = 0; i < n; i++)
		if (changed[i].id != NONE && changed[i].id >= last)
			last = changed[i].id + 1;
	evr_rf_begin_change(f, node, last, n);
	for (evr_event_id i = node; i < end; i++) {
		const struct evr_rf_event *x = &t->events.data[i];
		if ((int32_t)x->index >= past[x->thread])
			continue;
		struct evr_rf_changed same =
			evr_rf_copy(t, i, (uint8_t)((x->flags & (EVR_RF_READS | EVR_RF_WRITES)) | EVR_RF_MARKED));
		evr_rf_add_item(f, &same);
	}
	for (unsigned i = 0; i < n; i++)
		evr_rf_add_item(f, &changed[i]);
}

void evr_rf_put_change(struct evr_rf_search *f)
{
	struct evr_rf *t = &f->t;
	const struct evr_rf_change *c = &f->change;
	evr_event_id node = c->prefix;
	evr_rf_keep_present(f);
	f->kept.shown = NULL;
	evr_rf_rewind(t, node);
	f->oracle->ops->rewind(f->oracle, node);
	f->nodes.len = node + 1;
	f->node_of.len = node;
	for (size_t i = 0; i < c->items.len; i++) {
		const struct evr_rf_event *x = &c->items.data[i];
		bool open = !(x->flags & EVR_RF_MARKED) && x->kind != EVR_CHOOSE;
		evr_rf_append(t, x, c->afters.data, c->sources.data);
		evr_vec_push(&f->node_of, open ? node : NONE);
		if (i)
			evr_vec_push(&f->nodes, (struct evr_rf_node){ NULL, 0 });
	}
	f->block = node;
	f->extension = (evr_event_id)t->events.len;
}

bool evr_rf_take_up(struct evr_rf_search *f, evr_event_id node)
{
	struct evr_rf_changed changed[2];
	const int32_t *past;
	if (EVR_UNLIKELY(evr_rf_find_kept_branches(f, node)))
		return false;
	unsigned n = evr_rf_show_branch(f, node, changed, &past);
	evr_rf_build_change(f, node, past, changed, n);
	evr_rf_drop_branch(f, node);
	if (!f->oracle->ops->consistent(f->oracle, &f->change))
		return false;
	evr_rf_put_change(f);
	return true;
}

/*
 * Read-modify-writes that have left what they found, each reading from the one before, the first from w: the last of them, or w. Whoever
 * has read from w finds the same there.
 */
static evr_event_id last_unchanged(const struct evr_rf *t, evr_event_id w, uint32_t location)
{
	evr_event_id i = evr_rf_last(t, location);
	while (i != NONE) {
		const struct evr_rf_event *x = &t->events.data[i];
		const struct evr_event *e = evr_rf_executed(t, i);
		bool leaves = x->flags & EVR_RF_WRITES && (x->kind == EVR_RMW || x->kind == EVR_CAS) && x->cells == 1 &&
			      e->read == e->written;
		if (leaves && i != w && x->source == w) {
			w = i;
			i = evr_rf_last(t, location);
		} else {
			i = x->older;
		}
	}
	return w;
}

/* The thread reads once more, after all other events, and finds what it found. */
static void add_reread(struct evr_rf_search *f, evr_event_id read, uint32_t index)
{
	struct evr_rf *t = &f->t;
	struct evr_rf_changed c = evr_rf_copy(t, read, EVR_RF_READS);
	evr_rf_ids all = { 0 };
	/* What a read-modify-write has left is what it found. */
	if (t->events.data[read].flags & EVR_RF_WRITES)
		c.event.source = read;
	c.event.source = last_unchanged(t, c.event.source, c.event.location);
	c.event.kind = EVR_READ;
	for (unsigned i = 0; i < t->threads; i++)
		if (i != c.event.thread && t->of_thread[i].len)
			evr_vec_push(&all, evr_vec_last(&t->of_thread[i]));
	c.id = NONE;
	c.event.index = index;
	c.event.after = 0;
	c.event.afters = (uint32_t)all.len;
	c.afters = all.data;
	evr_rf_add_item(f, &c);
	evr_vec_release(&all);
}

/* A question about the whole trace. */
static void change_nothing(struct evr_rf_search *f)
{
	struct evr_rf_change *c = &f->change;
	c->prefix = (evr_event_id)f->t.events.len;
	c->changed = 0;
	c->items.len = c->from.len = c->afters.len = c->sources.len = c->number.len = 0;
}

bool evr_rf_ask_for_rereads(struct evr_rf_search *f)
{
	struct evr_rf *t = &f->t;
	struct evr_rf_change *c = &f->change;
	change_nothing(f);
	for (unsigned i = 0; i < t->threads; i++) {
		evr_event_id since = f->world->await[i];
		uint32_t index = (uint32_t)t->of_thread[i].len;
		for (size_t k = 0; since != NONE && k < t->of_thread[i].len; k++) {
			evr_event_id e = t->of_thread[i].data[k];
			unsigned kind = t->events.data[e].kind;
			bool looks = kind == EVR_READ || kind == EVR_CAS || kind == EVR_RMW;
			if (looks && !(t->events.data[e].flags & EVR_RF_UNEXECUTED) &&
			    t->position.data[t->rank.data[e]] >= since)
				add_reread(f, e, index++);
		}
	}
	if (!f->oracle->ops->consistent(f->oracle, c))
		return false;
	size_t n = 0;
	for (size_t k = 0; k < c->order.len; k++)
		if (evr_rf_event_of(c->order.data[k]) < c->prefix)
			c->order.data[n++] = c->order.data[k];
	c->order.len = n;
	return true;
}

/* The store happens before its memory is freed; might it nevertheless take effect later? If its thread was joined, it cannot. */
static bool may_update_after_free(const struct evr_rf *t, evr_event_id store, evr_event_id free)
{
	const struct evr_rf_event *x = &t->events.data[store];
	const evr_rf_ids *mine = &t->of_thread[x->thread];
	uint32_t known = (uint32_t)evr_rf_past(t, free)[x->thread];
	if (!(x->flags & EVR_RF_BUFFERED) || known <= x->index || !evr_rf_touches(t, x, &t->events.data[free]))
		return false;
	for (uint32_t i = x->index + 1; i < known; i++)
		if (t->events.data[mine->data[i]].flags & EVR_RF_FLUSHES)
			return false;
	for (size_t i = 0; known == mine->len && i < t->events.len; i++)
		for (uint32_t k = 0; k < t->events.data[i].afters; k++)
			if (t->afters.data[t->events.data[i].after + k] == evr_vec_last(mine) &&
			    evr_rf_before(t, (evr_event_id)i, free))
				return false;
	return true;
}

bool evr_rf_ask_for_update_after_free(struct evr_rf_search *f, size_t *next)
{
	const struct evr_rf *t = &f->t;
	if (!f->oracle->ops->update_after_free)
		return false;
	change_nothing(f);
	for (; *next < t->frees.len * t->events.len; ++*next) {
		evr_event_id free = t->frees.data[*next / t->events.len], store = (evr_event_id)(*next % t->events.len);
		if (may_update_after_free(t, store, free) &&
		    f->oracle->ops->update_after_free(f->oracle, &f->change, store, free)) {
			++*next;
			return true;
		}
	}
	return false;
}
