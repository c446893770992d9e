/* Stand-in: RA under another name. */
/*
 * Release-acquire, by its axioms (paper 000, Definition 3.1): an execution may happen if for each location x the relation
 * po u rf u co_x u fr_x has no cycle, and every read-modify-write comes right after its source in coherence.
 *
 * A step of a read chooses its source, a step of a write its place in coherence; it is possible if the execution so far,
 * with this event, satisfies the axioms. They can only be violated by more events, never mended, so that every execution
 * that satisfies them is reached. Events may come in any order that respects po and rf; a plain write is therefore taken
 * as soon as it is there, since whoever does not want to read it need not.
 *
 * Every access is a release or acquire, whatever the program says. A mutex is a chain of read-modify-writes, and a
 * seq_cst fence one on a hidden location: both have no choice but the end of the chain. A failed trylock is a read.
 */
#include "event/location.h"
#include "event/mutex.h"
#include "model/model.h"
#include "model/oracle.h"

#include <errno.h>
#include <string.h>

#define FENCE_ADDRESS ((uintptr_t)1) /* of the location that seq_cst fences update; no variable has it */

struct ra {
	struct evr_trace trial; /* the trace with one more event */
	struct evr_graph graph;
	struct evr_relation relation;
	struct evr_locations locations;
};

static void begin(struct evr_world *w)
{
	if (!w->model_state)
		w->model_state = evr_alloc(sizeof(struct ra));
}

static bool touches(const struct evr_event *e, uintptr_t address)
{
	return e->size && address - e->address < e->size && (evr_event_reads(e) || evr_event_writes(e));
}

/* Coherence and from-reads of the one location, program order and reads-from of all. */
static bool consistent_at(const struct evr_graph *g, struct evr_relation *r, size_t byte)
{
	evr_relation_clear(r, g->trace->events.len);
	evr_graph_add_po(g, r, NULL);
	evr_graph_add_rf(g, r, false);
	evr_graph_add_co(g, r, byte);
	evr_graph_add_fr(g, r, byte);
	return evr_relation_acyclic(r);
}

static bool atomic_at(const struct evr_graph *g, size_t byte)
{
	for (size_t i = 0; i < g->reads.len; i++) {
		const struct evr_graph_read *r = &g->reads.data[i];
		const struct evr_event *e = &g->trace->events.data[r->read];
		const struct evr_graph_byte *b = &g->bytes.data[r->byte];
		if (r->byte != byte || !evr_event_writes(e))
			continue;
		evr_event_id before = EVR_NO_EVENT;
		for (size_t k = 0; k < b->writes.len && b->writes.data[k] != r->read; k++)
			before = b->writes.data[k];
		if (before != r->source)
			return false;
	}
	return true;
}

/*
 * The axioms put differently, so that they can judge the steps: the writes to a byte are numbered in coherence, 0 being
 * the initial one; a read has the number of its source. If one access happens before another, their numbers must not say
 * otherwise, and a read-modify-write has the number after that of its source.
 */
struct numbered_access {
	evr_event_id event;
	long read, written; /* -1: it does not */
};

static bool in_order(const struct numbered_access *a, const struct numbered_access *b)
{
	bool writes = a->written < 0 || b->written < 0 || a->written < b->written;
	bool write_read = a->written < 0 || b->read < 0 || a->written <= b->read;
	bool read_write = a->read < 0 || b->written < 0 || a->read < b->written;
	bool reads = a->read < 0 || b->read < 0 || a->read <= b->read;
	return writes && write_read && read_write && reads;
}

typedef EVR_VEC(struct numbered_access) numbered_accesses;

static long number_of(const struct evr_graph_byte *b, evr_event_id write)
{
	for (size_t i = 0; i < b->writes.len; i++)
		if (b->writes.data[i] == write)
			return (long)i + 1;
	return write == EVR_NO_EVENT ? 0 : -1;
}

static void number_accesses(const struct evr_graph *g, size_t byte, numbered_accesses *out)
{
	const struct evr_graph_byte *b = &g->bytes.data[byte];
	evr_vec_clear(out);
	for (size_t i = 0; i < g->reads.len; i++) {
		const struct evr_graph_read *r = &g->reads.data[i];
		if (r->byte == byte)
			evr_vec_push(out, (struct numbered_access){ r->read, number_of(b, r->source),
								    number_of(b, r->read) });
	}
	for (size_t i = 0; i < b->writes.len; i++)
		if (!evr_event_reads(&g->trace->events.data[b->writes.data[i]]))
			evr_vec_push(out, (struct numbered_access){ b->writes.data[i], -1, (long)i + 1 });
}

static bool byte_allowed(const struct evr_relation *before, const numbered_accesses *all)
{
	for (size_t i = 0; i < all->len; i++) {
		const struct numbered_access *a = &all->data[i];
		if (a->read >= 0 && a->written >= 0 && a->written != a->read + 1)
			return false;
		for (size_t k = 0; k < all->len; k++)
			if (evr_relation_has(before, a->event, all->data[k].event) && !in_order(a, &all->data[k]))
				return false;
	}
	return true;
}

static bool allows(const struct evr_graph *g)
{
	struct evr_relation before = { 0 }; /* happens-before */
	numbered_accesses all = { 0 };
	evr_relation_clear(&before, g->trace->events.len);
	evr_graph_add_po(g, &before, NULL);
	evr_graph_add_rf(g, &before, false);
	bool fine = evr_relation_acyclic(&before);
	evr_relation_close(&before);
	for (size_t b = 0; b < g->bytes.len && fine; b++) {
		number_accesses(g, b, &all);
		fine = byte_allowed(&before, &all);
	}
	evr_relation_release(&before);
	evr_vec_release(&all);
	return fine;
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
	struct ra *ra = w->model_state;
	evr_vec_clear(&ra->trial.events);
	evr_vec_reserve(&ra->trial.events, w->trace.events.len + 1);
	memcpy(ra->trial.events.data, w->trace.events.data, w->trace.events.len * sizeof(*e));
	ra->trial.events.len = w->trace.events.len;
	evr_vec_push(&ra->trial.events, *e);
	evr_graph_build(&ra->graph, &ra->trial, true);
	/* The new event has no successors but through co and fr of its own location: only there can it close a cycle. */
	size_t byte = *evr_map_get(&ra->graph.byte_of, e->address);
	return atomic_at(&ra->graph, byte) && consistent_at(&ra->graph, &ra->relation, byte);
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
static evr_event_id chain_end(const struct evr_world *w, uintptr_t address)
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

static void all_steps(struct evr_world *w, evr_steps *out)
{
	for (unsigned t = 0; t < w->threads; t++)
		if (w->waiting[t])
			thread_steps(w, (evr_thread_id)t, out);
}

static void steps(struct evr_world *w, evr_steps *out)
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
	all_steps(w, out);
}

/* Has any event, in whatever execution, accessed some of its bytes, but not the same ones? Only then does somebody look closely. */
static inline void note_location(struct evr_world *w, struct ra *ra, const struct evr_event *e)
{
	uint32_t location = evr_locations_get(&ra->locations, e->address, evr_model_extent(e));
	if (EVR_LIKELY(!ra->locations.all.data[location].mixed))
		return;
	evr_model_cut(w, e);
	if (!w->halted)
		return;
	evr_locations_release(&ra->locations);
	ra->locations = (struct evr_locations){ 0 };
}

static void execute(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	struct ra *ra = w->model_state;
	evr_event_id choice = (evr_event_id)s.variant - 1;
	/* What is repeated was seen before. */
	if (w->trace.events.len >= w->trace.prefix && e->size && e->kind < EVR_CREATE)
		note_location(w, ra, e);
	if (e->site && e->kind != EVR_FENCE)
		w->orders_used |= 1u << e->site->order;
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
		e->address = FENCE_ADDRESS;
		e->size = 1;
		e->source = chain_end(w, FENCE_ADDRESS);
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
		e->source = chain_end(w, e->address);
		evr_model_execute_mutex(w, e);
	}
}

const struct evr_model_ops evr_model_rc11 = {
	EVR_MODEL_ROW(rc11),
	.memory_stays_initial = true,
	.coherence_per_location = true,
	.summary = "release-acquire: every access is one",
	.fences = 1u << EVR_SEQ_CST,
	.notes = {
		[EVR_RELAXED] = "relaxed accesses are treated as release and acquire: C11 allows more than was explored",
		[EVR_SEQ_CST] = "seq_cst accesses are treated as release and acquire: C11 allows less than was explored",
	},
	.note_on_locked_atomics = "atomic objects of more than 16 bytes are accessed under a lock: "
				  "C11 allows more than was explored",
	.begin = begin,
	.steps = steps,
	.all_steps = all_steps,
	.ready = evr_model_thread_ready,
	.execute = execute,
	.allows = allows,
	.oracle = &evr_oracle_ra,
};
