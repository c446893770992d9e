/*
 * What makes an execution hard to follow: accesses out of order, and preemptions. Reports, --preemptions and rounds all count by this definition.
 *
 * A preemption is a step of another thread than the one that runs, though that could have taken one; an update is a step of the thread whose store it is, and what nobody else can
 * see (model.silent) interrupts nobody. An access is out of order if it is a load, made while stores of its thread have not reached memory; if it is a store that reaches
 * memory before an older one of its thread; and where the model names sources, if it reads from, or comes in modification order right behind, anything but the newest write in the
 * order of execution.
 */
#ifndef EVR_COST_H
#define EVR_COST_H

#include "model/model.h"

struct evr_cost {
	unsigned weak; /* accesses out of order */
	unsigned preemptions;
};

/* What an execution has cost up to some step, and the thread that runs: 0, at its beginning. */
struct evr_spent {
	struct evr_cost cost;
	uint16_t thread;
};

typedef EVR_VEC(struct evr_spent) evr_spents;

/* Append for each of these steps, all that are possible now, what will have been spent after it. */
void evr_cost_of_steps(const struct evr_world *w, const struct evr_step *steps, size_t n, struct evr_spent so_far,
		       evr_spents *out);
/* The thread whose step it is, also of an update. */
static inline uint16_t evr_cost_thread(struct evr_step s)
{
	return s.actor >= EVR_MAX_THREADS ? (uint16_t)(s.actor - EVR_MAX_THREADS) : s.actor;
}

#endif
