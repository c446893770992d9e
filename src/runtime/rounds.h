/*
 * Rounds: of a search that will not end within its limits, a copy of this process explores all executions with at most 0 preemptions, then with at most 1, and so on, beside the
 * search and independently of it. So what was finished is a statement, though the search was not.
 */
#ifndef EVR_ROUNDS_H
#define EVR_ROUNDS_H

#include "explore/engine.h"
#include "report/result.h"

/* The search has gone on for so many seconds, and r says how far it is: are there to be rounds from now on? */
bool evr_rounds_due(const struct evr_result *r, double seconds);
/* Is it time to find out how large the search is, so that evr_rounds_due() can tell? */
bool evr_rounds_ask(const struct evr_result *r, double seconds);
/* Start them, between two executions. `searched` says what a class is; `known`: what the search has learned, or NULL: this process knows. */
void evr_rounds_begin(const struct evr_engine_ops *searched, const char *known);
/* What they have finished and found becomes part of r, and the driver hears of it. */
void evr_rounds_poll(struct evr_result *r);
/* The same, and end them. */
void evr_rounds_end(struct evr_result *r);
/* Is this process the copy? Then a tick is for it. */
bool evr_rounds_is_here(void);
void evr_rounds_on_tick(void);

#endif
