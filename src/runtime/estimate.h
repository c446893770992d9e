/*
 * How many executions will the search take? A process of its own finds out, by probes (explore/probe.h), while the search goes
 * on: a copy of this one, so that nothing that it does, or learns, or dies of, can change the search.
 */
#ifndef EVR_RUNTIME_ESTIMATE_H
#define EVR_RUNTIME_ESTIMATE_H

#include "explore/engine.h"

struct evr_size {
	double low, size,
		high; /* what the probes say: the mean, and from where to where it may be; size 0: nothing yet */
};

/* Start the process, unless it is there or has done its work. Called between executions. `hurry`: somebody will wait for it. */
void evr_estimate_begin(const struct evr_engine_ops *searched, bool hurry, const char *known);
/* What it has found out so far. True: that is news. */
bool evr_estimate_poll(struct evr_size *s);
/* The same, after a moment in which it can. */
bool evr_estimate_wait(struct evr_size *s);
/* End the process, and forget what it has found out. */
void evr_estimate_end(void);
/* Is this it? */
bool evr_estimate_is_here(void);

#endif
