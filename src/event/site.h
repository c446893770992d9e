/*
 * A place in the program's source where something happens. Instrumented objects hold them as constant data, but for those of atomic accesses and
 * fences: their orders can be changed before the program runs (runtime/orders.h).
 */
#ifndef EVR_SITE_H
#define EVR_SITE_H

#include <stdbool.h>
#include <stdint.h>

enum evr_order {
	EVR_PLAIN,   /* not an atomic access */
	EVR_RELAXED,
	EVR_ACQUIRE, /* consume too */
	EVR_RELEASE,
	EVR_ACQ_REL,
	EVR_SEQ_CST,
};

enum evr_site_flag {
	EVR_SITE_VOLATILE = 1,
	EVR_SITE_PARTIAL =
		2,  /* part of what is read may be uninitialised: half of a bit-field update, a struct's padding */
	EVR_SITE_WEAK = 4,     /* a compare-exchange that may fail for no reason */
	EVR_SITE_SECTION = 8,  /* in an atomic section: for races, as an atomic access that is seq_cst */
	EVR_SITE_FAILURE = 16, /* times the order, of a compare-exchange that fails; see evr_site_failure() */
	EVR_SITE_FENCED = 128, /* there is a fence right before it that the program does not have: evr_orders_fence() */
};

/* The instrumenter builds the same layout field by field: instrument/tables.c. */
struct evr_site {
	const char *file;
	const char *function;
	uint32_t line;
	uint16_t column;
	uint8_t order; /* enum evr_order */
	uint8_t flags; /* enum evr_site_flag */
};

/* The memory order of a compare-exchange that fails. */
static inline enum evr_order evr_site_failure(const struct evr_site *s)
{
	return (enum evr_order)(s->flags % EVR_SITE_FENCED / EVR_SITE_FAILURE);
}

static inline bool evr_order_acquires(unsigned order)
{
	return order == EVR_ACQUIRE || order >= EVR_ACQ_REL;
}

static inline bool evr_order_releases(unsigned order)
{
	return order >= EVR_RELEASE;
}

#endif
