/*
 * Deadlock, at the end of an execution in which nobody can go on: a cycle of threads that wait for each other is one
 * always; otherwise main must be among those who wait, and what it waits for in the end must never come. Waiting for a
 * thread that an assumption stopped, or that a finding or exit() ended, is a consequence of that and no deadlock.
 */
#include "event/mutex.h"
#include "runtime/runtime.h"

#include <string.h>

static bool waits(const struct evr_thread *t)
{
	if (t->state == EVR_JOINING)
		return true;
	/* The mutex is held by somebody, unless the execution ended too early. */
	const struct evr_event *e = &evr_rt.world.pending[t->id];
	return t->state == EVR_WAITING && e->kind == EVR_LOCK && evr_mutex_at(e->address)->lock;
}

static struct evr_thread *awaited(const struct evr_thread *t)
{
	if (t->state == EVR_JOINING)
		return evr_rt.threads[t->target];
	return evr_rt.threads[evr_mutex_at(evr_rt.world.pending[t->id].address)->owner - 1];
}

/* Follow who waits for whom, where there is no cycle: what the last one did to be waited for is all that matters. */
static bool waits_in_vain(const struct evr_thread *t)
{
	if (!waits(t))
		return false;
	while (waits(t))
		t = awaited(t);
	return t->state == EVR_ENDED && !t->failed;
}

/* Not by id: a deadlock has the same name whichever thread was created first. */
static bool named_before(const struct evr_thread *a, const struct evr_thread *b)
{
	const struct evr_site *x = a->site, *y = b->site;
	if (!x || !y)
		return x && !y;
	int c = strcmp(x->file, y->file);
	if (c)
		return c < 0;
	return x->line != y->line ? x->line < y->line : x->column < y->column;
}

static bool on_cycle(const struct evr_thread *t)
{
	const struct evr_thread *o = t;
	for (unsigned left = evr_rt.world.threads; waits(o) && left-- > 0;) {
		o = awaited(o);
		if (o == t)
			return true;
	}
	return false;
}

static void describe(struct evr_strbuf *out, const struct evr_thread *t)
{
	const struct evr_thread *other = awaited(t);
	if (t->state == EVR_JOINING) {
		evr_strbuf_printf(out, "thread %u waits for thread %u to end", t->id, other->id);
	} else {
		evr_strbuf_printf(out, "thread %u waits for mutex ", t->id);
		evr_name_address(out, evr_rt.world.pending[t->id].address, 40);
		evr_strbuf_printf(out, ", held by thread %u", other->id);
		if (other->state == EVR_ENDED)
			evr_strbuf_puts(out, ", which has ended");
	}
	evr_strbuf_printf(out, ", at %s:%u\n", t->site ? t->site->file : "?", t->site ? t->site->line : 0);
}

static void report(struct evr_thread *first, const char *message)
{
	struct evr_strbuf detail;
	evr_strbuf_init(&detail);
	for (unsigned i = 0; i < evr_rt.world.threads; i++)
		if (waits(evr_rt.threads[i]))
			describe(&detail, evr_rt.threads[i]);
	evr_fault_add("deadlock", first->site, first->id, evr_strdup(message), evr_strbuf_take(&detail));
}

/* Of those for which `concerned` holds, the one whose wait comes first in the source. */
static struct evr_thread *first_concerned(unsigned count, bool (*concerned)(const struct evr_thread *t))
{
	struct evr_thread *first = NULL;
	for (unsigned i = 0; i < count; i++) {
		struct evr_thread *t = evr_rt.threads[i];
		if (concerned(t) && (!first || named_before(t, first)))
			first = t;
	}
	return first;
}

void evr_deadlock_check(void)
{
	struct evr_thread *t = first_concerned(evr_rt.world.threads, on_cycle);
	if (t) {
		report(t, "threads wait for each other in a cycle");
		return;
	}
	/* Once main has left by pthread_exit(), the process waits for every thread. */
	t = first_concerned(evr_rt.main_left ? evr_rt.world.threads : 1, waits_in_vain);
	if (t)
		report(t,
		       t->id ? "a thread waits for what will never happen" : "main waits for what will never happen");
}
