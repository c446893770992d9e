/*
 * Relations between all events, built as check_races.h says and closed before anybody asks. Slow, and simple on purpose.
 *
 * Invariant: the trace respects program order and reads-from, so that happens-before leads from earlier events to later ones.
 */
#include "explore/check_races.h"

#include <string.h>

void evr_race_definition_release(struct evr_race_definition *d)
{
	evr_relation_release(&d->before);
	evr_vec_release(&d->sequence);
}

/* ---- what an event is ---- */

static bool exchanges(const struct evr_event *e)
{
	return e->kind == EVR_RMW || (e->kind == EVR_CAS && e->read == e->expected);
}

static bool is_store(const struct evr_event *e)
{
	return e->kind == EVR_WRITE || e->kind == EVR_FREE || exchanges(e);
}

static bool is_access(const struct evr_event *e)
{
	return is_store(e) || e->kind == EVR_READ || e->kind == EVR_CAS;
}

static bool is_atomic(const struct evr_event *e)
{
	return is_access(e) && e->kind != EVR_FREE && e->site->order != EVR_PLAIN;
}

static unsigned order_of(const struct evr_event *e)
{
	bool failed = e->kind == EVR_CAS && e->read != e->expected;
	return failed ? evr_site_failure(e->site) : e->site->order;
}

static bool has_acquire(const struct evr_event *e)
{
	return order_of(e) == EVR_ACQUIRE || order_of(e) == EVR_ACQ_REL || order_of(e) == EVR_SEQ_CST;
}

static bool has_release(const struct evr_event *e)
{
	return order_of(e) == EVR_RELEASE || order_of(e) == EVR_ACQ_REL || order_of(e) == EVR_SEQ_CST;
}

static bool takes_lock(const struct evr_event *e)
{
	return (e->kind == EVR_LOCK || e->kind == EVR_TRYLOCK || e->kind == EVR_TIMEDLOCK) && e->result == 0;
}

/* The lock of a large atomic object, or of a condition variable's list: no lock of the program's. */
static bool is_internal(const struct evr_event *e)
{
	return e->lock == EVR_LOCK_ATOMIC || e->lock == EVR_LOCK_COND;
}

/* ---- synchronises-with ---- */

static void add(struct evr_race_definition *d, size_t a, size_t b)
{
	evr_relation_add(&d->before, (evr_event_id)a, (evr_event_id)b);
}

static bool share_byte(const struct evr_event *a, const struct evr_event *b)
{
	const struct evr_event *low = a->address <= b->address ? a : b, *high = low == a ? b : a;
	return low->size && high->size && high->address - low->address < low->size;
}

/* Mark the release sequence of the atomic write `head`: until nothing is new. */
static void find_sequence(struct evr_race_definition *d, const struct evr_graph *g, size_t head)
{
	const struct evr_event *events = g->trace->events.data;
	memset(d->sequence.data, 0, g->trace->events.len * sizeof(bool));
	d->sequence.data[head] = true;
	for (size_t i = head + 1; d->c11 && i < g->trace->events.len; i++)
		d->sequence.data[i] = events[i].thread == events[head].thread && is_store(&events[i]) &&
				      is_atomic(&events[i]) && share_byte(&events[i], &events[head]);
	for (bool more = true; more;) {
		more = false;
		for (size_t b = 0; b < g->bytes.len; b++) {
			const struct evr_graph_byte *x = &g->bytes.data[b];
			for (size_t i = 0; i + 1 < x->writes.len; i++) {
				evr_event_id next = x->writes.data[i + 1];
				if (!d->sequence.data[x->writes.data[i]] || d->sequence.data[next] ||
				    !exchanges(&events[next]) || !is_atomic(&events[next]))
					continue;
				d->sequence.data[next] = more = true;
			}
		}
	}
}

/* The write's release sequence was read by the read: from where to where does that order? */
static void synchronise(struct evr_race_definition *d, const struct evr_trace *t, size_t write, size_t read)
{
	const struct evr_event *w = &t->events.data[write], *r = &t->events.data[read];
	for (size_t i = 0; i <= write; i++) {
		const struct evr_event *from = &t->events.data[i];
		bool heads = i == write ? has_release(w)
					: from->kind == EVR_FENCE && from->thread == w->thread && has_release(from);
		for (size_t j = read; heads && j < t->events.len; j++) {
			const struct evr_event *to = &t->events.data[j];
			if (j == read ? has_acquire(r)
				      : to->kind == EVR_FENCE && to->thread == r->thread && has_acquire(to))
				add(d, i, j);
		}
	}
}

static void add_atomics(struct evr_race_definition *d, const struct evr_graph *g)
{
	const struct evr_trace *t = g->trace;
	for (size_t w = 0; w < t->events.len; w++) {
		if (!is_store(&t->events.data[w]) || !is_atomic(&t->events.data[w]))
			continue;
		find_sequence(d, g, w);
		for (size_t i = 0; i < g->reads.len; i++) {
			const struct evr_graph_read *r = &g->reads.data[i];
			bool reads = r->source != EVR_NO_EVENT && d->sequence.data[r->source];
			/* An exchange is a member of its own sequence's continuation, not a reader of itself. */
			if (reads && r->read != w && is_atomic(&t->events.data[r->read]))
				synchronise(d, t, w, r->read);
		}
	}
}

/* Lock operations on one lock are totally ordered, and stand in that order. */
static void add_locks(struct evr_race_definition *d, const struct evr_trace *t)
{
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *u = &t->events.data[i];
		if (u->kind != EVR_UNLOCK || u->result != 0 || is_internal(u))
			continue;
		for (size_t j = i + 1; j < t->events.len; j++) {
			const struct evr_event *l = &t->events.data[j];
			if (!evr_kind_is_mutex(l->kind) || l->address != u->address)
				continue;
			if (takes_lock(l))
				add(d, i, j);
			/* From the next one on, it is somebody else's to tell; and a new mutex knows nothing of the old. */
			if (takes_lock(l) || l->kind == EVR_MUTEX_INIT)
				break;
		}
	}
}

static void add_threads(struct evr_race_definition *d, const struct evr_trace *t)
{
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *a = &t->events.data[i];
		for (size_t j = i + 1; j < t->events.len; j++) {
			const struct evr_event *b = &t->events.data[j];
			/* When a buffered store reaches memory is no step of its thread. */
			if (a->kind == EVR_UPDATE || b->kind == EVR_UPDATE)
				continue;
			if (a->thread == b->thread || (a->kind == EVR_CREATE && a->other == b->thread) ||
			    (b->kind == EVR_JOIN && b->other == a->thread))
				add(d, i, j);
		}
	}
}

/* ---- races ---- */

bool evr_race_define(struct evr_race_definition *d, const struct evr_graph *g, evr_race_pairs *out)
{
	const struct evr_trace *t = g->trace;
	size_t n = t->events.len;
	bool cyclic = false;
	evr_relation_clear(&d->before, n);
	evr_vec_reserve(&d->sequence, n + 1);
	EVR_ASSERT(d->sequence.data);
	add_threads(d, t);
	add_atomics(d, g);
	add_locks(d, t);
	evr_relation_close(&d->before);
	for (evr_event_id j = 0; j < n; j++) {
		const struct evr_event *b = &t->events.data[j];
		cyclic |= evr_relation_has(&d->before, j, j);
		for (evr_event_id i = 0; i < j; i++) {
			const struct evr_event *a = &t->events.data[i];
			if (a->thread != b->thread && is_access(a) && is_access(b) && share_byte(a, b) &&
			    (is_store(a) || is_store(b)) && !(is_atomic(a) && is_atomic(b)) &&
			    !evr_relation_has(&d->before, i, j) && !evr_relation_has(&d->before, j, i))
				evr_vec_push(out, ((struct evr_race_pair){ i, j }));
		}
	}
	return !cyclic;
}

static bool is_told(const struct evr_trace *t, const evr_race_pairs *by, struct evr_race_pair p, bool exactly)
{
	const struct evr_event *a = &t->events.data[p.first];
	for (size_t i = 0; i < by->len; i++) {
		const struct evr_event *b = &t->events.data[by->data[i].first];
		bool same = a == b;
		if (!exactly)
			same |= b > a && a->thread == b->thread && a->site == b->site && is_store(a) == is_store(b);
		if (same && by->data[i].second == p.second)
			return true;
	}
	return false;
}

bool evr_races_agree(const struct evr_trace *t, const evr_race_pairs *defined, const evr_race_pairs *found)
{
	bool agree = true;
	for (size_t i = 0; i < found->len; i++)
		agree &= is_told(t, defined, found->data[i], true);
	for (size_t i = 0; i < defined->len; i++)
		agree &= is_told(t, found, defined->data[i], false);
	return agree;
}
