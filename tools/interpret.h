/*
 * What a program of flavour `sync` can come to under sequential consistency, found without Everett: its statements are
 * interpreted, each of them one step, in every order. What threads wait for is here what POSIX says it is, and as simple as
 * that can be told: a semaphore is a number, a condition variable the set of those who wait.
 */
#ifndef EVR_TOOLS_INTERPRET_H
#define EVR_TOOLS_INTERPRET_H

#include "program.h"

struct meaning {
	bool too_large; /* the rest says nothing */
	EVR_VEC(uint64_t) results; /* what the threads tell in the end: sums of result_part(); sorted, each once */
	EVR_VEC(uint64_t)
	possible; /* and these, where a section waits for a mutex for ever: that may be found or not */
	EVR_VEC(const struct stmt *) failures; /* assertions, each once */
	bool deadlock; /* everybody has ended or waits for ever, and somebody waits */
	bool maybe; /* somebody waits for ever, but others were stopped by an assumption or an assertion */
};

void interpret(const struct program *p, struct meaning *m);
void meaning_release(struct meaning *m);

#endif
