/*
 * Threads that wait for ever, at the end of an execution in which nobody can go on.
 *
 * Deadlock: a cycle of threads that wait for each other is one always; otherwise main must be among those who wait, and
 * what it waits for in the end must never come. Waiting for a thread that an assumption stopped, or that a finding or exit()
 * ended, is a consequence of that and no deadlock. Who waits to be woken, for a post, or for others to come to a barrier, waits
 * for anybody: in vain only if nobody was stopped.
 *
 * No progress: main waits, in the end, for a loop that waits for what nobody is left to write. Whoever is in such a loop
 * must have seen what memory holds now; if somebody has not, it could go on, and does so in another execution. A loop without
 * visible events is one if it has taken too long and the process does not end without it.
 */
#include "runtime/memory/lifetime.h"
#include "runtime/runtime.h"
#include "runtime/sync/sync.h"

#include <stdlib.h>
#include <string.h>

static const struct evr_event *pending(const struct evr_thread *t)
{
	return &evr_rt.world.pending[t->id];
}

/* Of it, threads know themselves whether they hold it; whoever counts the readers meanwhile only waits, too. */
static bool is_rwlock(const struct evr_event *e)
{
	return e->lock == EVR_LOCK_RWLOCK || e->lock == EVR_LOCK_RWLOCK_WRITER || e->lock == EVR_LOCK_RWLOCK_READERS;
}

/* The lock is held by somebody, unless the execution ended too early. */
static bool waits_for_lock(const struct evr_thread *t)
{
	return t->state == EVR_WAITING && pending(t)->kind == EVR_LOCK && !t->tries &&
	       evr_mutex_holder(evr_mutex_at(pending(t)->address));
}

/* Until the other one ends, and not with a time limit. */
static bool joins(const struct evr_thread *t)
{
	return t->state == EVR_JOINING && !t->tries;
}

static bool waits(const struct evr_thread *t)
{
	return joins(t) || t->state == EVR_PARKED || waits_for_lock(t);
}

/* Does it wait for this one to do something? */
static bool waits_for(const struct evr_thread *t, const struct evr_thread *other)
{
	if (joins(t))
		return t->target == other->id;
	if (!waits_for_lock(t))
		return false;
	const struct evr_event *e = pending(t);
	if (is_rwlock(e))
		return evr_rwlock_held(other, e->address - evr_lock_kinds[e->lock].offset);
	return evr_mutex_held_by(evr_mutex_at(e->address), other->id);
}

/* Does it wait for somebody, whoever that may be? */
static bool waits_for_anybody(const struct evr_thread *t)
{
	if (t->state == EVR_PARKED)
		return true;
	return waits_for_lock(t) && evr_lock_kinds[pending(t)->lock].handed && !is_rwlock(pending(t));
}

/* Is there a chain of waits, of at most `length`, from one to the other? */
static bool leads_to(const struct evr_thread *from, const struct evr_thread *to, unsigned length)
{
	for (unsigned i = 0; length && waits(from) && i < evr_rt.world.threads; i++) {
		const struct evr_thread *next = evr_rt.threads[i];
		if (next->state != EVR_UNUSED && waits_for(from, next) &&
		    (next == to || leads_to(next, to, length - 1)))
			return true;
	}
	return false;
}

/* Where there is no cycle: does it wait, in the end, for one for which this holds? */
static bool waits_in_the_end(const struct evr_thread *t, bool (*is)(const struct evr_thread *t))
{
	if (is(t))
		return true;
	for (unsigned i = 0; waits(t) && i < evr_rt.world.threads; i++)
		if (evr_rt.threads[i]->state != EVR_UNUSED && waits_for(t, evr_rt.threads[i]) &&
		    waits_in_the_end(evr_rt.threads[i], is))
			return true;
	return false;
}

static bool has_ended(const struct evr_thread *t)
{
	return t->state == EVR_ENDED && !t->failed;
}

static bool is_in_loop(const struct evr_thread *t)
{
	return t->state == EVR_AWAITING;
}

static bool waits_in_vain(const struct evr_thread *t)
{
	return waits(t) && waits_in_the_end(t, has_ended);
}

static bool waits_for_waking(const struct evr_thread *t)
{
	return waits_in_the_end(t, waits_for_anybody);
}

static bool waits_for_loop(const struct evr_thread *t)
{
	return waits_in_the_end(t, is_in_loop);
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
	case EVR_SPINNING:
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
	return leads_to(t, t, evr_rt.world.threads);
}

static void describe_holders(struct evr_strbuf *out, const struct evr_thread *t)
{
	const char *separator = ", held by thread ";
	for (unsigned i = 0; i < evr_rt.world.threads; i++) {
		const struct evr_thread *o = evr_rt.threads[i];
		if (o->state == EVR_UNUSED || !waits_for(t, o))
			continue;
		evr_strbuf_printf(out, "%s%u%s", separator, o->id, o->state == EVR_ENDED ? ", which has ended" : "");
		separator = " and by thread ";
	}
}

/* Where those who wait locked what they hold is said of them anyway; of whom ended nothing else is. */
static void describe_ended(struct evr_strbuf *out, const struct evr_thread *t)
{
	for (unsigned i = 0; i < evr_rt.world.threads; i++) {
		const struct evr_thread *o = evr_rt.threads[i];
		if (o->state != EVR_ENDED || !waits_for_lock(t) || !waits_for(t, o))
			continue;
		const struct evr_event *e = pending(t);
		const struct evr_site *site = is_rwlock(e)
						      ? evr_rwlock_held(o, e->address - evr_lock_kinds[e->lock].offset)
						      : evr_held_since(e->address, o->id);
		if (site)
			evr_strbuf_printf(out, "  thread %u locked it at %s:%u\n", o->id, site->file, site->line);
	}
}

/* What it waits for, and why that does not come. */
static void describe_wait(struct evr_strbuf *out, const struct evr_thread *t)
{
	if (!waits(t)) {
		evr_await_describe(out, t);
	} else if (t->state == EVR_JOINING) {
		evr_strbuf_printf(out, "thread %u waits for thread %u to end", t->id, t->target);
	} else if (t->state == EVR_PARKED ||
		   (t->queue && t->queue_lock == EVR_LOCK_BARRIER && pending(t)->lock == EVR_LOCK_WAKE)) {
		evr_strbuf_printf(out, "thread %u waits at ", t->id);
		evr_barrier_describe(out, t);
	} else if (t->queue && pending(t)->lock == EVR_LOCK_WAKE) {
		evr_strbuf_printf(out, "thread %u waits for ", t->id);
		evr_lock_name(out, t->queue_lock, t->queue);
		evr_strbuf_puts(out, ", and no thread is left to wake it");
	} else {
		evr_strbuf_printf(out, "thread %u waits for ", t->id);
		evr_lock_name(out, pending(t)->lock, pending(t)->address);
		describe_holders(out, t);
		if (pending(t)->lock == EVR_LOCK_SEMAPHORE_EMPTY)
			evr_strbuf_puts(out, ", and no thread is left to post it");
		if (pending(t)->lock == EVR_LOCK_CHANNEL_EMPTY)
			evr_strbuf_puts(out, ", and no thread is left to write to it");
	}
}

static void describe(struct evr_strbuf *out, const struct evr_thread *t)
{
	describe_wait(out, t);
	evr_strbuf_printf(out, ", at %s:%u\n", t->site ? t->site->file : "?", t->site ? t->site->line : 0);
	describe_ended(out, t);
	evr_held_describe(out, t);
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

/* ---- the headline ---- */

enum { MOST_NAMED = 4 }; /* threads */

static void name_thread(struct evr_strbuf *out, const struct evr_thread *t)
{
	if (t->id)
		evr_strbuf_printf(out, "T%u", t->id);
	else
		evr_strbuf_puts(out, "main");
}

/* A mutex by its name alone, any other object with what it is. */
static void name_awaited(struct evr_strbuf *out, const struct evr_thread *t)
{
	size_t before = out->len, noun = strlen("mutex ");
	const struct evr_event *e = pending(t);
	evr_lock_name(out, e->lock, e->address);
	if (e->lock != EVR_LOCK_MUTEX || strncmp(out->text + before, "mutex ", noun) != 0)
		return;
	char *name = evr_strdup(out->text + before + noun);
	evr_strbuf_shorten(out, before);
	evr_strbuf_puts(out, name);
	free(name);
}

/* The next one on the way from t to `last`; NULL if it waits for nobody in particular. */
static const struct evr_thread *awaited(const struct evr_thread *t, const struct evr_thread *last)
{
	const struct evr_thread *any = NULL;
	for (unsigned i = evr_rt.world.threads; i-- > 0;) {
		const struct evr_thread *o = evr_rt.threads[i];
		if (o->state == EVR_UNUSED || !waits_for(t, o))
			continue;
		if (o == last)
			return o;
		if (!last || leads_to(o, last, evr_rt.world.threads))
			any = o;
	}
	return any;
}

/* "T1 holds a and waits for b": `before` waits for what it holds, or is NULL. */
static void tell_wait(struct evr_strbuf *out, const struct evr_thread *before, const struct evr_thread *t)
{
	name_thread(out, t);
	if (before && !joins(before)) {
		evr_strbuf_puts(out, " holds ");
		name_awaited(out, before);
		evr_strbuf_puts(out, " and");
	}
	if (joins(t)) {
		evr_strbuf_puts(out, " waits for ");
		name_thread(out, evr_rt.threads[t->target]);
		evr_strbuf_puts(out, " to end");
	} else {
		evr_strbuf_puts(out, " waits for ");
		name_awaited(out, t);
	}
}

/* Everybody on the cycle, from this thread on. */
static char *tell_cycle(const struct evr_thread *first)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	if (waits_for(first, first)) {
		tell_wait(&out, NULL, first);
		evr_strbuf_puts(&out, ", which it holds itself");
		return evr_strbuf_take(&out);
	}
	const struct evr_thread *before = first, *t = awaited(first, first);
	while (t != first) {
		before = t;
		t = awaited(t, first);
	}
	unsigned told = 0;
	for (; told < MOST_NAMED && (!told || t != first); told++, before = t, t = awaited(t, first)) {
		evr_strbuf_puts(&out, told ? ", " : "");
		tell_wait(&out, before, t);
	}
	unsigned more = 0;
	for (; t != first; t = awaited(t, first))
		more++;
	if (more)
		evr_strbuf_printf(&out, ", and %u more thread%s in the same cycle", more, evr_plural(more));
	return evr_strbuf_take(&out);
}

/* With "T1" for "thread 1". */
static void put_short(struct evr_strbuf *out, const char *text)
{
	static const char word[] = "thread ";
	for (; *text; text++) {
		size_t n = strlen(word);
		bool names = !strncmp(text, word, n) && text[n] >= '0' && text[n] <= '9';
		evr_strbuf_putc(out, names ? 'T' : *text);
		text += names ? n - 1 : 0;
	}
}

/* From whom the process waits for to the one whom nobody helps: "main waits for T1 to end, T1 waits for semaphore s, ...". */
static char *tell_chain(const struct evr_thread *t)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	for (unsigned told = 0; told < MOST_NAMED && joins(t) && waits(evr_rt.threads[t->target]); told++) {
		tell_wait(&out, NULL, t);
		evr_strbuf_puts(&out, ", ");
		t = evr_rt.threads[t->target];
	}
	char *rest;
	struct evr_strbuf wait;
	evr_strbuf_init(&wait);
	describe_wait(&wait, t);
	/* "thread 1 waits for ..." */
	name_thread(&out, t);
	rest = strstr(wait.text, " waits");
	put_short(&out, rest ? rest : " waits");
	evr_strbuf_release(&wait);
	return evr_strbuf_take(&out);
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

/* Has everybody come to rest, so that whoever waits for anybody waits in vain? */
static bool all_at_rest(void)
{
	for (unsigned i = 0; i < evr_rt.world.threads; i++)
		if (!has_come_to_rest(evr_rt.threads[i]))
			return false;
	for (unsigned i = 0; i < evr_rt.world.threads; i++) {
		const struct evr_thread *t = evr_rt.threads[i];
		if (t->state == EVR_AWAITING && !evr_await_in_vain(t)) {
			evr_rt.world.awaits_undecided = true;
			return false;
		}
	}
	return true;
}

static void check_progress(const struct evr_thread *t)
{
	const struct evr_thread *loop = t;
	for (unsigned i = 0; loop->state != EVR_AWAITING && i < evr_rt.world.threads; i++)
		if (is_in_loop(evr_rt.threads[i]) && leads_to(t, evr_rt.threads[i], evr_rt.world.threads))
			loop = evr_rt.threads[i];
	report("no-progress", loop,
	       evr_format(
		       "the loop at %s:%u can never terminate: no thread is left to write the value that it waits for",
		       loop->site->file, loop->site->line));
}

static void report_deadlock(const struct evr_thread *t)
{
	report("deadlock", t, tell_chain(t));
}

/* Somebody would have gone on by itself, as it does in another execution: nothing follows from how far the others came. */
static void note_given_up(void)
{
	for (unsigned i = 0; i < evr_rt.world.threads; i++)
		evr_execution.blocked |=
			(evr_rt.threads[i]->state == EVR_WAITING || evr_rt.threads[i]->state == EVR_JOINING) &&
			evr_rt.threads[i]->tries;
}

/* Who waits for a lock that is gone will never get it, but that is the smaller evil. */
static void fail_waiters(void)
{
	for (unsigned i = 0; i < evr_rt.world.threads; i++) {
		struct evr_thread *t = evr_rt.threads[i];
		const struct evr_event *e = pending(t);
		if (!waits_for_lock(t) || !evr_is_contended(e->address) || evr_shadow_valid(e->address, e->size))
			continue;
		char *message = NULL;
		const char *kind = evr_gone_problem(e->address, e->size, true, &message);
		evr_fault_add(kind, e->site, t->id, message, NULL);
		t->failed = t->changed = true;
		t->state = EVR_ENDED;
	}
}

/*
 * Somebody waits for a section to end that never will: the thread in it was stopped by an assumption, or waits for a mutex
 * or for another thread. A section begins only if it comes to its end, so that this is no execution of the program.
 */
static bool is_in_section(void)
{
	for (unsigned i = 0; i < evr_rt.world.threads; i++) {
		const struct evr_thread *t = evr_rt.threads[i];
		if (t->state != EVR_WAITING || pending(t)->kind != EVR_LOCK || pending(t)->lock != EVR_LOCK_SECTION)
			continue;
		uint32_t holder = evr_mutex_holder(evr_mutex_at(pending(t)->address));
		if (holder && !evr_rt.threads[holder - 1]->failed)
			return true;
	}
	return false;
}

void evr_deadlock_check(void)
{
	if (EVR_LIKELY(!evr_execution.alive))
		return;
	note_given_up();
	fail_waiters();
	if (EVR_UNLIKELY(evr_rt.sections) && is_in_section()) {
		evr_execution.blocked = true;
		return;
	}
	struct evr_thread *t = first_concerned(evr_rt.world.threads, on_cycle);
	if (t) {
		report("deadlock", t, tell_cycle(t));
		return;
	}
	/* Once main has left by pthread_exit(), the process waits for every thread. */
	unsigned waited_for = evr_execution.main_left ? evr_rt.world.threads : 1;
	t = first_concerned(waited_for, waits_in_vain);
	if (t) {
		report_deadlock(t);
		return;
	}
	struct evr_thread *asleep = first_concerned(waited_for, waits_for_waking);
	t = first_concerned(waited_for, waits_for_loop);
	if (!(asleep || (t && evr_execution.blocked)) || !all_at_rest())
		return;
	if (asleep)
		report_deadlock(asleep);
	else
		check_progress(t);
}

static bool is_spinning(const struct evr_thread *t)
{
	return t->state == EVR_SPINNING;
}

/* By exit(), or because main has returned. */
static bool process_has_ended(void)
{
	const struct evr_thread *main = evr_rt.threads[0];
	for (unsigned i = 0; i < evr_rt.world.threads; i++)
		if (evr_rt.threads[i]->state == EVR_ENDED && evr_rt.threads[i]->failed)
			return true;
	return main->state == EVR_ENDED && !evr_execution.main_left;
}

void evr_spin_check(void)
{
	if (EVR_LIKELY(!evr_execution.alive))
		return;
	struct evr_thread *t = first_concerned(evr_rt.world.threads, is_spinning);
	if (!t || process_has_ended())
		return;
	note_given_up();
	if (!all_at_rest()) {
		/* Somebody was stopped who may write what the loop waits for. */
		evr_execution.blocked = true;
		return;
	}
	evr_fault_add("no-progress", t->site, t->id, evr_strdup(t->spin), NULL);
	t->state = EVR_ENDED;
	t->failed = t->changed = true;
}
