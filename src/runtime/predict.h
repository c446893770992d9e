#ifndef EVR_RUNTIME_PREDICT_H
#define EVR_RUNTIME_PREDICT_H

#include "report/result.h"

bool evr_predict_wanted(void);
/* Does a loop that waits go round, again and again? Where all executions are explored, each iteration is another one. */
bool evr_predict_spins(void);
/* Predict cycles and try to create them, as the configuration says; tells the driver of each. */
void evr_predict(struct evr_result *r);

/* Try the cycle with that number, and tell the driver what came of it. False: the search was stopped. */
typedef bool evr_try_cycle(struct evr_result *r, size_t number);
/* trials.c: all of them, in several processes; the result is the same. False: the search was stopped. */
bool evr_trials_divide(struct evr_result *r, size_t cycles, evr_try_cycle *try);

/* What people must know about the findings of the execution just run, or NULL. */
const char *evr_predict_remark(void);

#endif
