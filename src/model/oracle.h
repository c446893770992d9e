/*
 * An oracle: can this reads-from trace happen, and if so, how? The reads-from engine asks for nothing else of a model.
 *
 * The question is a change of the trace of the last execution: its first `prefix` events stay, and some others follow, one or
 * two of them with another source than they had. The answer is an order of all these events to run them in.
 */
#ifndef EVR_ORACLE_H
#define EVR_ORACLE_H

#include "event/rf.h"

struct evr_rf_change {
	evr_event_id prefix;
	/* Sources, and what `after` refers to, are numbered as if the items stood behind the prefix. */
	EVR_VEC(struct evr_rf_event) items;
	evr_rf_ids from; /* which event of the trace each of them is; EVR_NO_EVENT: none */
	evr_rf_ids afters, sources;
	/*
	 * The last of the items, so many, are what the question is about: one that reads from another source than it did, after
	 * perhaps one that it reads from. 0: it is about something else.
	 */
	unsigned changed;
	/* Of the events of the trace from `prefix` on: their number if they are among the items, else EVR_NO_EVENT. */
	evr_rf_ids number;
	/* The answer: numbers. Where stores are buffered, also those of updates (EVR_RF_UPDATE). */
	evr_rf_ids order;
	/* With a modification order, if the answer is no: still more so if the changed write came earlier in it. */
	bool early;
};

/* The number of an event of the trace in the change; EVR_NO_EVENT if it is not in it. */
static inline evr_event_id evr_rf_number(const struct evr_rf_change *c, evr_event_id e)
{
	if (e < c->prefix)
		return e;
	return e - c->prefix < c->number.len ? c->number.data[e - c->prefix] : EVR_NO_EVENT;
}

/* The event of that number. */
static inline const struct evr_rf_event *evr_rf_numbered(const struct evr_rf *t, const struct evr_rf_change *c,
							 evr_event_id number)
{
	return number < c->prefix ? &t->events.data[number] : &c->items.data[number - c->prefix];
}

struct evr_oracle {
	const struct evr_oracle_ops *ops;
	const struct evr_rf *trace;
	/* How often it was asked, and which phase knew the answer. */
	uint64_t asked, inserted, saturated, guided, decided;
};

struct evr_oracle_ops {
	struct evr_oracle *(*create)(const struct evr_rf *trace);
	void (*destroy)(struct evr_oracle *o);
	/* The first n events of the trace are what they were; the others are not. */
	void (*rewind)(struct evr_oracle *o, evr_event_id n);
	bool (*consistent)(struct evr_oracle *o, struct evr_rf_change *c);
	/*
	 * The same with a modification order: the events say by their `mo` how the writes to each location are ordered. The changed events may be writes, too,
	 * which nothing but the changed events behind them reads. NULL: nobody has found out how to say.
	 */
	bool (*consistent_in_order)(struct evr_oracle *o, struct evr_rf_change *c);
	/*
	 * Which writes are hidden from a read? The engine asks consistent() about no others, so a write that might be read must not
	 * be hidden; one that is not hidden may still turn out to be inconsistent. may_read(): may r read from w, or from the initial
	 * write, EVR_NO_EVENT? `past` is how many events of each thread come before r in program order and what that implies, without
	 * r's own source; the events of the trace below `node` stay. is_overwritten(): is the write w certainly before the write y
	 * in coherence? NULL, both of them: a write is before those that it happens before, and is hidden from a read if
	 * it is before a write in the read's past.
	 */
	bool (*may_read)(struct evr_oracle *o, evr_event_id r, evr_event_id w, const int32_t *past, evr_event_id node);
	bool (*is_overwritten)(const struct evr_oracle *o, evr_event_id w, evr_event_id y);
	/*
	 * Where the events of a trace name their sources: a write to the cell that an event behind all others can read, and that
	 * none of them need be after. The trace has all events so far. NULL: the last one that was executed.
	 */
	evr_event_id (*newest)(struct evr_oracle *o, uint32_t location);
	/*
	 * And an order of the writes to each location, for those who want to know: into the trace of the execution. The writes
	 * that `wanted` has, events, come last if they can.
	 */
	void (*complete)(struct evr_oracle *o, struct evr_trace *trace, const evr_rf_ids *wanted);
	/* Can the trace happen? It is none of an execution that was run, so nothing is known of it. NULL: nobody has found out how to say. */
	bool (*possible)(struct evr_oracle *o);
	/*
	 * Can the store, an event of the trace, take effect after another one that has freed its memory? The answer is an order of
	 * the trace's events; the change has no others. NULL: never.
	 */
	bool (*update_after_free)(struct evr_oracle *o, struct evr_rf_change *c, evr_event_id store, evr_event_id free);
};

/* What the oracles of models share whose steps name sources. */

/* The accesses to the location, the newest first, that stay as they are in the change; NULL: all. */
void evr_oracle_find_old(const struct evr_rf *t, const struct evr_rf_change *c, uint32_t location, evr_rf_ids *old);
/*
 * If the search records a modification order: does the k-th of the changed ones fit into the modification order of its location, whose other accesses are `old` and the
 * changed ones before it? `past` is what happens before it, itself included; `scale` as for evr_coherence_ask().
 */
bool evr_oracle_fits(const struct evr_rf *t, struct evr_rf_change *c, const evr_rf_ids *old, unsigned k,
		     const int32_t *past, int32_t scale);
/* The answer: the events may come in the order of their numbers, which respects program order and reads-from. */
void evr_oracle_keep_order(struct evr_rf_change *c);
/* Say of each plain write to a location, in the execution's trace, which one of those before it there it comes after in coherence. */
void evr_oracle_place(const struct evr_rf *t, const evr_rf_ids *sorted, struct evr_trace *trace);

/* Of the models that have one. */
#define MODEL(model, ...) extern const struct evr_oracle_ops evr_oracle_##model;
#include "model/models.def"
#undef MODEL

#endif
