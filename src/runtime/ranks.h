/*
 * A search on several machines: each rank of an MPI job runs a checker with its own workers, and all of them explore one search. A checker speaks with the
 * process that started it on its rank, its *carrier* (src/ranks), over a socket, `ranks-fd`: lines of text. The carriers decide who gets branches from whom.
 *
 * Rank 0 is the one that the driver knows: it scouts, has all branches at first, and its result is that of the search. The others *follow*.
 *
 * Invariant: what a checker says after it was told something takes that into account, so the carrier can tell from the order of lines what belongs together.
 * Every line about branches names the generation of the search that they belong to, which changes when something is learned.
 *
 *   from the carrier
 *     welcome                  rank 0: what came before was for a checker that this driver had started earlier
 *     begin GENERATION KNOWN   the search begins (again), with this knowledge; rank 0 has all of it
 *     take BRANCH...           these are yours now
 *     ask                      part with some: answered by `given`
 *     save                     say what is left, at once: `saving`, findings, coverage, `rest`
 *     saved                    rank 0: so have all ranks, and all of it is on disk
 *     stop                     rank 0 does not want to go on
 *     over                     nothing is left, anywhere
 *     sum, final               rank 0: totals of the others, so far and in the end
 *     end                      the session is over
 *   to the carrier
 *     ready MODEL HASH ADDRESSES
 *     known KNOWN              rank 0: with which the search begins
 *     state GENERATION TAKEN S 0: all workers are busy, 1: some have nothing to do, 2: all; after so many `take`
 *     given GENERATION BRANCH...
 *     learned GENERATION KNOWN
 *     sum GENERATION TOTALS    so far
 *     stop                     rank 0: that is enough
 *     final TAKEN TOTALS REMARKS LEFT STATS
 *                              after so many `take`
 *     executed FLAGS           before it: what the program has executed here (runtime/coverage.h)
 *     drawn, pairs             before it: the same of a sample (runtime/sample.h)
 *   both, from a follower to rank 0: records of the wire, findings with `found` behind them; executed, drawn, pairs, refused, limit
 */
#ifndef EVR_RUNTIME_RANKS_H
#define EVR_RUNTIME_RANKS_H

#include "report/result.h"

/* Are there other ranks? */
bool evr_ranks_on(void);
/* And this one is not rank 0? */
bool evr_ranks_follows(void);

/* All ranks have the same knowledge when it returns. */
void evr_ranks_begin(void);
/* Take what the carrier has sent; waits until there is something. */
void evr_ranks_receive(void);
/* Take what has come behind `begin`, once the search has begun again. */
void evr_ranks_take_up(void);
/* Say how it is going, if that is news, and give away what was asked for. busy: there is work; hungry: some workers have nothing to do. */
void evr_ranks_look(bool busy, bool hungry);
/* Something was learned here or elsewhere, and no worker is left: evr_crew.learned is then what all ranks begin again with; NULL: they do not. */
void evr_ranks_agree(void);
void evr_ranks_tell_enough(void);
/* Rank 0: all others have stopped, and their totals are part of the result. Others never return. */
void evr_ranks_end(void (*hear)(int milliseconds));
/* Are branches left on other ranks? */
bool evr_ranks_left(void);

/* Without other ranks these do nothing. */
void evr_ranks_tell(const char *record, const char *text);
void evr_ranks_tell_found(void);
void evr_ranks_tell_sum(const struct evr_result *own);
void evr_ranks_add_sum(struct evr_result *all);
/* All ranks together have made as many executions as there may be. */
bool evr_ranks_spent(void);

#endif
