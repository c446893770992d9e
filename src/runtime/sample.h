/* `everett sample`: executions drawn at random, and what they cover. */
#ifndef EVR_RUNTIME_SAMPLE_H
#define EVR_RUNTIME_SAMPLE_H

#include "explore/engine.h"
#include "report/result.h"

/* Is that the question? */
bool evr_sample_wanted(void);
/* Draw until a limit, or until there is a finding; classes are those of the engine that would explore. */
void evr_sample(struct evr_result *r, const struct evr_engine_ops *classes_of);

#endif
