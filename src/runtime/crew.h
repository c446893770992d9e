/*
 * The workers of a search, as the checker sees them: they begin, say something, and end. Who gets which branch, and when the search is over, workers.c
 * decides.
 */
#ifndef EVR_CREW_H
#define EVR_CREW_H

#include "base/strbuf.h"
#include "runtime/copies.h"
#include "runtime/workers.h"

struct evr_crew_branch {
	char *text;
	unsigned tries;
};
typedef EVR_VEC(struct evr_crew_branch) evr_crew_branches;

struct evr_crew_worker {
	pid_t pid; /* 0: it is gone */
	int fd;
	bool busy;
	unsigned asked; /* to part with so many branches */
	bool saving; /* to say what is left, for a checkpoint */
	bool silent; /* it has not committed anything since it began with its branch */
	evr_crew_branches held;
	struct evr_strbuf line; /* what has come of the next one */
	struct evr_result *heard; /* findings that are not yet in the result, and counts of the engine */
	struct evr_strbuf drawn; /* records of a sample that are not yet in it, as lines */
	int classes; /* a file of its own; -1: there is none */
	off_t classes_taken;
	double idle_since;
};

/* The search as the checker knows it. */
struct evr_crew {
	struct evr_result *result;
	const struct evr_engine_ops *searched;
	unsigned count;
	struct evr_crew_worker *workers;
	struct evr_shared *shared;
	evr_crew_branches queue;
	char *known; /* what the search has learned */
	char *learned; /* not NULL: and what it has learned since */
	char *refused; /* why it cannot be divided */
	bool failed; /* the driver was told why */
	bool enough; /* no more evr_crew_branches are handed out */
	const char *stopped;
	uint64_t steals;
	double idle; /* seconds, of all workers */
	uint64_t questions[EVR_STATS]; /* of workers that are gone */
	bool counts[EVR_STATS];
	double next_progress, next_saving;
	bool hunted; /* a hunt has begun */
	struct evr_result first; /* totals of the executions before the search, if one of these has ended it */
	bool saving; /* all workers were asked to say what is left */
	unsigned asked; /* so many other ranks are to get branches (runtime/ranks.h) */
};
extern struct evr_crew evr_crew;

/* The text will be freed. */
void evr_crew_put(evr_crew_branches *to, char *text, unsigned tries);
void evr_crew_forget(evr_crew_branches *b);
/* All branches, the totals and the knowledge. */
void evr_crew_tell_rest(int fd);
/* What was found elsewhere becomes part of the result. */
void evr_crew_take_findings(struct evr_result *heard);

void evr_crew_start(struct evr_crew_worker *w);
void evr_crew_bury(struct evr_crew_worker *w);
/* Take what it has said. If it has died, another takes its place. */
void evr_crew_receive(struct evr_crew_worker *w);
void evr_crew_take_line(struct evr_crew_worker *w, const char *line);

#endif
