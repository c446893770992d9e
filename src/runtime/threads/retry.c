/*
 * Loops that retry. An iteration that leaves everything as it was is a wait, whatever it calls: when the thread comes back to
 * the head of the loop, what the loop takes along in registers and on the machine's stack is compared with the last time
 * (instrument/retries.c), and so is memory:
 *
 *   shared memory    by the iteration's events: none of them may have changed anything. A compare-exchange that failed, an
 *                    exchange of 1 for 1, a trylock that failed have not; nor has a lock that was released again, unless
 *                    somebody has noticed that it was held.
 *   private memory   by a journal of what was written, and what was there before. Memory that is gone by now does not count.
 *   the heap         what was allocated must have been freed, and nothing else.
 *   the rest         library functions that keep state (quiet.def has those that do not), threads, output: `effects`.
 *
 * An execution in which such an iteration is left out is a real one, under every model (docs/programs.md): so the thread goes
 * no further. What it waits for it finds in executions in which it comes to the loop later.
 *
 * What is private may turn out to be shared as soon as somebody else writes it. Of an iteration that is left out of later
 * executions nobody would see that it has read it: that is remembered (evr_watch()).
 *
 * A journal costs time, so it is kept only while it is short, and begins anew when a loop begins, or now and then. A thread that has come far
 * without an event computes: then a journal is kept of single rounds only, the 64th, the 128th, the 256th and so on. A wait without events is
 * found that much later, which nobody sees; the thread's next event ends this.
 */
#include "runtime/hooks.h"
#include "runtime/memory/shadow.h"
#include "runtime/predict.h"
#include "runtime/runtime.h"

#include <string.h>

#define MOST_ENTRIES 256 /* of a journal */
#define FIRST_ROUNDS 16  /* of a loop: there a journal is kept; and after that in every so many rounds */
#define MOST_NOTED EVR_COMPUTES /* accesses between two events, and then of a single round */

/* What the instrumenter makes room for: HEADER in instrument/retries.c. */
struct round {
	uint64_t made;    /* events of the thread, when it was last at the head */
	uint64_t effects;
	uint64_t journal; /* which journal, and how much of it there was: NO_JOURNAL if there was none */
	uint64_t live;    /* blocks that the thread has allocated and not freed */
	uint64_t failed;  /* see count_failed() */
	uint64_t values[]; /* the state then, and behind it the state now */
};

#define NO_JOURNAL UINT64_MAX
_Static_assert(offsetof(struct round, journal) == EVR_ROUND_JOURNAL * sizeof(uint64_t), "the inlined path writes it");

/* How often somebody has failed to take a lock: see count_failed(). Locks that share one are noticed together. */
static EVR_MEMORY uint32_t noticed[64];

void evr_effect(void)
{
	evr_current->effects++;
}

/* The fast paths of accesses lead past the journal. */
static void set_journaling(struct evr_thread *t, bool on)
{
	t->journaling = on;
	t->fast.stamp = on ? 0 : t->stamp;
	if (t == evr_current)
		evr_thread_show_stamp(t);
	t->journal_of = NULL;
	t->noted_before = t->fast.noted;
	if (!on) {
		evr_vec_clear(&t->journal);
		evr_vec_clear(&t->looked);
		t->journals++;
	}
}

/* Has the thread noted much since its last event? */
static bool computes(const struct evr_thread *t)
{
	return t->fast.noted > MOST_NOTED;
}

/* The thread accesses private memory, which its journal is to have. */
static void count_noted(struct evr_thread *t)
{
	/* Where locks are tried, loops look at each head whether somebody has failed to take one: no thread must leave that out. */
	t->fast.noted += !evr_rt.world.knowledge.tries_matter;
}

/* Is the journal longer than it may be? Of a thread that computes it may have so many accesses, however few the words. */
static bool is_long(const struct evr_thread *t)
{
	return t->journal.len > MOST_ENTRIES || t->looked.len > MOST_ENTRIES / 4 ||
	       (computes(t) && t->fast.noted - t->noted_before > MOST_NOTED);
}

void evr_retry_keep_journal(void)
{
	if (evr_current->journaling)
		return;
	set_journaling(evr_current, true);
	evr_rt.world.trace.hidden = (uintptr_t)noticed;
	evr_rt.world.trace.hidden_end = (uintptr_t)(noticed + EVR_COUNT(noticed));
}

void evr_journal_word(uintptr_t word)
{
	struct evr_thread *t = evr_current;
	uint64_t old;
	memcpy(&old, (const void *)word, sizeof(old));
	evr_vec_push(&t->journal, (struct evr_journal_entry){ word, old, 0 });
	count_noted(t);
	if (EVR_UNLIKELY(is_long(t)))
		set_journaling(t, false);
}

void evr_journal_look(uintptr_t word, uint8_t mask)
{
	struct evr_thread *t = evr_current;
	size_t i = t->looked.len;
	while (i > 0 && t->looked.data[i - 1].word != word)
		i--;
	if (i > 0)
		t->looked.data[i - 1].mask |= mask;
	else
		evr_vec_push(&t->looked, (struct evr_looked){ word, mask });
	count_noted(t);
	if (EVR_UNLIKELY(is_long(t)))
		set_journaling(t, false);
}

bool evr_retry_watch(void)
{
	const struct evr_thread *t = evr_current;
	for (size_t i = 0; t->journaling && i < t->looked.len; i++)
		evr_watch(t->looked.data[i].word, t->looked.data[i].mask, false);
	return t->journaling;
}

/* The bytes of the word, which is private, that do not hold any more what the journal says of them. Of memory that is gone, nobody asks. */
static uint8_t changed_bytes(const struct evr_journal_entry *e)
{
	const struct evr_cell *c = evr_cell(e->word);
	uint8_t mask = 0;
	for (unsigned i = 0; i < 8; i++) {
		bool counts = !(c->shared >> i & 1) && evr_shadow_valid(e->word + i, 1);
		if (counts && ((const uint8_t *)&e->old)[i] != *(const uint8_t *)(e->word + i))
			mask |= (uint8_t)(1u << i);
	}
	return mask;
}

void evr_retry_release(struct evr_thread *t)
{
	/* Nobody else uses locals without an event where threads wait in loops. */
	for (size_t i = 0; i < t->journal.len; i++)
		if (!evr_in_frames(t->journal.data[i].word))
			t->journal.data[i].exposed |= changed_bytes(&t->journal.data[i]);
}

/* The iteration that began there in the journal is to be left out: others must not have seen what it has changed and restored. */
static void watch_exposed(const struct evr_thread *t, uint32_t from)
{
	for (size_t i = from; !evr_rt.config.replay && i < t->journal.len; i++)
		if (t->journal.data[i].exposed)
			evr_watch(t->journal.data[i].word, t->journal.data[i].exposed, true);
}

/* The first entry of each word has what was there at the beginning. */
static bool is_first(const struct evr_thread *t, size_t from, size_t i)
{
	for (size_t k = from; k < i; k++)
		if (t->journal.data[k].word == t->journal.data[i].word)
			return false;
	return true;
}

static bool memory_is_restored(const struct evr_thread *t, uint64_t journal)
{
	if (journal == NO_JOURNAL || !t->journaling || journal >> 32 != t->journals)
		return false;
	size_t from = (uint32_t)journal;
	for (size_t i = from; i < t->journal.len; i++)
		if (is_first(t, from, i) && changed_bytes(&t->journal.data[i]))
			return false;
	return true;
}

/* The event of the trace with which the thread's iteration began, which has made `made` events before. */
static evr_event_id first_event(const struct evr_thread *t, uint64_t made)
{
	const struct evr_trace *trace = &evr_rt.world.trace;
	evr_event_id first = (evr_event_id)trace->events.len;
	for (size_t i = trace->events.len; i-- > 0;) {
		const struct evr_event *e = &trace->events.data[i];
		if (e->thread != t->id || evr_event_uncounted(e))
			continue;
		if (e->index < made)
			break;
		first = (evr_event_id)i;
	}
	return first;
}

/*
 * The locks that somebody tries to take, in any execution. Whoever fails to has noticed that they were held, so that to take and
 * release them is nothing only if nobody has noticed. A thread must do the same whenever it sees the same: so whether somebody
 * has becomes something to be seen. If a lock of a loop is among those that are tried (`matters`), who fails to take it says so
 * in a hidden counter, and loops look there whenever they come to their heads.
 */

static uintptr_t counter_of(size_t tried)
{
	return (uintptr_t)&noticed[tried % EVR_COUNT(noticed)];
}

bool evr_retry_is_counter(uintptr_t address)
{
	return address - (uintptr_t)noticed < sizeof(noticed);
}

void evr_retry_tried(uintptr_t lock)
{
	evr_learn_tried(&evr_rt.world.knowledge, lock, false);
}

void evr_retry_failed(uintptr_t lock, const struct evr_site *site)
{
	const struct evr_knowledge *k = &evr_rt.world.knowledge;
	size_t i = k->tries_matter ? evr_find_tried(k, lock) : SIZE_MAX;
	if (i == SIZE_MAX || !k->tried.data[i].matters)
		return;
	struct evr_event *e =
		evr_event_arrive(EVR_RMW, counter_of(i), sizeof(uint32_t), evr_site_as(site, EVR_ACQ_REL, 0));
	e->op = EVR_RMW_ADD;
	e->written = 1;
	evr_event_wait(true);
	evr_current->failures++;
}

/* How often that has happened to others. */
static uint64_t count_failed(const struct evr_site *site)
{
	const struct evr_knowledge *k = &evr_rt.world.knowledge;
	uint64_t sum = 0;
	for (size_t i = 0; k->tries_matter && i < k->tried.len; i++) {
		if (!k->tried.data[i].matters)
			continue;
		struct evr_event *e =
			evr_event_arrive(EVR_READ, counter_of(i), sizeof(uint32_t), evr_site_as(site, EVR_ACQUIRE, 0));
		evr_event_wait(true);
		sum += (uint32_t)e->read;
	}
	return sum - (k->tries_matter ? evr_current->failures : 0);
}

/* Only to one who has taken a lock, and released it, does it matter whether somebody has noticed. */
bool evr_retry_takes_lock(const struct evr_thread *t, evr_event_id first)
{
	const struct evr_trace *trace = &evr_rt.world.trace;
	for (evr_event_id i = first; i < trace->events.len; i++) {
		const struct evr_event *e = &trace->events.data[i];
		if (e->thread == t->id && evr_event_is_mutex(e) && !e->result)
			return true;
	}
	return false;
}

/* A lock of a loop: that somebody tries to take it must be known to those who do. */
static bool is_unnoticed(uintptr_t lock)
{
	struct evr_knowledge *k = &evr_rt.world.knowledge;
	size_t i = evr_find_tried(k, lock);
	if (i == SIZE_MAX || k->tried.data[i].matters)
		return true;
	evr_learn_tried(k, lock, true);
	return false;
}

/* Has the thread, from the event on, released the lock as often as it took it? Events before it in the iteration have no part in that. */
static bool is_balanced(evr_event_id first, const struct evr_event *lock)
{
	const struct evr_trace *trace = &evr_rt.world.trace;
	long held = 0;
	for (size_t i = first; i < trace->events.len && held >= 0; i++) {
		const struct evr_event *e = &trace->events.data[i];
		if (e->thread != lock->thread || !evr_event_is_mutex(e) || e->address != lock->address || e->result)
			continue;
		held += e->kind == EVR_UNLOCK ? -1 : 1;
	}
	return !held && is_unnoticed(lock->address);
}

/*
 * What has been written where, in any execution, once it matters. A thread that writes what it wrote there before changes nothing
 * if nobody else ever writes there, or nobody ever writes anything else: that does not depend on what others do this time.
 */
struct written {
	uintptr_t address;
	uint32_t size;
	evr_thread_id thread;
	evr_value value;
	bool threads, values; /* there were others */
	bool mattered;
};
static EVR_LASTING EVR_VEC(struct written) written;

static struct written *find_written(uintptr_t address, uint32_t size)
{
	for (size_t i = 0; i < written.len; i++)
		if (evr_overlap(written.data[i].address, written.data[i].size, address, size))
			return &written.data[i];
	return NULL;
}

void evr_retry_written(const struct evr_event *e)
{
	if (!evr_event_writes(e) || evr_event_is_mutex(e))
		return;
	struct written *w = find_written(e->address, e->size);
	if (!w) {
		evr_vec_push(&written,
			     (struct written){ e->address, e->size, e->thread, e->written, false, false, false });
		return;
	}
	bool same = w->address == e->address && w->size == e->size;
	bool threads = w->threads || !same || w->thread != e->thread,
	     values = w->values || !same || w->value != e->written;
	/* What was taken for nothing may have been something. */
	if (w->mattered && threads && values && !(w->threads && w->values))
		evr_learn(&evr_rt.world.knowledge);
	w->threads = threads;
	w->values = values;
}

/* What the thread itself has written there last, before the event. */
static const struct evr_event *own_write(evr_event_id id)
{
	const struct evr_trace *trace = &evr_rt.world.trace;
	const struct evr_event *e = &trace->events.data[id];
	for (size_t i = id; i-- > 0;) {
		const struct evr_event *o = &trace->events.data[i];
		if (o->thread == e->thread && evr_event_writes(o) && !evr_event_uncounted(o) &&
		    evr_overlap(o->address, o->size, e->address, e->size))
			return o->address == e->address && o->size == e->size ? o : NULL;
	}
	return NULL;
}

static bool writes_again(evr_event_id id)
{
	const struct evr_event *e = &evr_rt.world.trace.events.data[id], *before = own_write(id);
	if (!before || before->written != e->written)
		return false;
	struct evr_knowledge *k = &evr_rt.world.knowledge;
	if (!k->writes_matter) {
		k->writes_matter = true;
		evr_learn(k);
		return false;
	}
	struct written *w = find_written(e->address, e->size);
	if (!w || w->address != e->address || w->size != e->size || (w->threads && w->values))
		return false;
	w->mattered = true;
	return true;
}

static bool changes_nothing(evr_event_id id, evr_event_id first)
{
	const struct evr_event *e = &evr_rt.world.trace.events.data[id];
	switch (e->kind) {
	case EVR_READ:
	case EVR_FENCE:
	case EVR_DRAIN:
	case EVR_CHOOSE:
		return true;
	case EVR_WRITE:
		return writes_again(id);
	case EVR_CAS:
		return e->read != e->expected || e->written == e->read;
	case EVR_RMW:
		/* To have failed to take a lock is something only for others: see count_failed(). */
		return e->read == e->written || evr_retry_is_counter(e->address);
	case EVR_LOCK:
	case EVR_UNLOCK:
		return is_balanced(first, e);
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		return e->result || is_balanced(first, e);
	default:
		return false;
	}
}

/* That a store from before the iteration takes effect meanwhile is not the iteration's doing. */
static bool events_change_nothing(const struct evr_thread *t, evr_event_id first)
{
	const struct evr_trace *trace = &evr_rt.world.trace;
	for (evr_event_id i = first; i < trace->events.len; i++) {
		const struct evr_event *e = &trace->events.data[i];
		if (e->thread == t->id && !evr_event_uncounted(e) && !changes_nothing(i, first))
			return false;
	}
	return true;
}

static bool was_a_wait(const struct evr_thread *t, const struct round *r, uint32_t words, uint64_t failed,
		       evr_event_id *first)
{
	if (r->effects != t->effects || r->live != t->live ||
	    memcmp(r->values, r->values + words, words * sizeof(uint64_t)) != 0 || !memory_is_restored(t, r->journal))
		return false;
	*first = first_event(t, r->made);
	return (r->failed == failed || !evr_retry_takes_lock(t, *first)) && events_change_nothing(t, *first);
}

/* The inlined path of the hook calls it no more often than every EVR_LOOP_NOTICE iterations. */
static void keep_of_single_round(struct evr_thread *t, const struct round *r, uint32_t count)
{
	if (t->journaling && t->journal_of == r) {
		set_journaling(t, false);
	} else if (!t->journaling && count >= EVR_LOOP_NOTICE - 1 && !(count & (count + 1))) {
		set_journaling(t, true);
		t->journal_of = r;
	}
}

/* What there is when the thread is at the head. */
static void note(struct evr_thread *t, struct round *r, uint32_t count, uint32_t words, uint64_t failed)
{
	if (EVR_LIKELY(computes(t)))
		keep_of_single_round(t, r, count);
	else if (!t->journaling && (count < FIRST_ROUNDS || !(count % FIRST_ROUNDS)))
		set_journaling(t, true);
	r->made = evr_rt.world.trace.counts[t->id];
	r->effects = t->effects;
	r->live = t->live;
	r->failed = failed;
	r->journal = t->journaling ? t->journals << 32 | t->journal.len : NO_JOURNAL;
	t->young = t->blocks.len;
	memcpy(r->values, r->values + words, words * sizeof(uint64_t));
}

/* Where an execution is repeated, what it did tells whether the thread goes on: more than it saw was known then. */
static bool is_expected(const struct evr_thread *t)
{
	const struct evr_engine *e = evr_rt.engine;
	return EVR_UNLIKELY(e->ops->expects != NULL) && e->ops->expects(e, t->id);
}

uint32_t evr_retry(uint32_t count, void *site, void *state, uint32_t words)
{
	struct evr_thread *t = evr_current;
	struct round *r = state;
	evr_event_id first;
	uint64_t failed = count_failed(site);
	if (count && !is_expected(t) && was_a_wait(t, r, words, failed, &first) &&
	    !(evr_predict_spins() && first < evr_rt.world.trace.events.len)) {
		watch_exposed(t, (uint32_t)r->journal);
		evr_await_stop(first, site);
	}
	note(t, r, count, words, failed);
	return evr_loop(count, site);
}
