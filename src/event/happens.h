/*
 * Happens-before while an execution goes on, by the orders that the program declares: program order, create and join, unlock to lock, and
 * synchronisation as event/race.h has it. For traces whose events name their sources.
 *
 * The events of the trace are taken in when somebody asks, so that an execution in which nobody does costs nothing.
 */
#ifndef EVR_HAPPENS_H
#define EVR_HAPPENS_H

#include "event/clock.h"
#include "event/trace.h"

struct evr_happens {
	evr_event_id done; /* so many events of the trace are taken in */
	unsigned threads;
	struct evr_clocks of_thread; /* three for each: its present, at its last release fence, what its relaxed reads have come across */
	struct evr_clocks released; /* by writes */
	uint32_t rows; /* of `released`, in use */
	EVR_VEC(uint32_t) row_of; /* of an event: the row of what it releases, plus 1; or 0 */
};

void evr_happens_release(struct evr_happens *h);
/* A new execution. */
void evr_happens_begin(struct evr_happens *h);
/* Does the event of this index in its thread happen before the present of the other one? */
bool evr_happens_before(struct evr_happens *h, const struct evr_trace *t, evr_thread_id thread, uint32_t index,
			evr_thread_id other);

#endif
