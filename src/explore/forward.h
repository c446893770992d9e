/*
 * Store buffers, as happens-before (explore/hb.h) sees them: which stores of each thread are still buffered, and which bytes of a load
 * come from them rather than from memory.
 *
 * A load names the stores that it takes bytes from by a list. Lists are shared and never change, so that a number stands for one;
 * 0 is the empty list, that of nearly every access.
 */
#ifndef EVR_FORWARD_H
#define EVR_FORWARD_H

#include "base/map.h"
#include "event/trace.h"

/* A FREE conflicts with updates and nothing else. */
enum evr_access_kind { EVR_ACCESS_NONE, EVR_ACCESS_READ, EVR_ACCESS_WRITE, EVR_ACCESS_FREE };

/* What an event does to memory. */
struct evr_access {
	uintptr_t address;
	uint32_t size;
	uint8_t kind;     /* enum evr_access_kind */
	uint32_t forward; /* the list of stores of its own thread that it takes bytes from */
};

typedef EVR_VEC(evr_event_id) evr_event_ids;

struct evr_forwards {
	const struct evr_trace *trace;
	evr_event_ids buffered[EVR_MAX_THREADS]; /* the thread's stores that have not reached memory, oldest first */
	/* The rest is private. */
	EVR_VEC(struct evr_forward) lists; /* the first of them is the empty list */
	struct evr_map list_of; /* store, bytes and the rest of the list -> its number */
};

void evr_forwards_init(struct evr_forwards *f, const struct evr_trace *t);
void evr_forwards_release(struct evr_forwards *f);

/* The thread's store of that index reaches memory, and is returned. */
evr_event_id evr_forwards_update(struct evr_forwards *f, evr_thread_id t, uint32_t index);
/* That is undone. */
void evr_forwards_undo_update(struct evr_forwards *f, evr_thread_id t, evr_event_id store);

/* The list of buffered stores that this load, which is about to take place, takes bytes from. */
uint32_t evr_forwards_of(struct evr_forwards *f, const struct evr_event *e);
/* The oldest store of the load's list, which is still buffered. */
evr_event_id evr_forwards_source(const struct evr_forwards *f, const struct evr_access *load, evr_thread_id t);
/* Did the load of that thread take one of these bytes from a store that has reached memory since? */
bool evr_forwards_updated_since(const struct evr_forwards *f, const struct evr_access *load, evr_thread_id t,
				uint32_t bytes);

/* Bytes of an access are a bit set, of the first 32. Those that the other access covers: */
uint32_t evr_common_bytes(uintptr_t address, uint32_t size, uintptr_t other, uint32_t n);
/* Those that come from memory: */
uint32_t evr_memory_bytes(const struct evr_forwards *f, const struct evr_access *a);
/* The same access if the thread's store of that index has reached memory. */
struct evr_access evr_forwards_without(struct evr_forwards *f, const struct evr_access *a, uint32_t index);
/* The same load if that store of its thread, with this index, is still buffered: what it finds in memory of the store, it takes from there. */
struct evr_access evr_forwards_with(struct evr_forwards *f, const struct evr_access *a, const struct evr_access *store,
				    uint32_t index);

#endif
