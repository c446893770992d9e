/*
 * The checker: the program under test, and this main program around it, which explores its executions and tells the
 * driver what it finds. Started without a driver, it starts one on itself.
 */
#include "runtime/main.h"

#include "explore/predict.h"
#include "explore/verify_sc.h"
#include "model/relaxer.h"
#include "report/result.h"
#include "runtime/estimate.h"
#include "runtime/predict.h"
#include "runtime/runtime.h"
#include "runtime/serve.h"
#include "runtime/shadow.h"
#include "runtime/turn.h"
#include "runtime/wrappers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

extern const char evr_driver_path[]; /* put there when the checker was linked */
extern char **environ;
int evr_program_main(int argc, char **argv, char **environment); /* the program's own main */

static struct evr_result *result;
static uint64_t uncounted; /* executions that do not count */
static double started, last_progress;
static uint64_t last_seen;
static const char *stopped = "";
#define UNASKED 0.09 /* a search that has taken so many seconds will be estimated if its progress is shown */
static const struct evr_engine_ops *searched; /* what explores, if anything does */
static bool estimate_wanted; /* start to estimate before the next execution */
static bool exhaustive; /* may "no finding" be called "verified"? */

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

/* The program's arguments and environment, in memory that is the program's. */
static char **copy_strings(char **strings, int count, char **free_space)
{
	char **list = (char **)*free_space;
	char *text = (char *)(list + count + 1);
	for (int i = 0; i < count; i++) {
		size_t n = strlen(strings[i]) + 1;
		if ((uintptr_t)text + n > EVR_ARGUMENTS + EVR_ARGUMENTS_SIZE)
			evr_die("the program's arguments and environment are too long");
		list[i] = memcpy(text, strings[i], n);
		text += n;
	}
	*free_space = (char *)(((uintptr_t)text + 15) & ~(uintptr_t)15);
	return list;
}

static void init_arguments(int argc, char **argv)
{
	char *space = (char *)(uintptr_t)EVR_ARGUMENTS;
	evr_rt.argc = argc;
	evr_rt.argv = copy_strings(argv, argc, &space);
	int n = 0;
	while (environ[n])
		n++;
	environ = copy_strings(environ, n, &space);
	evr_shadow_global(EVR_ARGUMENTS, (uintptr_t)space - EVR_ARGUMENTS, false);
}

static void *main_entry(void *unused)
{
	(void)unused;
	evr_objects_run_constructors();
	/* Its result means something only if it is an int, and then the hook has told it. */
	evr_program_main(evr_rt.argc, evr_rt.argv, environ);
	evr_main_end();
	return NULL;
}

void evr_main_thread(void)
{
	evr_atexit_begin();
	evr_thread_begin(evr_thread_known(EVR_NO_THREAD, 0), main_entry, NULL);
}

void evr_stop_search(const char *reason)
{
	stopped = reason;
	evr_rt.cut = true;
}

bool evr_search_stopped(void)
{
	return *stopped;
}

void evr_progress(void)
{
	last_progress = evr_cpu();
}

bool evr_no_progress(void)
{
	return evr_rt.config.execution_timeout > 0 && evr_cpu() - last_progress > evr_rt.config.execution_timeout;
}

static void tell_estimate(struct evr_size s)
{
	result->estimate = s.size;
	result->estimate_low = s.low;
	result->estimate_high = s.high;
	evr_wire_estimate(evr_rt.config.fd, result);
}

/* Of long searches, those whose progress is watched or asked for. */
static void look_after_estimate(double t)
{
	struct evr_size s;
	if (evr_asked) {
		evr_asked = 0;
		evr_wire_asked(evr_rt.config.fd);
		estimate_wanted = true;
	}
	if (evr_rt.config.estimate && t - started > UNASKED)
		estimate_wanted = true;
	if (evr_estimate_poll(&s))
		tell_estimate(s);
}

void evr_on_tick(void)
{
	evr_tick = 0;
	double t = now();
	uint64_t seen = result->executions + result->blocked + result->truncated + evr_rt.world.trace.events.len;
	if (seen != last_seen) {
		last_seen = seen;
		last_progress = evr_cpu();
	}
	if (evr_estimate_is_here())
		return;
	evr_wire_progress(evr_rt.config.fd, result);
	look_after_estimate(t);
	if (evr_stop)
		evr_stop_search("interrupted");
	else if (evr_rt.config.timeout > 0 && t - started > evr_rt.config.timeout)
		evr_stop_search("time limit");
}

static void count_execution(void)
{
	if (evr_rt.truncated)
		result->truncated++;
	else if (evr_rt.blocked)
		result->blocked++;
	else
		result->executions++;
	result->events += evr_rt.world.trace.events.len;
	if (result->executions + result->blocked + result->truncated == 1) {
		evr_result_set(&result->output, evr_rt.output.text);
	}
}

/* A location turned out to be shared: what was explored so far did not know it. */
static void start_again(void)
{
	evr_rt.engine->ops->restart(evr_rt.engine);
	evr_rt.engine->prefix = 0;
	evr_map_clear(&evr_rt.world.futile);
	/* Findings stay: they came from real executions, and the driver has them already. */
	result->executions = result->blocked = result->truncated = result->events = uncounted = 0;
	if (evr_classes_wanted())
		evr_classes_restart();
	if (result->estimate > 0)
		tell_estimate((struct evr_size){ 0 });
	evr_estimate_end();
}

static bool limit_reached(void)
{
	uint64_t done = result->executions + result->blocked + result->truncated;
	/* Of those that do not count there may be many between two that do. */
	if (evr_rt.config.max_executions &&
	    (done >= evr_rt.config.max_executions || uncounted / 100 > evr_rt.config.max_executions + 10))
		stopped = "limit on executions";
	return *stopped || (result->findings.len && !evr_rt.config.keep_going);
}

#define CALM 50     /* scouting ends when so many executions in a row have found nothing new to be shared */
#define SCOUTED 500 /* and when there have been so many */
#define PATIENCE \
	1.0 /* seconds until a loop without events is given up: whether that is a finding, the search will say */
#define LONG 0.05   /* and, if executions are long, after so many seconds */

/* A few random executions: what they find to be shared, the search need not start again for. */
static void scout(void)
{
	struct evr_engine *engine = evr_rt.engine;
	double began = evr_cpu(), timeout = evr_rt.config.execution_timeout;
	if (timeout > PATIENCE)
		evr_rt.config.execution_timeout = PATIENCE;
	evr_rt.engine = evr_engine_scout(&evr_rt.world);
	evr_rt.scouting = true;
	for (unsigned calm = 0, n = 0; calm < CALM && n < SCOUTED; n++) {
		evr_run();
		evr_undo_restore(&evr_rt.world.undo);
		evr_rt.engine->ops->advance(evr_rt.engine);
		calm = evr_learned(&evr_rt.world) ? 0 : calm + 1;
		bool single = evr_rt.world.threads < 2 && !evr_learned(&evr_rt.world);
		if (single || evr_rt.faults.len || *stopped || evr_cpu() - began > LONG)
			break;
	}
	evr_rt.engine->ops->destroy(evr_rt.engine);
	evr_rt.engine = engine;
	evr_rt.scouting = false;
	evr_rt.config.execution_timeout = timeout;
	evr_robust_forget();
	if (!evr_stop)
		stopped = "";
	last_progress = evr_cpu();
}

/*
 * An execution counts if it is one of its own. One with a thread that was left in a loop and could go on is not; if the engine
 * finds an order in which it could not, that is the one.
 */
static bool is_counted(void)
{
	static bool was_futile;
	const struct evr_engine *e = evr_rt.engine;
	bool counted =
		(!e->rerun || (was_futile && evr_rt.blocked)) && !e->abandoned && !evr_rt.retracted && !evr_rt.futile;
	was_futile = evr_rt.futile;
	return counted;
}

/* The exploration loop: true if nothing is left to explore. */
static bool explore(void)
{
	struct evr_engine *engine = evr_rt.engine;
	for (;;) {
		if (EVR_UNLIKELY(estimate_wanted)) {
			estimate_wanted = false;
			evr_estimate_begin(searched, false);
		}
		evr_run();
		evr_undo_restore(&evr_rt.world.undo);
		if (*stopped && !evr_rt.faults.len)
			return false;
		if (evr_learned(&evr_rt.world)) {
			start_again();
			continue;
		}
		bool counted = is_counted();
		if (counted)
			count_execution();
		else
			uncounted++;
		if (counted && evr_classes_wanted())
			evr_classes_note(result->executions + result->blocked + result->truncated);
		evr_collect(result);
		if (engine->failure)
			return false;
		bool more = engine->ops->advance(engine);
		engine->abandoned = false;
		if (evr_learned(&evr_rt.world)) {
			start_again();
			continue;
		}
		if (!more && evr_rt.config.repeat > 1 && !result->findings.len) {
			evr_rt.config.repeat--;
			start_again();
			continue;
		}
		if (!more || limit_reached())
			return !more && !engine->failure && !(result->findings.len && !evr_rt.config.keep_going);
	}
}

/* Who has waited for so many seconds wants to know how many more it would have taken. */
#define LONG_SEARCH 1.0

static void estimate_rest(double explored)
{
	struct evr_size s = { 0 };
	bool limit = !strcmp(stopped, "time limit") || !strcmp(stopped, "limit on executions");
	if (limit && explored > LONG_SEARCH && !(result->estimate > 0)) {
		evr_estimate_begin(searched, true);
		if (evr_estimate_wait(&s))
			tell_estimate(s);
	}
	evr_estimate_end();
}

static void tell_error(const char *message)
{
	evr_wire_error(evr_rt.config.fd, EVR_USAGE, message);
	_exit(EVR_USAGE);
}

static void choose_engine(void)
{
	char *error = NULL;
	const struct evr_config *c = &evr_rt.config;
	const struct evr_model_ops *m = evr_predict_wanted() ? evr_relaxer_find(c->model) : evr_model_find(c->model);
	if (!m)
		evr_die("model '%s' is not available in this version", c->model);
	if (c->robust && !m->decides_robustness)
		evr_die("robustness against model '%s' is not available in this version", m->name);
	evr_rt.world.model = m;
	if (evr_predict_wanted()) {
		evr_wire_hello(c->fd, m->name, c->engine);
		result = evr_result_new(m->name, c->engine);
		result->unroll = c->unroll;
		evr_rt.engine = c->replay ? evr_schedule_engine(c->replay, &error) : evr_engine_predict(&evr_rt.world);
		if (!evr_rt.engine)
			evr_die("%s", error);
		return;
	}
	const char *engine = c->engine ? c->engine : c->robust ? evr_engine_traces.name : NULL;
	const struct evr_engine_ops *ops = evr_engine_find(engine, m, &error);
	if (!ops)
		evr_die("%s", error);
	if (c->robust && (ops->values_only || ops->sources_only))
		evr_die("robustness is not decided by equivalence '%s'", ops->name);
	if (ops->values_only && evr_races_wanted())
		evr_die("whether there are data races is not decided by equivalence '%s'", ops->name);
	evr_rt.world.races = evr_races_wanted();
	char *unknown = c->rvf_no ? evr_rvf_heuristics(c->rvf_no, &evr_rt.world.heuristics_off) : NULL;
	if (unknown)
		evr_die("rvf has no heuristic '%s': there are closure, guide, greedy and signals", unknown);
	evr_wire_hello(c->fd, m->name, ops->name);
	result = evr_result_new(m->name, ops->name);
	result->unroll = c->unroll;
	exhaustive = ops->exhaustive && !c->replay;
	searched = c->replay ? NULL : ops;
	evr_rt.engine = c->replay ? evr_schedule_engine(c->replay, &error) : ops->create(&evr_rt.world);
	if (!evr_rt.engine)
		evr_die("%s", error);
	if (c->check && !c->replay)
		evr_rt.engine = evr_engine_check(evr_rt.engine);
}

/* Not getenv(), which the program could have defined: then this would go on for ever. */
static const char *environment(const char *name)
{
	size_t n = strlen(name);
	for (char **e = environ; *e; e++)
		if (!strncmp(*e, name, n) && (*e)[n] == '=')
			return *e + n + 1;
	return NULL;
}

static void hide_from_program(const char *name)
{
	size_t n = strlen(name);
	char **to = environ;
	for (char **e = environ; *e; e++)
		if (strncmp(*e, name, n) != 0 || (*e)[n] != '=')
			*to++ = *e;
	*to = NULL;
}

/* `./my_test`: let the driver run it, with the options from the environment. */
static _Noreturn void start_driver(int argc, char **argv)
{
	EVR_VEC(char *) words = { 0 };
	const char *options = environment("EVERETT_OPTIONS"), *driver = environment("EVERETT");
	char *copy = evr_strdup(options ? options : ""), *rest = NULL;
	evr_vec_push(&words, (char *)"everett");
	evr_vec_push(&words, (char *)"run");
	for (char *word = strtok_r(copy, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest))
		evr_vec_push(&words, word);
	evr_vec_push(&words, (char *)"/proc/self/exe");
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (n > 0) {
		path[n] = '\0';
		evr_vec_last(&words) = path;
	}
	evr_vec_push(&words, (char *)"--");
	for (int i = 1; i < argc; i++)
		evr_vec_push(&words, argv[i]);
	evr_vec_push(&words, NULL);
	if (driver)
		execvp(driver, words.data);
	execv(evr_driver_path, words.data);
	execvp("everett", words.data);
	evr_die("cannot start the driver '%s': %s (set EVERETT to its path)", driver ? driver : evr_driver_path,
		strerror(errno));
}

static uint64_t peak_kib(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_maxrss;
}

#define WITHOUT "only crashes, memory errors, deadlocks and the like were looked for"

/* What the program left out: without it "ok" says less than it seems to. */
static void tell_gaps(int fd)
{
	unsigned flags = evr_objects_flags();
	/* Handling of errors often ends in exit(1): where NDEBUG is defined, that is no test of anything. */
	bool exits = flags & EVR_OBJECT_EXITS && evr_rt.config.fail_on_exit && !(flags & EVR_OBJECT_NDEBUG);
	bool silent = !(flags & EVR_OBJECT_ASSERTS) && !exits;
	if (evr_rt.config.replay || result->findings.len)
		return;
	if (!evr_rt.concurrent)
		evr_wire_note(fd, "no second thread ever ran: there was nothing to interleave");
	if (silent && !evr_robust_wanted())
		evr_wire_note(fd, flags & EVR_OBJECT_NDEBUG
					  ? "NDEBUG is defined, and no assertion was compiled in: " WITHOUT
					  : "no assertion was compiled in (is NDEBUG defined?): " WITHOUT);
}

static void tell_notes(void)
{
	int fd = evr_rt.config.fd;
	if (evr_rt.plain_shared && !evr_races_wanted() && !evr_robust_wanted() && !evr_predict_wanted())
		evr_wire_unchecked(fd);
	for (unsigned order = 0; order <= EVR_SEQ_CST; order++)
		if (evr_rt.world.orders_used >> order & 1 && evr_rt.world.model->notes[order])
			evr_wire_note(fd, evr_rt.world.model->notes[order]);
	if (evr_rt.locked_atomics && evr_rt.world.model->note_on_locked_atomics)
		evr_wire_note(fd, evr_rt.world.model->note_on_locked_atomics);
	if (evr_rt.strong_cas)
		evr_wire_note(fd, "a compare-exchange that is a call of the library is taken as strong: "
				  "it never failed for no reason");
	if (evr_robust_note())
		evr_wire_note(fd, evr_robust_note());
	if (evr_nondet_note())
		evr_wire_note(fd, evr_nondet_note());
	if (evr_rt.sections && !evr_rt.world.model->is_sequential)
		evr_wire_note(fd, "accesses to memory that atomic sections use are sequentially consistent, "
				  "in sections and outside of them");
	if (evr_callees_note())
		evr_wire_note(fd, evr_callees_note());
	tell_gaps(fd);
}

static void tell_stats(void)
{
	const struct evr_engine *e = evr_rt.engine;
	struct evr_stats s = { 0 };
	if (e->ops->stats)
		e->ops->stats(e, &s);
	for (int i = 0; i < EVR_STATS; i++)
		if (s.kept[i])
			evr_wire_stat(evr_rt.config.fd, evr_stat_names[i], s.count[i]);
}

int main(int argc, char **argv)
{
	const char *words = environment("EVERETT_CHECKER");
	if (!words)
		start_driver(argc, argv);
	evr_config_parse(&evr_rt.config, words);
	hide_from_program("EVERETT_CHECKER");
	evr_die_hook = tell_error;
	evr_strbuf_init(&evr_rt.output);
	evr_shadow_init();
	evr_objects_init();
	if (evr_rt.config.serve >= 0)
		evr_config_parse(&evr_rt.config, evr_serve(evr_rt.config.serve, &argc, argv));
	init_arguments(argc, argv);
	evr_signals_init();
	evr_turn_init();
	evr_nondet_init(evr_rt.config.nondet);
	choose_engine();
	started = now();
	last_progress = evr_cpu();
	if (!evr_rt.config.replay && !evr_rt.config.gdb)
		scout();
	if (evr_predict_wanted() && !evr_rt.config.replay)
		evr_predict(result);
	else {
		/* What a round for nothing has read may be what sequential consistency does not allow. */
		evr_rt.world.erases = searched && searched->erases && evr_rt.config.erase && !evr_robust_wanted();
		result->complete = explore() && exhaustive;
		evr_rt.world.erases = false;
	}
	/* Its executions count nowhere. */
	double explored = now() - started;
	estimate_rest(explored);
	if (result->findings.len && evr_rt.config.simplify && !evr_predict_wanted() && !evr_rt.config.replay)
		evr_simplify(result);
	if (evr_rt.config.replay && !*stopped)
		stopped = "one execution was replayed";
	result->explore_seconds = explored;
	result->redundant = evr_rt.engine->redundant;
	result->peak_kib = peak_kib();
	evr_result_set(&result->stopped, stopped);
	evr_wire_first(evr_rt.config.fd, result->output);
	tell_notes();
	if (evr_classes_wanted()) {
		evr_classes_report(result);
		evr_wire_classes(evr_rt.config.fd, result);
	}
	tell_stats();
	if (evr_rt.engine->failure) {
		evr_wire_error(evr_rt.config.fd, evr_rt.config.replay ? EVR_USAGE : EVR_INTERNAL,
			       evr_rt.engine->failure);
		return EVR_INTERNAL;
	}
	evr_wire_done(evr_rt.config.fd, result);
	return evr_result_status(result);
}
