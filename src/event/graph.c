/*
 * The relations of an execution, byte by byte, out of its trace; and relations between events, as matrices.
 *
 * Invariant: the writes of a byte are in coherence order, and each byte of a read has its source, however the trace tells them. A
 * buffered store is a write where its UPDATE stands; an UPDATE itself is in no relation.
 */
#include "event/graph.h"

#include <string.h>

void evr_graph_release(struct evr_graph *g)
{
	for (size_t i = 0; i < g->bytes.len; i++)
		evr_vec_release(&g->bytes.data[i].writes);
	evr_vec_release(&g->bytes);
	evr_vec_release(&g->reads);
	evr_map_release(&g->byte_of);
}

static size_t byte_at(struct evr_graph *g, uintptr_t address)
{
	uint64_t *known = evr_map_get(&g->byte_of, address);
	if (known)
		return *known;
	size_t i = g->bytes.len;
	evr_map_put(&g->byte_of, address, i);
	evr_vec_push(&g->bytes, (struct evr_graph_byte){ .address = address });
	return i;
}

static void append_write(struct evr_graph *g, const struct evr_event *e, evr_event_id id)
{
	for (unsigned i = 0; i < e->size; i++) {
		size_t b = byte_at(g, e->address + i);
		evr_vec_push(&g->bytes.data[b].writes, id);
	}
}

static void insert_write(struct evr_graph *g, const struct evr_event *e, evr_event_id id, evr_event_id after)
{
	append_write(g, e, id);
	for (unsigned i = 0; i < e->size; i++) {
		struct evr_graph_byte *b = &g->bytes.data[byte_at(g, e->address + i)];
		for (size_t k = b->writes.len - 1; k > 0 && b->writes.data[k - 1] != after; k--) {
			b->writes.data[k] = b->writes.data[k - 1];
			b->writes.data[k - 1] = id;
		}
	}
}

/* The newest write to the byte that the thread has made and that has not reached memory. */
static evr_event_id forwarded(const struct evr_trace *t, size_t before, evr_thread_id thread, uintptr_t address)
{
	for (size_t i = before; i-- > 0;) {
		const struct evr_event *w = &t->events.data[i];
		if (!evr_event_is_buffered(w) || w->thread != thread || address - w->address >= w->size)
			continue;
		for (size_t k = i + 1; k < before; k++) {
			const struct evr_event *u = &t->events.data[k];
			if (u->kind == EVR_UPDATE && u->thread == thread && u->index == w->index)
				return EVR_NO_EVENT; /* in memory, and so are all older ones to this byte */
		}
		return (evr_event_id)i;
	}
	return EVR_NO_EVENT;
}

/* The store that an update carries to memory. */
static evr_event_id store_of(const struct evr_trace *t, const struct evr_event *update)
{
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *w = &t->events.data[i];
		if (w->kind == EVR_WRITE && w->thread == update->thread && w->index == update->index)
			return (evr_event_id)i;
	}
	evr_bug("an update without its store");
}

/* What took effect at this place in the trace. */
static evr_event_id store_at(const struct evr_trace *t, evr_event_id i)
{
	return t->events.data[i].kind == EVR_UPDATE ? store_of(t, &t->events.data[i]) : i;
}

static void add_reads(struct evr_graph *g, size_t i, bool names_sources)
{
	const struct evr_event *e = &g->trace->events.data[i];
	for (unsigned k = 0; k < e->size; k++) {
		size_t b = byte_at(g, e->address + k);
		evr_event_id source = e->source;
		if (!names_sources) {
			const struct evr_graph_byte *byte = &g->bytes.data[b];
			source = forwarded(g->trace, i, e->thread, e->address + k);
			if (e->kind == EVR_READ && e->flags & EVR_STALE)
				source = e->source == EVR_NO_EVENT ? EVR_NO_EVENT : store_at(g->trace, e->source);
			else if (source == EVR_NO_EVENT && byte->writes.len)
				source = evr_vec_last(&byte->writes);
		}
		evr_vec_push(&g->reads, (struct evr_graph_read){ (evr_event_id)i, source, b });
	}
}

void evr_graph_build(struct evr_graph *g, const struct evr_trace *t, bool names_sources)
{
	for (size_t i = 0; i < g->bytes.len; i++)
		evr_vec_release(&g->bytes.data[i].writes);
	evr_vec_clear(&g->bytes);
	evr_vec_clear(&g->reads);
	evr_map_clear(&g->byte_of);
	g->trace = t;
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		if (evr_event_reads(e))
			add_reads(g, i, names_sources);
		if (e->kind == EVR_UPDATE)
			append_write(g, e, store_of(t, e));
		else if (evr_event_writes(e) && names_sources && !evr_event_is_mutex(e) && e->kind != EVR_FREE)
			insert_write(g, e, (evr_event_id)i, e->predecessor);
		else if (evr_event_writes(e) && !evr_event_is_buffered(e))
			append_write(g, e, (evr_event_id)i);
	}
}

void evr_graph_link(const struct evr_graph *g, struct evr_trace *t)
{
	for (size_t i = g->reads.len; i-- > 0;)
		t->events.data[g->reads.data[i].read].source = g->reads.data[i].source;
}

void evr_relation_release(struct evr_relation *r)
{
	evr_vec_release(&r->bits);
}

void evr_relation_clear(struct evr_relation *r, size_t n)
{
	r->n = n;
	r->words = (n + 63) / 64;
	evr_vec_reserve(&r->bits, n * r->words + 1);
	EVR_ASSERT(r->bits.data);
	memset(r->bits.data, 0, n * r->words * sizeof(uint64_t));
}

void evr_relation_add(struct evr_relation *r, evr_event_id a, evr_event_id b)
{
	r->bits.data[a * r->words + b / 64] |= UINT64_C(1) << (b % 64);
}

bool evr_relation_has(const struct evr_relation *r, evr_event_id a, evr_event_id b)
{
	return r->bits.data[a * r->words + b / 64] >> (b % 64) & 1;
}

void evr_relation_close(struct evr_relation *r)
{
	for (size_t k = 0; k < r->n; k++)
		for (size_t i = 0; i < r->n; i++)
			if (evr_relation_has(r, (evr_event_id)i, (evr_event_id)k))
				for (size_t w = 0; w < r->words; w++)
					r->bits.data[i * r->words + w] |= r->bits.data[k * r->words + w];
}

bool evr_relation_acyclic(const struct evr_relation *r)
{
	struct evr_relation closed = { 0 };
	evr_relation_clear(&closed, r->n);
	memcpy(closed.bits.data, r->bits.data, r->n * r->words * sizeof(uint64_t));
	evr_relation_close(&closed);
	bool acyclic = evr_relation_irreflexive(&closed);
	evr_relation_release(&closed);
	return acyclic;
}

bool evr_relation_irreflexive(const struct evr_relation *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (evr_relation_has(r, (evr_event_id)i, (evr_event_id)i))
			return false;
	return true;
}

void evr_relation_copy(struct evr_relation *to, const struct evr_relation *from)
{
	evr_relation_clear(to, from->n);
	evr_relation_unite(to, from);
}

void evr_relation_unite(struct evr_relation *to, const struct evr_relation *from)
{
	for (size_t w = 0; w < from->n * from->words; w++)
		to->bits.data[w] |= from->bits.data[w];
}

void evr_relation_add_composition(struct evr_relation *to, const struct evr_relation *first,
				  const struct evr_relation *second)
{
	for (size_t i = 0; i < to->n; i++)
		for (size_t k = 0; k < to->n; k++)
			if (evr_relation_has(first, (evr_event_id)i, (evr_event_id)k))
				for (size_t w = 0; w < to->words; w++)
					to->bits.data[i * to->words + w] |= second->bits.data[k * to->words + w];
}

/* UPDATEs are no events of the program; the graph is about stores. */
void evr_graph_add_po(const struct evr_graph *g, struct evr_relation *r, evr_keep_fn *keep)
{
	const struct evr_trace *t = g->trace;
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *a = &t->events.data[i];
		for (size_t j = i + 1; j < t->events.len; j++) {
			const struct evr_event *b = &t->events.data[j];
			if (a->kind == EVR_UPDATE || b->kind == EVR_UPDATE)
				continue;
			bool linked = (a->kind == EVR_CREATE && a->other == b->thread) ||
				      (b->kind == EVR_JOIN && b->other == a->thread);
			if (linked || (a->thread == b->thread && (!keep || keep(t, a, b))))
				evr_relation_add(r, (evr_event_id)i, (evr_event_id)j);
		}
	}
}

void evr_graph_add_rf(const struct evr_graph *g, struct evr_relation *r, bool external_only)
{
	const struct evr_event *events = g->trace->events.data;
	for (size_t i = 0; i < g->reads.len; i++) {
		const struct evr_graph_read *x = &g->reads.data[i];
		if (x->source == EVR_NO_EVENT)
			continue;
		if (!external_only || events[x->source].thread != events[x->read].thread)
			evr_relation_add(r, x->source, x->read);
	}
}

void evr_graph_add_co(const struct evr_graph *g, struct evr_relation *r, size_t byte)
{
	for (size_t b = 0; b < g->bytes.len; b++) {
		const struct evr_graph_byte *x = &g->bytes.data[b];
		for (size_t i = 0; i + 1 < x->writes.len && (byte == SIZE_MAX || byte == b); i++)
			evr_relation_add(r, x->writes.data[i], x->writes.data[i + 1]);
	}
}

void evr_graph_add_fr(const struct evr_graph *g, struct evr_relation *r, size_t byte)
{
	for (size_t i = 0; i < g->reads.len; i++) {
		const struct evr_graph_read *x = &g->reads.data[i];
		const struct evr_graph_byte *b = &g->bytes.data[x->byte];
		if (byte != SIZE_MAX && byte != x->byte)
			continue;
		bool later = x->source == EVR_NO_EVENT;
		for (size_t k = 0; k < b->writes.len; k++) {
			/* A read-modify-write does not come before itself. */
			if (later && b->writes.data[k] != x->read)
				evr_relation_add(r, x->read, b->writes.data[k]);
			later |= b->writes.data[k] == x->source;
		}
	}
}
