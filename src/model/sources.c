/*
 * Steps that name sources. A step of a read chooses its source, a step of a write its place in coherence; it is possible if the
 * execution so far, with this event, satisfies the model's axioms. These can only be violated by more events, never mended, so that
 * every execution that satisfies them is reached. Events may come in any order that respects program order and reads-from; a plain write is
 * therefore taken as soon as it is there, since whoever does not want to read it need not.
 *
 * Invariant: memory holds the initial values, but for mutexes. Of these, only what was done last counts: whoever takes a mutex knows of all that
 * was done to it before.
 */
#include "model/sources.h"

#include "event/mutex.h"

#include <errno.h>
#include <string.h>

void evr_sources_begin(struct evr_world *w, size_t size, evr_possible_fn *possible)
{
	if (w->model_state)
		return;
	struct evr_sources *s = w->model_state = evr_alloc(size);
	s->possible = possible;
}

static bool touches(const struct evr_event *e, uintptr_t address)
{
	return e->size && address - e->address < e->size && (evr_event_reads(e) || evr_event_writes(e));
}

/* The value that `source` leaves at the event's location: the initial one is what memory holds. */
static evr_value value_of(const struct evr_world *w, const struct evr_event *e, evr_event_id source)
{
	return source == EVR_NO_EVENT ? evr_memory_load(e->address, e->size) : w->trace.events.data[source].written;
}

/* Make the pending event what it is with this source or, for a write, this predecessor. */
static void complete(const struct evr_world *w, struct evr_event *e, evr_event_id choice)
{
	if (e->kind == EVR_WRITE) {
		e->predecessor = choice;
		return;
	}
	e->source = choice;
	e->read = value_of(w, e, choice);
	if (e->kind != EVR_RMW)
		return;
	e->operand = e->written;
	e->written = evr_rmw_result(e->op, e->read, e->written, e->size);
}

static bool possible(struct evr_world *w, const struct evr_event *e)
{
	struct evr_sources *s = w->model_state;
	evr_vec_clear(&s->trial.events);
	evr_vec_reserve(&s->trial.events, w->trace.events.len + 1);
	memcpy(s->trial.events.data, w->trace.events.data, w->trace.events.len * sizeof(*e));
	s->trial.events.len = w->trace.events.len;
	evr_vec_push(&s->trial.events, *e);
	evr_graph_build(&s->graph, &s->trial, true);
	return s->possible(w, e);
}

static void try_choice(struct evr_world *w, const struct evr_event *pending, evr_event_id choice, evr_steps *out)
{
	struct evr_event e = *pending;
	complete(w, &e, choice);
	if (possible(w, &e))
		evr_vec_push(out, (struct evr_step){ pending->thread, choice + 1 });
}

static void access_steps(struct evr_world *w, const struct evr_event *e, evr_steps *out)
{
	evr_model_cut(w, e);
	if (w->halted)
		return;
	try_choice(w, e, EVR_NO_EVENT, out);
	for (size_t i = 0; i < w->trace.events.len; i++) {
		const struct evr_event *o = &w->trace.events.data[i];
		if (touches(o, e->address) && evr_event_writes(o))
			try_choice(w, e, (evr_event_id)i, out);
	}
}

/* The last event that wrote to the mutex: everything before it is overwritten in the past of whoever takes it next. */
evr_event_id evr_sources_chain_end(const struct evr_world *w, uintptr_t address)
{
	for (size_t i = w->trace.events.len; i-- > 0;)
		if (touches(&w->trace.events.data[i], address) && evr_event_writes(&w->trace.events.data[i]))
			return (evr_event_id)i;
	return EVR_NO_EVENT;
}

static evr_value failure(const struct evr_event *e)
{
	return e->kind == EVR_TRYLOCK ? EBUSY : ETIMEDOUT;
}

/* A trylock that finds the mutex taken may have read any lock that is not overwritten in its past. */
static void failed_trylocks(struct evr_world *w, const struct evr_event *pending, evr_steps *out)
{
	for (size_t i = 0; i < w->trace.events.len; i++) {
		const struct evr_event *o = &w->trace.events.data[i];
		bool locks = o->kind == EVR_LOCK || o->kind == EVR_TRYLOCK || o->kind == EVR_TIMEDLOCK;
		if (!locks || !evr_event_writes(o) || o->address != pending->address)
			continue;
		struct evr_event e = *pending;
		e.source = (evr_event_id)i;
		e.result = failure(&e);
		if (possible(w, &e))
			evr_vec_push(out, (struct evr_step){ pending->thread, (uint32_t)(i + 1) });
	}
}

static void trylock_steps(struct evr_world *w, const struct evr_event *e, evr_steps *out)
{
	const struct evr_mutex *m = evr_mutex_at(e->address);
	if (!evr_mutex_holder(m) || evr_mutex_held_by(m, e->thread))
		evr_vec_push(out, (struct evr_step){ e->thread, 0 });
	/* Its own locking it cannot have missed. */
	if (!evr_mutex_held_by(m, e->thread))
		failed_trylocks(w, e, out);
}

static void thread_steps(struct evr_world *w, evr_thread_id t, evr_steps *out)
{
	const struct evr_event *e = &w->pending[t];
	if (e->kind == EVR_READ || e->kind == EVR_WRITE || e->kind == EVR_RMW || e->kind == EVR_CAS)
		access_steps(w, e, out);
	else if (e->kind == EVR_TRYLOCK || e->kind == EVR_TIMEDLOCK)
		trylock_steps(w, e, out);
	else
		evr_model_thread_steps(w, t, out);
}

void evr_sources_all_steps(struct evr_world *w, evr_steps *out)
{
	for (unsigned t = 0; t < w->threads; t++)
		if (w->waiting[t])
			thread_steps(w, (evr_thread_id)t, out);
}

void evr_sources_steps(struct evr_world *w, evr_steps *out)
{
	if (evr_model_is_within(w)) {
		thread_steps(w, (evr_thread_id)(w->within - 1), out);
		return;
	}
	for (unsigned t = 0; t < w->threads; t++)
		if (w->waiting[t] && w->pending[t].kind == EVR_WRITE) {
			access_steps(w, &w->pending[t], out);
			return;
		}
	evr_sources_all_steps(w, out);
}

/* Has any event, in whatever execution, accessed some of its bytes, but not the same ones? Only then does somebody look closely. */
static inline void note_location(struct evr_world *w, struct evr_sources *state, const struct evr_event *e)
{
	uint32_t location = evr_locations_get(&state->locations, e->address, evr_model_extent(e));
	if (EVR_LIKELY(!state->locations.all.data[location].mixed))
		return;
	evr_model_cut(w, e);
	if (!w->halted)
		return;
	evr_locations_release(&state->locations);
	state->locations = (struct evr_locations){ 0 };
}

void evr_sources_execute(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	struct evr_sources *state = w->model_state;
	evr_event_id choice = (evr_event_id)s.variant - 1;
	/* What is repeated was seen before. */
	if (w->trace.events.len >= w->trace.prefix && e->size && e->kind < EVR_CREATE)
		note_location(w, state, e);
	switch (e->kind) {
	case EVR_READ:
	case EVR_WRITE:
	case EVR_RMW:
	case EVR_CAS:
		complete(w, e, choice);
		break;
	case EVR_CHOOSE:
		e->chosen = s.variant;
		break;
	case EVR_FENCE:
		break;
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		if (s.variant) {
			const struct evr_event *lock = &w->trace.events.data[choice];
			e->source = choice;
			e->result = failure(e);
			e->holder = evr_lock_kinds[lock->lock].handed ? EVR_NOBODY : lock->thread + 1u;
			break;
		}
		/* fall through */
	default:
		e->source = evr_sources_chain_end(w, e->address);
		evr_model_execute_mutex(w, e);
	}
}
