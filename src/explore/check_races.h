/*
 * Data races by their definition, for --check: happens-before as a relation between all events of a finished execution, and
 * every pair of accesses that it leaves unordered. It shares nothing with event/race.c, which must find the same.
 *
 *   release sequence   of an atomic write: itself, and every atomic read-modify-write that comes right behind one of its members
 *                      in the coherence order of some byte. Of C11: also every later atomic write of its thread that has a byte in common
 *                      with it
 *   synchronises-with  from a release write, or a release fence before an atomic write, to an acquire read, or an acquire fence
 *                      behind an atomic read, if the read takes a byte from the write's release sequence; from the last unlock
 *                      of a lock to the next time that somebody takes it
 *   happens-before     program order, create, join, and synchronises-with, closed transitively
 *   race               two accesses of different threads that have a byte in common, at least one a write, at least one not
 *                      atomic, unordered by happens-before. Freeing memory is a plain write to all of it
 *
 * Orders are those that the program declares; of a compare-exchange that failed, that of its failure.
 */
#ifndef EVR_CHECK_RACES_H
#define EVR_CHECK_RACES_H

#include "event/graph.h"
#include "event/race.h"

struct evr_race_definition {
	bool c11; /* release sequences are those of C11 */
	struct evr_relation before; /* happens-before */
	EVR_VEC(bool) sequence;     /* the release sequence that is looked at */
};

void evr_race_definition_release(struct evr_race_definition *d);
/* Append every race of the graph's trace; false: happens-before has a cycle. */
bool evr_race_define(struct evr_race_definition *d, const struct evr_graph *g, evr_race_pairs *out);
/*
 * Has the finder found the races that there are? Two accesses of one thread at one place of the source that race with the same later
 * one may be told by the newer one.
 */
bool evr_races_agree(const struct evr_trace *t, const evr_race_pairs *defined, const evr_race_pairs *found);

#endif
