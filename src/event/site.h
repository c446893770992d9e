/* A place in the program's source where something happens. Instrumented objects hold them as constant data. */
#ifndef EVR_SITE_H
#define EVR_SITE_H

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
	EVR_SITE_PARTIAL = 2, /* half of a bit-field update, or part of a struct's copy: may be uninitialised */
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

#endif
