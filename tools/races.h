/*
 * The data races of a program of flavour `race` under sequential consistency, found without Everett: its statements are
 * interpreted in every order, and in each execution happens-before is built from what was read and locked.
 */
#ifndef EVR_TOOLS_RACES_H
#define EVR_TOOLS_RACES_H

#include "program.h"

struct race_lines {
	unsigned first, second; /* first <= second */
};

struct races {
	bool too_large; /* the rest says nothing */
	bool faulty; /* freed memory is used or freed in some execution: nor does `pairs` */
	EVR_VEC(struct race_lines) pairs; /* each once */
};

void races_of(const struct program *p, struct races *out);
/* Findings as in struct run; NULL if the races among them are these, else what differs, to be freed. */
char *races_differ(const struct races *r, const char *const *findings, size_t n, uint64_t seed);

#endif
