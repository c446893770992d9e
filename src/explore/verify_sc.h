/*
 * VerifySC (paper 001, section 4): is there an order of X in which each read reads from one of its good writes?
 *
 * A search through witness states: how far each thread has come, and which write is active at each cell of memory. The paper's
 * heuristics make it short: two greedy rules, the closure as a filter and a restriction, and an auxiliary trace that says in which
 * order to try. Each can be switched off.
 */
#ifndef EVR_VERIFY_SC_H
#define EVR_VERIFY_SC_H

#include "base/set.h"
#include "event/rvf.h"

enum evr_rvf_heuristic {
	EVR_RVF_CLOSURE = 1,
	EVR_RVF_GUIDE = 2,
	EVR_RVF_GREEDY = 4,
	EVR_RVF_SIGNALS = 8, /* of RVF-SMC: explore/rvf.c */
	EVR_RVF_INSTEAD = 16, /* another engine may take over: runtime/instead.h */
};

/* A list of their names, with commas. NULL, or the name that there is not, which is to be freed. */
char *evr_rvf_heuristics(const char *names, unsigned *set);

/* The closure: a partial order that every witness refines. */
struct evr_closure {
	struct evr_clocks before; /* of each event: what comes before it, without itself */
	/* Of the read that is looked at: the writes to its cell, the last one of each thread that is before it, the good ones. */
	evr_rvf_ids writes, last, visible;
	uint64_t met[EVR_MAX_THREADS], collected;
	EVR_VEC(uint64_t) good; /* of each write: when `collected` was this, it was a good one */
	/* Time goes on with each order that is found. */
	uint64_t now;
	uint64_t steps; /* since the search began: how many writes it has looked at */
	uint64_t most; /* if not 0, it gives up when there are more; what it says then means nothing */
	EVR_VEC(uint64_t) changed, closed; /* when: the order of a location's events; a part of a read */
};

/* In this order, whatever else. */
struct evr_rvf_pair {
	evr_event_id first, second;
};

typedef EVR_VEC(struct evr_rvf_pair) evr_rvf_pairs;

/* False: there is none, and no witness. */
bool evr_closure_find(struct evr_closure *c, const struct evr_rvf *x, const evr_rvf_pairs *pairs);
void evr_closure_release(struct evr_closure *c);

struct evr_verify {
	unsigned off; /* heuristics */
	size_t patience; /* so many dead ends are met before the closure is asked for */
	uint64_t
		most; /* if not 0: a search is given up after so much work, and there is no telling whether there is a witness */
	bool gave_up;
	evr_rvf_pairs pairs; /* what the witness must observe besides; usually nothing */
	evr_rvf_ids order; /* the witness */
	uint64_t asked, states, filtered, refuted;
	uint64_t work; /* in all searches: steps, and good writes that these looked at */
	struct evr_closure closure;
	/* The rest is private. */
	const struct evr_rvf *x;
	bool closed;
	_Alignas(16)
		int32_t executed[EVR_MAX_THREADS]; /* how far each thread has come: the clock of the witness state */
	uint32_t width; /* of clocks that have a component for each thread of X */
	evr_rvf_ids rank; /* of an event: its place in the auxiliary trace */
	evr_rvf_ids left; /* of a part of a read: how many of its good writes have not been executed */
	evr_rvf_ids wanted; /* of a write: how many reads that have not been executed it is good for */
	EVR_VEC(struct evr_verify_cell) at;
	EVR_VEC(struct evr_verify_step) path;
	evr_rvf_ids overwritten; /* by those of its steps that write several cells */
	evr_rvf_ids cells; /* those in use */
	struct evr_key state; /* the witness state where the path leads: sums of hashes of all that makes it up */
	EVR_VEC(struct evr_verify_marks) marks; /* of each event: what it adds to the state */
	struct evr_set dead; /* states from which there is no witness */
};

/* The guide has all events of X, or all but the last. */
bool evr_verify_sc(struct evr_verify *v, const struct evr_rvf *x, const evr_event_id *guide, size_t n);
void evr_verify_release(struct evr_verify *v);

#endif
