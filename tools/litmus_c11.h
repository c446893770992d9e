/*
 * Litmus tests of tests/litmus, in the language of tests/README.md, as programs that define_c11.h understands. All accesses,
 * fences, read-modify-writes and sections of the language are known; a program has at most four locations.
 */
#ifndef EVR_TOOLS_LITMUS_C11_H
#define EVR_TOOLS_LITMUS_C11_H

#include "define_c11.h"

struct c11_litmus {
	char name[64];
	struct program program;
	bool allowed; /* says the file, under rc11 */
	unsigned parts;
	struct {
		unsigned actor, reg;
		int value;
	} part[8]; /* of the condition: all hold in the end */
};

/* One line of a file, "NAME : THREADS : CONDITION : MODELS". False: a comment or empty. Dies of what it cannot read. */
bool c11_litmus_parse(struct c11_litmus *l, const char *line);
void c11_litmus_release(struct c11_litmus *l);
/* Is there a consistent execution in which the condition holds? The options' outcome is not used. */
bool c11_litmus_allowed(const struct c11_litmus *l, struct c11_options options);

#endif
