/*
 * A search by several processes. The checker divides it among workers, which are copies of itself: they begin with the same memory, so that addresses agree. What
 * passes between them are branches (explore/engine.h).
 *
 * workers.c is the checker's side. It never runs the program itself, so it can make a fresh worker at any time. worker.c is a worker's side.
 */
#ifndef EVR_WORKERS_H
#define EVR_WORKERS_H

#include "explore/engine.h"
#include "report/result.h"

enum evr_wanted {
	EVR_WANTED_COMMIT = 1, /* say what was explored, and what is left */
	EVR_WANTED_BRANCHES = 2, /* and part with some of that */
	EVR_WANTED_STOP = 4, /* and stop */
};

/*
 * What a worker and the checker share. The checker writes `wanted` and `branches`, the worker all else, after each execution: no two workers write to the same cache
 * line, nor to neighbouring ones, which processors fetch in pairs.
 */
struct evr_share {
	_Alignas(128) volatile uint32_t wanted; /* enum evr_wanted; the worker looks at it between executions */
	volatile uint32_t
		branches; /* with how many it should part; written by the checker, before it says so in `wanted` */
	volatile uint32_t open; /* how many branches it could part with */
	volatile uint64_t executions, blocked, truncated, events; /* since it last said so */
};

/* What is true of the program if it was so in any execution of any worker. */
struct evr_shared {
	volatile int64_t budget; /* how many executions are left, if `limited` */
	bool limited;
	volatile bool concurrent, plain_shared, locked_atomics, strong_cas, sections;
	volatile unsigned orders_used;
	struct evr_share of[];
};

/* Is the search to be divided? */
bool evr_workers_wanted(void);
/*
 * Explore; r gets the totals and what was found. NULL: it is over; evr_check_stopped() says why, if it is not complete. Else why this search cannot be
 * divided; then nothing has been told to the driver.
 */
char *evr_workers_explore(struct evr_result *r, const struct evr_engine_ops *searched, bool *complete);

void evr_workers_tell_stats(void);

/* What a worker does: it takes branches from the pipe, until it is killed. `known`: what the search has learned. */
_Noreturn void evr_work(const struct evr_engine_ops *searched, struct evr_shared *all, unsigned number, int fd,
			const char *known);
/* Learn by random executions what threads share, and tell. */
_Noreturn void evr_work_scout(int fd, const char *known);
/* Between two executions. False: that is enough. */
bool evr_worker_goes_on(void);
/* It has much to tell: evr_worker_goes_on() is to do so, whatever others want. */
void evr_worker_commits(void);
/* Something was learned: the search begins again, elsewhere. */
void evr_worker_learned(void);

#endif
