/*
 * One execution, start to end. Threads run until their next visible event; then the engine decides which of these takes
 * place, and the model makes it happen. Create, start, exit and the join of an ended thread take place at once.
 *
 * Invariant: when the engine is asked for a step, no thread is runnable: each one waits at a visible event, which is in world.pending, or for a
 * thread to end, or goes no further. Only while scouting may others take steps while a thread goes round a loop.
 */
#include "runtime/hooks.h"
#include "runtime/main.h"
#include "runtime/memory/lifetime.h"
#include "runtime/memory/shadow.h"
#include "runtime/rollback.h"
#include "runtime/runtime.h"
#include "runtime/search.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* An execution that is longer is most likely one that never ends. */
#define MAX_EVENTS 1000000

EVR_LASTING struct evr_runtime evr_rt;
struct evr_thread *evr_current;
const struct evr_site *evr_call_site;

/* The process has one thread, and so one errno, which its coroutines take turns to use. */
static EVR_LASTING int *error;

static __attribute__((constructor)) void find_errno(void)
{
	error = &errno;
}

struct evr_event *evr_event_arrive(unsigned kind, uintptr_t address, size_t size, const struct evr_site *site)
{
	struct evr_thread *t = evr_current;
	struct evr_event *e = &evr_rt.world.pending[t->id];
	t->site = site;
	t->fast.noted = 0;
	evr_event_init(e, t->id, kind, address, (uint32_t)size, site);
	return e;
}

#define UNCHECKED UINT64_MAX

void evr_thread_wake(struct evr_thread *t)
{
	t->state = EVR_RUNNABLE;
	t->changed = true;
	evr_execution.runnable++;
	evr_execution.woken = t;
}

void evr_record(unsigned kind, const struct evr_site *site, evr_value other)
{
	evr_current->fast.noted = 0;
	evr_trace_record(&evr_rt.world.trace, evr_current->id, kind, site, other);
}

void evr_record_fault(const struct evr_event *e)
{
	struct evr_event fault = {
		.thread = e->thread,
		.kind = EVR_FAULT,
		.attempted = e->kind,
		.address = e->address,
		.size = e->size,
		.site = e->site,
		.source = EVR_NO_EVENT,
		/* Whatever they mean for the event that was attempted. */
		.written = e->written,
		.expected = e->expected,
	};
	evr_trace_append(&evr_rt.world.trace, &fault);
}

/* Both for a thread that ends by itself, and for one that the scheduler ends. */
static void finish(struct evr_thread *t, bool failed)
{
	t->failed = failed;
	t->changed = true;
	evr_trace_record(&evr_rt.world.trace, t->id, EVR_EXIT, t->site, 0);
	evr_vec_last(&t->periods).end = evr_rt.world.trace.counts[t->id] - 1;
	t->state = EVR_ENDED;
	evr_execution.alive--;
	/* After abort() or exit() there is no process in which anybody could go on after waiting for this thread. */
	for (unsigned i = 0; t->awaited && !failed; i++) {
		struct evr_thread *other = evr_rt.threads[i];
		if (other->state == EVR_JOINING && other->target == t->id) {
			evr_thread_wake(other);
			t->awaited--;
		}
	}
}

void evr_drain(const struct evr_site *site)
{
	const struct evr_model_ops *m = evr_rt.world.model;
	if (!m->busy)
		return;
	if (!m->busy(&evr_rt.world, evr_current->id)) {
		/* It would have waited: what follows comes after what the buffer held. */
		evr_record(EVR_DRAIN, site, 0);
		return;
	}
	evr_event_arrive(EVR_DRAIN, 0, 0, site);
	evr_event_wait(true);
}

void evr_end_thread(bool failed)
{
	/* What a failed thread has buffered still reaches memory, some time. */
	if (!failed) {
		evr_section_unwind(0, evr_current->site);
		evr_tls_end(evr_current);
		evr_drain(evr_current->site);
	}
	finish(evr_current, failed);
	for (;;)
		evr_yield();
}

static void resume(struct evr_thread *t)
{
	evr_current = t;
	evr_thread_show_stamp(t);
	t->changed = true;
	evr_coroutine_resume(&t->coroutine);
	evr_current = NULL;
}

/*
 * One of the threads that can go on, where there are some. The turn goes round, because a thread may spin on memory that is not known to be
 * shared until another has written it. In which order they go on is the same in every execution, whoever asks: create, start, exit and join are
 * recorded in that order.
 */
static struct evr_thread *next_runnable(unsigned after)
{
	struct evr_thread *next = evr_execution.woken;
	/* If there is only one, it is most likely the last that was woken. */
	if (evr_execution.runnable > 1 || next->state != EVR_RUNNABLE) {
		unsigned i = after + 1 < evr_rt.world.threads ? after + 1 : 0;
		while (evr_rt.threads[i]->state != EVR_RUNNABLE)
			i = i + 1 < evr_rt.world.threads ? i + 1 : 0;
		next = evr_rt.threads[i];
	}
	evr_execution.runnable--;
	return next;
}

/* Run every thread to its next visible event. Whoever is run can make others runnable: by creating, by ending. */
static void run_to_events(void)
{
	while (evr_execution.runnable && !evr_execution.stop) {
		resume(next_runnable(evr_execution.last));
		if (EVR_UNLIKELY(evr_tick))
			evr_on_tick();
	}
}

/* Does the step read what memory holds? A step that names its source does so only if that is the initial value. */
static bool reads_memory(struct evr_step s)
{
	return !evr_rt.world.model->steps_name_sources || !s.variant;
}

/* What may have changed since the thread arrived at its event: what memory holds. */
static bool still_allowed(struct evr_thread *t, struct evr_event *e, struct evr_step s)
{
	char *message = NULL;
	const char *kind = NULL;
	bool reads = e->kind == EVR_READ || e->kind == EVR_RMW || e->kind == EVR_CAS;
	if (evr_event_is_mutex(e) && e->lock != EVR_LOCK_ATOMIC && e->lock != EVR_LOCK_SECTION)
		kind = evr_mutex_problem(e, &message);
	else if (reads && !evr_is_life(e->address) && !evr_retry_is_counter(e->address) && reads_memory(s))
		kind = evr_access_uninitialised(e, &message);
	if (!kind)
		return true;
	evr_fault_add(kind, e->site, t->id, message, NULL);
	return false;
}

static inline void note_step(struct evr_step s)
{
	evr_vec_push(&evr_execution.taken, s);
	if (EVR_UNLIKELY(evr_rt.stacks_wanted))
		evr_vec_push(&evr_execution.step_events, (evr_event_id)evr_rt.world.trace.events.len);
}

/* A step of the memory model's own: a store reaches memory. */
static void take_update(struct evr_step s)
{
	struct evr_event e;
	note_step(s);
	evr_rt.world.model->execute(&evr_rt.world, s, &e);
	evr_trace_append(&evr_rt.world.trace, &e);
	evr_shadow_set_initialised(e.address, e.size);
	/* When it was stored the memory was there. If its own thread has given it back since, that is of no consequence. */
	if (EVR_UNLIKELY(evr_is_contended(e.address)) && !evr_shadow_valid(e.address, e.size)) {
		char *message = NULL;
		const char *kind = evr_gone_problem(e.address, e.size, true, &message);
		size_t known = evr_execution.faults.len;
		evr_fault_add(kind, e.site, e.thread, message, NULL);
		if (evr_execution.faults.len > known)
			evr_execution.faults.data[known].after_free = true;
	}
}

/* Where threads go round loops. The event has taken place, and is about to be appended. */
static __attribute__((noinline)) void note_event(struct evr_world *w, const struct evr_event *e)
{
	if (e->thread + 1u != w->tired)
		w->tired = 0;
	if (w->knowledge.writes_matter)
		evr_retry_written(e);
	if (!w->knowledge.waits)
		return;
	evr_vec_reserve(&w->before, w->trace.events.len + 1);
	w->before.data[w->trace.events.len] = w->history[e->thread];
	evr_history_add_event(&w->history[e->thread], e);
}

/* The thread makes its pending event. False: it cannot, and has ended. */
static bool take(struct evr_thread *t, struct evr_step s)
{
	struct evr_world *w = &evr_rt.world;
	struct evr_event *e = &w->pending[s.actor];
	note_step(s);
	w->waiting[s.actor] = false;
	w->within = 0;

	if (EVR_UNLIKELY(evr_execution.checked[s.actor] != evr_execution.memory_changes) && !still_allowed(t, e, s)) {
		evr_record_fault(e);
		finish(t, true);
		return false;
	}
	w->model->execute(w, s, e);
	if (EVR_UNLIKELY(w->knowledge.waits | w->knowledge.writes_matter | w->tired))
		note_event(w, e);
	if (e->kind == EVR_WRITE && !(e->flags & EVR_BUFFERED) && !w->model->memory_stays_initial &&
	    evr_shadow_set_initialised(e->address, e->size))
		e->flags = EVR_INITIALISES;
	evr_trace_append(&w->trace, e);
	if (w->skips_ordered)
		evr_period_note(t, &evr_vec_last(&w->trace.events)); /* which has its index */
	if (EVR_UNLIKELY(e->kind == EVR_MUTEX_DESTROY))
		evr_execution.memory_changes++;

	t->state = EVR_RUNNABLE;
	return true;
}

/* Is there something that only the scheduler can see to, before the next step? */
static bool attention(void)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	return evr_tick || evr_execution.stop || t->diverged != EVR_NO_EVENT || t->events.len > MAX_EVENTS;
}

/* Take steps until a thread is to run on, and return that one. NULL: the scheduler must see what there is to do. */
static struct evr_thread *take_steps(void)
{
	struct evr_engine *engine = evr_rt.engine;
	while (EVR_LIKELY(!attention() && evr_rt.world.trace.events.len <= evr_execution.pause_at)) {
		struct evr_step s = engine->ops->next(engine);
		if (s.actor == EVR_NO_ACTOR) {
			evr_execution.over = true;
			return NULL;
		}
		if (s.actor >= EVR_MAX_THREADS) {
			take_update(s);
			continue;
		}
		if (EVR_UNLIKELY(s.actor >= evr_rt.world.threads || !evr_rt.world.waiting[s.actor])) {
			/* Only a program that does not repeat itself can make a decision impossible. */
			evr_rt.world.trace.diverged = (evr_event_id)evr_rt.world.trace.events.len;
			return NULL;
		}
		struct evr_thread *t = evr_rt.threads[s.actor];
		return take(t, s) ? t : NULL;
	}
	return NULL;
}

/*
 * While scouting, threads that go round in loops let the others take a step now and then: these may have to make visible events before
 * they write what the loop waits for. The search cannot do so, because an engine must know what every thread is about to do. It has
 * evr_spin() for what scouting has not met.
 */
static struct evr_thread *step_past_loops(void)
{
	for (unsigned i = 0; i < evr_rt.world.threads; i++)
		if (evr_rt.threads[i]->state == EVR_RUNNABLE && !evr_rt.threads[i]->spins)
			return NULL;
	for (unsigned i = 0; i < evr_rt.world.threads; i++)
		evr_rt.threads[i]->spins = false;
	struct evr_thread *t = take_steps();
	evr_execution.over = false;
	return t;
}

/* The thread that is to run now. NULL: the scheduler must see what there is to do. */
static struct evr_thread *whose_turn(unsigned after)
{
	struct evr_thread *past;
	if (!evr_execution.runnable)
		return take_steps();
	if (EVR_UNLIKELY(attention()))
		return NULL;
	if (EVR_UNLIKELY(evr_rt.scouting) && (past = step_past_loops()))
		return past;
	return next_runnable(after);
}

static void yield_to_scheduler(struct evr_thread *t)
{
	evr_execution.last = t->id;
	evr_coroutine_yield(&t->coroutine);
}

/*
 * A thread that cannot go on decides, on its own stack, what happens next, and hands over to whom it concerns. The way
 * through the scheduler would cost two changes of stack, which is more than all else that an event needs.
 */
void evr_yield(void)
{
	struct evr_thread *t = evr_current;
	const struct evr_site *site = evr_call_site; /* a function of the library may make several events */
	evr_current = NULL;
	struct evr_thread *next = whose_turn(t->id);
	evr_current = next ? next : t;
	evr_thread_show_stamp(evr_current);
	if (next == t)
		return;
	t->error = *error;
	if (next)
		next->changed = true;
	if (next)
		evr_coroutine_transfer(&t->coroutine, &next->coroutine);
	else
		yield_to_scheduler(t);
	*error = t->error;
	evr_call_site = site;
}

void evr_event_wait(bool checked)
{
	struct evr_thread *t = evr_current;
	if (EVR_UNLIKELY(evr_rt.stacks_wanted))
		evr_stack_note();
	evr_execution.checked[t->id] = checked ? evr_execution.memory_changes : UNCHECKED;
	evr_rt.world.waiting[t->id] = true;
	t->state = EVR_WAITING;
	evr_yield();
}

static void stop_at_length(void)
{
	const struct evr_site *s = evr_execution.long_loop;
	char *loop = s ? evr_format(", in the loop at %s:%u", s->file, s->line) : evr_strdup("");
	evr_stop_search(
		evr_format("an execution with more than %d events%s: bound its loops with --unroll", MAX_EVENTS, loop));
	free(loop);
}

static void explore_steps(void)
{
	run_to_events();
	while (!evr_execution.stop && !evr_execution.over) {
		if (evr_rt.world.trace.events.len > evr_execution.pause_at)
			evr_marks_take(evr_rt.engine);
		struct evr_thread *t = take_steps();
		if (t)
			resume(t);
		run_to_events();
		if (EVR_UNLIKELY(evr_rt.world.trace.events.len > MAX_EVENTS))
			stop_at_length();
		if (EVR_UNLIKELY(evr_tick))
			evr_on_tick();
		if (EVR_UNLIKELY(evr_rt.world.trace.diverged != EVR_NO_EVENT || evr_rt.world.halted))
			break;
	}
}

/* A replayed event that differs from the recorded one: the program depends on what it should not. */
static void report_divergence(void)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	if (t->diverged == EVR_NO_EVENT || evr_learned(&evr_rt.world))
		return;
	const struct evr_event *e = t->diverged < t->events.len ? &t->events.data[t->diverged] : &t->before;
	char *message =
		evr_format("the program is not deterministic: in the same schedule, event %u differs from the "
			   "run before (%s at %s:%u, now %s at %s:%u)",
			   t->diverged, evr_event_kind_name(t->before.kind),
			   t->before.site ? t->before.site->file : "?", t->before.site ? t->before.site->line : 0,
			   evr_event_kind_name(e->kind), e->site ? e->site->file : "?", e->site ? e->site->line : 0);
	evr_fault_add("nondeterminism", e->site, e->thread, message, NULL);
}

/* Was the event made by a step, or recorded by the way? */
static bool is_step(const struct evr_event *e)
{
	if (e->kind == EVR_FENCE)
		return evr_rt.world.model->fences >> e->site->order & 1;
	return e->kind < EVR_CREATE || (e->kind > EVR_JOIN && e->kind != EVR_FREE);
}

/*
 * The engine has chosen the places of writes in coherence only now: name them in the steps that were taken, so that they can
 * be taken again by somebody else.
 */
bool evr_run_complete(void)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	size_t e = 0;
	if (!evr_rt.engine->ops->complete)
		return true;
	evr_rt.engine->ops->complete(evr_rt.engine);
	for (size_t i = 0; evr_rt.world.model->steps_name_sources && i < evr_execution.taken.len; i++, e++) {
		struct evr_step *s = &evr_execution.taken.data[i];
		while (e < t->events.len && (t->events.data[e].thread != s->actor || !is_step(&t->events.data[e])))
			e++;
		if (e < t->events.len && t->events.data[e].kind == EVR_WRITE)
			s->variant = t->events.data[e].predecessor + 1;
	}
	return !evr_rt.engine->abandoned;
}

void evr_run(void)
{
	if (!evr_marks_resume(evr_rt.engine)) {
		evr_execution_begin(evr_rt.engine->prefix);
		evr_marks_begin(evr_rt.engine);
		evr_main_thread();
	}
	explore_steps();
	report_divergence();
	/* Nobody else looks at what the trace does not say. An execution is cut short by a limit, which nobody looks at, or a fault. */
	bool looked_at =
		evr_execution.faults.len ||
		(!evr_execution.stop && (evr_rt.config.check || evr_classes_wanted() || evr_execution.blocked));
	if (looked_at && !evr_learned(&evr_rt.world) && !evr_execution.retracted)
		evr_run_complete();
	if (evr_races_wanted() && !evr_learned(&evr_rt.world))
		evr_races_check();
	if (!evr_execution.stop && !evr_learned(&evr_rt.world) && !evr_rt.engine->abandoned)
		evr_spin_check();
	if (evr_execution.stop || evr_learned(&evr_rt.world) || evr_rt.engine->abandoned)
		return;
	evr_execution.futile = evr_execution.blocked && evr_await_is_futile();
	if (evr_robust_wanted()) {
		evr_robust_check();
	} else {
		evr_deadlock_check();
		evr_heap_report_leaks();
	}
	/* Perhaps it would not go on if the writes that it has seen were the last. */
	evr_rt.world.awaits_undecided |= evr_execution.futile;
	if (evr_execution.futile)
		evr_rt.engine->abandoned = true;
}
