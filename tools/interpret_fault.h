/*
 * What a program of flavour `fault` can come to under SC, TSO or PSO, found without Everett: its statements are interpreted,
 * each of them one step, in every order; where stores are buffered, so is each store that reaches memory.
 *
 * A fault is the last step of its thread, and nothing more. Whoever joins that thread waits for ever, as does whoever wants a mutex
 * that it holds. A store that was buffered while its memory was there, and finds it freed when it reaches memory, is a
 * use after free by a thread that has gone on: it is a finding, and what the threads do is as if it were not.
 */
#ifndef EVR_TOOLS_INTERPRET_FAULT_H
#define EVR_TOOLS_INTERPRET_FAULT_H

#include "program.h"

struct fault_meaning {
	bool too_large; /* the rest says nothing */
	EVR_VEC(char *) findings; /* as in struct run, without deadlocks */
	EVR_VEC(uint64_t) results; /* what is read, and who has faulted: sums of said_part() and fault_part(); sorted */
	bool deadlock; /* in an execution without any fault or failed assumption */
	bool maybe; /* in one with: threads that wait for each other, or for a thread that has ended */
};

/* Can it tell what the program means under this model? */
bool interpret_fault_can(const struct program *p, const char *model);
void interpret_fault(const struct program *p, const char *model, struct fault_meaning *m);
void fault_meaning_release(struct fault_meaning *m);

/* The parts of a result. A value that was read at a line; a fault. */
uint64_t said_part(unsigned line, long value);
uint64_t fault_part(const char *kind, unsigned line);

#endif
