/* The searches of a run, one for each model. They take turns: one that does not end does not keep the others from ending. */
#ifndef EVR_DRIVER_EXPLORE_H
#define EVR_DRIVER_EXPLORE_H

#include "driver/options.h"

/* Told while searches go on. The report has the results of all that have begun, in the order of the models. */
struct evr_listener {
	/* There is a finding, or, if the searches had to take turns, a verdict that it has not been told: at most about twice a second. */
	void (*news)(void *argument);
	/* A search has ended, and this is its result. Others may be paused. */
	void (*ended)(void *argument, struct evr_result *r);
	void *argument;
};

/*
 * Adds a result for each model to the report. Never fails: whatever happens to a checker is in its result. `checker` is a path with a
 * slash; `listener` may be NULL.
 */
void evr_explore_all(const struct evr_options *o, const char *checker, const evr_words *models,
		     struct evr_report *report, const struct evr_listener *listener);
/* The same for one model. */
struct evr_result *evr_explore(const struct evr_options *o, const char *checker, const char *model);

#endif
