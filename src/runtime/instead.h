/*
 * When one engine takes over from another. Engine `rvf` asks questions in order to save executions. If they cost much, and
 * values turn out to save little, the search starts again with `rf`, whose executions cost less.
 *
 * All that decides is counted, not timed: the same program is explored in the same way each time.
 */
#ifndef EVR_INSTEAD_H
#define EVR_INSTEAD_H

#include "explore/engine.h"

/* May another engine take over from this one? */
bool evr_instead_may(const struct evr_engine_ops *searched, const struct evr_engine *e);
/*
 * The engine, which the caller owns, has found that it is costly: explore by the other one. It becomes the engine, unless values save
 * something; then the search is made by this one after all. True: all was explored.
 */
bool evr_instead_explore(struct evr_engine **engine, const struct evr_engine_ops *searched);
/* What there is to say about it, or NULL. */
const char *evr_instead_note(void);
void evr_instead_add_stats(struct evr_stats *s);

#endif
