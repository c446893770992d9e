/*
 * What a thread has seen so far: a program is deterministic, so that a thread which has seen the same is in the same state. 128 bits
 * stand for it.
 */
#ifndef EVR_HISTORY_H
#define EVR_HISTORY_H

#include "event/event.h"

struct evr_history {
	uint64_t one, two;
};

static inline void evr_history_add(struct evr_history *h, uint64_t value)
{
	/* That a thread has seen zeros counts, too. */
	h->one = (h->one + value + 1) * UINT64_C(0x9fb21c651e98df25);
	h->one ^= h->one >> 32;
	h->two = (h->two + value + 1) * UINT64_C(0xd6e8feb86659fd93);
	h->two ^= h->two >> 29;
}

/* The event, which has been executed, tells its thread this. */
static inline void evr_history_add_event(struct evr_history *h, const struct evr_event *e)
{
	switch (e->kind) {
	case EVR_READ:
	case EVR_RMW:
	case EVR_CAS:
		evr_history_add(h, (uint64_t)e->read);
		if (EVR_UNLIKELY(e->size > 8))
			evr_history_add(h, (uint64_t)(e->read >> 64));
		break;
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		evr_history_add(h, (uint64_t)e->result);
		break;
	case EVR_CHOOSE:
		evr_history_add(h, (uint64_t)e->chosen);
		break;
	default:
		break;
	}
}

#endif
