/* What the files about robustness share: robust.c finds executions that SC does not have, robust_report.c tells of them. */
#ifndef EVR_ROBUST_H
#define EVR_ROBUST_H

#include "event/cycle.h"

/*
 * Does the model leave open how the writes of an execution are ordered? Then the execution is one of SC if some order of them makes it
 * so, and a cycle has the steps that need a fence marked.
 */
bool evr_robust_by_sources(void);
/* Report a cycle. It begins with two events between which a fence is missing. */
void evr_robust_report(const struct evr_cycle_search *s, const evr_cycle *c);

#endif
