/*
 * Threads that wait for ever, at the end of an execution in which nobody can go on.
 *
 * Deadlock: a cycle of threads that wait for each other is one always; otherwise main must be among those who wait, and
 * what it waits for in the end must never come. Waiting for a thread that an assumption stopped, or that a finding or exit()
 * ended, is a consequence of that and no deadlock.
 *
 * No progress: main waits, in the end, for a loop that waits for what nobody is left to write. Whoever is in such a loop
 * must have seen what memory holds now; if somebody has not, it could go on, and does so in another execution.
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
	if (t->state != EVR_WAITING || e->kind != EVR_LOCK)
		return false;
	/* The program may have written something over it meanwhile. */
	const struct evr_mutex *m = evr_mutex_at(e->address);
	return m->lock && m->owner > 0 && (unsigned)m->owner <= evr_rt.world.threads;
}

static struct evr_thread *awaited(const struct evr_thread *t)
{
	if (t->state == EVR_JOINING)
		return evr_rt.threads[t->target];
	return evr_rt.threads[evr_mutex_at(evr_rt.world.pending[t->id].address)->owner - 1];
}

/* Follow who waits for whom, where there is no cycle: what the last one did to be waited for is all that matters. */
static const struct evr_thread *last_awaited(const struct evr_thread *t)
{
	while (waits(t))
		t = awaited(t);
	return t;
}

static bool waits_in_vain(const struct evr_thread *t)
{
	const struct evr_thread *last = last_awaited(t);
	return last != t && last->state == EVR_ENDED && !last->failed;
}

static bool waits_for_loop(const struct evr_thread *t)
{
	return last_awaited(t)->state == EVR_AWAITING;
}

/* Will it never do anything again, through nobody's fault and without an assumption having stopped it, if loops wait in vain? */
static bool has_come_to_rest(const struct evr_thread *t)
{
	switch (t->state) {
	case EVR_UNUSED:
		return true;
	case EVR_ENDED:
		return !t->failed;
	case EVR_AWAITING:
		return true;
	default:
		return waits(t);
	}
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
	const struct evr_thread *other = waits(t) ? awaited(t) : NULL;
	if (!other) {
		evr_await_describe(out, t);
	} else if (t->state == EVR_JOINING) {
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

static void report(const char *kind, const struct evr_thread *first, char *message)
{
	struct evr_strbuf detail;
	evr_strbuf_init(&detail);
	for (unsigned i = 0; i < evr_rt.world.threads; i++)
		if (waits(evr_rt.threads[i]) || evr_rt.threads[i]->state == EVR_AWAITING)
			describe(&detail, evr_rt.threads[i]);
	evr_fault_add(kind, first->site, first->id, message, evr_strbuf_take(&detail));
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

static void check_progress(unsigned waited_for)
{
	const struct evr_thread *t = first_concerned(waited_for, waits_for_loop);
	if (!t)
		return;
	for (unsigned i = 0; i < evr_rt.world.threads; i++)
		if (!has_come_to_rest(evr_rt.threads[i]))
			return;
	for (unsigned i = 0; i < evr_rt.world.threads; i++) {
		const struct evr_thread *o = evr_rt.threads[i];
		if (o->state == EVR_AWAITING && !evr_await_in_vain(o)) {
			evr_rt.world.unsettled = true;
			return;
		}
	}
	t = last_awaited(t);
	report("no-progress", t,
	       evr_format("the loop at %s:%u waits for a value that nobody is left to write", t->site->file,
			  t->site->line));
}

void evr_deadlock_check(void)
{
	struct evr_thread *t = first_concerned(evr_rt.world.threads, on_cycle);
	if (t) {
		report("deadlock", t, evr_strdup("threads wait for each other in a cycle"));
		return;
	}
	/* Once main has left by pthread_exit(), the process waits for every thread. */
	unsigned waited_for = evr_rt.main_left ? evr_rt.world.threads : 1;
	t = first_concerned(waited_for, waits_in_vain);
	if (t)
		report("deadlock", t, evr_format("%s waits for what will never happen", t->id ? "a thread" : "main"));
	else if (evr_rt.blocked)
		check_progress(waited_for);
}
