/*
 * Two halves: a process of its own that explores one round after the other and tells what it has finished and found, and the checker that starts it and takes that over.
 *
 * Invariant: a round is finished if all its executions were run and nothing was learned in any of them. Then no thread has met, within the bound, what another one uses and nobody knew
 * to be shared: so however much the search learns later, the statement about that bound stays true.
 */
#include "runtime/rounds.h"

#include "runtime/copies.h"
#include "runtime/coverage.h"
#include "runtime/hunt.h"
#include "runtime/numbers.h"
#include "runtime/predict.h"
#include "runtime/runtime.h"
#include "runtime/search.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define ASK 0.05 /* of the limit: then somebody ought to estimate the search, */
#define BEGIN 0.1 /* and then its size decides whether there are rounds. */
#define BEGIN_UNKNOWN 0.33 /* If it is not known: when so much of the limit is used up. */
#define SHARE 0.33 /* of the limit: so much the rounds may take */
#define RATE 10000000 /* effort (runtime/hunt.h) that is taken for a second */
#define SHORT 0.1 /* seconds: a search that ends before has no rounds */

static EVR_LASTING struct evr_copy child = { .fd = -1 };
static EVR_LASTING bool begun, here;
static EVR_LASTING struct {
	double seconds; /* of CPU */
	uint64_t executions, effort; /* that are left; UINT64_MAX: any number */
	struct evr_numbers classes;
	struct evr_result *found; /* in all rounds; its counts are those of the present one */
} rounds;

static bool wanted(void)
{
	const struct evr_config *c = &evr_rt.config;
	return c->rounds && (c->timeout > 0 || c->max_executions) && !c->sample && c->preemptions < 0 && !c->replay &&
	       !c->gdb && !c->check && !c->robust && !c->repeat && !c->shard && c->resume_fd < 0 && c->ranks_fd < 0 &&
	       !evr_predict_wanted() && !evr_rt.worker;
}

/* ---- when ---- */

static double done(const struct evr_result *r)
{
	return (double)(r->executions + r->blocked + r->truncated);
}

/* How much of its limits has the search used up? */
static double used(const struct evr_result *r, double seconds)
{
	const struct evr_config *c = &evr_rt.config;
	double of_time = c->timeout > 0 ? seconds / c->timeout : 0;
	double of_executions = c->max_executions ? done(r) / (double)c->max_executions : 0;
	return of_time > of_executions ? of_time : of_executions;
}

bool evr_rounds_ask(const struct evr_result *r, double seconds)
{
	return !begun && seconds > SHORT && wanted() && used(r, seconds) > ASK;
}

bool evr_rounds_due(const struct evr_result *r, double seconds)
{
	if (begun || seconds < SHORT || !wanted() || !(used(r, seconds) > BEGIN))
		return false;
	if (!(r->estimate > done(r)))
		return used(r, seconds) > BEGIN_UNKNOWN;
	/* At the present speed, will the limits be enough? */
	return used(r, seconds) * r->estimate / done(r) > 1;
}

/* ---- in the process of its own ---- */

static bool has_budget(void *self)
{
	(void)self;
	return rounds.executions && rounds.effort;
}

static uint64_t less(uint64_t budget, uint64_t by)
{
	return budget == UINT64_MAX ? budget : budget > by ? budget - by : 0;
}

static bool visit(void *self)
{
	(void)self;
	const struct evr_engine *e = evr_rt.engine;
	rounds.executions = less(rounds.executions, 1);
	rounds.effort = less(rounds.effort, evr_hunt_effort(evr_rt.world.trace.events.len));
	if (e->abandoned)
		return true;
	uint32_t known = rounds.classes.count;
	rounds.found->executions += evr_numbers_add(&rounds.classes) == known;
	if (evr_execution.faults.len)
		evr_coverage_commit(); /* before it is known: then this process may end */
	evr_collect(rounds.found);
	return !rounds.found->findings.len || evr_rt.config.keep_going;
}

static bool is_outdated(void *self)
{
	(void)self;
	return false;
}

static enum evr_search_end run_round(long bound, bool *more)
{
	static const struct evr_policy policy = { has_budget, visit, NULL, is_outdated };
	char *name = evr_format("at most %ld preemption%s", bound, evr_plural((uint64_t)bound));
	evr_rt.world.most_preemptions = bound;
	evr_rt.drawn = name;
	rounds.found->executions = 0;
	evr_numbers_clear(&rounds.classes);
	struct evr_engine *e = evr_engine_none.create(&evr_rt.world);
	enum evr_search_end end = evr_search(&evr_tested, e, &policy, NULL);
	*more = evr_engine_bound_matters(e);
	e->ops->destroy(e);
	evr_rt.drawn = NULL;
	free(name);
	return end;
}

static void run_rounds(int fd)
{
	bool more = true;
	for (long bound = 0; more; bound++) {
		switch (run_round(bound, &more)) {
		case EVR_EXHAUSTED:
			rounds.found->finished_preemptions = bound;
			rounds.found->finished_executions = rounds.found->executions;
			evr_coverage_commit();
			evr_wire_finished(fd, rounds.found);
			break;
		case EVR_OUTDATED:
			bound = -1;
			more = true;
			break;
		case EVR_ENOUGH:
		case EVR_STOPPED:
		case EVR_FAILED:
			return;
		}
	}
}

static void die_quietly(const char *message)
{
	(void)message;
	_exit(0);
}

void evr_rounds_on_tick(void)
{
	if (evr_cpu() > rounds.seconds)
		_exit(0);
}

static void set_budget(void)
{
	const struct evr_config *c = &evr_rt.config;
	struct rlimit cpu;
	rounds.effort = c->timeout > 0 ? (uint64_t)(SHARE * c->timeout * RATE) : UINT64_MAX;
	rounds.executions = c->max_executions ? (uint64_t)(SHARE * (double)c->max_executions) + 1 : UINT64_MAX;
	rounds.seconds = c->timeout > 0 ? SHARE * c->timeout : 1e9;
	/* A loop of the program that does not end must end. */
	if (getrlimit(RLIMIT_CPU, &cpu))
		return;
	cpu.rlim_cur = (rlim_t)rounds.seconds + 2;
	setrlimit(RLIMIT_CPU, &cpu);
}

static _Noreturn void be_rounds(const struct evr_engine_ops *searched, int fd, const char *known)
{
	char *error = NULL;
	set_budget();
	evr_copy_begin(fd);
	here = true;
	evr_die_hook = die_quietly;
	if (known && !evr_known_take(known, &error))
		_exit(0);
	evr_rt.config.execution_timeout = 0;
	evr_rt.config.erase = evr_rt.world.erases = false;
	evr_set_clear(&evr_rt.world.futile);
	rounds.found = evr_result_new(evr_rt.world.model->name, "");
	evr_numbers_init(&rounds.classes, searched);
	run_rounds(fd);
	evr_wire_done(fd, rounds.found);
	_exit(0);
}

/* ---- in the checker ---- */

void evr_rounds_begin(const struct evr_engine_ops *searched, const char *known)
{
	if (begun)
		return;
	begun = true;
	if (evr_copy_start(&child))
		be_rounds(searched, child.fd, known);
}

static void take_over(struct evr_result *r)
{
	if (child.heard->finished_preemptions > r->finished_preemptions) {
		r->finished_preemptions = child.heard->finished_preemptions;
		r->finished_executions = child.heard->finished_executions;
		evr_wire_finished(evr_rt.config.fd, r);
	}
	evr_take_over_findings(r, child.heard);
}

void evr_rounds_poll(struct evr_result *r)
{
	if (child.fd < 0)
		return;
	bool over = evr_copy_poll(&child);
	take_over(r);
	if (over)
		evr_copy_end(&child);
}

void evr_rounds_end(struct evr_result *r)
{
	evr_rounds_poll(r);
	evr_copy_end(&child);
}

bool evr_rounds_is_here(void)
{
	return here;
}
