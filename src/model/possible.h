/*
 * Can an execution happen in which reads have these sources, in whatever order the writes to each location take effect? Of models whose
 * traces name sources and whose coherence is an order of locations.
 */
#ifndef EVR_POSSIBLE_H
#define EVR_POSSIBLE_H

#include "model/model.h"

enum evr_possible {
	EVR_IMPOSSIBLE,
	EVR_POSSIBLE,
	EVR_UNDECIDED, /* there are more orders than `most` */
};

/* The model's oracle is asked about it. */
bool evr_model_possible(const struct evr_model_ops *model, const struct evr_trace *t);
/* By the model's axioms, for each order of the writes: slow, for small executions, and independent of the oracle. */
enum evr_possible evr_model_possible_by_axioms(const struct evr_model_ops *model, const struct evr_trace *t,
					       unsigned most);

/* Append to `part`, which is empty, what the event depends on by program order, create, join and reads-from, and itself. */
void evr_model_part(const struct evr_trace *t, evr_event_id last, struct evr_trace *part);

#endif
