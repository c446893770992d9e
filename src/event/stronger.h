/*
 * Which memory orders would have to be stronger? Of an execution in which something is wrong, the smallest change of the orders that
 * its atomic accesses and fences declare that rules it out. What it means to rule it out, the caller decides.
 *
 * A place in the source has one order, so that all events of a place change together. A single change is looked for first, then two, and then
 * a set of which no member can be left out; each order is as weak as it can be. To rule out is taken to be monotone: what weaker orders
 * rule out, stronger ones do, too.
 */
#ifndef EVR_STRONGER_H
#define EVR_STRONGER_H

#include "event/trace.h"

struct evr_stronger {
	evr_event_id event; /* the first one of its place */
	bool failure;       /* of a compare-exchange: the order of its failure */
	uint8_t now, needed; /* enum evr_order */
	bool alone;         /* all events of the place access the same location */
};
typedef EVR_VEC(struct evr_stronger) evr_stronger_set;

/* Is the fault ruled out in this execution, which is the one that is looked at with other orders? */
typedef bool evr_rules_out_fn(void *context, const struct evr_trace *changed);

/*
 * Append the changes that together rule it out. Returns whether there are any: no order may help, or too many would have to
 * change, or the execution is too large to find out, that is to ask about `most` times.
 */
bool evr_stronger_find(const struct evr_trace *t, evr_rules_out_fn *rules_out, void *context, unsigned most,
		       evr_stronger_set *out);

#endif
