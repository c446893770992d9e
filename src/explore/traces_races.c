/*
 * Engine `traces`: the races of an execution. Each of them asks for a sequence in which its second event comes before the first, at the
 * node of the first.
 *
 * Invariant: `races_done` races of happens-before have been looked at. Those whose answer may be another one in an execution that has the
 * same events so far are in `open`, and are looked at each time.
 */
#include "explore/traces_search.h"

#include <errno.h>

static uint8_t kind_of_access(unsigned kind)
{
	return kind == EVR_READ ? EVR_ACCESS_READ : EVR_ACCESS_WRITE;
}

/* What a compare-exchange would read if this write, which comes before it, did not. */
static evr_value value_without(const struct evr_event *cas, const struct evr_event *write)
{
	evr_value value = cas->read;
	for (uint32_t i = 0; i < cas->size; i++) {
		uintptr_t offset = cas->address + i - write->address;
		if (offset >= write->size)
			continue;
		evr_value byte = (write->overwritten >> (8 * offset)) & 0xff;
		value = (value & ~((evr_value)0xff << (8 * i))) | byte << (8 * i);
	}
	return value;
}

/* What the second event of a race would find if it came before the first: the value that it reads, or its result. */
static evr_value found_before(const struct evr_event *first, const struct evr_event *second)
{
	if (!evr_event_writes(first))
		return second->read;
	if (second->kind == EVR_TRYLOCK)
		return first->holder && first->holder != second->thread + 1u ? EBUSY : 0;
	return value_without(second, first);
}

/* Would it then end an iteration that is known to change nothing? */
static bool futile_before(const struct evr_traces *t, evr_event_id first, evr_event_id second)
{
	const struct evr_world *w = t->base.world;
	const struct evr_event *a = &w->trace.events.data[first], *b = &w->trace.events.data[second];
	bool looks = b->kind == EVR_READ || b->kind == EVR_RMW || b->kind == EVR_CAS ||
		     (b->kind == EVR_TRYLOCK && evr_event_is_mutex(a));
	if (EVR_LIKELY(!w->futile.len) || !looks || t->hb.events.data[second].access.forward)
		return false;
	return evr_model_futile_if(w, b, w->before.data[second], found_before(a, b));
}

/* What the second event of a race does when it comes before the first. */
static uint8_t reversed_access(const struct evr_event *first, const struct evr_event *second, uint8_t now)
{
	bool write = evr_event_writes(first);
	switch (second->kind) {
	case EVR_CAS:
		if (!write || evr_event_is_mutex(first))
			return now;
		return value_without(second, first) == second->expected ? EVR_ACCESS_WRITE : EVR_ACCESS_READ;
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		if (!write || !evr_event_is_mutex(first))
			return now;
		return first->holder ? EVR_ACCESS_READ : EVR_ACCESS_WRITE;
	case EVR_FAULT:
		return kind_of_access(second->attempted);
	default:
		return now;
	}
}

static struct evr_op reversed(const struct evr_traces *t, struct evr_race r)
{
	const struct evr_event *first = &t->base.world->trace.events.data[r.first];
	const struct evr_event *second = &t->base.world->trace.events.data[r.second];
	struct evr_op op = { { second->thread, 0 }, t->hb.events.data[r.second].access, 0 };
	if (second->kind == EVR_UPDATE)
		op.step = (struct evr_step){ (uint16_t)(EVR_MAX_THREADS + second->thread), second->index };
	op.access.kind = reversed_access(first, second, op.access.kind);
	return op;
}

/*
 * Does the step conflict, in its new place, with what it did not conflict with before and what does not happen after
 * `first`? A compare-exchange does that then succeeds, if it accesses more bytes than `first` has written. Such conflicts may
 * come later than its own event.
 */
static bool has_new_conflicts(const struct evr_traces *t, evr_event_id first, const struct evr_op *op,
			      evr_event_id event)
{
	if (event == EVR_NO_EVENT || op->access.kind <= t->hb.events.data[event].access.kind)
		return false;
	const struct evr_access *a = &t->hb.events.data[first].access, *b = &op->access;
	return a->address > b->address || a->address + a->size < b->address + b->size;
}

/*
 * Ask for an execution that repeats this one up to `first`, leaves it out and all that happens after it, and then takes the
 * step: `last` is that step's event in this execution, or EVR_NO_EVENT. Returns whether it need not be asked again.
 */
static bool request(struct evr_traces *t, evr_event_id first, struct evr_op op, evr_event_id event, evr_event_id last)
{
	uint32_t at = t->node_of.data[first];
	if (at == EVR_NO_NODE)
		return true;
	struct evr_trace_node *n = &t->nodes.data[at];
	bool grows = has_new_conflicts(t, first, &op, event);
	/* The step alone was explored, or is planned: the most frequent case by far, since each execution finds old races again. */
	if (event != EVR_NO_EVENT && !grows &&
	    (evr_traces_asleep(t, n, op.step) || evr_wakeup_plans(&t->wakeup, n->tree, op.step)) &&
	    evr_hb_only(&t->hb, evr_clocks_at(&t->lengths, at), first, event))
		return true;
	op.elsewhere = event == EVR_NO_EVENT ? 0 : ~evr_op_places(&op);
	evr_wakeup_begin(&t->wakeup, t->nodes.len + 1);
	/* If nothing is asleep and nothing planned, all that counts is the past of the step. */
	bool bare = !n->sleepers && n->tree == EVR_NO_TREE && !grows;
	size_t end = t->nodes.len;
	while (bare && end > at && t->nodes.data[end - 1].position >= last)
		end--;
	const uint32_t chain = t->hb.events.data[first].chain, width = t->hb.clocks.width;
	const int32_t position = (int32_t)t->hb.events.data[first].position, *clock = &t->hb.clocks.data[chain];
	struct evr_item *in = t->wakeup.sequence.data, *out = t->wakeup.left_out.data;
	uint64_t actors = 0;
	unsigned seen = 0;
	for (size_t i = at; i < end; i++) {
		struct evr_trace_node *x = &t->nodes.data[i];
		if (!x->op.elsewhere)
			x->op.elsewhere = ~evr_op_places(&x->op);
		/* evr_hb_before(first, x), in the loop that matters most. */
		bool after = clock[(size_t)x->position * width] > position;
		*(after ? out : in) = (struct evr_item){ &x->op, ~x->op.elsewhere, x->position, false, false };
		actors |= (uint64_t)!after << x->op.step.actor % 64;
		seen |= x->op.step.actor;
		in += !after;
		out += after;
	}
	evr_wakeup_built(&t->wakeup, in, out, actors, seen >= EVR_MAX_THREADS);
	evr_wakeup_append(&t->wakeup, &op, event);
	return evr_wakeup_insert(&t->wakeup, &t->sleep.data[n->asleep], n->sleepers, &n->tree, last) && !grows;
}

/* Does the write happen before a store of the thread took effect that the event had to wait for? */
static bool is_before_update(const struct evr_hb *o, evr_event_id write, evr_event_id event, evr_thread_id thread)
{
	for (uint32_t c = o->update_chain[thread]; c != (uint32_t)-1; c = o->next.data[c]) {
		evr_event_id u = o->last.data[c];
		while (u != EVR_NO_EVENT && u > event)
			u = o->events.data[u].before;
		if (u != EVR_NO_EVENT && evr_hb_before(o, write, u))
			return true;
	}
	return false;
}

/* Does the write come before the event, whatever the event itself reads? */
static bool is_known_before(const struct evr_traces *t, evr_event_id write, evr_event_id event)
{
	const struct evr_hb *o = &t->hb;
	const struct evr_event *e = &t->base.world->trace.events.data[event];
	evr_event_id before = o->events.data[event].before;
	if (before == EVR_NO_EVENT)
		before = o->created[e->thread];
	if (t->base.world->trace.events.data[write].thread == e->thread ||
	    (before != EVR_NO_EVENT && evr_hb_before(o, write, before)))
		return true;
	return evr_event_flushes(e) && is_before_update(o, write, event, e->thread);
}

/*
 * An event that waits would have found before the first event of a race what it does not go on with: then it races with the
 * write before that. EVR_NO_EVENT: with none.
 */
static evr_event_id awaited_before(const struct evr_traces *t, struct evr_race r)
{
	evr_event_id w = r.first;
	while (w != EVR_NO_EVENT && futile_before(t, w, r.second)) {
		do
			w = t->hb.events.data[w].older_write;
		while (w != EVR_NO_EVENT && !evr_event_writes(&t->base.world->trace.events.data[w]));
		if (w != EVR_NO_EVENT && is_known_before(t, w, r.second))
			return EVR_NO_EVENT;
	}
	return w;
}

bool evr_traces_reverse_race(struct evr_traces *t, struct evr_race r)
{
	const struct evr_event *second = &t->base.world->trace.events.data[r.second];
	bool stays = true;
	t->wakeup.blocked = EVR_NO_THREAD;
	if (r.first != r.second) {
		r.first = awaited_before(t, r);
		return r.first == EVR_NO_EVENT || request(t, r.first, reversed(t, r), r.second, r.second);
	}
	struct evr_op op = t->nodes.data[t->node_of.data[r.first]].op;
	for (uint32_t k = 0; k < second->choices; k++) {
		op.step.variant = k;
		if (k != second->chosen)
			stays &= request(t, r.first, op, EVR_NO_EVENT, r.first);
	}
	return stays;
}

void evr_traces_reverse_races(struct evr_traces *t)
{
	size_t kept = 0;
	for (size_t i = 0; i < t->open.len; i++)
		if (!evr_traces_reverse_race(t, t->open.data[i]))
			t->open.data[kept++] = t->open.data[i];
	t->open.len = kept;
	for (; t->races_done < t->hb.races.len; t->races_done++)
		if (!evr_traces_reverse_race(t, t->hb.races.data[t->races_done]))
			evr_vec_push(&t->open, t->hb.races.data[t->races_done]);
	for (size_t i = 0; i < t->blocked.len; i++) {
		const struct evr_op *op = &t->blocked.data[i];
		evr_thread_id thread = op->step.actor;
		evr_event_id holder = evr_hb_holder(&t->hb, op->access.address, op->access.size);
		t->wakeup.blocked = thread;
		if (holder != EVR_NO_EVENT && t->base.world->trace.events.data[holder].thread != thread &&
		    !evr_hb_known_to(&t->hb, holder, thread))
			request(t, holder, *op, EVR_NO_EVENT, EVR_NO_EVENT);
	}
	evr_vec_clear(&t->blocked);
}
