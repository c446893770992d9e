/*
 * Rollback: an execution that begins as the last one did goes on from a mark of that one, instead of running its beginning again.
 *
 * A mark is a copy of the state between two steps, when all threads wait: threads with their stacks, the execution, the world, and what was
 * written so far, in memory and in shadow memory. Marks are taken while an execution goes on; they are those of the last execution, in its order.
 *
 * Invariant: a mark is a state of the last execution. Whoever runs anything else forgets all marks: evr_marks_forget().
 */
#ifndef EVR_ROLLBACK_H
#define EVR_ROLLBACK_H

#include "base/base.h"

struct evr_engine;

/* The execution begins with the first event: are marks of any use in it? */
void evr_marks_begin(struct evr_engine *e);
/* Go back to the last mark that the next execution has in common with the last one. False: there is none. */
bool evr_marks_resume(struct evr_engine *e);
/* The scheduler, between two steps, when `pause_at` is passed. */
void evr_marks_take(struct evr_engine *e);
void evr_marks_forget(void);
/* How many events were not run again, so far. */
uint64_t evr_marks_skipped(void);
/* Of what the execution that is over has left in memory, with what is known of that: the same whether or not it went on from a mark. */
uint64_t evr_marks_digest(void);

#endif
