/*
 * The search: run an execution, look at it, go on to the next one; and if something was learned, restart.
 *
 * There is this one loop. What it is for (to explore everything, to scout, to estimate, to simplify, to try a predicted cycle) is
 * a policy's matter, and in which order executions come an engine's. Of the program the loop knows no more than that it can be
 * run: the runtime does that, and in unit tests a fake.
 */
#ifndef EVR_SEARCH_H
#define EVR_SEARCH_H

#include "explore/engine.h"

struct evr_program {
	struct evr_world *world;
	/*
	 * One execution, in which the engine decides. Afterwards the world has its trace, and memory is as it was before. False: the
	 * execution was stopped from outside, and is of no interest.
	 */
	bool (*run)(const struct evr_program *p, struct evr_engine *e);
};

/* What a search is for; NULL: nothing is done, and the search goes on. */
struct evr_policy {
	/* Before an execution. False: there is to be no more. */
	bool (*begin)(void *self);
	/* It has come to its end, and nothing was learned in it. False: that is enough. */
	bool (*visit)(void *self);
	/* The engine has prepared another one. False: that is enough. */
	bool (*go_on)(void *self);
	/* Something was learned, so that what was explored does not count. False: then there is no point in going on. */
	bool (*restart)(void *self);
};

enum evr_search_end {
	EVR_EXHAUSTED, /* nothing is left to explore */
	EVR_ENOUGH, /* the policy says so */
	EVR_STOPPED, /* from outside */
	EVR_OUTDATED, /* something was learned, and the policy does not go on */
	EVR_FAILED, /* engine->failure says why */
};

enum evr_search_end evr_search(const struct evr_program *p, struct evr_engine *e, const struct evr_policy *policy,
			       void *self);

#endif
