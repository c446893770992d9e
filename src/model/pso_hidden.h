/*
 * Under PSO: which writes are hidden from a read? Another write hides them only if it is certain to have taken effect before the read; that
 * it happens before the read is not enough, since stores of one thread take effect in any order.
 */
#ifndef EVR_PSO_HIDDEN_H
#define EVR_PSO_HIDDEN_H

#include "event/rf.h"

struct evr_pso_hidden {
	evr_event_id read;  /* that was asked about last, */
	uint64_t execution; /* and when; executions are numbered from 1 */
	int32_t *drains;    /* of that read: see evr_rf_program_drains() */
	uint32_t *
		hidden; /* of each thread: its events below this index are hidden from the read if they are writes to its location */
	uint32_t stride; /* of both */
};

void evr_pso_hidden_release(struct evr_pso_hidden *h);
/* May the read r read from w? See may_read() in model/oracle.h. */
bool evr_pso_may_read(struct evr_pso_hidden *h, const struct evr_rf *t, evr_event_id r, evr_event_id w,
		      const int32_t *past, evr_event_id node);
/* Does w certainly take effect before the write y does? */
bool evr_pso_is_overwritten(const struct evr_rf *t, evr_event_id w, evr_event_id y);

#endif
