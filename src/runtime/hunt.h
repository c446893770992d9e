/*
 * The hunt: random executions that look for bugs while the search is young, by a copy of this process. So nothing that it does, or learns, or dies of can change
 * the search, whose counts are the same with it and without it.
 *
 * How much it does is counted in steps (explore/hunt.h), not in seconds, so that the same seed finds the same.
 */
#ifndef EVR_RUNTIME_HUNT_H
#define EVR_RUNTIME_HUNT_H

#include "explore/engine.h"
#include "report/result.h"

/* Is there to be one? */
bool evr_hunt_wanted(void);
/* And before everything else, because the user has asked for it? Else it comes when the search turns out not to be small. */
bool evr_hunt_is_first(void);
/* How large a search is that goes on without a hunt, in the unit of evr_hunt_effort(). */
#define EVR_HUNT_SMALL 1000000
/* What an execution with so many events costs a search, about. */
static inline uint64_t evr_hunt_effort(size_t events)
{
	return 20 + events + (uint64_t)events * events / 32;
}

/* Who draws the executions before the search that look for bugs, in this process (evr_check_scout()). */
struct evr_engine *evr_hunt_first(struct evr_world *w);
/* There were so many random executions, besides those that were counted before. */
void evr_hunt_count(uint64_t executions);
/* Start it. `known`: what the search has learned, or NULL: this process knows. */
void evr_hunt_begin(const char *known);
/* What it has found becomes part of r, and the driver hears of it. True: it is over. */
bool evr_hunt_poll(struct evr_result *r);
/* The same, until it is over or the search is stopped. */
void evr_hunt_wait(struct evr_result *r);
/* End it. */
void evr_hunt_end(void);
/* An execution was drawn by evr_engine_hunt(): judge it, if that is asked for, and collect what it has found, if it finds that again. The execution may be another one then. */
void evr_hunt_look(struct evr_engine *e, struct evr_result *r);
/* Is this process the hunt? Then a tick is for it. */
bool evr_hunt_is_here(void);
void evr_hunt_on_tick(void);
/* The set of hunters that were asked for. */
unsigned evr_hunt_hunters(void);

#endif
