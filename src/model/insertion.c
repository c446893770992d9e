#include "model/insertion.h"

#define NONE EVR_NO_EVENT

/* When, in the order of the last execution, did the event take effect? */
static evr_event_id effect_of(const struct evr_rf *t, evr_event_id e)
{
	return t->events.data[e].flags & EVR_RF_BUFFERED ? t->effect.data[e] : t->rank.data[e];
}

/* The event of that number, which is not a changed one, in the trace. */
static evr_event_id event_of(const struct evr_rf_change *c, evr_event_id number)
{
	return number < c->prefix ? number : c->from.data[number - c->prefix];
}

/* Have the stores among the thread's first n events taken effect by then? A flush among these has seen to those before it. */
static bool has_drained(const struct evr_rf *t, evr_thread_id thread, uint32_t n, evr_event_id when)
{
	const evr_rf_ids *mine = &t->of_thread[thread];
	for (uint32_t i = n; i-- > 0;) {
		const struct evr_rf_event *y = &t->events.data[mine->data[i]];
		if (y->flags & EVR_RF_BUFFERED && t->effect.data[mine->data[i]] >= when)
			return false;
		if (y->flags & EVR_RF_FLUSHES)
			break;
	}
	return true;
}

/* Was the event, and all that its thread had stored, there by then? A thread is created, or joined, no sooner. */
static bool was_there(const struct evr_rf *t, evr_event_id e, evr_event_id when)
{
	const struct evr_rf_event *x = &t->events.data[e];
	return t->rank.data[e] < when && (!t->buffers_stores || has_drained(t, x->thread, x->index + 1, when));
}

/* Is all done by then that must come before x, which was event `old`? */
static bool all_before(const struct evr_rf *t, const struct evr_rf_change *c, const struct evr_rf_event *x,
		       evr_event_id old, evr_event_id when)
{
	/* Later than it came is never too early. */
	if (t->buffers_stores && old != NONE && t->rank.data[old] < when)
		return true;
	if (x->index && t->rank.data[t->of_thread[x->thread].data[x->index - 1]] >= when)
		return false;
	for (uint32_t i = 0; i < x->afters; i++)
		if (!was_there(t, event_of(c, c->afters.data[x->after + i]), when))
			return false;
	return !(x->flags & EVR_RF_FLUSHES) || has_drained(t, x->thread, x->index, when);
}

/* What is known of x's cell among the events that stay. */
struct around {
	evr_event_id next; /* the first write that took effect after that time: when; or NONE */
	evr_event_id own_store; /* the last buffered store of x's thread, or NONE */
};

static struct around look_around(const struct evr_rf *t, const struct evr_rf_change *c, const struct evr_rf_event *x,
				 int64_t time)
{
	struct around a = { NONE, NONE };
	evr_event_id unchanged = c->prefix + (evr_event_id)c->items.len - c->changed;
	for (evr_event_id i = evr_rf_last(t, x->location); i != NONE; i = t->events.data[i].older) {
		const struct evr_rf_event *y = &t->events.data[i];
		if (!(y->flags & EVR_RF_WRITES) || !evr_rf_covers(y, x->cell))
			continue;
		evr_event_id when = effect_of(t, i);
		bool before = t->buffers_stores && y->thread == x->thread && y->index < x->index;
		if (when > time && when < a.next && evr_rf_number(c, i) < unchanged)
			a.next = when;
		/* The list has the newest first. */
		if (before && a.own_store == NONE && y->flags & EVR_RF_BUFFERED)
			a.own_store = i;
	}
	return a;
}

/* When is the write made that would overwrite what x, the first of the changed events, reads? They can come right before it. */
static bool find_rank(const struct evr_rf *t, const struct evr_rf_change *c, const struct evr_rf_event *x,
		      evr_event_id *rank)
{
	evr_event_id source = x->source == NONE ? NONE : event_of(c, x->source);
	struct around a = look_around(t, c, x, source == NONE ? -1 : (int64_t)effect_of(t, source));
	*rank = a.next;
	if (a.next == NONE)
		return true;
	evr_event_id next = evr_rf_event_of(t->order.data[a.next]);
	const struct evr_rf_event *w = &t->events.data[next];
	/* That would overwrite what the next one reads. */
	if (x->flags & EVR_RF_WRITES && w->flags & EVR_RF_READS &&
	    evr_rf_number(c, evr_rf_source(w, t->sources.data, x->cell - w->cell)) == x->source)
		return false;
	/* It would be read from the thread's own buffer. */
	if (a.own_store != NONE && a.own_store != source && t->effect.data[a.own_store] >= a.next)
		return false;
	for (unsigned i = 0; i < c->changed; i++)
		if (!all_before(t, c, &x[i], c->from.data[c->items.len - c->changed + i], a.next))
			return false;
	return true;
}

/* Those steps of the last execution whose events stay. */
static void add_steps(const struct evr_rf *t, struct evr_rf_change *c, size_t from, size_t to)
{
	evr_event_id unchanged = c->prefix + (evr_event_id)c->items.len - c->changed,
		     *out = &c->order.data[c->order.len];
	for (size_t k = from; k < to; k++) {
		evr_event_id step = t->order.data[k], number = evr_rf_number(c, evr_rf_event_of(step));
		*out = number | (step & EVR_RF_UPDATE);
		out += number < unchanged;
	}
	c->order.len = (size_t)(out - c->order.data);
}

bool evr_oracle_insert(const struct evr_rf *t, struct evr_rf_change *c)
{
	evr_event_id before = NONE;
	if (!c->changed)
		return false;
	const struct evr_rf_event *x = &c->items.data[c->items.len - c->changed];
	/* The second one would have to look into its thread's buffer, too, unless that is empty. */
	for (unsigned i = 0; i < c->changed; i++)
		if (x[i].cells > 1 || (i && t->buffers_stores && !(x[i].flags & EVR_RF_FLUSHES)))
			return false;
	if (x->cells && !find_rank(t, c, x, &before))
		return false;
	evr_event_id total = c->prefix + (evr_event_id)c->items.len, unchanged = total - c->changed;
	size_t behind = before == NONE ? t->order.len : before;
	evr_vec_reserve(&c->order, t->order.len + total + 1);
	c->order.len = 0;
	add_steps(t, c, 0, behind);
	for (evr_event_id i = unchanged; i < total; i++)
		c->order.data[c->order.len++] = i;
	add_steps(t, c, behind, t->order.len);
	EVR_ASSERT(t->buffers_stores || c->order.len == total);
	return true;
}
