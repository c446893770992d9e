/* `everett sample`: executions drawn at random, and what they cover. */
#ifndef EVR_RUNTIME_SAMPLE_H
#define EVR_RUNTIME_SAMPLE_H

#include "base/strbuf.h"
#include "explore/engine.h"
#include "report/result.h"

/* Is that the question? */
bool evr_sample_wanted(void);
/* Draw until a limit, or until there is a finding; classes are those of the engine that would explore. */
void evr_sample(struct evr_result *r, const struct evr_engine_ops *classes_of);

/*
 * The same by workers (runtime/workers.h): they draw, in ranges of evr_hunt_ops, and tell what they have drawn since they last did so; who has workers, or hears of other ranks, takes that.
 *
 *   drawn KEY EARLY FAILING LATER FAILING...   classes: how many independent draws, early ones and later ones; and how many of these failed
 *   pairs FROM TO...                           places of a write and of a read from it
 */
void evr_sample_divided(struct evr_result *r, const struct evr_engine_ops *classes_of);
/* Which engine would explore? NULL: that is not the question. */
const struct evr_engine_ops *evr_sample_classes_of(void);
/* Something was learned: what was drawn does not count. */
void evr_sample_forget(void);
/* `text`: of a record, from its first tab on. False: it is invalid. */
bool evr_sample_take_drawn(const char *text);
bool evr_sample_take_pairs(const char *text);
/* All that was not told yet, as lines. */
void evr_sample_tell(struct evr_strbuf *to);
/* Sum up, and tell the driver. */
void evr_sample_end(void);

/* A worker's engine, and what it does first. */
struct evr_engine *evr_sample_begin_worker(struct evr_result *r);
void evr_sample_pilots(void);
/* The engine has taken a branch: draw there. */
void evr_sample_explore(void);

#endif
