/*
 * The state of engine `traces`, which its files share: traces.c runs executions and goes on with the next one, traces_races.c finds out
 * what else there is to explore.
 */
#ifndef EVR_TRACES_SEARCH_H
#define EVR_TRACES_SEARCH_H

#include "explore/engine.h"
#include "explore/wakeup.h"

struct evr_trace_node {
	struct evr_op op;
	evr_event_id position; /* events in the trace when it was decided: the step's own event, if it has one */
	uint32_t step;         /* its place among the steps */
	uint32_t asleep,
		sleepers; /* the first of these in `sleep`, and how many: perhaps those of the node before, or more behind them */
	bool asked; /* its step is one that a tree asked for */
	/*
	 * A step that a tree asked for turned out to be for nothing. Other requests may have been left out because that one would
	 * have covered them: every step that is not asleep is tried here.
	 */
	bool loose;
	evr_tree tree;
};

struct evr_traces {
	struct evr_engine base;
	struct evr_hb hb;
	struct evr_wakeup wakeup;
	evr_steps steps; /* all that were taken, those that are no decision included */
	size_t depth; /* how many in this execution */
	size_t common; /* so many of them the last execution has taken, too */
	EVR_VEC(struct evr_trace_node) nodes;
	struct evr_clocks lengths; /* of each node: the lengths of the chains when it was decided */
	EVR_VEC(uint32_t) node_of; /* of an event, or EVR_NO_NODE */
	EVR_VEC(struct evr_op) sleep; /* of all nodes */
	evr_tree ahead; /* of the next node */
	size_t races_done; /* races that have been looked at */
	EVR_VEC(struct evr_race) open; /* of these, those that must be looked at in each execution */
	EVR_VEC(struct evr_op) blocked; /* locks that wait for ever, in this execution */
	bool retracted; /* the last step was for nothing */
	bool pruned; /* trees have been pruned: some steps that they asked for are forgotten */
	size_t pruned_at; /* how many branches there was room for the last time */
	bool loose; /* the next node is a loose one, where these are asleep */
	EVR_VEC(struct evr_op) asleep;
	evr_steps possible;
};

#define EVR_NO_NODE ((uint32_t)-1)

/* Is the step asleep at the node? */
static inline bool evr_traces_asleep(const struct evr_traces *t, const struct evr_trace_node *n, struct evr_step s)
{
	for (uint32_t i = 0; i < n->sleepers; i++)
		if (evr_same_step(t->sleep.data[n->asleep + i].step, s))
			return true;
	return false;
}

/* traces_races.c */

/* Ask for an execution in which the race is reversed, or the choice another one. Returns whether it need not be asked for again. */
bool evr_traces_reverse_race(struct evr_traces *t, struct evr_race r);
/* The same for all races that are new or open, and for the locks that wait for ever. */
void evr_traces_reverse_races(struct evr_traces *t);

#endif
