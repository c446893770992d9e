/*
 * The state of engine `rf`'s search, which its files share: rf.c is the engine, rf_run.c runs an execution, rf_rules.c finds
 * out which branches it has, rf_cells.c does so where accesses of different sizes overlap, rf_values.c tells what events would
 * read and write there, rf_probe.c estimates how many there are, rf_branch.c asks whether a branch is new and possible, and rf_kept.c keeps
 * it until its turn comes.
 */
#ifndef EVR_RF_SEARCH_H
#define EVR_RF_SEARCH_H

#include "base/pool.h"
#include "base/set.h"
#include "explore/engine.h"
#include "model/model.h"
#include "model/oracle.h"

/* As a source, in a branch that is being built: the event before it in the branch. */
#define EVR_RF_ITEM_BEFORE (EVR_NO_EVENT - 1)

/* A place in the trace from which something else can follow. */
struct evr_rf_node {
	struct evr_rf_branch
		*branches; /* what may be explored from there: nobody has asked yet whether it is possible */
	evr_set_group keys; /* of the branches that were asked for here, whatever came of them */
};

/* Branches that wait for their turn. Private to rf_kept.c, but for `shown`. */
struct evr_rf_kept {
	struct evr_pool pool;
	struct evr_rf_kept_trace *present; /* the last execution's, as long as it is shown; NULL: it has no branches */
	struct evr_rf_kept_trace *shown; /* the one that the trace is at the moment, or NULL */
	bool moved; /* the trace is another one than that of the last execution, whose order is `ran` */
	evr_rf_ids ran;
	EVR_VEC(int32_t) past; /* of the branch that is shown */
};

struct evr_rf_search {
	struct evr_world *world;
	struct evr_rf t;
	struct evr_oracle *oracle;
	EVR_VEC(struct evr_rf_node) nodes; /* by the length of their prefix */
	evr_rf_ids node_of; /* of an event that could have come about in another way; or EVR_NO_EVENT */
	evr_event_id block; /* where the schedule begins that the trace was asked for with */
	evr_event_id extension; /* and where it ends: the events from here on extend it, the paper's E^ */
	struct evr_rf_change change; /* the branch that is being built, or was taken up last */
	/*
	 * An event that waits, and would write, was left out of a branch, as if it were a lock (rule 3); or it was asked for, and turned
	 * out to wait. If it can also read from a write that has nothing to do with who came before it, rule 1 leads to the same
	 * traces: those that were explored are remembered then.
	 */
	bool doubtful;
	struct evr_set explored; /* hashes of traces: of events and their sources */
	bool alone; /* somebody else finds the branches, and remembers nothing: there are no nodes */
	bool ordered; /* and records a modification order */
	/* The rest is private to rf_branch.c and rf_rules.c. */
	struct evr_set keys; /* of all nodes: hashes of a node and a branch from there */
	EVR_VEC(struct evr_key) sums; /* of an event: of the keys of its thread's events up to it */
	struct evr_rf_kept kept;
	evr_rf_ids hiding; /* the writes that hide others from the event `hiding_from` */
	evr_event_id hiding_from;
	evr_rf_ids candidates; /* to be looked at with an event */
	int32_t *past; /* the clock of an event as it would be: what evr_rf_program_past() has found out last */
	struct evr_clocks room; /* where it is */
};

/* An event of an execution that is run from a text: what is known of it before it is there. */
struct evr_rf_told {
	evr_thread_id thread;
	uint8_t kind;
	bool names_source; /* its step names its source; otherwise it has a variant */
	uint32_t variant;
	evr_event_id source; /* of a write, with a modification order: the one that it comes right behind */
	bool unexecuted; /* its thread stands still before it; there are only such events behind it */
	uint32_t first, cells; /* of such an event: where its sources are, and how many */
};

/* A thread that waits where the engine remembers nothing: before an event that would be for nothing. */
struct evr_rf_held {
	evr_thread_id thread;
	size_t depth; /* so many steps had been taken */
	evr_value value; /* that it would have read */
	uint32_t place; /* UINT32_MAX: it waits since this execution */
};

/* The engine: a search, and the execution that it is in. */
struct evr_rf_engine {
	struct evr_engine base;
	struct evr_rf_search s;
	evr_steps steps; /* of this execution, those that it was told to take first */
	size_t asked; /* how many these are */
	EVR_VEC(struct evr_rf_told) script; /* their events, by number, if the trace does not have them yet */
	evr_rf_ids script_sources; /* of those that are not executed */
	size_t depth; /* how many it has taken */
	size_t common; /* so many of them the last execution has taken, too */
	uint32_t overlaps; /* of the locations, when the search started */
	size_t cuts; /* and how many the world had */
	bool begun; /* the execution's events have been recorded, as far as they were asked for */
	bool as_asked; /* and they are what was asked for */
	bool over; /* all have been recorded */
	bool retracted; /* the last step, or the last before fences, was for nothing */
	size_t told; /* how many steps there were up to that one */
	bool dropped; /* and it was the last that was asked for */
	bool stands_still; /* a thread does, before an event that is not possible yet: the execution cannot be completed */
	EVR_VEC(struct evr_rf_held) held; /* if the search is `alone` */
	bool waits; /* the execution was asked for with threads that wait */
	bool (*let_go)(
		struct evr_rf_engine *f); /* only threads that wait are left: let one of them go on; NULL: never */
	bool looking; /* it is one in which all who wait look, and nothing else comes */
	EVR_VEC(evr_thread_id) lookers; /* who they are */
	bool probing; /* its last event is the one that is of interest */
	bool sure; /* no traces are remembered: nothing was doubtful when the search began */
	size_t frees_tried; /* how many pairs of a store and a FREE evr_rf_ask_for_update_after_free() has looked at */
};

/* An event in a branch: as it was, changed, or yet to come. */
struct evr_rf_changed {
	evr_event_id id; /* in the trace; EVR_NO_EVENT: it is a pending one */
	struct evr_rf_event event;
	const evr_event_id *afters, *sources; /* what the event's `after` and `sources` mean */
};

/* rf.c */

/* The parts of create(), destroy() and restart() that are about the engine's search, whoever it is a part of; and its retract(). */
void evr_rf_init_engine(struct evr_rf_engine *f, struct evr_world *w);
void evr_rf_release_engine(struct evr_rf_engine *f);
void evr_rf_restart(struct evr_rf_engine *f);
bool evr_rf_retract(struct evr_engine *e, evr_thread_id thread, bool new);

/* Run the events of the trace in the order of the change; it knows those from `new` on only now. */
void evr_rf_run_in_order(struct evr_rf_engine *f, evr_event_id new);
/* The steps so far, without the thread's fences at the end: the last one then told it that it goes round for nothing. */
size_t evr_rf_without_fences(const struct evr_rf_engine *f, evr_thread_id thread);
/* Forget what the execution has done by itself. */
void evr_rf_take_back(struct evr_rf_engine *f);
/* What the trace does not say may make a difference: is it to be run in another order, too? */
bool evr_rf_prepare_rerun(struct evr_rf_engine *f);
/* The engine's complete(). */
void evr_rf_complete(struct evr_engine *e);

/* rf_run.c */

/* The engine's next(). */
struct evr_step evr_rf_next(struct evr_engine *e);
/* The engine's place() and resume(). */
size_t evr_rf_place(const struct evr_engine *e);
bool evr_rf_resume(struct evr_engine *e, size_t place);
/* Where steps name sources: does the event's step? A lock can have but one. */
static inline bool evr_rf_step_names_source(const struct evr_rf_event *x)
{
	bool lock = evr_kind_is_mutex(x->kind) && x->flags & EVR_RF_WRITES;
	return x->flags & EVR_RF_READS && !lock && x->kind != EVR_FENCE && x->kind != EVR_CHOOSE;
}
/* The write that the thread's pending event, which reads, would find as its source. Everything was recorded. */
evr_event_id evr_rf_newest(struct evr_rf_engine *f, evr_thread_id thread);
/* The execution is over: append the rest of it to the trace. False: it was not what was asked for, and nothing was appended. */
bool evr_rf_record_rest(struct evr_rf_engine *f);

/* revisit_order.c, where a modification order is recorded. */

/* The last write to the location; EVR_NO_EVENT: there is none. */
evr_event_id evr_rf_newest_in_order(const struct evr_rf *t, uint32_t location);
/* Of the writes that are executed before w: the one that w comes right behind. */
evr_event_id evr_rf_place_in_order(const struct evr_rf *t, evr_event_id w);
/* The events from this one on have just been executed, the writes among them behind those that their steps named. */
void evr_rf_order_new(struct evr_rf *t, evr_event_id from);

/* rf_branch.c */

void evr_rf_search_clear(struct evr_rf_search *f);
void evr_rf_search_release(struct evr_rf_search *f);
/* What the event is, or, if it failed, what it would have been. */
unsigned evr_rf_kind(const struct evr_rf *t, evr_event_id id);
/* The event as it is, with these flags besides its nature; and the same with another source, as if it had not failed. */
struct evr_rf_changed evr_rf_copy(const struct evr_rf *t, evr_event_id id, uint8_t flags);
struct evr_rf_changed evr_rf_changed(const struct evr_rf *t, evr_event_id id, evr_event_id source, uint8_t flags);
/* Note that the event, as it is, has been explored at that node. */
void evr_rf_note(struct evr_rf_search *f, evr_event_id node, evr_event_id e);
/* Is the trace, which is complete, a new one? For doubtful searches. */
bool evr_rf_is_new(struct evr_rf_search *f);
/* Note the branch that the trace has been given, at its node. Is it new there? */
bool evr_rf_note_block(struct evr_rf_search *f);
/* The trace has new events from `block` on: evr_rf_propose() needs to know. */
void evr_rf_sum_up(struct evr_rf_search *f);
/*
 * Ask for the events before the node, what is in `past` (how many events of each thread), and the changed events, of which the
 * last is what the branch is about.
 */
void evr_rf_propose(struct evr_rf_search *f, evr_event_id node, const int32_t *past,
		    const struct evr_rf_changed *changed, unsigned n);
/* A change that keeps the events before the node; those of the trace that it will have are below `end`. */
void evr_rf_begin_change(struct evr_rf_search *f, evr_event_id node, evr_event_id end, unsigned changed);
/* And one more event of it, behind the others: as it is there. */
const struct evr_rf_event *evr_rf_add_item(struct evr_rf_search *f, const struct evr_rf_changed *z);
/*
 * Is the node's next branch possible? Then rewind the trace to the node, and put the events of the branch there; the order to run is
 * change.order. In any case the branch is gone, and there may be others instead.
 */
bool evr_rf_take_up(struct evr_rf_search *f, evr_event_id node);
/*
 * Its parts. The change that keeps the events before the node, has those from there on that are in `past` (how many events of each thread), and then the changed ones; and, once it
 * was found to be consistent, its events at the end of the trace, instead of those that were there.
 */
void evr_rf_build_change(struct evr_rf_search *f, evr_event_id node, const int32_t *past,
			 const struct evr_rf_changed *changed, unsigned n);
void evr_rf_put_change(struct evr_rf_search *f);
/* The node will not be needed any more. */
void evr_rf_forget(struct evr_rf_search *f, evr_event_id node);
/* Can the threads that wait in loops read once more, after all other events, and find what they found? The order is change.order. */
bool evr_rf_ask_for_rereads(struct evr_rf_search *f);
/*
 * Can a store take effect when its memory was freed? All such pairs are numbered, and looked at from *next on, which then is
 * behind the one that was found. The order is change.order.
 */
bool evr_rf_ask_for_update_after_free(struct evr_rf_search *f, size_t *next);

/* rf_kept.c */

void evr_rf_kept_clear(struct evr_rf_kept *k);
void evr_rf_kept_release(struct evr_rf_kept *k);
/* A branch of the trace that is shown, as for evr_rf_propose(). n = 0: all branches of the plain read at the node, to be found when it is its turn. */
void evr_rf_keep_branch(struct evr_rf_search *f, evr_event_id node, const int32_t *past,
			const struct evr_rf_changed *changed, unsigned n);
/* The present trace, all of whose branches have been found, becomes another one. */
void evr_rf_keep_present(struct evr_rf_search *f);
/* Is the node's next branch such a one? Then find what it stands for, instead of it. */
bool evr_rf_find_kept_branches(struct evr_rf_search *f, evr_event_id node);
/* Make the trace what it was when the node's next branch was found. What the branch changes, and how many; its past. */
unsigned evr_rf_show_branch(struct evr_rf_search *f, evr_event_id node, struct evr_rf_changed changed[2],
			    const int32_t **past);
/* What it changes was copied. */
void evr_rf_drop_branch(struct evr_rf_search *f, evr_event_id node);
/* Another execution will be run. Make the order that of the last one again; was it another one? What is known of ranks, then, is not of that one. */
bool evr_rf_show_order_that_ran(struct evr_rf_search *f);

/* rf_rules.c: the new-source-detection phase. */

void evr_rf_find_branches(struct evr_rf_search *f);
/* Those of a plain read, which were put off; the trace is what it was then. */
void evr_rf_find_branches_of(struct evr_rf_search *f, evr_event_id r);
/* May r, after what comes before it in program order, read from w, or NONE? False: surely not. */
bool evr_rf_may_read(struct evr_rf_search *f, evr_event_id r, evr_event_id w);
/* The same where the events below `node` stay. */
bool evr_rf_may_read_at(struct evr_rf_search *f, evr_event_id r, evr_event_id w, evr_event_id node);
/* Would the event, if it reads from its source, end a round that is known to be for nothing? */
bool evr_rf_reads_in_vain(const struct evr_rf_search *f, const struct evr_rf_changed *c, bool writes);
/* The event of a lock that waits, when the execution is over. What its `after` means is t->waiting. */
struct evr_rf_event evr_rf_waiting_lock(struct evr_rf *t, const struct evr_event *pending);

/* What happens before the event through program order. Valid until the next call. */
int32_t *evr_rf_past_of(struct evr_rf_search *f, const struct evr_rf_changed *c);
/* rf_values.c */

/* What the event would read from its sources. If EVR_RF_ITEM_BEFORE is one of them: that is `item`, and writes `written`. */
evr_value evr_rf_value_from(const struct evr_rf *t, const struct evr_rf_changed *c, const struct evr_event *item,
			    evr_value written);
/* What a read-modify-write would write if it read from its sources. */
evr_value evr_rf_value_if(const struct evr_rf *t, const struct evr_rf_changed *c);
/* Would the event, which reads, write if it read from its sources? None of them may be EVR_RF_ITEM_BEFORE. */
bool evr_rf_would_write(const struct evr_rf *t, const struct evr_rf_changed *c);
/* The same if w is that. */
bool evr_rf_would_write_after(const struct evr_rf *t, const struct evr_rf_changed *c, const struct evr_rf_changed *w);

/* The event reads, and writes if that is so. */
void evr_rf_set_writes(const struct evr_rf *t, struct evr_rf_changed *c, bool writes);

/* rf_cells.c */

/* Are parts of what it reads read apart, by itself or others? */
bool evr_rf_is_divided(const struct evr_rf *t, evr_event_id id);
/* Ask for all ways in which such an event can get its sources. */
void evr_rf_assign(struct evr_rf_search *f, evr_event_id r);
/* The same for all events that overlap this one, which is new. */
void evr_rf_assign_all(struct evr_rf_search *f, evr_event_id e);

#endif
