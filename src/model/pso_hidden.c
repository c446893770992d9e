#include "model/pso_hidden.h"

#include <stdlib.h>
#include <string.h>

#define NONE EVR_NO_EVENT

void evr_pso_hidden_release(struct evr_pso_hidden *h)
{
	free(h->drains);
	free(h->hidden);
}

/* Many writes are asked about for the same read. */
static void select_read(struct evr_pso_hidden *h, const struct evr_rf *t, evr_event_id r)
{
	if (h->read == r && h->execution == t->executions && h->stride == t->clocks.width)
		return;
	if (h->stride != t->clocks.width) {
		h->stride = t->clocks.width;
		evr_pso_hidden_release(h);
		h->drains = evr_alloc(h->stride * sizeof(*h->drains));
		h->hidden = evr_alloc(h->stride * sizeof(*h->hidden));
	}
	h->read = r;
	h->execution = t->executions;
	memset(h->hidden, 0, h->stride * sizeof(*h->hidden));
	evr_rf_program_drains(t, &t->events.data[r], t->afters.data, h->drains);
}

/* Which write to x's cell has certainly taken effect before x because of the event i: itself, or the one that it read? Or NONE. */
static evr_event_id effect_before(const struct evr_pso_hidden *h, const struct evr_rf *t, const struct evr_rf_event *x,
				  const int32_t *past, evr_event_id i)
{
	const struct evr_rf_event *y = &t->events.data[i];
	if (!evr_clock_has(past, y->thread, y->index) || !evr_rf_covers(y, x->cell))
		return NONE;
	bool buffered = y->flags & EVR_RF_BUFFERED && y->thread != x->thread;
	if (y->flags & EVR_RF_WRITES && (!buffered || evr_clock_has(h->drains, y->thread, y->index)))
		return i;
	if (!(y->flags & EVR_RF_READS))
		return NONE;
	evr_event_id source = evr_rf_source(y, t->sources.data, x->cell - y->cell);
	return source != NONE && t->events.data[source].thread != y->thread ? source : NONE;
}

bool evr_pso_is_overwritten(const struct evr_rf *t, evr_event_id w, evr_event_id y)
{
	if (y == NONE || y == w || !evr_rf_before(t, w, y))
		return false;
	return !(t->events.data[w].flags & EVR_RF_BUFFERED) || t->events.data[w].thread == t->events.data[y].thread ||
	       evr_rf_drained(t, w, y);
}

/*
 * Does w, of another thread than x, certainly take effect before a store of x's thread that x would read otherwise, because of the
 * event i? That is after w, before x, and stays. `own_write`: the last of these stores, if after i, or NONE.
 */
static bool is_older_than_own_write(const struct evr_rf *t, const struct evr_rf_event *x, evr_event_id w,
				    evr_event_id own_write, evr_event_id i)
{
	const struct evr_rf_event *y = &t->events.data[i], *z = &t->events.data[w];
	if (!(y->flags & EVR_RF_READS) || z->thread == x->thread)
		return false;
	evr_event_id source = evr_rf_source(y, t->sources.data, x->cell - y->cell);
	/* Somebody had read w by then. */
	if (source == w)
		return own_write != NONE && y->thread != z->thread && evr_rf_before(t, i, own_write);
	/* After w, its thread has read what x's thread wrote. */
	return source != NONE && y->thread == z->thread && t->events.data[source].thread == x->thread;
}

static bool is_own_write(const struct evr_rf_event *x, const struct evr_rf_event *y)
{
	return y->thread == x->thread && y->index < x->index && y->flags & EVR_RF_WRITES;
}

/* The initial write is hidden by every write that has certainly taken effect. */
static bool may_read_initial(const struct evr_pso_hidden *h, const struct evr_rf *t, const struct evr_rf_event *x,
			     const int32_t *past)
{
	for (evr_event_id i = evr_rf_last(t, x->location); i != NONE; i = t->events.data[i].older)
		if (effect_before(h, t, x, past, i) != NONE)
			return false;
	return true;
}

/* What hides w comes behind it; and hides w's thread's writes before it, too, since those to one location take effect in their order. */
bool evr_pso_may_read(struct evr_pso_hidden *h, const struct evr_rf *t, evr_event_id r, evr_event_id w,
		      const int32_t *past, evr_event_id node)
{
	const struct evr_rf_event *x = &t->events.data[r];
	evr_event_id own_write = NONE;
	select_read(h, t, r);
	if (w == NONE)
		return may_read_initial(h, t, x, past);
	const struct evr_rf_event *z = &t->events.data[w];
	if (z->index < h->hidden[z->thread])
		return false;
	for (evr_event_id i = evr_rf_last(t, x->location); i != NONE && i > w; i = t->events.data[i].older) {
		if (evr_pso_is_overwritten(t, w, effect_before(h, t, x, past, i))) {
			h->hidden[z->thread] = z->index + 1;
			return false;
		}
		if (!evr_rf_covers(&t->events.data[i], x->cell))
			continue;
		if (own_write == NONE && is_own_write(x, &t->events.data[i]))
			own_write = i;
		if (i < node && is_older_than_own_write(t, x, w, own_write, i))
			return false;
	}
	return true;
}
