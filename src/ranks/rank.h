/*
 * A carrier: it connects the checker of one rank to those of the others. It steals branches for its checker when that has too little to do, gives away some of
 * them when others ask, finds out when nothing is left anywhere, and takes part in saving.
 *
 * This is the protocol alone, without MPI, processes and clocks: they are behind struct evr_rank_ops, so that the simulator (bench/scale) runs the same code.
 *
 * Messages between ranks and lines of the checker (runtime/ranks.h) are text. Messages from one rank to another arrive in order. Rank 0 is the root of a tree, along which orders
 * go down, and sums go up.
 *
 *   steal THIEF HOPS             answered by exactly one `work`, of this rank or of another one, to which it was passed on
 *   work EPOCH GENERATION N BRANCH...   the N-th of this sender; 0: there is nothing to give
 *   ack EPOCH N                  it was received
 *   learned GENERATION KNOWN     to rank 0
 *   record LINES                 to rank 0: for its checker
 *   begin GENERATION EPOCH MODEL HASH ADDRESSES KNOWN, wave GENERATION, stop, over, save EPOCH VALID, end            down
 *   count GENERATION SENT RECEIVED, sum GENERATION TOTALS, final RECORDS MOVING NUMBERS, saved EPOCH FAILED    up
 *
 * Termination. A wave goes down the tree; a rank answers it when it is passive, that is, when its checker has nothing, and its children have answered. The answer
 * is how many messages with branches were sent and received in its subtree. If two waves in a row bring the same numbers, and as many were received as were sent, nothing is left (Mattern's four counters).
 *
 * Saving. Rank 0 begins an epoch when the last one is complete. A rank enters it when it is told so, or before it takes a message of a rank that has. It then asks its checker for what is left, and writes that
 * as its part, with the branches that it has sent and that were not acknowledged, and the number of the last message that it had taken from each rank: whoever puts the parts together takes a batch
 * from the sender's part if its number is larger than that. So the parts of an epoch have each branch once, and what was counted belongs to what is gone. An epoch is valid when all parts are written.
 *
 * The end. Messages of different ranks may overtake each other, so a rank says with its totals how many records it has sent, and rank 0 waits for all of them. When the search was
 * stopped, batches may still be on their way: each rank says how many more it has sent than its checker has taken, and what is missing from the sum counts as left.
 */
#ifndef EVR_RANK_H
#define EVR_RANK_H

#include "base/strbuf.h"
#include "base/vec.h"

#define EVR_RANK_FANOUT 8 /* of the tree: most children of a rank */

struct evr_rank_ops {
	/* A message to another rank; the text is the callee's, to be freed. */
	void (*send)(void *self, int to, char *text);
	/* A line to the checker, without the newline. */
	void (*tell)(void *self, const char *line);
	/* Write this rank's part of an epoch. False: it could not be written. */
	bool (*write_part)(void *self, unsigned long long epoch, const char *text);
	/* Rank 0: all parts of this epoch are written. False: that could not be noted, and the epoch is not valid. */
	bool (*epoch_complete)(void *self, unsigned long long epoch);
	/* The session is over. */
	void (*ended)(void *self);
	/* Which machine this is. */
	const char *(*host)(void *self);
};

/* Branches that were sent, until the receiver says that it has them. */
struct evr_rank_batch {
	int to; /* -1: to nobody, they were given in a generation that was over */
	unsigned long long number, generation;
	bool acknowledged;
	char *branches; /* each with a tab before it */
};

struct evr_rank_thief {
	int who;
	int hops; /* by so many others its request was passed on */
};

struct evr_rank_last {
	int from;
	unsigned long long number;
};

#define EVR_RANK_NUMBERS 64 /* most numbers of a `sum` or a `final` */
/* Of a `final`, behind five totals: bits, and how many branches are left. All numbers but the bits are added up. */
#define EVR_FINAL_BITS 5
#define EVR_FINAL_LEFT 6

struct evr_rank_numbers {
	size_t n;
	unsigned long long value[EVR_RANK_NUMBERS];
};

struct evr_rank_child {
	bool counted, saved, finished;
	unsigned long long sent, received;
	unsigned long long records, moving; /* of `final` */
	struct evr_rank_numbers sum, final;
};

struct evr_rank {
	const struct evr_rank_ops *ops;
	void *self;
	int rank, ranks;
	int fanout, below; /* how many children a rank has, if there are so many ranks, and how many this one has */
	bool saves;
	double saving_every; /* seconds; of rank 0 */
	char *ready, *ready_first; /* what the own checker is, and that of rank 0, or NULL */
	uint64_t random;

	unsigned long long generation; /* 0: the search has not begun */
	int state; /* of the checker: 0 busy, 1 hungry, 2 idle */
	unsigned long long told; /* `take` lines of this generation */

	/* stealing */
	bool waits; /* a `steal` is not answered yet */
	size_t asked; /* the checker, for so many thieves, and it has not answered */
	unsigned failures; /* in a row */
	double requested; /* when the last request came */
	int first_victim; /* who is asked next; -1: anybody */
	double next_try;
	EVR_VEC(struct evr_rank_thief) thieves; /* who wait for an answer */
	EVR_VEC(char *) early; /* `work` of a generation that has not begun here, with the sender before it */

	/* termination */
	bool wave; /* it is here, and not answered */
	unsigned long long sent, received, last_sent, last_received;
	bool had_wave; /* rank 0: the last two are those of the wave before */
	struct evr_rank_child children[EVR_RANK_FANOUT]; /* `below` of them */
	bool over, stopped, finished, ended;
	struct evr_rank_numbers sum, final; /* of the own checker */
	unsigned long long final_taken; /* batches that it knows of in its `final` */
	unsigned long long moving; /* rank 0: of the others */
	unsigned long long records_sent, records_heard; /* to rank 0; by rank 0 */
	bool sum_changed;
	double next_sum;

	/* saving */
	unsigned long long epoch, first_epoch; /* the latter is the last one of earlier jobs */
	unsigned long long valid; /* the last valid one of this job that is known here; 0: none */
	bool pending; /* the checker was asked for its part */
	bool part_written; /* of this epoch */
	bool part_failed; /* this or another one below could not be written */
	bool complete; /* rank 0: of this epoch all are; the last one may still be missing */
	bool wants_last; /* rank 0: an epoch is to begin as soon as this one is complete, the last one */
	double next_epoch;
	unsigned long long part_generation;
	struct evr_strbuf part, taken_then; /* what has come of the part; and what was taken when it was asked for */
	EVR_VEC(struct evr_rank_batch) batches;
	EVR_VEC(struct evr_rank_last) last;
	unsigned long long batch_number;
	struct evr_strbuf records; /* lines of a finding, until it is complete */

	unsigned long long steals, tried; /* for the curious: batches received, requests sent */
};

void evr_rank_init(struct evr_rank *r, const struct evr_rank_ops *ops, void *self, int rank, int ranks);
void evr_rank_release(struct evr_rank *r);
/* Another tree: before anything else, the same on all ranks, and at most EVR_RANK_FANOUT. */
void evr_rank_set_fanout(struct evr_rank *r, int fanout);
/* A message from another rank. */
void evr_rank_hear(struct evr_rank *r, int from, const char *text, double now);
/* A line of the checker. */
void evr_rank_line(struct evr_rank *r, const char *line, double now);
/* Tell the checker of rank 0; the text is the callee's, to be freed. */
void evr_rank_record(struct evr_rank *r, char *text);
/* Time has passed. Returns when this is to be called again at the latest. */
double evr_rank_tick(struct evr_rank *r, double now);
/* To the children in the tree. */
void evr_rank_send_down(struct evr_rank *r, const char *text);
/* Somebody waits for the next message, so that it should be looked for soon. */
bool evr_rank_is_eager(const struct evr_rank *r, double now);
/* Rank 0: the search is over, for whatever reason. All ranks are told. */
void evr_rank_end(struct evr_rank *r);

#endif
