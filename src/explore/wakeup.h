/*
 * Wakeup trees (Optimal-DPOR, JACM 2017): the sequences of steps that are still to be explored from some point on.
 *
 * A tree is a list of branches, first to last, each with a tree of its own below it. A sequence is the steps of an
 * execution that would happen without some event, in their order, and at its end one step that is to happen instead.
 * Inserted, it is reduced to what is needed: its end with its past, and for each step that is asleep or will be explored
 * before it something that conflicts with that step. So the trees stay small, and whatever the sequence would have led
 * to is among the continuations.
 */
#ifndef EVR_WAKEUP_H
#define EVR_WAKEUP_H

#include "explore/hb.h"
#include "model/model.h"

/* A step, and what its event does to memory. */
struct evr_op {
	struct evr_step step;
	struct evr_access access;
	uint64_t
		elsewhere; /* of evr_op_places() the bits that it does not have; 0: whoever has made it did not work it out */
};

struct evr_item {
	const struct evr_op *op;
	uint64_t places; /* where it may be, of evr_op_places() */
	evr_event_id event; /* EVR_NO_EVENT: of none in this execution */
	bool gone; /* it is on the path from the root already */
	bool needed;
};

typedef EVR_VEC(struct evr_item) evr_items;

typedef uint32_t evr_tree; /* its first branch, or EVR_NO_TREE */
#define EVR_NO_TREE ((evr_tree) - 1)

struct evr_branch {
	struct evr_op op;
	evr_tree below, next;
};

struct evr_wakeup {
	struct evr_hb *hb;
	EVR_VEC(struct evr_branch) branches;
	evr_tree unused; /* with what is below them */
	/* The sequence to insert, and the steps that it does without because they happen after the event that it leaves out. */
	evr_items sequence, left_out;
	bool updates; /* there are some among these */
	EVR_VEC(struct evr_op) changed; /* steps that do something else to memory in the sequence than they did */
	uint64_t actors; /* whose steps are in it, modulo 64 */
	size_t first; /* all items before are gone */
	evr_thread_id blocked; /* the sequence ends with this thread's pending event, which has not happened */
};

void evr_wakeup_release(struct evr_wakeup *w);
void evr_wakeup_clear(struct evr_wakeup *w);

/* Do the bytes that loads take from memory, and not from a buffer, overlap the other access? */
bool evr_forwarded_conflict(const struct evr_hb *o, const struct evr_access *a, const struct evr_access *b);

/* Does it matter which of the two comes first? Of the same thread it does not: a thread and its buffer. */
static inline bool evr_ops_conflict(const struct evr_hb *o, const struct evr_op *a, const struct evr_op *b)
{
	const struct evr_access *x = &a->access, *y = &b->access;
	if (a->step.actor == b->step.actor)
		return a->step.actor <
		       EVR_MAX_THREADS; /* two choices of one event; two updates are in order or independent */
	if (EVR_UNLIKELY(x->kind == EVR_ACCESS_FREE || y->kind == EVR_ACCESS_FREE) && a->step.actor < EVR_MAX_THREADS &&
	    b->step.actor < EVR_MAX_THREADS)
		return false;
	if (x->kind + y->kind < EVR_ACCESS_READ + EVR_ACCESS_WRITE || x->address >= y->address + y->size ||
	    y->address >= x->address + x->size || !x->kind || !y->kind)
		return false;
	if (a->step.actor % EVR_MAX_THREADS == b->step.actor % EVR_MAX_THREADS)
		return false;
	return EVR_LIKELY(!(x->forward | y->forward)) || evr_forwarded_conflict(o, x, y);
}

/*
 * Where a step is, roughly: bits of its actor, of places that it accesses, and of places that it changes. If there is none of evr_op_near() among them, it
 * neither is the step of the other's actor, nor conflicts with it.
 */
#define EVR_PLACES_ACTORS UINT64_C(0xffffffff)
#define EVR_PLACES_ACCESSED (UINT64_C(0xffff) << 32)

static inline uint64_t evr_op_places(const struct evr_op *op)
{
	const struct evr_access *a = &op->access;
	uint32_t first = (uint32_t)(a->address / 4), last = (uint32_t)((a->address + a->size - 1) / 4);
	uint64_t actor = UINT64_C(1) << op->step.actor % 32;
	uint64_t places = UINT64_C(1) << (32 + first % 16) | UINT64_C(1) << (32 + last % 16);
	if (EVR_UNLIKELY(a->kind == EVR_ACCESS_FREE || last - first > 1))
		return a->kind == EVR_ACCESS_NONE ? actor : ~UINT64_C(0);
	return actor | (a->kind == EVR_ACCESS_NONE ? 0 : places) | (a->kind == EVR_ACCESS_WRITE ? places << 16 : 0);
}

static inline uint64_t evr_op_near(const struct evr_op *op)
{
	uint64_t places = ~op->elsewhere, accessed = places & EVR_PLACES_ACCESSED;
	return (places & EVR_PLACES_ACTORS) | (op->access.kind == EVR_ACCESS_READ ? accessed << 16 : accessed);
}

/* What is left to say of a step that is asleep when another one, which does not conflict, has been taken. */
struct evr_op evr_op_after(struct evr_hb *o, const struct evr_op *op, const struct evr_op *taken);

/* Does the tree have this step as a branch with nothing below it? */
bool evr_wakeup_plans(const struct evr_wakeup *w, evr_tree tree, struct evr_step s);

/* Begin a sequence, of an execution with at most n steps. */
void evr_wakeup_begin(struct evr_wakeup *w, size_t n);
/*
 * The steps of the execution from the event on that is left out have been sorted into w->sequence.data and w->left_out.data;
 * here are their ends, and the actors of the first.
 */
void evr_wakeup_built(struct evr_wakeup *w, const struct evr_item *sequence_end, const struct evr_item *left_out_end,
		      uint64_t actors, bool updates);
/* The step that is to come at the end. */
void evr_wakeup_append(struct evr_wakeup *w, const struct evr_op *op, evr_event_id event);

/*
 * Insert the sequence, unless it leads to nothing new: a step that is asleep, or the tree, covers it. Returns whether this
 * will stay so for every execution that has the same events up to `last`.
 */
bool evr_wakeup_insert(struct evr_wakeup *w, const struct evr_op *asleep, size_t n, evr_tree *tree, evr_event_id last);
/* Remove the first branch; *below is the tree that was below it. */
struct evr_op evr_wakeup_take(struct evr_wakeup *w, evr_tree *tree, evr_tree *below);
/* Forget it. */
void evr_wakeup_drop(struct evr_wakeup *w, evr_tree tree);
/* Forget what is below its branches. False: there was nothing. */
bool evr_wakeup_prune(struct evr_wakeup *w, evr_tree tree);
/* One tree of two: first the branches of a, then those of b. */
evr_tree evr_wakeup_concat(struct evr_wakeup *w, evr_tree a, evr_tree b);

#endif
