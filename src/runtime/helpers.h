/*
 * A search that copies of this process, the helpers, take parts of. A helper begins with all that its parent knows, explores one part, says what came of it, and ends. Whoever has given a part away
 * waits for it before it goes on above that part. A helper may have helpers.
 */
#ifndef EVR_HELPERS_H
#define EVR_HELPERS_H

#include "explore/engine.h"
#include "report/result.h"

/* Can this search be divided in this way, and is it to be? */
bool evr_helpers_wanted(const struct evr_engine_ops *searched);
void evr_helpers_begin(struct evr_engine *e, struct evr_result *r);
/* Between two executions: start a helper if there is something for it to do. False: the search ends. */
bool evr_helpers_go_on(void);
/* The search ends before it is complete. */
void evr_helpers_stop(void);
/* Something was learned. False: this is a helper, and its parent begins again. */
bool evr_helpers_learned(void);
/* The search is over. A helper says what came of it, and ends. True: somebody has learned something, and it is to begin again. */
bool evr_helpers_end(void);
/* What their engines have counted. */
void evr_helpers_add_stats(struct evr_stats *s);
/* Is this process a helper? */
bool evr_helpers_is_helper(void);

#endif
