/*
 * Is a predicted violation of sequential consistency (event/predict.h) there in an execution? It is if the trace, of an operational
 * model, has accesses from the labels of the cycle, in program order and in conflict as the cycle says.
 */
#ifndef EVR_CONFIRM_H
#define EVR_CONFIRM_H

#include "event/predict.h"

/* How a cycle came about: its events, and whether the second of each pair of one thread took effect before the first. */
struct evr_confirmed {
	evr_event_id event[EVR_MAX_CYCLE];
	bool overtook[EVR_MAX_CYCLE / 2];
};

/* Does the trace, of an operational model, have the cycle? */
bool evr_predicted_confirm(const struct evr_predicted *c, const struct evr_trace *t, struct evr_confirmed *out);

#endif
