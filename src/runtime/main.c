/*
 * The checker: the program under test, and this main program around it, which explores its executions and tells the
 * driver what it finds. Started without a driver, it starts one on itself.
 *
 * Invariant: what was found has been told to the driver before anything else happens that might fail.
 */
#include "runtime/main.h"

#include "explore/hunt.h"
#include "explore/predict.h"
#include "explore/verify_sc.h"
#include "model/relaxer.h"
#include "report/result.h"
#include "runtime/coverage.h"
#include "runtime/helpers.h"
#include "runtime/hunt.h"
#include "runtime/instead.h"
#include "runtime/keeper.h"
#include "runtime/libc/wrappers.h"
#include "runtime/memory/shadow.h"
#include "runtime/orders.h"
#include "runtime/predict.h"
#include "runtime/ranks.h"
#include "runtime/rollback.h"
#include "runtime/runtime.h"
#include "runtime/sample.h"
#include "runtime/search.h"
#include "runtime/serve.h"
#include "runtime/turn.h"
#include "runtime/workers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

extern const char evr_driver_path[]; /* put there when the checker was linked */
extern char **environ;
int evr_program_main(int argc, char **argv, char **environment); /* the program's own main */

static EVR_LASTING struct evr_result *result;
static EVR_LASTING const struct evr_engine_ops *searched; /* what explores, if anything does */
static EVR_LASTING struct evr_engine *engine;
static EVR_LASTING const char *undivided; /* why the search was not divided among workers, though that was wanted */
static EVR_LASTING const char
	*orders_ignored; /* the model that the program's memory orders ask for, if it was not taken */

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
	evr_thread_begin(evr_thread_known(EVR_NO_THREAD, 0), main_entry, NULL);
}

static void tell_error(const char *message)
{
	evr_wire_error(evr_rt.config.fd, EVR_USAGE, message);
	_exit(EVR_USAGE);
}

/* If nobody names a model: the program's memory orders decide, unless the engine that was asked for has not that model. */
static const struct evr_model_ops *default_model(const char *engine_name)
{
	char *error = NULL;
	bool weak_orders = evr_objects_flags() & EVR_OBJECT_WEAK_ORDERS || evr_orders_weakened();
	const struct evr_model_ops *m = evr_model_default(weak_orders);
	if (weak_orders && engine_name && !evr_engine_find(engine_name, m, &error)) {
		orders_ignored = m->name;
		m = evr_model_default(false);
	}
	free(error);
	return m;
}

static const struct evr_model_ops *choose_model(const struct evr_config *c)
{
	if (!c->model)
		return default_model(c->engine);
	const struct evr_model_ops *m = evr_predict_wanted() ? evr_relaxer_find(c->model) : evr_model_find(c->model);
	if (!m)
		evr_die("model '%s' is not available in this version", c->model);
	return m;
}

/* What explores every interleaving with so many preemptions and accesses out of order: of these, one of each class of the engine is counted. */
static const struct evr_engine_ops *bounded_engine(const struct evr_engine_ops *ops)
{
	evr_rt.world.most_preemptions = evr_rt.config.preemptions;
	evr_rt.config.erase = false;
	evr_check_count_classes_of(ops);
	return &evr_engine_none;
}

static void choose_engine(void)
{
	char *error = NULL;
	const struct evr_config *c = &evr_rt.config;
	const struct evr_model_ops *m = choose_model(c);
	if (c->robust && !m->decides_robustness)
		evr_die("robustness against model '%s' is not available in this version", m->name);
	evr_rt.world.model = m;
	if (evr_predict_wanted()) {
		evr_wire_hello(c->fd, m->name, c->engine);
		result = evr_result_new(m->name, c->engine);
		result->unroll = c->unroll;
		engine = c->replay ? evr_schedule_engine(c->replay, &error) : evr_engine_predict(&evr_rt.world);
		if (!engine)
			evr_die("%s", error);
		return;
	}
	bool by_traces = c->robust && evr_engine_supports(&evr_engine_traces, m);
	const char *name = c->engine ? c->engine : by_traces ? evr_engine_traces.name : NULL;
	const struct evr_engine_ops *ops = evr_engine_find(name, m, &error);
	if (!ops)
		evr_die("%s", error);
	/* Where steps name sources, the order of writes is not the question. */
	if (c->robust && (ops->values_only || (ops->sources_only && !m->steps_name_sources)))
		evr_die("equivalence '%s' cannot decide robustness", ops->name);
	if (ops->values_only && evr_races_wanted())
		evr_die("equivalence '%s' cannot detect data races", ops->name);
	evr_rt.world.races = evr_races_wanted();
	evr_rt.world.skips_ordered = m->skips_ordered && !c->every_access;
	evr_rt.world.trace.c11_release_sequences = !strcmp(c->release_sequences, "c11");
	if (!evr_rt.world.trace.c11_release_sequences && strcmp(c->release_sequences, "c20") != 0)
		evr_die("option '--release-sequences' needs c11 or c20, not '%s'", c->release_sequences);
	char *unknown = c->rvf_no ? evr_rvf_heuristics(c->rvf_no, &evr_rt.world.heuristics_off) : NULL;
	if (unknown)
		evr_die("unknown heuristic '%s' (heuristics of rvf: closure, guide, greedy, signals, instead)",
			unknown);
	evr_wire_hello(c->fd, m->name, ops->name);
	result = evr_result_new(m->name, ops->name);
	result->unroll = c->unroll;
	evr_rt.world.most_preemptions = -1;
	evr_rt.world.restless = evr_rt.config.restless;
	if (c->preemptions >= 0 && !c->replay)
		ops = bounded_engine(ops);
	searched = c->replay ? NULL : ops;
	engine = c->replay ? evr_schedule_engine(c->replay, &error) : ops->create(&evr_rt.world);
	if (!engine)
		evr_die("%s", error);
	if (c->check && !c->replay)
		engine = evr_engine_check(engine);
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
	struct rusage own, workers;
	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &workers);
	return (uint64_t)(own.ru_maxrss > workers.ru_maxrss ? own.ru_maxrss : workers.ru_maxrss);
}

#define WITHOUT "Everett looked only for crashes, memory errors, deadlocks and the like"

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

static void tell_notes(bool divided)
{
	int fd = evr_rt.config.fd;
	if (orders_ignored) {
		char *note = evr_format("memory orders weaker than seq_cst were treated as seq_cst: "
					"equivalence '%s' is not available under model '%s'",
					result->equivalence, orders_ignored);
		evr_wire_note(fd, note);
		free(note);
	}
	if (divided && (evr_rt.config.jobs > 1 || evr_ranks_on()) && result->findings.len && !evr_rt.config.keep_going)
		evr_wire_note(
			fd,
			"several workers searched: another run may report a different finding first (-k reports all)");
	if (evr_ranks_on() && !divided)
		evr_wire_note(fd, "one rank was used: the others could not take part in this search");
	if (undivided) {
		char *note = evr_format("one worker was used: %s", undivided);
		evr_wire_note(fd, note);
		free(note);
	}
	if (evr_rt.plain_shared && !evr_races_wanted() && !evr_robust_wanted() && !evr_predict_wanted())
		evr_wire_unchecked(fd);
	for (unsigned order = 0; order <= EVR_SEQ_CST; order++)
		if (evr_rt.world.orders_used >> order & 1 && evr_rt.world.model->notes[order])
			evr_wire_note(fd, evr_rt.world.model->notes[order]);
	if (evr_rt.locked_atomics && evr_rt.world.model->note_on_locked_atomics)
		evr_wire_note(fd, evr_rt.world.model->note_on_locked_atomics);
	if (evr_rt.strong_cas)
		evr_wire_note(fd, "a compare-exchange that is a library call is treated as strong: "
				  "it never failed spuriously");
	if (evr_robust_note())
		evr_wire_note(fd, evr_robust_note());
	if (evr_nondet_note())
		evr_wire_note(fd, evr_nondet_note());
	if (evr_instead_note())
		evr_wire_note(fd, evr_instead_note());
	if (evr_rt.sections && !evr_rt.world.model->is_sequential)
		evr_wire_note(fd, "accesses to memory that atomic sections use are sequentially consistent, "
				  "in sections and outside of them");
	if (evr_callees_note())
		evr_wire_note(fd, evr_callees_note());
	tell_gaps(fd);
}

static void tell_stats(void)
{
	const struct evr_engine *e = engine;
	struct evr_stats s = { 0 };
	if (e->ops->stats)
		e->ops->stats(e, &s);
	evr_helpers_add_stats(&s);
	evr_instead_add_stats(&s);
	if (evr_marks_skipped())
		evr_stats_put(&s, EVR_STAT_SKIPPED, evr_marks_skipped());
	for (int i = 0; i < EVR_STATS; i++)
		if (s.kept[i])
			evr_wire_stat(evr_rt.config.fd, evr_stat_names[i], s.count[i]);
}

/* By workers; false: that cannot be, and nothing was explored. */
static bool explore_divided(void)
{
	const struct evr_engine_ops *by = searched->divided;
	if (!by || !evr_engine_supports(by, evr_rt.world.model))
		by = searched;
	if (evr_sample_wanted()) {
		evr_sample_divided(result, searched);
		undivided = evr_workers_explore(result, &evr_hunt_ops, &result->complete);
		result->complete = false;
		evr_sample_end();
		return true;
	}
	undivided = evr_workers_explore(result, by, &result->complete);
	result->complete = result->complete && searched->exhaustive;
	return !undivided;
}

/* An exploration in this process begins at once, if nothing comes before it. */
static bool can_scout_later(void)
{
	return searched && !evr_predict_wanted() && !evr_sample_wanted() && !evr_hunt_is_first() &&
	       !evr_helpers_wanted(searched) && evr_rt.config.resume_fd < 0;
}

static void explore_here(void)
{
	bool scouts = !evr_rt.config.replay && !evr_rt.config.gdb;
	evr_rt.unscouted = scouts && can_scout_later();
	if (scouts && !evr_rt.unscouted && !evr_check_scout())
		return;
	result->executions = result->blocked = result->truncated = result->events = 0;
	evr_coverage_clear();
	evr_rt.engine = engine;
	if (evr_predict_wanted() && !evr_rt.config.replay) {
		evr_predict(result);
		return;
	}
	if (evr_sample_wanted()) {
		evr_sample(result, searched);
		return;
	}
	/* What a round for nothing has read may be what sequential consistency does not allow. */
	evr_rt.world.erases = searched && searched->erases && evr_rt.config.erase && !evr_robust_wanted();
	if (evr_helpers_wanted(searched))
		evr_helpers_begin(engine, result);
	else
		engine->wary = evr_instead_may(searched, engine);
	bool all = evr_check_explore(engine);
	if (engine->costly)
		all = evr_instead_explore(&engine, searched);
	result->complete = all && searched && searched->exhaustive;
	evr_rt.world.erases = false;
}

/* One execution covers little, and of many trials the first is asked. */
static bool is_covered(void)
{
	const struct evr_config *c = &evr_rt.config;
	return c->coverage && !c->replay && !c->gdb && (c->serve < 0 || c->sites) && !evr_predict_wanted();
}

int main(int argc, char **argv)
{
	const char *words = environment("EVERETT_CHECKER");
	if (!words)
		start_driver(argc, argv);
	evr_config_parse(&evr_rt.config, words);
	hide_from_program("EVERETT_CHECKER");
	evr_die_hook = tell_error;
	evr_strbuf_init(&evr_execution.output);
	evr_shadow_init();
	evr_objects_init();
	if (evr_rt.config.serve >= 0)
		evr_config_parse(&evr_rt.config, evr_serve(evr_rt.config.serve, &argc, argv));
	evr_objects_cover();
	if (evr_rt.config.order)
		evr_orders_change(evr_rt.config.order);
	if (evr_rt.config.orders)
		evr_orders_assign(evr_rt.config.orders);
	init_arguments(argc, argv);
	evr_signals_init();
	evr_turn_init();
	evr_nondet_init(evr_rt.config.nondet);
	choose_engine();
	evr_check_begin(result, searched);
	bool helped = evr_helpers_wanted(searched);
	bool divided = searched && !helped && evr_workers_wanted() && explore_divided();
	if (!divided && evr_ranks_follows())
		return EVR_OK;
	if (!divided)
		explore_here();
	result->explore_seconds = evr_check_end();
	if (!divided)
		evr_coverage_commit();
	if (is_covered())
		evr_coverage_tell(evr_rt.config.fd);
	/* Its executions count nowhere. */
	if (result->findings.len && evr_rt.config.simplify && !evr_predict_wanted() && !evr_rt.config.replay)
		evr_simplify(result);
	const char *stopped = evr_check_stopped();
	if (evr_rt.config.replay && !*stopped)
		stopped = "one execution was replayed";
	if (!divided)
		result->redundant = engine->redundant;
	result->peak_kib = peak_kib();
	evr_result_set(&result->stopped, stopped);
	evr_wire_first(evr_rt.config.fd, result->output);
	tell_notes(divided);
	if (evr_classes_wanted()) {
		evr_classes_report(result);
		evr_wire_classes(evr_rt.config.fd, result);
	}
	if (divided)
		evr_workers_tell_stats();
	else
		tell_stats();
	if (evr_rt.config.sites)
		evr_orders_tell(evr_rt.config.fd);
	if (engine->failure) {
		evr_wire_error(evr_rt.config.fd, evr_rt.config.replay ? EVR_USAGE : EVR_INTERNAL, engine->failure);
		return EVR_INTERNAL;
	}
	evr_wire_done(evr_rt.config.fd, result);
	if (evr_rt.config.keeper >= 0)
		evr_keeper_begin(evr_rt.config.keeper, result);
	return evr_result_status(result);
}
