/*
 * Recording an execution: its steps are compared with the events that the trace asked for, and the events behind those are appended.
 *
 * Invariant between two steps: of each cell, evr_rf_now() is the write that took effect last in this execution; of each thread,
 * `last` is its newest event, and `waiting` are the events in other threads that program order puts before its next one. Every change of these is logged, so
 * that what an execution has in common with the next one need not be recorded again.
 */
#include "event/rf.h"

#define NONE EVR_NO_EVENT

/* ---- what the records were ---- */

enum what {
	LAST, /* of a thread */
	WAITED, /* a thread, for one event more */
	WAITED_LESS, /* a thread, for one event fewer */
	DRAINED, /* whether a thread was */
	APART,
	SOURCE, /* of a cell */
};

struct evr_rf_changed_record {
	uint32_t what : 3, which : 29; /* enum what; thread or cell */
	evr_event_id was;
};

struct evr_rf_record_level {
	uint32_t changes;
	evr_event_id next_position;
};

static inline void note(struct evr_rf *t, enum what what, uint32_t which, evr_event_id was)
{
	evr_vec_push(&t->changes, (struct evr_rf_changed_record){ what, which, was });
}

static void undo(struct evr_rf *t, struct evr_rf_changed_record c)
{
	switch ((enum what)c.what) {
	case LAST:
		t->last[c.which] = c.was;
		return;
	case WAITED:
		evr_vec_push(&t->waiting[c.which], c.was);
		return;
	case WAITED_LESS:
		t->waiting[c.which].len--;
		return;
	case DRAINED:
		t->drained[c.which] = c.was;
		return;
	case APART:
		t->apart[c.which] = c.was;
		return;
	case SOURCE:
		t->cells.data[c.which] = c.was;
	}
}

void evr_rf_unrecord(struct evr_rf *t, size_t steps)
{
	if (steps < t->recorded) {
		t->settled = t->levels.data[steps].changes;
		t->next_position = t->levels.data[steps].next_position;
		t->recorded = t->levels.len = steps;
	}
	while (t->changes.len > t->settled)
		undo(t, t->changes.data[--t->changes.len]);
}

static inline void set_apart(struct evr_rf *t, evr_thread_id thread, bool apart)
{
	if (t->apart[thread] != apart)
		note(t, APART, thread, t->apart[thread]);
	t->apart[thread] = apart;
}

static inline void set_drained(struct evr_rf *t, evr_thread_id thread, bool drained)
{
	if (t->drained[thread] != drained)
		note(t, DRAINED, thread, t->drained[thread]);
	t->drained[thread] = drained;
}

/* The thread makes an event. */
static inline void go_on(struct evr_rf *t, evr_thread_id thread, evr_event_id id)
{
	evr_rf_ids *waiting = &t->waiting[thread];
	note(t, LAST, thread, t->last[thread]);
	t->last[thread] = id;
	while (waiting->len)
		note(t, WAITED, thread, waiting->data[--waiting->len]);
	set_drained(t, thread, false);
	set_apart(t, thread, false);
}

static inline void wait_for_event(struct evr_rf *t, evr_thread_id waiting, evr_event_id e)
{
	note(t, WAITED_LESS, waiting, NONE);
	evr_vec_push(&t->waiting[waiting], e);
}

static void wait_for(struct evr_rf *t, evr_thread_id waiting, evr_thread_id other)
{
	if (t->last[other] != NONE)
		wait_for_event(t, waiting, t->last[other]);
	/* Whom it has joined since. */
	for (size_t i = 0; i < t->waiting[other].len; i++)
		wait_for_event(t, waiting, t->waiting[other].data[i]);
}

static inline void set_source(struct evr_rf *t, const struct evr_rf_event *x, evr_event_id write)
{
	for (uint32_t cell = x->cell; cell < x->cell + x->cells; cell++) {
		note(t, SOURCE, cell, t->cells.data[cell]);
		t->cells.data[cell] = write;
	}
}

/* ---- steps ---- */

/* Does the event, the k-th of the execution, find the i-th cell that it reads as its source has left it? */
static bool finds_source(const struct evr_rf *t, const struct evr_rf_event *x, uint32_t i, size_t k)
{
	evr_event_id source = evr_rf_source(x, t->sources.data, i);
	if (source == evr_rf_now(t, x->cell + i))
		return true;
	if (!t->buffers_stores || source == NONE)
		return false;
	const struct evr_rf_event *w = &t->events.data[source];
	return w->flags & EVR_RF_BUFFERED && w->thread == x->thread && t->effect.data[source] > k;
}

/* An event that the execution was told to make, as its k-th. */
static void record_asked(struct evr_rf *t, evr_event_id id, size_t k)
{
	const struct evr_rf_event *x = &t->events.data[id];
	go_on(t, x->thread, id);
	if (x->location == EVR_NO_LOCATION)
		return;
	bool as_asked = true;
	for (uint32_t i = 0; x->flags & EVR_RF_READS && i < x->cells && !t->names_sources; i++)
		as_asked &= finds_source(t, x, i, k);
	if (!as_asked)
		t->failure = "a read has another source than it should in this order: is the program deterministic?";
	if (x->flags & EVR_RF_WRITES && !(x->flags & EVR_RF_BUFFERED))
		set_source(t, x, id);
}

/* A store takes effect. One that was not told to do so does it at once, before its thread goes on; it may fail, though. */
static evr_event_id record_update(struct evr_rf *t, evr_thread_id thread, size_t k)
{
	evr_event_id id = k < t->order.len ? evr_rf_event_of(t->order.data[k]) : t->last[thread];
	while (EVR_UNLIKELY(!(t->events.data[id].flags & EVR_RF_BUFFERED)))
		id = t->of_thread[thread].data[t->events.data[id].index - 1];
	set_source(t, &t->events.data[id], id);
	evr_vec_reserve(&t->effect, t->events.len);
	t->effect.data[id] = (evr_event_id)k;
	return id | EVR_RF_UPDATE;
}

uint8_t evr_rf_nature(const struct evr_rf *t, const struct evr_event *e)
{
	struct evr_event tried = { .kind = e->kind == EVR_FAULT ? e->attempted : e->kind, .site = e->site };
	unsigned order = evr_event_order(&tried), nature = 0;
	if (!t->buffers_stores)
		return 0;
	if (evr_event_flushes(&tried))
		nature |= EVR_RF_FLUSHES;
	else if (tried.kind == EVR_WRITE)
		nature |= EVR_RF_BUFFERED;
	if (tried.kind == EVR_FENCE ? order != EVR_ACQUIRE : tried.kind == EVR_WRITE && order == EVR_RELEASE)
		nature |= EVR_RF_RELEASES;
	return (uint8_t)nature;
}

static uint32_t region_of(struct evr_rf *t, const struct evr_event *e)
{
	size_t i = 0;
	while (i < t->regions.len && (t->regions.data[i].address != e->address || t->regions.data[i].size != e->size))
		i++;
	if (i == t->regions.len)
		evr_vec_push(&t->regions, (struct evr_rf_region){ e->address, e->size });
	return (uint32_t)i;
}

/* The event at that position of the execution's trace. */
static evr_event_id event_at(const struct evr_rf *t, evr_event_id position)
{
	size_t low = 0, high = t->order.len;
	while (position != NONE && low < high) {
		size_t middle = (low + high) / 2, next = middle;
		/* Some steps have no event. */
		while (next < high && EVR_UNLIKELY(t->position.data[next] == NONE))
			next++;
		if (next == high || t->position.data[next] > position)
			high = middle;
		else if (t->position.data[next] == position)
			return t->order.data[next];
		else
			low = next + 1;
	}
	return NONE;
}

/* The thread's newest store to the cell, if that takes effect after the k-th step; else EVR_NO_EVENT. */
static evr_event_id forwarded(const struct evr_rf *t, evr_thread_id thread, uint32_t cell, size_t k)
{
	for (size_t i = t->of_thread[thread].len; i-- > 0;) {
		evr_event_id id = t->of_thread[thread].data[i];
		const struct evr_rf_event *w = &t->events.data[id];
		if (w->flags & EVR_RF_WRITES && evr_rf_covers(w, cell))
			return w->flags & EVR_RF_BUFFERED && t->effect.data[id] > k ? id : NONE;
	}
	return NONE;
}

/* Where the cell's value comes from that the event reads, the k-th of the execution. */
static evr_event_id find_source(const struct evr_rf *t, const struct evr_event *e, uint32_t cell, size_t k)
{
	/* A store that nobody has told to take effect later does so at once. */
	evr_event_id own = t->buffers_stores && k < t->order.len ? forwarded(t, e->thread, cell, k) : NONE;
	return own != NONE ? own : evr_rf_now(t, cell);
}

/* An event that the trace does not have yet. What it reads from is not known. */
static struct evr_rf_event new_event(struct evr_rf *t, const struct evr_event *e, bool reads, bool writes)
{
	struct evr_rf_event x = {
		.thread = e->thread,
		.kind = e->kind,
		.flags = (uint8_t)((reads ? EVR_RF_READS : 0) | (writes ? EVR_RF_WRITES : 0) |
				   (e->kind == EVR_FAULT ? 0 : evr_rf_nature(t, e)) |
				   (t->drained[e->thread] ? EVR_RF_FLUSHES : 0)),
		.index = (uint32_t)t->of_thread[e->thread].len,
		.variant = e->kind == EVR_CHOOSE ? (uint32_t)e->chosen : 0,
		.location = EVR_NO_LOCATION,
		.source = NONE,
		.order = (uint8_t)evr_event_order_if(e, writes),
		.apart = t->apart[e->thread],
	};
	evr_rf_admit(t, e->thread);
	if (reads || writes)
		x.location = evr_rf_location(t, e);
	if (e->kind == EVR_UNLOCK && writes)
		t->at.data[x.location].handed |= evr_lock_kinds[e->lock].handed;
	if (EVR_UNLIKELY(e->kind == EVR_FREE))
		x.region = region_of(t, e);
	if (x.location != EVR_NO_LOCATION) {
		x.cell = t->division.of.data[x.location].cell;
		x.cells = t->division.of.data[x.location].cells;
	}
	return x;
}

/* Append it, with the sources that were found. */
static void append_new(struct evr_rf *t, struct evr_rf_event *x)
{
	const evr_rf_ids *waiting = &t->waiting[x->thread];
	if (t->found.len)
		x->source = t->found.data[0];
	x->afters = (uint32_t)waiting->len;
	evr_rf_append(t, x, waiting->data, t->found.data);
	go_on(t, x->thread, (evr_event_id)t->events.len - 1);
}

/* The k-th event of the execution, which the trace does not have yet. */
static void record_new(struct evr_rf *t, const struct evr_event *e, size_t k)
{
	bool writes = evr_event_writes(e);
	struct evr_rf_event x = new_event(t, e, evr_event_reads(e) || e->kind == EVR_FAULT, writes);
	evr_vec_clear(&t->found);
	/* A failure names no source; if it is about a mutex, it was found as it was left last. */
	bool names_source = t->names_sources && !(e->kind == EVR_FAULT && evr_kind_is_mutex(e->attempted));
	for (uint32_t i = 0; x.flags & EVR_RF_READS && i < x.cells; i++)
		evr_vec_push(&t->found, names_source ? event_at(t, e->source) : find_source(t, e, x.cell + i, k));
	append_new(t, &x);
	if (writes && !(x.flags & EVR_RF_BUFFERED))
		set_source(t, &x, t->last[x.thread]);
}

/* What happened between two steps: threads were created, ended, joined. */
static void record_gap(struct evr_rf *t, evr_event_id from, evr_event_id to)
{
	for (; from < to; from++) {
		const struct evr_event *e = &t->trace->events.data[from];
		if (e->kind == EVR_CREATE) {
			wait_for(t, (evr_thread_id)e->other, e->thread);
			set_apart(t, e->thread, true);
			set_apart(t, (evr_thread_id)e->other, true);
		} else if (e->kind == EVR_JOIN) {
			wait_for(t, e->thread, (evr_thread_id)e->other);
			set_apart(t, e->thread, true);
		} else if (e->kind == EVR_DRAIN)
			set_drained(t, e->thread, true);
	}
}

void evr_rf_begin(struct evr_rf *t)
{
	t->executions++;
	t->failure = NULL;
}

void evr_rf_record(struct evr_rf *t)
{
	size_t k = t->recorded;
	for (; k < t->position.len; k++) {
		evr_event_id position = t->position.data[k];
		evr_vec_push(&t->levels, ((struct evr_rf_record_level){ (uint32_t)t->changes.len, t->next_position }));
		if (EVR_UNLIKELY(position == NONE))
			continue;
		if (position > t->next_position)
			record_gap(t, t->next_position, position);
		t->next_position = position + 1;
		const struct evr_event *e = &t->trace->events.data[position];
		if (e->kind == EVR_UPDATE) {
			evr_event_id update = record_update(t, e->thread, k);
			if (k >= t->order.len)
				evr_vec_push(&t->order, update);
			continue;
		}
		/* An execution that is run from a text has an order of events that are not there yet. */
		if (k < t->order.len && EVR_LIKELY(t->order.data[k] < t->events.len)) {
			record_asked(t, t->order.data[k], k);
			continue;
		}
		record_new(t, e, k);
		if (k >= t->order.len)
			evr_vec_push(&t->order, (evr_event_id)t->events.len - 1);
		evr_vec_reserve(&t->rank, t->events.len);
		t->rank.data[t->events.len - 1] = (evr_event_id)k;
	}
	t->recorded = k;
	t->settled = t->changes.len;
}

void evr_rf_finish(struct evr_rf *t)
{
	evr_rf_record(t);
	record_gap(t, t->next_position, (evr_event_id)t->trace->events.len);
}

void evr_rf_record_unexecuted(struct evr_rf *t, const struct evr_event *pending, const evr_event_id *sources,
			      uint32_t n)
{
	size_t k = t->recorded;
	while (k < t->position.len && t->position.data[k] == NONE)
		k++;
	/* Its thread may have been created, or have joined others, since the last step. */
	evr_event_id next = k < t->position.len ? t->position.data[k] : (evr_event_id)t->trace->events.len;
	record_gap(t, t->next_position, next);
	t->next_position = next;
	struct evr_rf_event x = new_event(t, pending, true, false);
	x.flags |= EVR_RF_UNEXECUTED;
	evr_vec_clear(&t->found);
	for (uint32_t i = 0; i < x.cells; i++)
		evr_vec_push(&t->found, i < n ? sources[i] : NONE);
	append_new(t, &x);
}
