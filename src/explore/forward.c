/* The invariant of lists: a byte is in at most one element, since a load takes each byte from one store. */
#include "explore/forward.h"

#include <string.h>

/* An element of a list: the load takes these bytes from that store. */
struct evr_forward {
	uint32_t store; /* its index in the thread */
	uint32_t bytes;
	uint32_t rest; /* of the list */
};

void evr_forwards_init(struct evr_forwards *f, const struct evr_trace *t)
{
	*f = (struct evr_forwards){ .trace = t };
	evr_vec_push(&f->lists, (struct evr_forward){ 0 });
}

void evr_forwards_release(struct evr_forwards *f)
{
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		evr_vec_release(&f->buffered[i]);
	evr_vec_release(&f->lists);
	evr_map_release(&f->list_of);
}

/* ---- store buffers ---- */

static size_t buffer_index(const struct evr_forwards *f, evr_thread_id t, uint32_t index)
{
	const evr_event_ids *b = &f->buffered[t];
	for (size_t i = 0; i < b->len; i++)
		if (f->trace->events.data[b->data[i]].index == index)
			return i;
	evr_bug("an update without its store");
}

evr_event_id evr_forwards_update(struct evr_forwards *f, evr_thread_id t, uint32_t index)
{
	evr_event_ids *b = &f->buffered[t];
	size_t i = buffer_index(f, t, index);
	evr_event_id store = b->data[i];
	memmove(&b->data[i], &b->data[i + 1], (b->len - i - 1) * sizeof(*b->data));
	b->len--;
	return store;
}

void evr_forwards_undo_update(struct evr_forwards *f, evr_thread_id t, evr_event_id store)
{
	evr_event_ids *b = &f->buffered[t];
	evr_vec_push(b, store);
	for (size_t i = b->len - 1; i > 0 && b->data[i - 1] > store; i--) {
		b->data[i] = b->data[i - 1];
		b->data[i - 1] = store;
	}
}

/* ---- lists ---- */

static uint32_t all_bytes(uint32_t size)
{
	return size >= 32 ? ~0u : (1u << size) - 1;
}

uint32_t evr_common_bytes(uintptr_t address, uint32_t size, uintptr_t other, uint32_t n)
{
	uint32_t bytes = 0;
	for (uint32_t i = 0; i < size && i < 32; i++)
		bytes |= (uint32_t)(address + i - other < n) << i;
	return bytes;
}

uint32_t evr_memory_bytes(const struct evr_forwards *f, const struct evr_access *a)
{
	uint32_t bytes = all_bytes(a->size);
	for (uint32_t i = a->forward; i; i = f->lists.data[i].rest)
		bytes &= ~f->lists.data[i].bytes;
	return bytes;
}

static uint32_t list_with(struct evr_forwards *f, uint32_t store, uint32_t bytes, uint32_t rest)
{
	uint64_t key = (uint64_t)store << 44 | (uint64_t)bytes << 28 | rest;
	uint64_t *known = evr_map_get(&f->list_of, key);
	if (known)
		return (uint32_t)*known;
	uint32_t id = (uint32_t)f->lists.len;
	EVR_ASSERT(store < 1u << 20 && bytes < 1u << 16 && id < 1u << 28);
	evr_vec_push(&f->lists, (struct evr_forward){ store, bytes, rest });
	evr_map_put(&f->list_of, key, id);
	return id;
}

static uint32_t list_without(struct evr_forwards *f, uint32_t list, uint32_t store)
{
	if (!list)
		return 0;
	struct evr_forward first = f->lists.data[list];
	uint32_t rest = list_without(f, first.rest, store);
	return first.store == store ? rest : list_with(f, first.store, first.bytes, rest);
}

/* From the newest store to the oldest. */
uint32_t evr_forwards_of(struct evr_forwards *f, const struct evr_event *e)
{
	uint32_t list = 0, open = all_bytes(e->size);
	const evr_event_ids *b = &f->buffered[e->thread];
	for (size_t i = b->len; i-- > 0 && open;) {
		const struct evr_event *s = &f->trace->events.data[b->data[i]];
		uint32_t bytes = open & evr_common_bytes(e->address, e->size, s->address, s->size);
		if (bytes)
			list = list_with(f, s->index, bytes, list);
		open &= ~bytes;
	}
	return list;
}

evr_event_id evr_forwards_source(const struct evr_forwards *f, const struct evr_access *load, evr_thread_id t)
{
	return f->buffered[t].data[buffer_index(f, t, f->lists.data[load->forward].store)];
}

bool evr_forwards_updated_since(const struct evr_forwards *f, const struct evr_access *load, evr_thread_id t,
				uint32_t bytes)
{
	const evr_event_ids *b = &f->buffered[t];
	for (uint32_t i = load->forward; i; i = f->lists.data[i].rest) {
		bool waiting = false;
		for (size_t k = 0; k < b->len; k++)
			waiting |= f->trace->events.data[b->data[k]].index == f->lists.data[i].store;
		if (f->lists.data[i].bytes & bytes && !waiting)
			return true;
	}
	return false;
}

struct evr_access evr_forwards_without(struct evr_forwards *f, const struct evr_access *a, uint32_t index)
{
	struct evr_access access = *a;
	access.forward = list_without(f, a->forward, index);
	return access;
}

struct evr_access evr_forwards_with(struct evr_forwards *f, const struct evr_access *a, const struct evr_access *store,
				    uint32_t index)
{
	struct evr_access access = *a;
	uint32_t bytes = evr_memory_bytes(f, a) & evr_common_bytes(a->address, a->size, store->address, store->size);
	if (bytes)
		access.forward = list_with(f, index, bytes, a->forward);
	return access;
}
