/* The engine of `everett predict`: one random execution after the other, each of them for one predicted cycle. */
#ifndef EVR_EXPLORE_PREDICT_H
#define EVR_EXPLORE_PREDICT_H

#include "event/predict.h"
#include "explore/engine.h"

struct evr_engine *evr_engine_predict(struct evr_world *w);
/*
 * What the next execution is for; cycle == NULL: for nothing in particular. `length` is how many steps an execution has, about: delays
 * are in proportion.
 */
void evr_predict_begin(struct evr_engine *e, const struct evr_predicted *cycle, uint64_t seed, uint64_t length);

#endif
