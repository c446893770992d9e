/*
 * A search: one checker run under one model, started, listened to, limited, and survived. It can be paused and go on later: the
 * time in between counts neither against its limit nor as time that it took. Whose turn it is, explore.c decides.
 */
#ifndef EVR_DRIVER_SEARCH_H
#define EVR_DRIVER_SEARCH_H

#include "base/strbuf.h"
#include "driver/options.h"
#include "driver/progress.h"

#include <sys/types.h>

struct evr_search {
	const struct evr_options *o;
	const char *checker;
	struct evr_result *r; /* what it has told so far; the caller's */
	pid_t pid;
	int fd; /* where its records come from */
	int resume; /* what is left of a search that was stopped; -1: this is none */
	int turn; /* an eventfd, readable while it may run; -1: it cannot be paused */
	bool open, done, ended; /* the pipe is open; the last record has come; the process has ended */
	int status; /* of wait4() */
	struct evr_strbuf line; /* received so far, without a newline yet */
	double start; /* moved on by each pause: the time since then is what the search has had */
	double paused_at; /* 0: it runs */
	double kill_at; /* SIGKILL when it is still there then; 0: not planned */
	const char *stopped; /* why the driver stopped it, or NULL */
	size_t hints; /* that were shown */
	bool shown; /* so was the verdict, before the end of the run */
	struct evr_progress progress;
};

/* The result of a search that has not begun. */
struct evr_result *evr_search_result(const struct evr_options *o, const char *model);

/* Nothing of it was left. */
void evr_search_was_over(struct evr_result *r, const struct evr_result *before, bool keep_going);
/* It goes on with one that was stopped: what that one had found and taken is part of the result. */
void evr_search_recall(struct evr_result *r, struct evr_result *before);

/* False: there is no checker, and the result says why. What was found under other models must not be lost for that. */
bool evr_search_start(struct evr_search *s, const struct evr_options *o, const char *checker, struct evr_result *r,
		      bool takes_turns);
/* Seconds that it has run for. */
double evr_search_time(const struct evr_search *s);
void evr_search_pause(struct evr_search *s);
void evr_search_go_on(struct evr_search *s);
/* Take what has come through the pipe if there is something, see whether the process has ended, and enforce limits. */
void evr_search_attend(struct evr_search *s, bool readable);
/* The user wants it to end: it has so many seconds to do so by itself. */
void evr_search_hurry(struct evr_search *s, double seconds);
/* The process has ended: take the rest of what it said, and conclude. */
void evr_search_finish(struct evr_search *s);

#endif
