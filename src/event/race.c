/*
 * One pass over the trace. Invariant: before an event is looked at, the clock of each thread's present is what happens before its next
 * event, as far as the events so far tell.
 */
#include "event/race.h"

#include "event/happens.h"
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

struct evr_race_finder {
	struct evr_happens happens;
	struct evr_locations locations;
	EVR_VEC(struct location_accesses) accessed;
	uint64_t runs;
};

struct evr_race_finder *evr_race_finder_new(void)
{
	return evr_alloc(sizeof(struct evr_race_finder));
}

void evr_race_finder_free(struct evr_race_finder *f)
{
	evr_happens_release(&f->happens);
	for (size_t i = 0; i < f->accessed.len; i++)
		evr_vec_release(&f->accessed.data[i].threads);
	evr_vec_release(&f->accessed);
	evr_locations_release(&f->locations);
	free(f);
}

static bool is_access(const struct evr_event *e)
{
	return evr_event_is_access(e) || e->kind == EVR_FREE;
}

static bool in_section(const struct evr_event *e)
{
	return is_access(e) && e->site && e->site->flags & EVR_SITE_SECTION;
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
	       !evr_clock_has(evr_happens_present(&f->happens, b->thread), a->thread, a->index);
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
	const int32_t *known = evr_happens_present(&f->happens, e->thread);
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
		if (EVR_UNLIKELY(e->kind == EVR_FREE))
			*frees = plain = true;
		else if (evr_event_is_access(e))
			plain |= !is_atomic(e);
	}
	return plain;
}

bool evr_race_find(struct evr_race_finder *f, const struct evr_trace *t, const struct evr_graph *g, bool all,
		   evr_race_pairs *out)
{
	bool frees, found = false;
	if (!has_plain(t, &frees))
		return false;
	f->runs++;
	evr_happens_begin(&f->happens, t, g);
	for (evr_event_id i = 0; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		/* First, since what an access acquires happens before that access itself. */
		evr_happens_next(&f->happens);
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

bool evr_race_between(struct evr_race_finder *f, const struct evr_trace *t, const struct evr_graph *g,
		      struct evr_race_pair pair)
{
	evr_happens_begin(&f->happens, t, g);
	while (f->happens.done <= pair.second)
		evr_happens_next(&f->happens);
	const struct evr_event *first = &t->events.data[pair.first], *second = &t->events.data[pair.second];
	return is_access(second) && races(f, first, second);
}
