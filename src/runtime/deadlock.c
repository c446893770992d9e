/*
 * Deadlock, at the end of an execution in which nobody can go on: a cycle of threads that wait for each other is one
 * always; otherwise main must be among those who wait, and what it waits for in the end must never come. Waiting for a
 * thread that an assumption stopped, or that a finding or exit() ended, is a consequence of that and no deadlock.
 */
#include "event/mutex.h"
#include "runtime/runtime.h"

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

/* Follow who waits for whom; the thread at the end, or one on a cycle. */
static struct evr_thread *follow(struct evr_thread *t, bool *cycle)
{
	unsigned left = evr_rt.world.threads + 1;
	while (waits(t) && left-- > 0)
		t = awaited(t);
	*cycle = waits(t);
	return t;
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

void evr_deadlock_check(void)
{
	bool cycle;
	for (unsigned i = 0; i < evr_rt.world.threads; i++) {
		if (!waits(evr_rt.threads[i]))
			continue;
		struct evr_thread *t = follow(evr_rt.threads[i], &cycle);
		if (!cycle)
			continue;
		/* The same cycle is named by its lowest thread, wherever one comes from. */
		struct evr_thread *lowest = t;
		for (struct evr_thread *o = awaited(t); o != t; o = awaited(o))
			if (o->id < lowest->id)
				lowest = o;
		report(lowest, "threads wait for each other in a cycle");
		return;
	}
	/* Once main has left by pthread_exit(), the process waits for every thread. */
	for (unsigned i = 0; i < (evr_rt.main_left ? evr_rt.world.threads : 1); i++) {
		struct evr_thread *t = evr_rt.threads[i];
		if (!waits(t))
			continue;
		struct evr_thread *last = follow(t, &cycle);
		if (last->state != EVR_ENDED || last->failed)
			continue;
		report(t, i ? "a thread waits for what will never happen" : "main waits for what will never happen");
		return;
	}
}
