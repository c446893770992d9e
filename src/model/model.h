/*
 * A memory model: which behaviours may happen?
 *
 * A model says which steps can be taken in a state of the world and executes one. A step
 * belongs to an actor: a thread that makes its pending event, or, in models with store buffers, a pseudo-thread that
 * drains a buffer; `variant` tells apart the ways in which the same event can happen (which choice, time-out or not; and,
 * where steps name sources, which source and which place in coherence).
 *
 * A model knows no engine. It sees the world: the threads' pending events, the trace so far, and the memory with its
 * undo log. Whatever a model writes to the program's memory it logs first.
 */
#ifndef EVR_MODEL_H
#define EVR_MODEL_H

#include "base/map.h"
#include "base/pieces.h"
#include "base/set.h"
#include "base/undo.h"
#include "base/vec.h"
#include "event/graph.h"
#include "event/history.h"
#include "event/knowledge.h"
#include "event/location.h"
#include "event/trace.h"

struct evr_step {
	uint16_t actor;   /* a thread, or a pseudo-thread from EVR_MAX_THREADS on */
	uint32_t variant;
};

#define EVR_NO_ACTOR ((uint16_t)0xffff)

/* The step by which a buffered store, an event of the trace, takes effect. */
static inline struct evr_step evr_update_step(const struct evr_event *store)
{
	return (struct evr_step){ (uint16_t)(EVR_MAX_THREADS + store->thread), store->index };
}

static inline bool evr_same_step(struct evr_step a, struct evr_step b)
{
	return a.actor == b.actor && a.variant == b.variant;
}

typedef EVR_VEC(struct evr_step) evr_steps;

struct evr_world {
	const struct evr_model_ops *model;
	void *model_state;       /* the model's own, kept over executions */
	unsigned threads;        /* ids below this are in use */
	bool waiting[EVR_MAX_THREADS];                /* this thread has a pending event */
	struct evr_event pending[EVR_MAX_THREADS];
	struct evr_trace trace;
	/*
	 * At the end of an execution: threads wait in loops, and nothing but the order of the writes that they have seen tells
	 * whether they do so in vain. `await` is where in the trace a thread's last iteration began, or EVR_NO_EVENT.
	 */
	bool awaits_undecided;
	evr_event_id await[EVR_MAX_THREADS];
	struct evr_knowledge knowledge;
	uint64_t known; /* its version when the execution began */
	bool halted; /* something was learned without which the execution cannot go on: it ends here */
	/*
	 * The thread that has just found an object alive, and accesses it next, plus 1; or 0. Whoever begins to use the object later
	 * might find it gone, but not change what this access finds: it may as well be made at once.
	 */
	uint16_t within;
	/*
	 * A thread that has gone round a loop many times since another one took a step, plus 1; or 0. Where any step will do, others go
	 * first: they may have to, before the loop ends.
	 */
	uint16_t tired;
	long most_preemptions; /* that an execution may have, for an engine that can bound them; -1: any number */
	bool races; /* data races are looked for */
	bool restless; /* for tests: what engines do rarely they do always */
	bool skips_ordered; /* the model's, unless every access is wanted */
	unsigned orders_used; /* bit set of enum evr_order that the model has a note on, in any execution */
	/*
	 * Iterations of loops that change nothing are left out: `futile` has what threads had seen when they turned out to have gone
	 * round for nothing. An event that would lead there waits, as a lock does, until it would not.
	 */
	bool erases;
	struct evr_set futile; /* of histories */
	struct evr_history history[EVR_MAX_THREADS];
	EVR_VEC(struct evr_history)
	before; /* of an event of the trace that tells its thread something: what that had seen */
	uint64_t digest; /* with --check: of what the last execution has left in memory and shadow memory */
	unsigned heuristics_off; /* of engine rvf: bit set of enum evr_rvf_heuristic */
	struct evr_undo undo;
};

/* A new execution: its first `prefix` events are those of the last one. */
void evr_world_begin(struct evr_world *w, size_t prefix);
/* The state of the execution, between two steps, but for what is in memory; and what of it each thread has. */
void evr_world_pieces(struct evr_world *w, struct evr_pieces *p);
static inline void evr_world_thread_pieces(struct evr_world *w, evr_thread_id t, struct evr_pieces *p, bool back)
{
	struct all {
		struct evr_history history;
		uint32_t await, waiting;
	} *all = evr_piece_place(p, sizeof(*all));
	if (back) {
		w->history[t] = all->history;
		w->await[t] = all->await;
		w->waiting[t] = all->waiting;
	} else {
		*all = (struct all){ w->history[t], w->await[t], w->waiting[t] };
	}
	if (w->waiting[t])
		evr_piece_at(evr_piece_place(p, sizeof(w->pending[t])), &w->pending[t], sizeof(w->pending[t]), back);
}
/* Of a thread that has not begun there is nothing. */
void evr_world_thread_unused(struct evr_world *w, evr_thread_id t);

/* An execution whose state was put back goes on: its first `prefix` events are still those of the last one. */
void evr_world_resume(struct evr_world *w, size_t prefix);

/* Threads from this one on have had no events in any execution so far. */
static inline unsigned evr_most_threads(const struct evr_world *w)
{
	return w->trace.most_threads > w->threads ? w->trace.most_threads : w->threads;
}

/* Was anything learned in this execution? Then the search starts again. */
static inline bool evr_learned(const struct evr_world *w)
{
	return w->knowledge.version != w->known;
}

/*
 * A model's table: answers to questions about the model, and functions. Nobody but model.c names a model to find out what it
 * does; whoever wants to know something asks here.
 */
struct evr_model_ops {
	const char *name, *summary; /* --model=NAME, and what it is */
	/* May a store take effect later than it is made? Then it does so by an update, a step of a pseudo-thread. */
	bool buffers_stores;
	/* And may the stores of one thread do so in another order than they were made in? */
	bool reorders_stores;
	/*
	 * Does the variant of a step name the source of its read, or the coherence predecessor of its write? The events of the
	 * trace then name them, too (event/graph.h); otherwise a read returns what is in memory or in its thread's buffer.
	 */
	bool steps_name_sources;
	/* Does memory hold the initial values throughout an execution? What was written is then only in the trace. */
	bool memory_stays_initial;
	/* Is coherence an order of locations, not of bytes? Then accesses that overlap must be to the same bytes: see `cuts`. */
	bool coherence_per_location;
	/*
	 * If one access happens before another, by the orders that the program declares, does the later one certainly find what the earlier has left?
	 * Then memory whose accesses are always so ordered needs no events (docs/architecture.md, "Life of an access").
	 */
	bool skips_ordered;
	/* Is every execution an interleaving, in which each event takes effect in memory at once? */
	bool is_sequential;
	/* Does `everett robust` decide whether the model adds anything to SC? */
	bool decides_robustness;
	/* Are data races findings unless --no-races is given? */
	bool reports_races;
	/* Do the orders that the program declares say what is allowed, as in C11? Then a stronger one may forbid an execution. */
	bool heeds_orders;
	unsigned fences; /* bit set of enum evr_order: fences of these orders are events */
	/* What people must know about a verdict: when the program has events of that order; or large atomic objects. */
	const char *notes[EVR_SEQ_CST + 1], *note_on_locked_atomics;
	/* Of a model of `everett predict`: the one of evr_models that has the same executions, or NULL. */
	const struct evr_model_ops *same_as;
	/* Forget the last execution. */
	void (*begin)(struct evr_world *w);
	/* What the model keeps of an execution; evr_model_no_pieces: nothing. NULL: nobody has said, so that there is no rollback. */
	void (*pieces)(struct evr_world *w, struct evr_pieces *p);
	/* Append every step that can be taken now; or some, if all executions that matter begin with these. */
	void (*steps)(struct evr_world *w, evr_steps *out);
	/* More of them, where executions are counted or simplified. NULL: steps() has all that matter. */
	void (*all_steps)(struct evr_world *w, evr_steps *out);
	/* Every step that a recorded execution may have here. NULL: all_steps(), or else steps(), has them. */
	void (*recorded_steps)(struct evr_world *w, evr_steps *out);
	/* Take a step that is possible: change memory, and complete *e, which goes into the trace. */
	void (*execute)(struct evr_world *w, struct evr_step s, struct evr_event *e);
	/* Can the thread, which is waiting, take its pending event now, in whatever way? */
	bool (*ready)(const struct evr_world *w, evr_thread_id t);
	/* The same, and nobody else can see when it does: it need not be a decision. NULL: there are no such events. */
	bool (*silent)(const struct evr_world *w, evr_thread_id t);
	/* Has the thread stores that have not taken effect? Create, join and exit wait until it has none. NULL: never. */
	bool (*busy)(const struct evr_world *w, evr_thread_id t);
	/* Does a load of the thread take any of these bytes from a store that has not taken effect? NULL: never. */
	bool (*forwards)(const struct evr_world *w, evr_thread_id t, uintptr_t address, uint32_t size);
	/* What a load of the thread would read now. NULL: what memory holds. */
	evr_value (*load)(const struct evr_world *w, evr_thread_id t, uintptr_t address, uint32_t size);
	/* The variant of a thread's pending load that reads the earliest value that it may; 0, or NULL: there is but one. */
	uint32_t (*earliest)(const struct evr_world *w, evr_thread_id t);
	/*
	 * The model once more, as axioms over a whole execution: may it happen? Shares no code with the above, and judges it
	 * (--check).
	 */
	bool (*allows)(const struct evr_graph *g);
	/* Tells which reads-from traces can happen. NULL: nobody has found out how. */
	const struct evr_oracle_ops *oracle;
	/* The part of program order that every execution keeps, if that says it all; NULL: the whole. */
	evr_keep_fn *keeps;
	/* Where steps name sources: does reading from a write synchronise with it? NULL: always. No if in doubt. */
	evr_synchronise_fn *synchronises;
};

/* Each model's row of models.def, as constants; a model's table begins with EVR_MODEL_ROW(its name). */
enum {
#define MODEL(model, buffers, sources, robust, races, stronger) \
	EVR_BUFFERS_##model = buffers, EVR_SOURCES_##model = sources, EVR_ROBUST_##model = robust, \
	EVR_RACES_##model = races,
#include "model/models.def"
#undef MODEL
};
#define EVR_MODEL_ROW(model) \
	.name = #model, .buffers_stores = EVR_BUFFERS_##model, .steps_name_sources = EVR_SOURCES_##model, \
	.decides_robustness = EVR_ROBUST_##model, .reports_races = EVR_RACES_##model

/* Where each model is in evr_models, and how many there are. */
enum evr_model_number {
#define MODEL(model, ...) EVR_MODEL_##model,
#include "model/models.def"
#undef MODEL
	EVR_MODELS
};

#define MODEL(model, ...) extern const struct evr_model_ops evr_model_##model;
#include "model/models.def"
#undef MODEL

/* All models, NULL at the end. */
extern const struct evr_model_ops *const evr_models[];
const struct evr_model_ops *evr_model_find(const char *name);
/* The model of a program for which nobody names one. Weak orders: some of its memory orders are weaker than seq_cst. */
const struct evr_model_ops *evr_model_default(bool weak_orders);

/* What all models share: mutexes and choices do not depend on how memory is ordered. */

/* A model that keeps nothing of an execution but what is in memory and in the trace. */
void evr_model_no_pieces(struct evr_world *w, struct evr_pieces *p);
/* Append the steps of t's pending event, were memory of no concern. */
void evr_model_thread_steps(const struct evr_world *w, evr_thread_id t, evr_steps *out);
/* Are there any? */
bool evr_model_thread_ready(const struct evr_world *w, evr_thread_id t);
/* Would the thread's pending event, which is possible, end an iteration that is known to change nothing? */
bool evr_model_futile(const struct evr_world *w, evr_thread_id t);
/* The same for an event that is executed with that value, or result, by a thread that had seen `before`. */
bool evr_model_futile_if(const struct evr_world *w, const struct evr_event *e, struct evr_history before,
			 evr_value read);
/* The thread has gone round for nothing. Is that new? */
bool evr_model_note_futile(struct evr_world *w, evr_thread_id t);
/* Can the thread `within` go on? */
static inline bool evr_model_is_within(const struct evr_world *w)
{
	return EVR_UNLIKELY(w->within) && w->waiting[w->within - 1] &&
	       evr_model_thread_ready(w, (evr_thread_id)(w->within - 1));
}
/* Has the thread a pending event that it can take, and is there a point in it? */
static inline bool evr_model_can_go(const struct evr_world *w, evr_thread_id t)
{
	return w->waiting[t] && w->model->ready(w, t) && !(EVR_UNLIKELY(w->futile.len) && evr_model_futile(w, t));
}
/*
 * If an event of the trace has accessed some of e's memory, but not the same bytes, have plain accesses cut: the world is halted.
 * Where the one that would have to be cut is atomic, die.
 */
void evr_model_cut(struct evr_world *w, const struct evr_event *e);
/* How many bytes of memory the event is about. */
uint32_t evr_model_extent(const struct evr_event *e);
/* The same for locations that were accessed in any execution; whoever accesses them in one will be found out then. */
void evr_model_cut_locations(struct evr_world *w, const struct evr_locations *all);
/* Write memory, logging what was there. */
void evr_model_store(struct evr_world *w, uintptr_t address, unsigned size, evr_value value);
/* For axioms: SC per byte, that is po between accesses to it, rf, co and fr do not contradict each other; and every
 * read-modify-write comes right after its source. */
bool evr_axiom_coherent(const struct evr_graph *g);
/* For axioms: no access happens before another one that, by its place in the coherence order of a byte, comes first. */
bool evr_axiom_numbered(const struct evr_graph *g, const struct evr_relation *before);
/* Execute an event that takes place in memory, at once. */
void evr_model_execute_in_memory(struct evr_world *w, struct evr_step s, struct evr_event *e);
/* Execute a mutex event. */
void evr_model_execute_mutex(struct evr_world *w, struct evr_event *e);

#endif
