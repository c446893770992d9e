/*
 * Checks of one program with many assignments of memory orders: a checker is started once, and each trial is a copy of it.
 *
 * An assignment has an order for each site of the program (runtime/orders.h), in the order in which the checker tells them; last come the fences that could be added. To be weaker is taken
 * to be monotone: what fails with some orders fails with weaker ones, and what holds with some orders holds with stronger ones; what follows from that is not tried.
 */
#ifndef EVR_DRIVER_TRIAL_H
#define EVR_DRIVER_TRIAL_H

#include "base/strbuf.h"
#include "driver/options.h"
#include "event/site.h"

#include <sys/types.h>

enum evr_outcome { EVR_HOLDS, EVR_FAILS, EVR_UNDECIDED };

typedef EVR_VEC(uint8_t *) evr_assignments;

enum { EVR_KEEPERS = 16 };

/* A process that keeps an execution with a finding (runtime/keeper.h). */
struct evr_keeper {
	int fd, checkers; /* the driver's end, and the number of the checker's */
	bool live;
	unsigned long used; /* when it has last known an answer */
};

struct evr_trials {
	const struct evr_options *o;
	const char *checker, *model;
	pid_t pid;
	int control, records; /* where orders go and their ends are told; where results come from */
	int written; /* the checker's end of it */
	struct evr_keeper keepers[EVR_KEEPERS];
	struct evr_strbuf line;
	struct evr_result *first; /* of the program as it is, with its sites */
	size_t count; /* of sites */
	uint8_t *now; /* as it is */
	bool *several; /* it has several orders there: `now` is none of them that the checker could call "as it is" */
	uint8_t *start; /* what the search begins with */
	enum evr_outcome started; /* does the program hold with that? */
	bool *studied; /* may its order change? */
	evr_assignments holding, failing; /* what is known */
	double deadline; /* 0: none */
	bool distrusted; /* kept executions are not asked any more */
	const char *stopped; /* why nothing more can be tried, or NULL */
	unsigned long tried, replayed,
		inferred; /* trials that were explored, decided by a kept execution, and followed from others */
};

/* Start the checker and check the program as it is. */
void evr_trials_begin(struct evr_trials *t, const struct evr_options *o, const char *checker, const char *model);
void evr_trials_end(struct evr_trials *t);
/* From now on fences may be added, too. False: there is nothing that they could come before. */
bool evr_trials_add_fences(struct evr_trials *t);
/* What was found out by kept executions does not count, nor what was taken to follow; they are not asked any more. */
void evr_trials_distrust(struct evr_trials *t);
/* Would it hold with these orders? */
enum evr_outcome evr_trial(struct evr_trials *t, const uint8_t *orders);
/* The whole result of a check, explored in any case; and one that shows a finding by its simplest execution, which takes longer. To be freed. */
struct evr_result *evr_trial_result(struct evr_trials *t, const uint8_t *orders);
struct evr_result *evr_trial_simplified(struct evr_trials *t, const uint8_t *orders);
/* Does the schedule of the finding lead to it again? */
bool evr_trial_replays(struct evr_trials *t, const uint8_t *orders, const struct evr_result_finding *f);
enum evr_outcome evr_trial_outcome(const struct evr_result *r);
/* Does the program have this order there, whatever it does? */
bool evr_trials_have_now(const struct evr_trials *t, size_t site, unsigned order);

/* ---- orders ---- */

const char *evr_order_text(unsigned order);
/* Is it the same order, or a weaker one? */
bool evr_order_within(unsigned order, unsigned other);
/*
 * The orders that C permits there, the weakest first; returns how many, at most 5. A fence that is added where orders of accesses count is seq_cst: what others do, an access can do.
 */
size_t evr_order_options(const struct evr_trials *t, const struct evr_result_site *s, uint8_t options[5]);
uint8_t *evr_assignment_copy(const struct evr_trials *t, const uint8_t *orders);

#endif
