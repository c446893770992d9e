/*
 * What a program of flavour `await` can come to, found without Everett: all states that it can be in, under SC, TSO or PSO, and
 * the steps between them. A loop that spins is a cycle of this graph, so that no loop needs a bound. A thread waits for ever if
 * the graph has a component that cannot be left and in which it has not ended.
 */
#ifndef EVR_TOOLS_INTERPRET_AWAIT_H
#define EVR_TOOLS_INTERPRET_AWAIT_H

#include "program.h"

struct await_meaning {
	bool too_large; /* the rest says nothing */
	/*
	 * A thread may go round a loop for ever although the rounds change something: memory, or its own registers. No number of
	 * executions covers the program, and the rest says nothing.
	 */
	bool endless;
	size_t states;
	EVR_VEC(uint64_t) results; /* where all threads end, what they tell: sums of result_part(); sorted, each once */
	EVR_VEC(unsigned) failures; /* lines of assertions that fail, sorted, each once */
	/* The ways to come to rest before all have ended, if nobody was stopped by an assumption or a failed assertion. */
	bool deadlock; /* all who are left wait for mutexes and threads */
	bool no_progress; /* somebody spins, and all others who are left wait for one who spins */
	bool both; /* somebody spins, and others wait in a cycle or for a thread that has ended: one of the two is found */
	bool maybe; /* a deadlock, but somebody was stopped: it may be found or not */
};

/* Is there such a meaning under the model? */
bool interpret_await_can(const char *model);
void interpret_await(const struct program *p, const char *model, struct await_meaning *m);
void await_meaning_release(struct await_meaning *m);

#endif
