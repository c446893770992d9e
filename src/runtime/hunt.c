/*
 * Two halves: a process of its own that runs random executions and tells what it has found, and the checker that starts it and takes that over.
 *
 * Invariant: a finding is told only if its schedule, run once more, shows it again; and the checker has no hunt left when its search has ended.
 */
#include "runtime/hunt.h"

#include "explore/hunt.h"
#include "runtime/copies.h"
#include "runtime/coverage.h"
#include "runtime/predict.h"
#include "runtime/runtime.h"
#include "runtime/search.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define SECONDS 0.5 /* unless the user says how many */
#define SHARE 0.02 /* of the time limit, at most */
#define RATE 10000000 /* steps that are taken for a second */
#define PATIENCE \
	3 /* so many times the seconds, of CPU, and it ends, whatever it has done: an odd program, or a slow machine */
#define MOST_REPLAYED \
	150 /* events of an execution that is run once more where steps name sources, which takes quadratic time and more */

static EVR_LASTING struct evr_copy child = { .fd = -1 };
static EVR_LASTING bool here;
static EVR_LASTING double lasts; /* seconds */
static EVR_LASTING struct evr_engine *hunter;
static EVR_LASTING struct evr_graph graph; /* for the self-check */
static EVR_LASTING struct evr_result *found; /* in the hunt: all that it has run and found */
static EVR_LASTING uint64_t counted; /* random executions, as the driver knows */

bool evr_hunt_wanted(void)
{
	const struct evr_config *c = &evr_rt.config;
	return c->hunt != 0 && !c->sample && c->preemptions < 0 && !c->replay && !c->gdb && !c->robust && !c->repeat &&
	       !c->shard && c->resume_fd < 0 && !evr_predict_wanted();
}

bool evr_hunt_is_first(void)
{
	return evr_rt.config.hunt > 0;
}

static double seconds(void)
{
	const struct evr_config *c = &evr_rt.config;
	double most = c->timeout > 0 ? SHARE * c->timeout : SECONDS;
	return c->hunt > 0 ? c->hunt : most < SECONDS ? most : SECONDS;
}

unsigned evr_hunt_hunters(void)
{
	char *unknown = NULL;
	const char *names = evr_rt.config.hunters;
	unsigned all = names ? evr_hunters_parse(names, &unknown) : (1u << EVR_HUNTERS) - 1;
	if (unknown)
		evr_die("unknown hunter '%s' (hunters: pos, pct, walk, cycles)", unknown);
	return all;
}

struct evr_engine *evr_hunt_first(struct evr_world *w)
{
	unsigned all = evr_hunt_hunters(), pos = 1u << EVR_HUNTER_POS;
	struct evr_engine *e = evr_engine_hunt(w, all & pos ? pos : all, evr_rt.config.seed);
	evr_hunt_be_frugal(e);
	return e;
}

void evr_hunt_count(uint64_t executions)
{
	counted += executions;
	if (counted)
		evr_wire_stat(evr_rt.config.fd, evr_stat_names[EVR_STAT_HUNTED], counted);
}

/* ---- in the process of its own ---- */

static bool is_same_fault(const struct evr_fault *a, const char *kind, const struct evr_site *site)
{
	return a->site == site && !strcmp(a->kind, kind);
}

/* Run the execution once more, by its schedule: is the first of its faults there again? */
static bool comes_again(struct evr_engine *drawn)
{
	if (evr_rt.world.model->steps_name_sources && evr_rt.world.trace.events.len > MOST_REPLAYED)
		return true;
	const char *kind = evr_execution.faults.data[0].kind;
	const struct evr_site *site = evr_execution.faults.data[0].site;
	struct evr_engine *again = evr_engine_replay(&evr_rt.world, evr_execution.taken.data, evr_execution.taken.len);
	evr_tested.run(&evr_tested, again);
	bool same = false;
	for (size_t i = 0; !again->failure && !evr_learned(&evr_rt.world) && i < evr_execution.faults.len; i++)
		same |= is_same_fault(&evr_execution.faults.data[i], kind, site);
	again->ops->destroy(again);
	evr_rt.engine = drawn;
	return same;
}

static bool is_enough(void *self)
{
	const uint64_t *budget = self;
	return evr_hunt_work(hunter) < *budget;
}

static bool is_allowed(void)
{
	const struct evr_model_ops *m = evr_rt.world.model;
	evr_graph_build(&graph, &evr_rt.world.trace, m->steps_name_sources);
	return m->allows(&graph);
}

void evr_hunt_look(struct evr_engine *e, struct evr_result *r)
{
	evr_rt.drawn = evr_hunter_names[evr_hunt_by(e)];
	if (e->abandoned)
		return;
	if (evr_rt.config.check && !is_allowed()) {
		e->failure = "self-check: a random execution violates the model's axioms";
	} else if (evr_execution.faults.len && comes_again(e)) {
		evr_coverage_commit(); /* before it is known: then this process may end */
		evr_collect(r);
	}
}

static bool visit(void *self)
{
	(void)self;
	found->executions++;
	evr_hunt_look(hunter, found);
	return hunter->failure || !found->findings.len || evr_rt.config.keep_going;
}

static void die_quietly(const char *message)
{
	(void)message;
	_exit(0);
}

void evr_hunt_on_tick(void)
{
	if (evr_cpu() < PATIENCE * lasts)
		return;
	evr_wire_done(evr_rt.config.fd, found);
	_exit(0);
}

/* A loop of the program that does not end must end. */
static void limit_cpu(void)
{
	struct rlimit cpu;
	if (getrlimit(RLIMIT_CPU, &cpu))
		return;
	cpu.rlim_cur = (rlim_t)(PATIENCE * lasts) + 2;
	setrlimit(RLIMIT_CPU, &cpu);
}

static _Noreturn void be_hunt(int fd, const char *known)
{
	static const struct evr_policy policy = { is_enough, visit, NULL, NULL };
	char *error = NULL;
	uint64_t budget = (uint64_t)(lasts * RATE);
	evr_copy_begin(fd);
	here = true;
	limit_cpu();
	evr_die_hook = die_quietly;
	if (known && !evr_known_take(known, &error))
		_exit(0);
	evr_rt.config.execution_timeout = 0;
	evr_rt.world.erases = false;
	evr_set_clear(&evr_rt.world.futile);
	found = evr_result_new(evr_rt.world.model->name, "");
	hunter = evr_engine_hunt(&evr_rt.world, evr_hunt_hunters(), evr_rt.config.seed);
	evr_search(&evr_tested, hunter, &policy, &budget);
	if (hunter->failure)
		evr_wire_error(fd, EVR_INTERNAL, hunter->failure);
	evr_wire_done(fd, found);
	_exit(0);
}

/* ---- in the checker ---- */

void evr_hunt_begin(const char *known)
{
	if (child.pid)
		return;
	evr_hunt_hunters();
	lasts = seconds();
	if (evr_copy_start(&child))
		be_hunt(child.fd, known);
}

bool evr_hunt_poll(struct evr_result *r)
{
	if (child.fd < 0)
		return true;
	if (!evr_copy_poll(&child))
		return false;
	evr_hunt_count(child.heard->executions);
	if (child.heard->error)
		evr_wire_error(evr_rt.config.fd, child.heard->error_status, child.heard->error);
	evr_take_over_findings(r, child.heard);
	evr_copy_end(&child);
	return true;
}

void evr_hunt_wait(struct evr_result *r)
{
	while (!evr_hunt_poll(r) && !evr_search_stopped()) {
		struct pollfd p = { .fd = child.fd, .events = POLLIN };
		/* The timer interrupts this ten times a second, too. */
		poll(&p, 1, 100);
		if (evr_tick)
			evr_on_tick();
	}
	evr_hunt_end();
}

void evr_hunt_end(void)
{
	evr_copy_end(&child);
}

bool evr_hunt_is_here(void)
{
	return here;
}
