#include "event/race.h"

#include "base/map.h"

#include <stdlib.h>
#include <string.h>

/* clock[t] = how many events of thread t happen before, counting itself for the own thread. */
struct clock {
	uint32_t at[EVR_MAX_THREADS];
};

/* What a location hands on to an acquiring read: the clock of the release sequence that its last write belongs to. */
struct release {
	struct clock clock;
	evr_thread_id head; /* who wrote the head; EVR_NO_THREAD: the last write releases nothing */
};

struct evr_race_finder {
	unsigned threads;
	struct clock now[EVR_MAX_THREADS];
	struct clock at_release_fence[EVR_MAX_THREADS];
	struct clock for_acquire_fence[EVR_MAX_THREADS]; /* what relaxed reads have seen */
	bool fenced[EVR_MAX_THREADS];
	struct evr_map places; /* address -> index of a release */
	EVR_VEC(struct release) releases;
};

struct evr_race_finder *evr_race_finder_new(void)
{
	return evr_alloc(sizeof(struct evr_race_finder));
}

void evr_race_finder_free(struct evr_race_finder *f)
{
	evr_map_release(&f->places);
	evr_vec_release(&f->releases);
	free(f);
}

static void join(const struct evr_race_finder *f, struct clock *to, const struct clock *from)
{
	for (unsigned i = 0; i < f->threads; i++)
		if (from->at[i] > to->at[i])
			to->at[i] = from->at[i];
}

static void begin(struct evr_race_finder *f, const struct evr_trace *t)
{
	f->threads = 0;
	for (size_t i = 0; i < t->events.len; i++)
		if (t->events.data[i].thread >= f->threads)
			f->threads = t->events.data[i].thread + 1u;
	for (unsigned i = 0; i < f->threads; i++) {
		memset(&f->now[i], 0, sizeof(f->now[i]));
		memset(&f->for_acquire_fence[i], 0, sizeof(f->for_acquire_fence[i]));
		f->fenced[i] = false;
	}
	evr_map_clear(&f->places);
	evr_vec_clear(&f->releases);
}

static struct release *release_at(struct evr_race_finder *f, uintptr_t address)
{
	uint64_t *known = evr_map_get(&f->places, address);
	if (known)
		return &f->releases.data[*known];
	evr_map_put(&f->places, address, f->releases.len);
	evr_vec_push(&f->releases, (struct release){ .head = EVR_NO_THREAD });
	return &evr_vec_last(&f->releases);
}

static bool acquires(unsigned order)
{
	return order == EVR_ACQUIRE || order == EVR_ACQ_REL || order == EVR_SEQ_CST;
}

static bool releases(unsigned order)
{
	return order == EVR_RELEASE || order == EVR_ACQ_REL || order == EVR_SEQ_CST;
}

static void read_place(struct evr_race_finder *f, const struct evr_event *e, unsigned order)
{
	const struct release *r = release_at(f, e->address);
	if (r->head == EVR_NO_THREAD || order == EVR_PLAIN)
		return;
	join(f, acquires(order) ? &f->now[e->thread] : &f->for_acquire_fence[e->thread], &r->clock);
}

/* continues: the write is a read-modify-write, or (C11) by the thread that wrote the head. */
static void write_place(struct evr_race_finder *f, const struct evr_event *e, unsigned order, bool rmw)
{
	struct release *r = release_at(f, e->address);
	bool continues = order != EVR_PLAIN && r->head != EVR_NO_THREAD && (rmw || r->head == e->thread);
	if (!continues) {
		r->head = EVR_NO_THREAD;
		memset(&r->clock, 0, sizeof(r->clock));
	}
	if (order == EVR_PLAIN)
		return;
	const struct clock *own = releases(order)        ? &f->now[e->thread]
				  : f->fenced[e->thread] ? &f->at_release_fence[e->thread]
							 : NULL;
	if (!own)
		return;
	join(f, &r->clock, own);
	if (!continues)
		r->head = e->thread;
}

static void fence(struct evr_race_finder *f, const struct evr_event *e, unsigned order)
{
	if (acquires(order))
		join(f, &f->now[e->thread], &f->for_acquire_fence[e->thread]);
	if (releases(order)) {
		f->at_release_fence[e->thread] = f->now[e->thread];
		f->fenced[e->thread] = true;
	}
}

/* What the event does to the clocks. Called in the trace's order. */
static void advance(struct evr_race_finder *f, const struct evr_event *e)
{
	unsigned order = e->site ? e->site->order : EVR_PLAIN;
	f->now[e->thread].at[e->thread] = e->index + 1;
	switch (e->kind) {
	case EVR_READ:
		read_place(f, e, order);
		break;
	case EVR_WRITE:
		write_place(f, e, order, false);
		break;
	case EVR_RMW:
	case EVR_CAS:
		read_place(f, e, order);
		if (evr_event_writes(e))
			write_place(f, e, order, true);
		break;
	case EVR_FENCE:
		fence(f, e, order);
		break;
	case EVR_LOCK:
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		if (e->read == 0)
			read_place(f, e, EVR_ACQUIRE);
		break;
	case EVR_UNLOCK:
	case EVR_MUTEX_INIT:
		write_place(f, e, EVR_RELEASE, false);
		break;
	case EVR_CREATE:
		join(f, &f->now[(evr_thread_id)e->expected], &f->now[e->thread]);
		break;
	case EVR_JOIN:
		join(f, &f->now[e->thread], &f->now[(evr_thread_id)e->expected]);
		break;
	default:
		break;
	}
}

static bool is_access(const struct evr_event *e)
{
	return e->kind == EVR_READ || e->kind == EVR_WRITE || e->kind == EVR_RMW || e->kind == EVR_CAS ||
	       e->kind == EVR_FREE;
}

static bool is_atomic(const struct evr_event *e)
{
	return e->kind != EVR_FREE && e->site->order != EVR_PLAIN;
}

static bool races(const struct evr_race_finder *f, const struct evr_event *a, const struct evr_event *b)
{
	return a->thread != b->thread && is_access(a) && evr_events_conflict(a, b) && !(is_atomic(a) && is_atomic(b)) &&
	       f->now[b->thread].at[a->thread] <= a->index;
}

evr_event_id evr_race_find(struct evr_race_finder *f, const struct evr_trace *t, evr_event_id from, evr_event_id *first)
{
	begin(f, t);
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		for (size_t j = i; i >= from && is_access(e) && j-- > 0;)
			if (races(f, &t->events.data[j], e)) {
				*first = (evr_event_id)j;
				return (evr_event_id)i;
			}
		advance(f, e);
	}
	return EVR_NO_EVENT;
}
