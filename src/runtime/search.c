/*
 * The search of a check: a few random executions to learn from, and then all that the engine has to offer, counted and told to the
 * driver.
 *
 * Invariant: the counts of `result` are those since the search has last started again, so that they speak of one and the same
 * knowledge. Findings stay: they came from real executions, and the driver has them already.
 */
#include "runtime/search.h"

#include "explore/hunt.h"
#include "report/result.h"
#include "runtime/advice.h"
#include "runtime/coverage.h"
#include "runtime/estimate.h"
#include "runtime/helpers.h"
#include "runtime/hunt.h"
#include "runtime/numbers.h"
#include "runtime/rounds.h"
#include "runtime/runtime.h"
#include "runtime/turn.h"
#include "runtime/workers.h"

#include <string.h>
#include <time.h>

static EVR_LASTING struct {
	struct evr_result *result;
	const struct evr_engine_ops *searched; /* what explores, if anything does */
	const struct evr_engine *engine;
	uint64_t uncounted; /* executions that do not count */
	struct evr_numbers *classes; /* of which only the first execution counts; NULL: all count */
	uint64_t redundant; /* those that do not */
	bool was_futile; /* the last execution was */
	uint64_t effort; /* what the search has cost so far, see runtime/hunt.h */
	uint64_t hunt_at; /* and when it has cost so much, there is a hunt */
	bool (*watch)(void); /* see evr_check_explore_by() */
	bool seen_enough; /* it has said so */
	bool estimate_wanted, rounds_wanted; /* start that before the next execution */
	double began;
	const char *stopped; /* why, or "" */
	/* When the program has last made a visible event, as far as anybody has looked, and how much there was to be seen. */
	double last_progress;
	uint64_t last_seen;
} check = { .stopped = "" };

static bool run(const struct evr_program *p, struct evr_engine *e)
{
	(void)p;
	evr_rt.engine = e;
	evr_run();
	evr_execution_end();
	return !*check.stopped || evr_execution.faults.len;
}

const struct evr_program evr_tested = { .world = &evr_rt.world, .run = run };

/* Seconds, without those of pauses. One may come in between the two clocks. */
static double now(void)
{
	struct timespec t;
	double paused;
	do {
		paused = evr_turn_paused();
		clock_gettime(CLOCK_MONOTONIC, &t);
	} while (paused < evr_turn_paused());
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec - paused;
}

void evr_check_begin(struct evr_result *r, const struct evr_engine_ops *searched)
{
	check.result = r;
	check.searched = searched;
	check.began = now();
	check.last_progress = evr_cpu();
}

/* ---- how it is going ---- */

void evr_stop_search(const char *reason)
{
	check.stopped = reason;
	evr_execution.stop = true;
}

const char *evr_check_stopped(void)
{
	return check.stopped;
}

bool evr_search_stopped(void)
{
	return *check.stopped;
}

void evr_progress(void)
{
	check.last_progress = evr_cpu();
}

bool evr_no_progress(void)
{
	return evr_rt.config.execution_timeout > 0 && evr_cpu() - check.last_progress > evr_rt.config.execution_timeout;
}

static uint64_t executions(void)
{
	return check.result->executions + check.result->blocked + check.result->truncated;
}

static void count(void)
{
	struct evr_result *r = check.result;
	if (evr_execution.truncated)
		r->truncated++;
	else if (evr_execution.blocked)
		r->blocked++;
	else
		r->executions++;
	r->events += evr_rt.world.trace.events.len;
	if (executions() == 1)
		evr_result_set(&r->output, evr_execution.output.text);
}

static void tell_estimate(struct evr_size s)
{
	check.result->estimate = s.size;
	check.result->estimate_low = s.low;
	check.result->estimate_high = s.high;
	evr_wire_estimate(evr_rt.config.fd, check.result);
}

#define UNASKED 0.09 /* a search that has taken so many seconds will be estimated if its progress is shown */

/* Of long searches, those whose progress is watched or asked for. */
static void look_after_estimate(double t)
{
	struct evr_size s;
	if (evr_asked) {
		evr_asked = 0;
		evr_wire_asked(evr_rt.config.fd);
		check.estimate_wanted = true;
	}
	if (evr_rt.config.estimate && t - check.began > UNASKED)
		check.estimate_wanted = true;
	if (evr_rounds_ask(check.result, t - check.began))
		check.estimate_wanted = true;
	check.rounds_wanted |= evr_rounds_due(check.result, t - check.began);
	evr_rounds_poll(check.result);
	if (evr_estimate_poll(&s))
		tell_estimate(s);
}

void evr_on_tick(void)
{
	evr_tick = 0;
	double t = now();
	if (evr_rounds_is_here()) {
		evr_rounds_on_tick();
		return;
	}
	if (evr_hunt_is_here()) {
		evr_hunt_on_tick();
		return;
	}
	uint64_t seen = executions() + evr_rt.world.trace.events.len;
	if (seen != check.last_seen) {
		check.last_seen = seen;
		check.last_progress = evr_cpu();
	}
	if (evr_estimate_is_here() || evr_rt.worker || evr_helpers_is_helper())
		return;
	evr_wire_progress(evr_rt.config.fd, check.result);
	look_after_estimate(t);
	if (evr_stop)
		evr_stop_search("interrupted");
	else if (evr_rt.config.timeout > 0 && t - check.began > evr_rt.config.timeout)
		evr_stop_search("time limit");
}

/* ---- scouting ---- */

#define CALM 50 /* it ends when so many executions in a row have found nothing new to be shared */
#define SCOUTED 500 /* and when there have been so many */
#define LONG 0.05 /* and, if executions are long, after so many seconds */
#define HUNTED 8 /* so many of the calm ones look for bugs: the last */
#define HUNTED_WORK 10000 /* if they have taken no more than so many steps together */
#define PATIENCE \
	1.0 /* seconds until a loop without events is given up: whether that is a finding, the search will say */

struct scouting {
	unsigned calm, wanted, runs;
	double began;
	struct evr_engine *hunter; /* of those that look for bugs */
	double timeout; /* the user's, of an execution */
};

static bool is_to_scout(void *self)
{
	struct scouting *s = self;
	return s->calm < s->wanted && s->runs++ < SCOUTED;
}

static bool has_time(const struct scouting *s)
{
	return !*check.stopped && evr_cpu() - s->began <= LONG;
}

static bool was_calm(void *self)
{
	struct scouting *s = self;
	s->calm++;
	return has_time(s) && !evr_execution.faults.len && evr_rt.world.threads >= 2;
}

static bool was_not_calm(void *self)
{
	struct scouting *s = self;
	s->calm = 0;
	return has_time(s) && !evr_execution.faults.len;
}

static void be_scout(struct scouting *s, bool is)
{
	evr_rt.scouting = is;
	evr_rt.config.execution_timeout = is && s->timeout > PATIENCE ? PATIENCE : s->timeout;
}

static void scout(struct scouting *s)
{
	static const struct evr_policy policy = { is_to_scout, was_calm, NULL, was_not_calm };
	struct evr_engine *e = evr_engine_scout(&evr_rt.world);
	evr_search(&evr_tested, e, &policy, s);
	e->ops->destroy(e);
}

static bool is_to_hunt(void *self)
{
	struct scouting *s = self;
	return executions() < HUNTED && evr_hunt_work(s->hunter) < HUNTED_WORK && s->runs++ < SCOUTED;
}

/* A finding must come again in an execution that is no scout's. */
static bool was_hunted(void *self)
{
	struct scouting *s = self;
	bool more = has_time(s) && !evr_execution.faults.len;
	count();
	be_scout(s, false);
	evr_hunt_look(s->hunter, check.result);
	be_scout(s, true);
	return more;
}

/* Its faults may be due to what was not known, and are no reason to stop. */
static bool was_ignorant(void *self)
{
	return has_time(self);
}

static void hunt_first(struct scouting *s)
{
	static const struct evr_policy policy = { is_to_hunt, was_hunted, NULL, was_ignorant };
	struct evr_engine *e = s->hunter = evr_hunt_first(&evr_rt.world);
	s->began = evr_cpu();
	evr_search(&evr_tested, e, &policy, s);
	if (e->failure)
		evr_wire_error(evr_rt.config.fd, EVR_INTERNAL, e->failure);
	e->ops->destroy(e);
	evr_rt.drawn = NULL;
	if (!evr_rt.worker)
		evr_hunt_count(executions());
}

bool evr_check_scout(void)
{
	bool hunts = evr_hunt_wanted() && !evr_hunt_is_first();
	struct scouting s = {
		.wanted = hunts ? CALM - HUNTED : CALM,
		.began = evr_cpu(),
		.timeout = evr_rt.config.execution_timeout,
	};
	be_scout(&s, true);
	scout(&s);
	if (hunts && !*check.stopped && evr_rt.world.threads >= 2 && evr_rt.world.trace.events.len < HUNTED_WORK)
		hunt_first(&s);
	be_scout(&s, false);
	evr_robust_forget();
	if (!evr_stop)
		check.stopped = "";
	evr_progress();
	return !check.result->findings.len || evr_rt.config.keep_going;
}

static bool scout_now(void)
{
	bool erases = evr_rt.world.erases;
	evr_rt.unscouted = evr_rt.world.erases = false;
	bool more = evr_check_scout();
	evr_rt.world.erases = erases;
	return more;
}

/* ---- exploring ---- */

void evr_check_count_classes_of(const struct evr_engine_ops *classes_of)
{
	if (!classes_of->classes)
		return;
	check.classes = evr_alloc(sizeof(*check.classes));
	evr_numbers_init(check.classes, classes_of);
}

static bool is_redundant(void)
{
	if (EVR_LIKELY(!check.classes))
		return false;
	uint32_t before = check.classes->count;
	return evr_numbers_add(check.classes) < before;
}

static void count_execution(void)
{
	if (EVR_UNLIKELY(is_redundant())) {
		check.redundant++;
		return;
	}
	count();
	if (evr_classes_wanted())
		evr_classes_note(executions());
}

/*
 * An execution counts if it is one of its own. One with a thread that was left in a loop and could go on is not; if the engine
 * finds an order in which it could not, that is the one.
 */
static bool is_counted(void)
{
	const struct evr_engine *e = check.engine;
	bool counted = !e->restored && (!e->rerun || (check.was_futile && evr_execution.blocked)) && !e->abandoned &&
		       !evr_execution.retracted && !evr_execution.futile;
	check.was_futile = evr_execution.futile;
	return counted;
}

/* The search is not small: are there bugs that are easy to find? False: there is one, and it is enough. */
static __attribute__((noinline)) bool hunt(void)
{
	check.hunt_at = UINT64_MAX;
	if (evr_helpers_is_helper())
		return true;
	size_t known = check.result->findings.len;
	evr_hunt_begin(NULL);
	evr_hunt_wait(check.result);
	evr_progress();
	bool enough = check.result->findings.len > known && !evr_rt.config.keep_going;
	if (enough)
		evr_helpers_stop();
	return !enough;
}

static bool begin(void *self)
{
	(void)self;
	check.effort += evr_hunt_effort(evr_rt.world.trace.events.len);
	if (EVR_UNLIKELY(check.effort >= check.hunt_at) && !hunt())
		return false;
	if (EVR_UNLIKELY(check.estimate_wanted)) {
		check.estimate_wanted = false;
		evr_estimate_begin(check.classes ? NULL : check.searched, false, NULL);
	}
	if (EVR_UNLIKELY(check.rounds_wanted)) {
		check.rounds_wanted = false;
		evr_rounds_begin(check.searched, NULL);
	}
	return true;
}

static bool visit(void *self)
{
	(void)self;
	if (EVR_UNLIKELY(check.engine->costly))
		return false;
	evr_rt.unscouted = false;
	if (is_counted()) {
		count_execution();
		check.seen_enough = check.watch && !check.watch();
	} else {
		check.uncounted++;
	}
	evr_collect(check.result);
	return true;
}

/* Of those that do not count there may be many between two that do. */
static bool go_on(void *self)
{
	(void)self;
	if (EVR_UNLIKELY(evr_rt.worker))
		return evr_worker_goes_on() && !*check.stopped;
	uint64_t most = evr_rt.config.max_executions;
	if (most && (executions() >= most || check.uncounted / 100 > most + 10))
		check.stopped = "limit on executions";
	bool more = !*check.stopped && (!check.result->findings.len || evr_rt.config.keep_going);
	if (!more)
		evr_helpers_stop();
	return more && !check.seen_enough && evr_helpers_go_on();
}

static bool start_again(void *self)
{
	(void)self;
	if (evr_rt.worker) {
		evr_worker_learned();
		return false;
	}
	if (EVR_UNLIKELY(evr_rt.unscouted) && !scout_now())
		return false;
	evr_helpers_learned();
	struct evr_result *r = check.result;
	evr_coverage_clear();
	evr_set_clear(&evr_rt.world.futile);
	r->executions = r->blocked = r->truncated = r->events = check.uncounted = 0;
	check.redundant = 0;
	if (check.classes)
		evr_numbers_clear(check.classes);
	if (evr_classes_wanted())
		evr_classes_restart();
	if (r->estimate > 0)
		tell_estimate((struct evr_size){ 0 });
	evr_estimate_end();
	return true;
}

bool evr_check_explore(struct evr_engine *e)
{
	static const struct evr_policy policy = { begin, visit, go_on, start_again };
	if (!check.engine)
		check.hunt_at = evr_rt.worker || !evr_hunt_wanted() ? UINT64_MAX
				: evr_hunt_is_first()               ? 0
								    : EVR_HUNT_SMALL;
	check.engine = e;
	enum evr_search_end end = evr_search(&evr_tested, e, &policy, NULL);
	while (evr_helpers_end()) {
		start_again(NULL);
		e->ops->restart(e);
		e->prefix = 0;
		end = evr_search(&evr_tested, e, &policy, NULL);
	}
	for (; end == EVR_EXHAUSTED && evr_rt.config.repeat > 1 && !check.result->findings.len;
	     evr_rt.config.repeat--) {
		start_again(NULL);
		e->ops->restart(e);
		e->prefix = 0;
		end = evr_search(&evr_tested, e, &policy, NULL);
	}
	if (check.classes)
		e->redundant = check.redundant;
	return end == EVR_EXHAUSTED && !e->costly && !*check.stopped &&
	       (!check.result->findings.len || evr_rt.config.keep_going);
}

bool evr_check_explore_by(struct evr_engine *e, bool (*watch)(void))
{
	start_again(NULL);
	check.searched = e->ops;
	check.watch = watch;
	check.seen_enough = false;
	return evr_check_explore(e);
}

/* Who has waited for so many seconds wants to know how many more it would have taken. */
#define LONG_SEARCH 1.0

double evr_check_end(void)
{
	struct evr_size s = { 0 };
	double explored = now() - check.began;
	evr_hunt_end();
	evr_rounds_end(check.result);
	bool limit = !strcmp(check.stopped, "time limit") || !strcmp(check.stopped, "limit on executions");
	if (limit && explored > LONG_SEARCH && !(check.result->estimate > 0)) {
		evr_estimate_begin(check.classes ? NULL : check.searched, true, NULL);
		if (evr_estimate_wait(&s))
			tell_estimate(s);
	}
	evr_estimate_end();
	if (limit && explored > LONG_SEARCH && !check.result->findings.len && !evr_rt.config.sample)
		evr_advice();
	return explored;
}
