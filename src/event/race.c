/*
 * One pass over the trace. Invariant: before an event is looked at, the clock of each thread's present is what happens before its next
 * event, as far as the events so far tell.
 */
#include "event/race.h"

#include "event/clock.h"
#include "event/location.h"

#include <stdlib.h>
#include <string.h>

/* The last accesses of a thread to a location: of each kind, those before it race with nothing that these do not. */
struct accesses {
	evr_event_id read[2], write[2]; /* plain, atomic */
};

/* A location in the execution that is looked at. */
struct location_accesses {
	uint64_t run; /* in which it was last met */
	EVR_VEC(struct evr_thread_accesses) threads;
};

struct evr_thread_accesses {
	evr_thread_id thread;
	struct accesses last;
};

/*
 * The table has four groups of clocks: each thread's present; its present at its last release fence; what its relaxed reads
 * have seen, which an acquire fence would take; and for each event what an acquiring read of that write takes.
 */
struct evr_race_finder {
	unsigned threads;
	struct evr_clocks clocks;
	EVR_VEC(bool) releases; /* of each event: does its row hold anything? */
	bool fenced[EVR_MAX_THREADS];
	struct evr_locations locations;
	EVR_VEC(struct location_accesses) accessed;
	uint64_t runs;
	/* The graph's reads of the event that is looked at; NULL: `source` tells. */
	const struct evr_graph *graph;
	size_t reads;
};

struct evr_race_finder *evr_race_finder_new(void)
{
	return evr_alloc(sizeof(struct evr_race_finder));
}

void evr_race_finder_free(struct evr_race_finder *f)
{
	evr_clocks_release(&f->clocks);
	evr_vec_release(&f->releases);
	for (size_t i = 0; i < f->accessed.len; i++)
		evr_vec_release(&f->accessed.data[i].threads);
	evr_vec_release(&f->accessed);
	evr_locations_release(&f->locations);
	free(f);
}

static int32_t *present(const struct evr_race_finder *f, evr_thread_id t)
{
	return evr_clocks_at(&f->clocks, t);
}

static int32_t *at_release_fence(const struct evr_race_finder *f, evr_thread_id t)
{
	return evr_clocks_at(&f->clocks, f->threads + t);
}

static int32_t *for_acquire_fence(const struct evr_race_finder *f, evr_thread_id t)
{
	return evr_clocks_at(&f->clocks, 2 * f->threads + t);
}

static int32_t *released_by(const struct evr_race_finder *f, evr_event_id e)
{
	return evr_clocks_at(&f->clocks, 3 * f->threads + (size_t)e);
}

static void join(const struct evr_race_finder *f, int32_t *to, const int32_t *from)
{
	evr_clock_join(to, from, f->clocks.width);
}

static void reset(struct evr_race_finder *f, const struct evr_trace *t)
{
	size_t n = t->events.len;
	f->threads = 1;
	for (size_t i = 0; i < n; i++) {
		const struct evr_event *e = &t->events.data[i];
		/* A thread may have been created that has not made an event. */
		unsigned last = e->kind == EVR_CREATE && e->other > e->thread ? (unsigned)e->other : e->thread;
		if (last >= f->threads)
			f->threads = last + 1;
	}
	size_t rows = 3 * f->threads + n;
	if (EVR_UNLIKELY(f->threads > f->clocks.width))
		evr_clocks_resize(&f->clocks, evr_clock_width(f->threads), rows, 0);
	evr_clocks_reserve(&f->clocks, rows, 0);
	evr_vec_reserve(&f->releases, n + 1);
	EVR_ASSERT(f->clocks.data && f->releases.data);
	memset(f->clocks.data, 0, rows * f->clocks.width * sizeof(*f->clocks.data));
	memset(f->releases.data, 0, n * sizeof(*f->releases.data));
	memset(f->fenced, 0, sizeof(f->fenced));
}

static bool acquires(unsigned order)
{
	return order == EVR_ACQUIRE || order == EVR_ACQ_REL || order == EVR_SEQ_CST;
}

static bool releases(unsigned order)
{
	return order == EVR_RELEASE || order == EVR_ACQ_REL || order == EVR_SEQ_CST;
}

static bool take_from(struct evr_race_finder *f, int32_t *to, evr_event_id source)
{
	if (source == EVR_NO_EVENT || !f->releases.data[source])
		return false;
	join(f, to, released_by(f, source));
	return true;
}

/* What was released by the writes that the event, an atomic access, has read from. */
static bool take(struct evr_race_finder *f, int32_t *to, const struct evr_event *e, evr_event_id id)
{
	bool any = take_from(f, to, e->source);
	evr_event_id last = e->source;
	for (size_t i = f->reads; f->graph && i < f->graph->reads.len && f->graph->reads.data[i].read == id; i++) {
		evr_event_id source = f->graph->reads.data[i].source;
		if (source != last)
			any |= take_from(f, to, source);
		last = source;
	}
	return any;
}

static void read_from(struct evr_race_finder *f, const struct evr_event *e, evr_event_id id, unsigned order)
{
	if (order != EVR_PLAIN)
		take(f, acquires(order) ? present(f, e->thread) : for_acquire_fence(f, e->thread), e, id);
}

static void write_to(struct evr_race_finder *f, const struct evr_event *e, evr_event_id id, unsigned order)
{
	if (order == EVR_PLAIN)
		return;
	int32_t *released = releases(order)        ? present(f, e->thread)
			    : f->fenced[e->thread] ? at_release_fence(f, e->thread)
						   : NULL;
	if (released)
		join(f, released_by(f, id), released);
	/* A read-modify-write continues the release sequence that it read from. */
	bool continues = evr_event_reads(e) && take(f, released_by(f, id), e, id);
	f->releases.data[id] = released || continues;
}

/* A lock takes what was released with the mutex, if that was. */
static void lock(struct evr_race_finder *f, const struct evr_event *e)
{
	take_from(f, present(f, e->thread), e->source);
}

static void fence(struct evr_race_finder *f, const struct evr_event *e, unsigned order)
{
	if (acquires(order))
		join(f, present(f, e->thread), for_acquire_fence(f, e->thread));
	if (releases(order)) {
		evr_clock_copy(at_release_fence(f, e->thread), present(f, e->thread), f->clocks.width);
		f->fenced[e->thread] = true;
	}
}

static bool is_access(const struct evr_event *e)
{
	return evr_event_is_access(e) || e->kind == EVR_FREE;
}

static bool in_section(const struct evr_event *e)
{
	return is_access(e) && e->site && e->site->flags & EVR_SITE_SECTION;
}

/*
 * A lock around an atomic access makes that one access; its memory order is what counts. That of a condition variable guards
 * its own list: who signals tells nothing to the next one who does. Accesses in an atomic section are atomic accesses, and
 * synchronise as such; its lock counts as nothing, since accesses outside of sections take it, too.
 */
static bool is_hidden(const struct evr_event *e)
{
	return e->lock == EVR_LOCK_ATOMIC || e->lock == EVR_LOCK_COND || e->lock == EVR_LOCK_SECTION;
}

/* What the event does to the clocks. Called in the trace's order, which respects po and rf. */
static void advance(struct evr_race_finder *f, const struct evr_event *e, evr_event_id id)
{
	unsigned order = in_section(e) ? EVR_SEQ_CST : evr_event_order_taken(e);
	if (e->kind == EVR_UPDATE)
		return;
	evr_clock_set(present(f, e->thread), e->thread, e->index);
	switch (e->kind) {
	case EVR_READ:
		read_from(f, e, id, order);
		break;
	case EVR_WRITE:
		write_to(f, e, id, order);
		break;
	case EVR_RMW:
	case EVR_CAS:
		read_from(f, e, id, order);
		if (evr_event_writes(e))
			write_to(f, e, id, order);
		break;
	case EVR_FENCE:
		fence(f, e, order);
		break;
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		if (e->result == 0 && !is_hidden(e))
			lock(f, e);
		break;
	case EVR_UNLOCK: /* to initialise a mutex, on the other hand, tells nobody anything */
		if (!is_hidden(e))
			write_to(f, e, id, EVR_RELEASE);
		break;
	case EVR_CREATE:
		join(f, present(f, (evr_thread_id)e->other), present(f, e->thread));
		break;
	case EVR_JOIN:
		join(f, present(f, e->thread), present(f, (evr_thread_id)e->other));
		break;
	default:
		break;
	}
}

/* That memory is gone is as a write to all of it, though no thread reads from it. */
static bool changes(const struct evr_event *e)
{
	return e->kind == EVR_FREE || evr_event_writes(e);
}

static bool conflict(const struct evr_event *a, const struct evr_event *b)
{
	return (changes(a) || changes(b)) && a->address < b->address + b->size && b->address < a->address + a->size;
}

static bool is_atomic(const struct evr_event *e)
{
	return in_section(e) || (e->kind != EVR_FREE && e->site->order != EVR_PLAIN);
}

static bool races(struct evr_race_finder *f, const struct evr_event *a, const struct evr_event *b)
{
	return a->thread != b->thread && is_access(a) && conflict(a, b) && !(is_atomic(a) && is_atomic(b)) &&
	       !evr_clock_has(present(f, b->thread), a->thread, a->index);
}

static struct location_accesses *accesses_of(struct evr_race_finder *f, uint32_t location)
{
	while (f->accessed.len <= location)
		evr_vec_push(&f->accessed, (struct location_accesses){ 0 });
	struct location_accesses *p = &f->accessed.data[location];
	if (p->run != f->runs) {
		p->run = f->runs;
		evr_vec_clear(&p->threads);
	}
	return p;
}

static void note_access(struct location_accesses *p, const struct evr_event *e, evr_event_id id)
{
	size_t i = 0;
	while (i < p->threads.len && p->threads.data[i].thread != e->thread)
		i++;
	if (i == p->threads.len) {
		const struct accesses none = { { EVR_NO_EVENT, EVR_NO_EVENT }, { EVR_NO_EVENT, EVR_NO_EVENT } };
		evr_vec_push(&p->threads, (struct evr_thread_accesses){ e->thread, none });
	}
	struct accesses *a = &p->threads.data[i].last;
	*(changes(e) ? &a->write[is_atomic(e)] : &a->read[is_atomic(e)]) = id;
}

/* Of the accesses to the same location, the newest that the event is in a race with. Few are worth a closer look. */
static evr_event_id race_here(struct evr_race_finder *f, const struct evr_trace *t, const struct location_accesses *p,
			      const struct evr_event *e)
{
	evr_event_id found = EVR_NO_EVENT;
	const int32_t *known = present(f, e->thread);
	unsigned kinds = is_atomic(e) ? 1 : 2;
	bool writes = changes(e);
	for (size_t i = 0; i < p->threads.len; i++) {
		const struct evr_thread_accesses *other = &p->threads.data[i];
		for (unsigned k = 0; other->thread != e->thread && k < 2 * kinds; k++) {
			if (k % 2 && !writes)
				continue;
			evr_event_id a = k % 2 ? other->last.read[k / 2] : other->last.write[k / 2];
			if (a != EVR_NO_EVENT && (found == EVR_NO_EVENT || a > found) &&
			    !evr_clock_has(known, other->thread, t->events.data[a].index) &&
			    races(f, &t->events.data[a], e))
				found = a;
		}
	}
	return found;
}

/* The same among all events before `id`, of which the newest is j - 1. */
static evr_event_id race_anywhere(struct evr_race_finder *f, const struct evr_trace *t, evr_event_id j, evr_event_id id)
{
	while (j-- > 0)
		if (races(f, &t->events.data[j], &t->events.data[id]))
			return j;
	return EVR_NO_EVENT;
}

static bool is_known(const struct evr_trace *t, const evr_race_pairs *pairs, size_t from, evr_event_id first)
{
	const struct evr_event *e = &t->events.data[first];
	for (size_t i = from; i < pairs->len; i++) {
		const struct evr_event *a = &t->events.data[pairs->data[i].first];
		if (a->thread == e->thread && a->site == e->site && changes(a) == changes(e))
			return true;
	}
	return false;
}

/* The event is in a race with `first`, and with none that came between. Add the older ones. */
static void add_all(struct evr_race_finder *f, const struct evr_trace *t, evr_event_id first, evr_event_id second,
		    evr_race_pairs *out)
{
	size_t from = out->len;
	for (evr_event_id a = first; a != EVR_NO_EVENT; a = race_anywhere(f, t, a, second))
		if (!is_known(t, out, from, a))
			evr_vec_push(out, ((struct evr_race_pair){ a, second }));
}

/* Are there accesses that are not atomic? Is memory freed? If neither, there is nothing to do. */
static bool has_plain(const struct evr_trace *t, bool *frees)
{
	bool plain = false;
	*frees = false;
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		*frees |= e->kind == EVR_FREE;
		plain |= is_access(e) && !is_atomic(e);
	}
	return plain;
}

static void find_source(struct evr_race_finder *f, evr_event_id id)
{
	while (f->graph && f->reads < f->graph->reads.len && f->graph->reads.data[f->reads].read < id)
		f->reads++;
}

bool evr_race_find(struct evr_race_finder *f, const struct evr_trace *t, const struct evr_graph *g, bool all,
		   evr_race_pairs *out)
{
	bool frees, found = false;
	if (!has_plain(t, &frees))
		return false;
	reset(f, t);
	f->runs++;
	f->graph = g;
	f->reads = 0;
	for (evr_event_id i = 0; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		/* First, since what an access acquires happens before that access itself. */
		find_source(f, i);
		advance(f, e, i);
		if (!is_access(e))
			continue;
		uint32_t location = frees ? EVR_NO_LOCATION : evr_locations_get(&f->locations, e->address, e->size);
		bool anywhere = frees || f->locations.all.data[location].mixed;
		struct location_accesses *p = frees ? NULL : accesses_of(f, location);
		evr_event_id first = anywhere ? race_anywhere(f, t, i, i) : race_here(f, t, p, e);
		if (first != EVR_NO_EVENT && !all) {
			evr_vec_push(out, ((struct evr_race_pair){ first, i }));
			return true;
		}
		if (first != EVR_NO_EVENT)
			add_all(f, t, first, i, out);
		found |= first != EVR_NO_EVENT;
		if (p)
			note_access(p, e, i);
	}
	return found;
}

/* ---- for others ---- */

unsigned evr_race_order(const struct evr_event *e)
{
	return in_section(e) ? EVR_SEQ_CST : evr_event_order_taken(e);
}

bool evr_race_ignores_lock(const struct evr_event *e)
{
	return is_hidden(e);
}

bool evr_race_between(struct evr_race_finder *f, const struct evr_trace *t, const struct evr_graph *g,
		      struct evr_race_pair pair)
{
	reset(f, t);
	f->graph = g;
	f->reads = 0;
	for (evr_event_id i = 0; i <= pair.second; i++) {
		find_source(f, i);
		advance(f, &t->events.data[i], i);
	}
	const struct evr_event *first = &t->events.data[pair.first], *second = &t->events.data[pair.second];
	return is_access(second) && races(f, first, second);
}
