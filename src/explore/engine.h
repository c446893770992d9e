/*
 * An engine: which behaviour to try next?
 *
 * The exploration loop runs one execution after the other. During an execution the runtime asks next() for each step;
 * afterwards advance() prepares the next execution or says that there is none. An engine knows the world and asks its
 * model; it never names one.
 *
 *   traces, none   choose among the model's steps; a drained store buffer is a step like any other
 *   rf             replays an order, drains included, and chooses the source of a read as the step's variant
 *   rvf            the same, for a value
 *   predict        chooses at random, weighted, among the model's steps
 *   hunt           chooses at random, in several ways, to find bugs early
 *   check          hands on what another engine chooses, and validates the execution when it is over
 */
#ifndef EVR_ENGINE_H
#define EVR_ENGINE_H

#include "explore/probe.h"
#include "model/model.h"

enum evr_stat {
#define STAT(name, word, text) EVR_STAT_##name,
#include "explore/stats.def"
#undef STAT
	EVR_STATS
};

/* What an engine has counted since it was last restarted. */
struct evr_stats {
	bool kept[EVR_STATS]; /* does it count this at all? */
	uint64_t count[EVR_STATS];
};

typedef EVR_VEC(char *) evr_branches; /* each to be freed */
void evr_branches_clear(evr_branches *b);
void evr_branches_release(evr_branches *b);
/* How many of these an engine parts with that is to part with `least`. */
size_t evr_branches_to_give(size_t all, size_t least);

struct evr_engine {
	const struct evr_engine_ops *ops;
	struct evr_world *world;
	/* How many events of the last execution the next one repeats. Set by advance(). */
	size_t prefix;
	/* The next execution repeats the events of the last one, perhaps in another order, and is not counted. Set by advance(). */
	bool rerun;
	/* The next execution is for what the last one has begun: until it is over, no branch is given away. Set by advance(). */
	bool amid;
	/* The next execution is one that was counted by whoever had the branch before. Set by take() and advance(). */
	bool restored;
	/* The execution was ended before it was complete, or cannot be completed: nobody looks at how it ended. Set by next() or
	 * complete(), valid until advance(). */
	bool abandoned;
	/* Not NULL: the engine cannot go on; why. */
	const char *failure;
	/* If `wary`, which who searches with it sets: it may find that it is `costly`. Then it ends the execution, the search is not complete, and `instead` is worth a try. */
	bool wary, costly;
	bool uncovered; /* because the program does what the engine does not cover, but another one does */
	uint64_t redundant;
};

/* Wait for whoever explores that part: its outcome, to be freed. NULL: the search ends. */
typedef char *evr_join(size_t which);

struct evr_engine_ops {
	const char *name, *summary; /* --equivalence=NAME and its --help line */
	/* Is it proved sound for the model? It asks the model what it is like. NULL: for any. */
	bool (*supports)(const struct evr_model_ops *m);
	/* Of a model that it supports: is it taken if nobody says which? NULL: it never is. */
	bool (*preferred)(const struct evr_model_ops *m);
	bool values_only; /* it preserves what threads do, not how they synchronise: about races or robustness ask another */
	bool sources_only; /* it preserves who reads from whom, not the order of writes: about robustness ask another */
	bool exhaustive; /* may "no finding" be reported as "verified"? */
	const char
		*classes; /* each execution is of another class of this kind (evr_class_names); NULL: no such claim */
	struct evr_engine *(*create)(struct evr_world *w);
	void (*destroy)(struct evr_engine *e);
	/* Forget the search: what counts as visible has changed. */
	void (*restart)(struct evr_engine *e);
	/* The next step of this execution; actor EVR_NO_ACTOR ends it. */
	struct evr_step (*next)(struct evr_engine *e);
	/*
	 * An execution may begin where the last one was at a step (runtime/rollback.h): place() says at which it is; resume() begins there, if up to there
	 * all steps are those of the last execution. False: it cannot. NULL, both: executions begin with the first step.
	 */
	size_t (*place)(const struct evr_engine *e);
	bool (*resume)(struct evr_engine *e, size_t place);
	/* The execution is over: put into its trace what the steps did not say. NULL: they have said all. */
	void (*complete)(struct evr_engine *e);
	/* The execution is over: prepare another. False: all have been explored. */
	bool (*advance)(struct evr_engine *e);
	/* Does the thread have another step in the execution that is repeated? NULL: this is no repetition. */
	bool (*expects)(const struct evr_engine *e, evr_thread_id t);
	/*
	 * Its executions may be without iterations of loops that change nothing (world.erases): then retract() is told that the last
	 * event of the thread has just ended such an iteration, and whether that is news. True: the execution does not count and
	 * ends here, and advance() knows what to do. False: it goes on without the thread.
	 */
	bool erases;
	bool (*retract)(struct evr_engine *e, evr_thread_id t, bool new);
	/*
	 * An engine whose executions are probes: advance() says whether the probe, which p describes, needs another one. restart()
	 * begins a new probe. NULL, as the function or its result: there are no such probes.
	 */
	struct evr_engine *(*probe)(struct evr_world *w, struct evr_probe *p);
	/* Fill in what it keeps; NULL: nothing. Asked for when the search is over. */
	void (*stats)(const struct evr_engine *e, struct evr_stats *s);
	/*
	 * A search can be divided if what remains of it is a set of branches: texts without blanks, which mean the same in every
	 * process with the same program, options and knowledge. All of these are called between executions; NULL, all: it cannot.
	 */
	const char *whole; /* the branch that is everything */
	/* Explore this branch, and nothing else. It begins with the next execution. */
	void (*take)(struct evr_engine *e, const char *branch);
	/*
	 * Part with the oldest branches, a sixteenth of them, or with `least` if that is more and there are so many. The next execution is never among them. The oldest has more than
	 * half of what is left: to part with more of them means to be the next who needs some.
	 */
	void (*give)(struct evr_engine *e, size_t least, evr_branches *given);
	/* All branches that are left, that of the next execution included. */
	void (*list)(struct evr_engine *e, evr_branches *all);
	size_t (*open)(const struct evr_engine *e); /* how many it could part with, about */
	/*
	 * Or a copy of the process can take a part of it, all between executions. splits_at(): which one, the largest; SIZE_MAX: none. part() leaves it to the copy; where that
	 * has explored all, outcome() is what the engine that has parted with it must know, which gets it from join() when it has to. In the copy, join is NULL,
	 * and false means that there is nothing in this part. NULL, all: it cannot.
	 */
	size_t (*splits_at)(const struct evr_engine *e);
	bool (*part)(struct evr_engine *e, size_t which, evr_join *join);
	char *(*outcome)(const struct evr_engine *e); /* to be freed */
	/* One that explores the same, and whose search can be divided; NULL: there is none, or it is this one. */
	const struct evr_engine_ops *divided;
	/* One that finds the same faults, with more executions that cost less; NULL: there is none. */
	const struct evr_engine_ops *instead;
};

extern const struct evr_engine_ops evr_engine_revisit, evr_engine_rf, evr_engine_rvf, evr_engine_traces,
	evr_engine_ordered, evr_engine_interleaved, evr_engine_none;

/* All engines that a user can ask for, in order of preference, NULL at the end. Two that have the same name are for different models. */
extern const struct evr_engine_ops *const evr_engines[];
bool evr_engine_supports(const struct evr_engine_ops *ops, const struct evr_model_ops *m);
/* By name, or with name == NULL the one that is preferred for the model. On failure NULL and *error, to be freed. */
const struct evr_engine_ops *evr_engine_find(const char *name, const struct evr_model_ops *m, char **error);

extern const char *const evr_stat_names[EVR_STATS];
void evr_stats_put(struct evr_stats *s, enum evr_stat which, uint64_t count);

/* Follows a recorded list of steps, then takes any. */
struct evr_engine *evr_engine_replay(struct evr_world *w, const struct evr_step *steps, size_t n);
/* Every execution that begins with these steps. */
struct evr_engine *evr_engine_after(struct evr_world *w, const struct evr_step *steps, size_t n);
/* Of evr_engine_none with a bound on preemptions: has the bound left anything out? */
bool evr_engine_bound_matters(const struct evr_engine *e);
/* Random executions, which say what is shared. */
struct evr_engine *evr_engine_scout(struct evr_world *w);
/* Probes of the tree of reads and their sources: rf_probe.c. */
struct evr_engine *evr_engine_probe_sources(struct evr_world *w, struct evr_probe *p);
/* Probes of the tree of traces: traces_probe.c. */
struct evr_engine *evr_engine_probe_traces(struct evr_world *w, struct evr_probe *p);
/* Wraps `inner`, which it owns: every execution is run twice and validated by brute force. */
struct evr_engine *evr_engine_check(struct evr_engine *inner);

/* The functions that every engine has; its file calls them so. */
#define EVR_ENGINE_FUNCTIONS .create = create, .destroy = destroy, .restart = restart, .advance = advance

/* A new engine, of a struct of this size that begins with a struct evr_engine; all else is zero. */
void *evr_engine_new(size_t size, const struct evr_engine_ops *ops, struct evr_world *w) EVR_NONNULL;

#endif
