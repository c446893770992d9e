/*
 * The axioms of RC11, on one execution graph: with how many modification orders is it consistent? Section 3 of the paper
 * (define_c11.h), relation by relation. This file knows nothing of programs.
 */
#ifndef EVR_TOOLS_AXIOMS_C11_H
#define EVR_TOOLS_AXIOMS_C11_H

#include "define_c11.h"
#include "relation.h"

enum { C11_MUTEX = MAX_VARS, C11_LOCATIONS = MAX_VARS + MAX_MUTEXES, C11_NOWHERE = -1, C11_NONE = -1 };

enum c11_event_kind { C11_READ, C11_WRITE, C11_FENCE, C11_CREATED, C11_STARTED, C11_ENDED, C11_JOINED, C11_CHOSEN };

/* A read-modify-write is two events, its read and its write, as in the paper. */
struct c11_event {
	enum c11_event_kind kind;
	unsigned actor,
		position; /* the position-th of its actor; an initial write is its location's of actor C11_ACTORS */
	int location;
	enum order order; /* of a read or write, its half of a read-modify-write's */
	int value; /* read, written or chosen */
	int source; /* of a read */
	int read; /* of a write: that of the same read-modify-write */
	bool may_write; /* it is a write, or part of what may be one */
	unsigned other; /* who is created or joined */
};

struct c11_graph {
	unsigned events;
	struct c11_event event[RELATION_SIZE]; /* initial writes first, one for each location */
	uint64_t last[C11_LOCATIONS]; /* not 0: the last write to the location is one of these */
};

struct c11_verdict {
	bool too_large; /* the rest says nothing */
	bool racy; /* if it is consistent */
	uint64_t used; /* locations that are accessed; nothing if nothing is seq_cst */
	uint64_t orders; /* modification orders with which the axioms hold */
	uint64_t tried; /* how many there were to look at */
};

/* Would it be consistent if all locations were quiet? Or it is too large. */
bool c11_is_consistent_if_quiet(const struct c11_options *options, const struct c11_graph *g);
/*
 * Has the location two accesses, one of which may write, and none of which comes before the other? Before: in happens-before as it would be if nobody
 * synchronised by this location; with `every_access`, because of creating and joining alone.
 */
bool c11_is_contended(const struct c11_options *options, const struct c11_graph *g, unsigned location);
struct c11_verdict c11_judge(const struct c11_options *options, const struct c11_graph *g);

#endif
