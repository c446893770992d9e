/* An engine for what has been found already: it looks for the simplest execution that shows it. */
#ifndef EVR_SIMPLEST_H
#define EVR_SIMPLEST_H

#include "explore/cost.h"
#include "explore/engine.h"

struct evr_engine *evr_engine_simplest(struct evr_world *w);
/* Of the execution that it has just run; within its bounds, none that came before costs less. */
struct evr_cost evr_simplest_cost(const struct evr_engine *e);

#endif
