/*
 * Predicted violations of sequential consistency (paper 002, section 4.1): potential cycles of program order and potential races, found
 * in executions under SC and told by their labels, which are places in the source.
 *
 * An execution is summed up before anything is combined: of each thread, which labels have accessed which locations, when first and
 * when last. One of them precedes another in program order if its first access is not after the other's last. Potential races are
 * kept by labels. So the work depends on labels and threads, and only linearly on events.
 */
#ifndef EVR_PREDICT_H
#define EVR_PREDICT_H

#include "event/trace.h"

#define EVR_MAX_CYCLE 16

/* Labels in program order, and then in a race, in turns: 1 and 2 are of one thread, 2 and 3 race, ..., the last one and 1 race. */
struct evr_predicted {
	unsigned length; /* even */
	const struct evr_site *label[EVR_MAX_CYCLE];
	bool stores[EVR_MAX_CYCLE];
};

typedef EVR_VEC(struct evr_predicted) evr_predictions;

struct evr_prediction;

/* Cycles up to this length, which is even, at least 4 and at most EVR_MAX_CYCLE. */
struct evr_prediction *evr_prediction_new(unsigned length);
void evr_prediction_free(struct evr_prediction *p);
/* Look at one more execution, which was one under SC. */
void evr_prediction_add(struct evr_prediction *p, const struct evr_trace *t);
/* All cycles that the executions so far predict, each once; not those that a shorter one is part of. Sorted by file, line and column. */
const evr_predictions *evr_prediction_cycles(struct evr_prediction *p);

#endif
