/*
 * What all models share: the list of them, mutexes and choices, events that take effect in memory at once, and the axiom of coherence.
 *
 * Invariant: whatever is written to the program's memory was logged first (evr_model_store() and evr_undo_range()), so that the
 * next execution begins as this one did.
 */
#include "model/model.h"

#include "event/mutex.h"

#include <errno.h>
#include <string.h>

const struct evr_model_ops *const evr_models[] = {
#define MODEL(model, ...) &evr_model_##model,
#include "model/models.def"
#undef MODEL
	NULL
};

const struct evr_model_ops *evr_model_find(const char *name)
{
	for (size_t i = 0; evr_models[i]; i++)
		if (!strcmp(evr_models[i]->name, name))
			return evr_models[i];
	return NULL;
}

const struct evr_model_ops *evr_model_default(bool weak_orders)
{
	return weak_orders ? &evr_model_rc11 : &evr_model_sc;
}

/* Before there are fewer of them. */
static void note_threads(struct evr_world *w)
{
	w->trace.most_threads = evr_most_threads(w);
}

void evr_world_thread_unused(struct evr_world *w, evr_thread_id t)
{
	w->waiting[t] = false;
	w->await[t] = EVR_NO_EVENT;
}

void evr_world_begin(struct evr_world *w, size_t prefix)
{
	for (unsigned i = 0; i < w->threads; i++)
		evr_world_thread_unused(w, (evr_thread_id)i);
	note_threads(w);
	w->threads = 0;
	w->known = w->knowledge.version;
	w->awaits_undecided = w->halted = false;
	w->within = w->tired = 0;
	evr_trace_begin(&w->trace, prefix);
	w->model->begin(w);
}

void evr_world_pieces(struct evr_world *w, struct evr_pieces *p)
{
	struct {
		unsigned threads;
		uint16_t within, tired;
		bool awaits_undecided;
	} all = { w->threads, w->within, w->tired, w->awaits_undecided };
	unsigned before = w->threads;
	note_threads(w);
	EVR_PIECE(p, all);
	w->threads = all.threads;
	w->within = all.within;
	w->tired = all.tired;
	w->awaits_undecided = all.awaits_undecided;
	for (unsigned i = w->threads; i < before; i++)
		evr_world_thread_unused(w, (evr_thread_id)i);
	if (w->knowledge.waits)
		EVR_PIECE_LEN(p, &w->before);
	evr_trace_pieces(&w->trace, w->threads, p);
	w->model->pieces(w, p);
}

void evr_model_no_pieces(struct evr_world *w, struct evr_pieces *p)
{
	(void)w, (void)p;
}

void evr_world_resume(struct evr_world *w, size_t prefix)
{
	w->known = w->knowledge.version;
	w->halted = false;
	w->trace.prefix = prefix;
	w->trace.diverged = EVR_NO_EVENT;
}

void evr_model_store(struct evr_world *w, uintptr_t address, unsigned size, evr_value value)
{
	if (EVR_LIKELY((address & 7) + size <= 8))
		evr_undo_word(&w->undo, address);
	else
		evr_undo_range(&w->undo, address, size);
	evr_memory_store(address, size, value);
}

bool evr_model_thread_ready(const struct evr_world *w, evr_thread_id t)
{
	const struct evr_event *e = &w->pending[t];
	if (e->kind != EVR_LOCK)
		return true;
	/* A normal mutex that its owner locks again never gets here: that is a finding. */
	const struct evr_mutex *m = evr_mutex_at(e->address);
	return !evr_mutex_holder(m) || evr_mutex_held_by(m, t);
}

bool evr_model_futile_if(const struct evr_world *w, const struct evr_event *e, struct evr_history before,
			 evr_value read)
{
	struct evr_event then = { .kind = e->kind, .size = e->size, .read = read /* or the result */ };
	evr_history_add_event(&before, &then);
	return evr_set_has(&w->futile, (struct evr_key){ before.one, before.two });
}

bool evr_model_futile(const struct evr_world *w, evr_thread_id t)
{
	const struct evr_event *e = &w->pending[t];
	if (!w->erases)
		return false;
	if (e->kind == EVR_TRYLOCK) {
		const struct evr_mutex *m = evr_mutex_at(e->address);
		return evr_mutex_holder(m) && !evr_mutex_held_by(m, t) &&
		       evr_model_futile_if(w, e, w->history[t], EBUSY);
	}
	if (w->model->steps_name_sources || (e->kind != EVR_READ && e->kind != EVR_RMW && e->kind != EVR_CAS))
		return false;
	return evr_model_futile_if(w, e, w->history[t],
				   w->model->load ? w->model->load(w, t, e->address, e->size)
						  : evr_memory_load(e->address, e->size));
}

bool evr_model_note_futile(struct evr_world *w, evr_thread_id t)
{
	const struct evr_history *h = &w->history[t];
	return evr_set_add(&w->futile, (struct evr_key){ h->one, h->two }, NULL);
}

void evr_model_thread_steps(const struct evr_world *w, evr_thread_id t, evr_steps *out)
{
	const struct evr_event *e = &w->pending[t];
	uint32_t ways = e->kind == EVR_CHOOSE ? (uint32_t)e->choices : evr_model_thread_ready(w, t);
	for (uint32_t v = 0; v < ways; v++)
		evr_vec_push(out, (struct evr_step){ t, v });
}

/*
 * Who holds it and how often, which is all that locking and unlocking change. Both words of a pthread_mutex_t are written in one piece, as the
 * undo log will read them the next time: a wide load of what was just stored in narrow pieces makes a processor wait.
 */
static void hold(struct evr_world *w, const struct evr_event *e, uint32_t word, uint32_t count)
{
	_Static_assert(offsetof(struct evr_mutex, count) == 4, "the second word");
	unsigned size = e->lock == EVR_LOCK_MUTEX ? 8 : 4;
	evr_undo_range(&w->undo, e->address, size);
	evr_memory_store(e->address, size, word | (uint64_t)count << 32);
}

/* Take the mutex if that is possible; otherwise say why not. */
static int acquire(struct evr_world *w, struct evr_mutex *m, const struct evr_event *e, int if_held)
{
	uint32_t holder = evr_mutex_holder(m);
	if (holder && holder != e->thread + 1u)
		return if_held;
	/* Its own: only a mutex that checks knows at once that waiting would be in vain. */
	if (holder && e->lock == EVR_LOCK_MUTEX && m->kind == EVR_MUTEX_ERRORCHECK && if_held != EBUSY)
		return EDEADLK;
	if (holder && (e->lock != EVR_LOCK_MUTEX || m->kind != EVR_MUTEX_RECURSIVE))
		return if_held;
	hold(w, e, m->word | (evr_lock_kinds[e->lock].handed ? EVR_NOBODY : e->thread + 1u),
	     e->lock == EVR_LOCK_MUTEX ? m->count + 1 : 0);
	return 0;
}

static int release(struct evr_world *w, struct evr_mutex *m, const struct evr_event *e)
{
	if (!evr_lock_kinds[e->lock].handed && !evr_mutex_held_by(m, e->thread))
		return EPERM;
	uint32_t count = e->lock == EVR_LOCK_MUTEX ? m->count - 1 : 0;
	hold(w, e, count ? m->word : m->word & ~EVR_HOLDER, count);
	return 0;
}

static void set(struct evr_world *w, struct evr_mutex *m, const struct evr_event *e)
{
	bool init = e->kind == EVR_MUTEX_INIT;
	evr_undo_range(&w->undo, e->address, e->size);
	memset(m, 0, e->size);
	if (e->lock == EVR_LOCK_MUTEX)
		m->kind = init ? (int32_t)e->state : EVR_MUTEX_DESTROYED;
	else if (!init)
		m->word = EVR_WORD_DESTROYED;
}

void evr_model_execute_mutex(struct evr_world *w, struct evr_event *e)
{
	struct evr_mutex *m = evr_mutex_at(e->address);
	int result = 0;
	e->holder = evr_mutex_holder(m);
	switch (e->kind) {
	case EVR_LOCK:
		result = acquire(w, m, e, 0);
		break;
	case EVR_TRYLOCK:
		result = acquire(w, m, e, EBUSY);
		break;
	case EVR_TIMEDLOCK:
		/* POSIX lets it give up only while the mutex cannot be taken. */
		result = acquire(w, m, e, ETIMEDOUT);
		break;
	case EVR_UNLOCK:
		result = release(w, m, e);
		break;
	case EVR_MUTEX_INIT:
	case EVR_MUTEX_DESTROY:
		set(w, m, e);
		break;
	default:
		evr_bug("%s is not an event of a mutex", evr_event_kind_name(e->kind));
	}
	e->result = (evr_value)result;
}

void evr_model_execute_in_memory(struct evr_world *w, struct evr_step s, struct evr_event *e)
{
	switch (e->kind) {
	case EVR_READ:
		e->read = evr_memory_load(e->address, e->size);
		break;
	case EVR_WRITE:
		e->overwritten = evr_memory_load(e->address, e->size);
		evr_model_store(w, e->address, e->size, e->written);
		break;
	case EVR_RMW:
		e->read = evr_memory_load(e->address, e->size);
		e->operand = e->written;
		e->written = evr_rmw_result(e->op, e->read, e->written, e->size);
		evr_model_store(w, e->address, e->size, e->written);
		break;
	case EVR_CAS:
		e->read = evr_memory_load(e->address, e->size);
		if (e->read == e->expected)
			evr_model_store(w, e->address, e->size, e->written);
		break;
	case EVR_CHOOSE:
		e->chosen = s.variant;
		break;
	case EVR_FENCE:
	case EVR_FREE:
		break;
	default:
		evr_model_execute_mutex(w, e);
	}
}

static bool same_bytes(const struct evr_trace *t, const struct evr_event *a, const struct evr_event *b)
{
	(void)t;
	return (evr_event_reads(a) || evr_event_writes(a)) && (evr_event_reads(b) || evr_event_writes(b)) &&
	       a->address < b->address + b->size && b->address < a->address + a->size;
}

static bool is_atomic_update(const struct evr_event *e)
{
	return evr_event_reads(e) && evr_event_writes(e);
}

static bool rmws_are_atomic(const struct evr_graph *g)
{
	for (size_t i = 0; i < g->reads.len; i++) {
		const struct evr_graph_read *r = &g->reads.data[i];
		const struct evr_graph_byte *b = &g->bytes.data[r->byte];
		evr_event_id before = EVR_NO_EVENT;
		if (!is_atomic_update(&g->trace->events.data[r->read]))
			continue;
		for (size_t k = 0; k < b->writes.len && b->writes.data[k] != r->read; k++)
			before = b->writes.data[k];
		if (before != r->source)
			return false;
	}
	return true;
}

static bool coherent_at(const struct evr_graph *g, struct evr_relation *r, size_t byte)
{
	evr_relation_clear(r, g->trace->events.len);
	evr_graph_add_po(g, r, same_bytes);
	for (size_t i = 0; i < g->reads.len; i++) {
		const struct evr_graph_read *read = &g->reads.data[i];
		if (read->source != EVR_NO_EVENT && (byte == SIZE_MAX || read->byte == byte))
			evr_relation_add(r, read->source, read->read);
	}
	evr_graph_add_co(g, r, byte);
	evr_graph_add_fr(g, r, byte);
	return evr_relation_acyclic(r);
}

bool evr_axiom_coherent(const struct evr_graph *g)
{
	struct evr_relation r = { 0 };
	/*
	 * All bytes at once is stronger than one by one only where an access spans bytes that others access apart: a load
	 * may take some of its bytes from a buffer and others from memory.
	 */
	bool fine = coherent_at(g, &r, SIZE_MAX);
	for (size_t i = 0; !fine && i <= g->bytes.len; i++) {
		fine = i == g->bytes.len;
		if (!fine && !coherent_at(g, &r, i))
			break;
	}
	evr_relation_release(&r);
	return fine && rmws_are_atomic(g);
}

/* Of a mutex only the word that tells whether it is held counts; what lies behind nobody else looks at. */
uint32_t evr_model_extent(const struct evr_event *e)
{
	return evr_event_is_mutex(e) ? (uint32_t)sizeof(uint32_t) : e->size;
}

/* Cut `wide` where `other` begins or ends within it. */
static void cut_event(struct evr_world *w, const struct evr_event *wide, const struct evr_event *other)
{
	const uintptr_t ends[] = { other->address, other->address + evr_model_extent(other) };
	bool plain = (wide->kind == EVR_READ || wide->kind == EVR_WRITE) && evr_event_order(wide) == EVR_PLAIN;
	for (unsigned i = 0; i < EVR_COUNT(ends); i++) {
		if (ends[i] <= wide->address || ends[i] >= wide->address + evr_model_extent(wide))
			continue;
		if (!plain)
			evr_die("%s:%u and %s:%u access the same memory in different sizes, which model '%s' does not support",
				wide->site->file, wide->site->line, other->site->file, other->site->line,
				w->model->name);
		evr_learn_cut(&w->knowledge, ends[i]);
		/* Whoever halts the world has learned something: such an execution must never count. */
		evr_learn(&w->knowledge);
		w->halted = true;
	}
}

static bool accesses_memory(const struct evr_event *e)
{
	return e->size && e->kind < EVR_CREATE;
}

void evr_model_cut(struct evr_world *w, const struct evr_event *e)
{
	for (size_t i = 0; accesses_memory(e) && i < w->trace.events.len; i++) {
		const struct evr_event *o = &w->trace.events.data[i];
		if (!accesses_memory(o) ||
		    !evr_overlap(o->address, evr_model_extent(o), e->address, evr_model_extent(e)))
			continue;
		cut_event(w, o, e);
		cut_event(w, e, o);
	}
}

void evr_model_cut_locations(struct evr_world *w, const struct evr_locations *all)
{
	evr_location_ends ends = { 0 };
	for (uint32_t i = 0; i < all->all.len; i++) {
		if (!all->all.data[i].mixed || all->all.data[i].component != i)
			continue;
		evr_locations_divide(all, i, &ends);
		for (size_t k = 1; k + 1 < ends.len; k++)
			evr_learn_cut(&w->knowledge, ends.data[k]);
	}
	evr_vec_release(&ends);
}
