/* One checker run under one model: started, listened to, limited, and survived. */
#ifndef EVR_DRIVER_EXPLORE_H
#define EVR_DRIVER_EXPLORE_H

#include "driver/options.h"

/* Told while the search goes on, at most about twice a second, when there is a finding that it has not been told. */
struct evr_listener {
	void (*news)(void *argument, struct evr_result *so_far);
	void *argument;
};

/*
 * Never fails: whatever happens to the checker is in the result. `checker` is a path with a slash; `listener` may be NULL.
 */
struct evr_result *evr_explore(const struct evr_options *o, const char *checker, const char *model,
			       const struct evr_listener *listener);

/* The user has asked to stop: do not start another run. */
bool evr_interrupted(void);

#endif
