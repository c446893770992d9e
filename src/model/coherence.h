/*
 * Coherence of one location: which order of its writes is forced? For models in which that is a matter of each location alone (RA), or
 * nearly so (RC11).
 *
 * Accesses are entered one after the other, each behind all that happens before it and behind its source. If one access happens before
 * another, their writes, or the writes that they read from, must not be in the opposite order. Read-modify-writes come right
 * after their sources, so a write and the chain of those behind it are a *block*, and the order is one of blocks: a graph of
 * forced edges. The accesses are coherent if no block must come before itself; then every order of the blocks that
 * respects the edges is a coherence order.
 *
 * Invariant: the initial write is member 0 and block 0, and comes before all others.
 */
#ifndef EVR_COHERENCE_H
#define EVR_COHERENCE_H

#include "event/rf.h"

#define EVR_INITIAL 0 /* the initial write, as a member, and its block */

struct evr_member {
	evr_event_id number;
	evr_thread_id thread;
	uint8_t flags; /* enum evr_rf_flag */
	int32_t place; /* it is in the past of whoever has a larger number for its thread */
	const int32_t *past;
	uint32_t source; /* member */
	/* The rest is found out when it is entered. */
	uint32_t block, block_index; /* of a write: which one, and where in it, from 1 */
	uint32_t next; /* of a write: the one that reads and overwrites it, or EVR_NO_EVENT */
	uint32_t previous; /* the one before it of its thread that counts, or EVR_NO_EVENT */
	uint32_t jump, depth; /* an earlier one (as of an access in event/rf.c), and how many there are */
	uint32_t edges, blocks; /* so many were there before */
};

struct evr_forced_edge {
	uint32_t from, to;
	uint32_t next; /* an older one from the same block */
};

struct evr_coherence {
	/*
	 * May something that happens before an access have read a write that does not? Then reads in the past count, as what they have
	 * read from does.
	 */
	bool reads_count;
	/* An edge between two blocks that were there before was added, of which the others did not tell. */
	bool tightened;
	unsigned threads;
	EVR_VEC(struct evr_member) members;
	EVR_VEC(uint32_t) last_of; /* of each block: its last member */
	EVR_VEC(uint32_t) edge_of; /* of each block: its newest edge, or EVR_NO_EVENT */
	EVR_VEC(struct evr_forced_edge) edges; /* to blocks that come after */
	evr_rf_ids member_of; /* of the number of an event */
	/* The first members are known for longer than one question lasts: evr_coherence_resume(). */
	size_t kept;
	/* The rest is private. */
	uint64_t execution; /* that they are of, and what they are of; 0: nothing is kept */
	uint32_t location, overlaps;
	uint32_t last[EVR_MAX_THREADS]; /* of each thread, the last member that counts, or EVR_NO_EVENT */
	EVR_VEC(uint32_t) stack;
	EVR_VEC(uint64_t) reached; /* of each block: the search that came there last */
	uint64_t searches;
};

void evr_coherence_release(struct evr_coherence *c);
/* A location of which nothing is known, in a trace with so many threads. */
void evr_coherence_begin(struct evr_coherence *c, unsigned threads);
/*
 * Of this location, of the execution that the trace has, keep what was entered of the events before `prefix`, and nothing else; how many these are
 * is returned. Whoever enters the next of them counts it in `kept`. A member's number is that of its event, then.
 */
size_t evr_coherence_resume(struct evr_coherence *c, const struct evr_rf *t, uint32_t location, evr_event_id prefix);
/* The events from n on will not stay what they are. */
void evr_coherence_forget(struct evr_coherence *c, evr_event_id n);
/*
 * Room for one more access, for the first half of what there is to say of it. It is said where it stays: a wide load of what was just stored in
 * narrow pieces, to copy it, makes a processor wait.
 */
static inline struct evr_member *evr_coherence_new(struct evr_coherence *c)
{
	evr_vec_reserve(&c->members, c->members.len + 1);
	return &c->members.data[c->members.len++];
}
/* It comes after the accesses in its past. `sure`: it fits in. False: it does not. */
bool evr_coherence_enter(struct evr_coherence *c, bool sure);
/*
 * Without entering anything: can x, which reads, come behind the accesses to its location, `old`, which are coherent? Whatever its past has seen there
 * must come before its source, or be it, and if it happens before the source that is so already. Two read-modify-writes do not
 * have the same source. `scale`: an event is in the past of whoever has for its thread at least so many times as many as there are up to it.
 */
enum evr_answer { EVR_NO, EVR_YES, EVR_UNCLEAR };
enum evr_answer evr_coherence_ask(const struct evr_rf *t, const evr_rf_ids *old, const struct evr_rf_event *x,
				  const int32_t *past, evr_event_id source, const int32_t *source_past, int32_t scale);
/* Must something of block `from` come before something of block `to`, or are they the same? */
bool evr_coherence_reaches(struct evr_coherence *c, uint32_t from, uint32_t to);
/* The last write of a block that no other need come after. */
evr_event_id evr_coherence_newest(const struct evr_coherence *c);
/* Append the numbers of the block's writes, without the initial one. */
void evr_coherence_append(const struct evr_coherence *c, uint32_t block, evr_rf_ids *sorted);
/* The writes in an order that respects the edges, without the initial one; those that are wanted, by number, come last if they can. */
void evr_coherence_sort(struct evr_coherence *c, const evr_rf_ids *wanted, evr_rf_ids *sorted);

#endif
