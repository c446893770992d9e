/*
 * The state of engine `rvf`'s search, which its files share: rvf_run.c follows executions, rvf_tree.c gives reads their values,
 * rvf_cells.c those of several cells, and rvf.c is the engine.
 */
#ifndef EVR_RVF_SEARCH_H
#define EVR_RVF_SEARCH_H

#include "explore/engine.h"
#include "explore/verify_sc.h"

/* An event that is about to take place at a node. */
struct evr_rvf_pending {
	evr_thread_id thread;
	uint8_t kind;
	union { /* as in struct evr_event */
		uint8_t op;
		uint8_t lock;
	};
	uint8_t flags;
	uint32_t size, location, past;
	uint32_t cell, cells;
	uintptr_t address;
	union {
		evr_value written; /* the operand */
		evr_value choices;
	};
	evr_value expected;
	evr_value initial;           /* what is there, if nobody has accessed it yet */
};

struct evr_rvf_node {
	evr_event_id events;    /* of X */
	uint32_t order;         /* where they are, as they were executed, in `orders` */
	uint32_t pasts;         /* how many there are */
	uint32_t counts;        /* in `per_thread`: how many events each thread has; then the causal map */
	unsigned threads;       /* that these speak of */
	uint32_t first, end;    /* of `mutate`: what is left; the first may be `reading` */
	uint32_t value;         /* the next to be tried, in the order of list_values() */
	uint32_t values;        /* how many there are; 0: nobody knows */
	evr_event_id active;    /* the write that the read finds if it comes last; of one cell */
	uint32_t above;         /* if `asks`: the next one up that asks for the same location */
	bool reading, asks, wrote, backtrack;
	bool has_child; /* or the execution is complete */
	bool given; /* the other values of this read are explored by a copy */
};

struct evr_rvf_value {
	evr_value value;
	bool unset;
};

/* What a read of several cells may find in one of them. */
struct evr_rvf_option {
	evr_event_id source;
	bool new; /* it was not there when the read had its turn above */
	struct evr_rvf_value value;
};

/* Those of a cell, or rather of all cells of the read that have the same sources: they are read from the same one. */
struct evr_rvf_choices {
	uint32_t first, end; /* in `options` */
	uint32_t like;       /* the first cell of the read that has the same sources */
	uint32_t values;     /* how many ways there are to read these */
	uint32_t chosen;
	evr_event_id active;
};

struct evr_rvf_search {
	struct evr_engine base;
	struct evr_rvf x;
	struct evr_verify verify;
	EVR_VEC(struct evr_rvf_node) nodes;
	EVR_VEC(struct evr_rvf_pending) mutate;
	EVR_VEC(uint32_t) per_thread;
	evr_rvf_ids orders, asking; /* by location: the deepest node whose read is of it */
	evr_rvf_ids sources;        /* what a read may read from */
	evr_rvf_ids hiding;         /* and what it comes after */
	EVR_VEC(struct evr_rvf_value) values;
	EVR_VEC(struct evr_rvf_option) options; /* of a read of several cells */
	EVR_VEC(struct evr_rvf_choices) choices; /* for each cell */
	/* This execution. */
	uint32_t order;  /* its events are in `orders` from here on */
	size_t depth;   /* how many it has made */
	size_t planned; /* how many it was told to make */
	evr_event_id seen; /* how much of its trace has been recorded */
	evr_event_id position; /* where the event of the last step is in the trace */
	evr_rvf_ids positions; /* of the events of all steps */
	evr_steps steps;
	struct evr_probe *probe; /* NULL: this is a search */
	bool has_plan; /* for the next one */
	bool complete; /* it has come to its end */
	size_t floor; /* the node at which the search began: 0, or that of a copy's part */
	bool is_copy;
	evr_join *join;
	/*
	 * A read-modify-write of several cells has come up, and from then on nobody relies on signals. If it may only read a cell
	 * before others come that another of its cells must wait for, it is not made at all, and sends none.
	 */
	bool unsignalled;
	/* If somebody else may take over: work for questions, and events of complete executions. */
	uint64_t work, executed;
	/* What is still to be asked about it: see prepare_rerun(). */
	struct evr_rvf relaxed;
	evr_rvf_ids awaited;
	uint32_t count[EVR_MAX_THREADS], past[EVR_MAX_THREADS];
	bool joined[EVR_MAX_THREADS]; /* `coming` is what its next event comes after */
	struct evr_clocks coming;
};

static inline struct evr_rvf_node *evr_rvf_top(struct evr_rvf_search *f)
{
	return &evr_vec_last(&f->nodes);
}

/* How many events each thread has. */
static inline uint32_t *evr_rvf_counts(struct evr_rvf_search *f, const struct evr_rvf_node *n)
{
	return &f->per_thread.data[n->counts];
}

/* By thread: the node whose counts say what its pending read must not read from, or EVR_NO_EVENT. The paper's C. */
static inline uint32_t *evr_rvf_causal(struct evr_rvf_search *f, const struct evr_rvf_node *n)
{
	return &f->per_thread.data[n->counts + n->threads];
}

/* rvf_split.c: copies of the process take parts. */

size_t evr_rvf_splits_at(const struct evr_engine *e);
bool evr_rvf_part(struct evr_engine *e, size_t node, evr_join *join);
char *evr_rvf_outcome(const struct evr_engine *e);
/* Wait for whoever explores the other values of the node's read. */
void evr_rvf_join(struct evr_rvf_search *f, struct evr_rvf_node *n);

/* rvf_run.c: an execution. */

void evr_rvf_begin_execution(struct evr_rvf_search *f);
/* Append the events executed so far to X. */
void evr_rvf_record(struct evr_rvf_search *f);
struct evr_step evr_rvf_take_step(struct evr_rvf_search *f, evr_thread_id thread, uint32_t variant);
/* The search did not know how memory is divided, or that signals are not to be relied on: the execution ends here. */
static inline void evr_rvf_halt(struct evr_rvf_search *f)
{
	evr_learn(&f->base.world->knowledge);
	f->base.world->halted = true;
}
/* What the location of an event, executed or pending, is divided into. Valid until the next call. */
const struct evr_cell_range *evr_rvf_location_of(struct evr_rvf_search *f, const struct evr_event *e);
/* Does a write of X, of this location, cover the cell? */
bool evr_rvf_is_written(const struct evr_rvf *x, uint32_t location, uint32_t cell);
/* What the thread's next event comes after: where in `pasts` it is. */
uint32_t evr_rvf_keep_past(struct evr_rvf_search *f, evr_thread_id t);
/* An event tells the reads above, of other threads, that there is more to read from, or to write before. */
void evr_rvf_signal(struct evr_rvf_search *f, const struct evr_rvf_event *y);

/* rvf_tree.c: nodes and their children. */

/* A thread that is about to do what needs no decision; EVR_NO_THREAD: there is none. */
evr_thread_id evr_rvf_extends(const struct evr_rvf_search *f);
/* All threads are about to read, choose, or wait. */
struct evr_rvf_node *evr_rvf_add_node(struct evr_rvf_search *f);
/* Give the node's read its next value, or the next read its first: the events of X, in their `order`. False: all is done. */
bool evr_rvf_next_child(struct evr_rvf_search *f, struct evr_rvf_node *n);
/* Forget what was done below. */
void evr_rvf_rewind_to(struct evr_rvf_search *f, struct evr_rvf_node *n);
/* The same at the deepest node where there is something to do. False: all has been explored. */
bool evr_rvf_find_child(struct evr_rvf_search *f);
/* rvf_probe.c: one of its children, at random. False: it has none. */
bool evr_rvf_any_child(struct evr_rvf_search *f, struct evr_rvf_node *n);
/* The execution of a probe is over: what did the threads write? */
void evr_rvf_learn(struct evr_rvf_search *f);

/* Is the write, or the initial one, overwritten before the read, in program order, where the cell is? */
bool evr_rvf_is_hidden(const struct evr_rvf_search *f, const struct evr_rvf_node *n, const struct evr_rvf_pending *p,
		       evr_event_id w, uint32_t cell);
/* Is it one that the read must not read from at this node, or not from such alone? */
bool evr_rvf_is_forbidden(const struct evr_rvf_search *f, const struct evr_rvf_node *n, const struct evr_rvf_pending *p,
			  evr_event_id w);
/* The write to the cell that comes last in the node's order. */
evr_event_id evr_rvf_active(const struct evr_rvf_search *f, const struct evr_rvf_node *n, uint32_t cell);
/* The initial value of a cell that p reads. */
struct evr_rvf_value evr_rvf_initial(const struct evr_rvf_search *f, const struct evr_rvf_pending *p, uint32_t cell);
void evr_rvf_append_pending(struct evr_rvf_search *f, const struct evr_rvf_node *n, const struct evr_rvf_pending *p,
			    evr_value read, unsigned flags);
/* Find an order for X, to which the read has been added; `last`: it can come last, in the order that is there. */
bool evr_rvf_find_witness(struct evr_rvf_search *f, const struct evr_rvf_node *n, bool last);

static inline bool evr_rvf_same_value(struct evr_rvf_value a, struct evr_rvf_value b)
{
	return a.value == b.value && a.unset == b.unset;
}

/* rvf_cells.c: the same as for a read of one cell. Give the read its next value; false: there is none. */
bool evr_rvf_read_divided(struct evr_rvf_search *f, struct evr_rvf_node *n, const struct evr_rvf_pending *p);

#endif
