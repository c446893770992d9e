/*
 * Which events are one call of the library: a wait for a condition variable is five events or more, and reports show what the program
 * has called.
 *
 * Invariant: the events of a call are those of one thread at one site, from the first of its kind to the next one of that kind. No
 * wrapper of the library makes the first of its events twice.
 */
#include "report/result.h"
#include "runtime/runtime.h"
#include "runtime/sync/sync.h"

#include <stdlib.h>
#include <string.h>

/* The events of one call, in the order of the trace. */
struct call {
	const struct evr_call *callee;
	const struct evr_event *first; /* by which the next call is known */
	bool over;
	EVR_VEC(evr_event_id) events;
};

/* Calls that are one event are told as that. */
static bool is_folded(const char *function)
{
	static const char *const families[] = { "pthread_cond_",    "cnd_",         "sem_",     "pthread_rwlock_",
						"pthread_barrier_", "pthread_once", "call_once" };
	for (size_t i = 0; i < EVR_COUNT(families); i++)
		if (evr_starts_with(function, families[i]))
			return true;
	return false;
}

static bool waits_for_condition(const struct call *c)
{
	const char *f = c->callee->function;
	return strstr(f, "wait") && (evr_starts_with(f, "pthread_cond_") || evr_starts_with(f, "cnd_"));
}

/* Not the preparation of the thread's first sleep, nor what the wrapper chooses or reads. */
static bool is_first(const struct evr_event *e)
{
	return e->kind == EVR_JOIN || (evr_event_is_mutex(e) && e->lock != EVR_LOCK_WAKE);
}

static bool begins_another(const struct call *c, const struct evr_event *e)
{
	const struct evr_event *first = c->first;
	if (c->over)
		return true;
	return first && e->kind != EVR_JOIN && first->kind == e->kind && first->lock == e->lock;
}

static void name_object(struct evr_strbuf *out, const struct call *c, bool mutex)
{
	const struct evr_event *events = evr_rt.world.trace.events.data;
	for (size_t i = 0; i < c->events.len; i++) {
		const struct evr_event *e = &events[c->events.data[i]];
		if (!evr_event_is_mutex(e) || e->lock == EVR_LOCK_WAKE || (e->lock == EVR_LOCK_MUTEX) != mutex)
			continue;
		evr_strbuf_puts(out, mutex ? ", " : "");
		evr_name_location(out, e);
		return;
	}
	/* A barrier that no lock guards has no event of its own. */
	uintptr_t barrier = 0;
	for (size_t i = 0; !mutex && i < evr_execution.barrier_uses.len; i++) {
		const struct evr_barrier_use *use = &evr_execution.barrier_uses.data[i];
		if (use->thread != events[c->events.data[0]].thread)
			continue;
		if (barrier && barrier != use->barrier)
			return;
		barrier = use->barrier;
	}
	if (barrier)
		evr_name_address(out, barrier, sizeof(pthread_barrier_t));
}

/* Whom a signal or a broadcast wakes. */
static void add_woken(struct evr_strbuf *out, const struct call *c)
{
	const struct evr_event *events = evr_rt.world.trace.events.data;
	unsigned n = 0;
	for (size_t i = 0; i < c->events.len; i++) {
		const struct evr_event *e = &events[c->events.data[i]];
		if (e->kind == EVR_UNLOCK && e->lock == EVR_LOCK_WAKE)
			evr_strbuf_printf(out, "%sT%u", n++ ? ", " : " wakes ", evr_wake_thread(e->address));
	}
	if (!n)
		evr_strbuf_puts(out, " wakes no thread");
}

/* What came of it, where its name and objects do not tell. */
static void add_outcome(struct evr_strbuf *out, const struct call *c)
{
	const struct evr_event *events = evr_rt.world.trace.events.data;
	const char *f = c->callee->function;
	bool sleeps = false, failed = false;
	for (size_t i = 0; i < c->events.len; i++) {
		const struct evr_event *e = &events[c->events.data[i]];
		sleeps |= e->lock == EVR_LOCK_WAKE;
		failed |= (e->kind == EVR_TRYLOCK || e->kind == EVR_TIMEDLOCK) && e->result;
		if (e->kind == EVR_UNLOCK && e->lock == EVR_LOCK_SEMAPHORE)
			evr_strbuf_printf(out, ", leaves %u", (unsigned)e->state);
	}
	if (strstr(f, "signal") || strstr(f, "broadcast"))
		add_woken(out, c);
	else if (waits_for_condition(c) && c->over && !sleeps) /* If it is not over, the thread may still sleep. */
		evr_strbuf_puts(out, strstr(f, "timed") || strstr(f, "clock") ? " times out or wakes spuriously"
									      : " wakes spuriously");
	else if (failed)
		evr_strbuf_puts(out, " fails");
}

static char *text_of(const struct call *c)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	const char *function = c->callee->function;
	evr_strbuf_printf(&out, "%s(", function + (evr_starts_with(function, "pthread_") ? strlen("pthread_") : 0));
	name_object(&out, c, false);
	if (waits_for_condition(c))
		name_object(&out, c, true);
	evr_strbuf_putc(&out, ')');
	add_outcome(&out, c);
	return evr_strbuf_take(&out);
}

/* All of the call's events that are shown tell what it is, and which of them is the first. */
static void finish(struct call *c, struct evr_result_finding *f)
{
	char *text = c->events.len ? text_of(c) : NULL;
	int first = -1;
	for (size_t i = 0; i < c->events.len; i++) {
		struct evr_result_event *e = evr_collect_event(f, c->events.data[i]);
		if (!e)
			continue;
		first = first < 0 ? (int)e->index : first;
		evr_result_set(&e->call, text);
		e->call_first = first;
	}
	free(text);
	c->events.len = 0;
	c->first = NULL;
	c->over = false;
}

static const struct evr_call *callee_of(const struct evr_event *e)
{
	bool can = evr_event_is_mutex(e) || e->kind == EVR_JOIN || e->kind == EVR_CHOOSE;
	const struct evr_call *callee = can && e->site ? evr_object_call(e->site) : NULL;
	return callee && is_folded(callee->function) ? callee : NULL;
}

void evr_calls_describe(struct evr_result_finding *f, evr_event_id end)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	struct call *calls = evr_alloc(EVR_MAX_THREADS * sizeof(*calls));
	for (evr_event_id i = 0; i < end; i++) {
		const struct evr_event *e = &t->events.data[i];
		const struct evr_call *callee = callee_of(e);
		struct call *c = &calls[e->thread];
		/* Whoever goes on from a barrier joins the others, perhaps more than once. */
		c->over |= c->first && c->first->kind == EVR_JOIN && callee != c->callee;
		if (!callee)
			continue;
		if (c->callee != callee || begins_another(c, e))
			finish(c, f);
		c->callee = callee;
		evr_vec_push(&c->events, i);
		if (!c->first && is_first(e))
			c->first = e;
		c->over = waits_for_condition(c) && e->kind == EVR_LOCK && e->lock == EVR_LOCK_MUTEX;
	}
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++) {
		finish(&calls[i], f);
		evr_vec_release(&calls[i].events);
	}
	free(calls);
}
