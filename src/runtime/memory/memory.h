/*
 * The program's memory as the rest of the runtime sees it: blocks of the heap, locals, accesses. What is known of each word is in
 * shadow.h, what becomes of an object whose lifetime another thread may end in lifetime.h.
 */
#ifndef EVR_MEMORY_H
#define EVR_MEMORY_H

#include "base/vec.h"
#include "event/event.h"
#include "runtime/abi.h"

struct evr_thread;

enum evr_block_kind {
	EVR_BLOCK_ALLOCATED, /* malloc() and its relatives */
	EVR_BLOCK_MAPPED,    /* mmap() */
	EVR_BLOCK_KEPT,      /* the library's own, for good */
};

struct evr_block {
	uintptr_t address;
	size_t size;
	enum evr_block_kind kind;
	const struct evr_site *allocated, *freed; /* freed == NULL: alive */
	evr_thread_id freed_by;
	bool moved; /* freed by realloc(), which put it elsewhere */
	uint16_t freed_in; /* period of that thread */
	uint32_t allocated_at, freed_at; /* index of the next event of the thread that did so */
};

struct evr_local {
	uintptr_t address;
	size_t size;
	const struct evr_variable *variable;
	const struct evr_site *left; /* where its function returned; NULL: alive */
	bool abandoned; /* it did not: the thread ended there */
	bool block;     /* or the block ended there */
	uint16_t left_in; /* period of its thread */
};

/* heap.c, frame.c */
/* The block that the address belongs to or is nearest behind, of any thread; NULL if none. */
struct evr_block *evr_heap_find(uintptr_t address, evr_thread_id *owner, size_t *number);
/* The last block of the heap that the address is in, behind all that was allocated there; NULL if it is not. */
const struct evr_block *evr_heap_below(uintptr_t address, evr_thread_id *owner);
/* Zeros, at a page's start, until evr_heap_unmap() of all of it. NULL with errno. */
void *evr_heap_map(size_t size, const struct evr_site *site);
/* Returns false if it is part of a mapping only, which is not supported. */
bool evr_heap_unmap(void *p, size_t size, const struct evr_site *site);
/* Memory that a function of the library never gives back. */
void *evr_heap_keep(size_t size, const struct evr_site *site);
/* Gives back all locals of the thread, which ends without returning from its functions. */
void evr_frame_abandon(struct evr_thread *t, const struct evr_site *site);
/* The local that the address is in, or was in before it was left, or is nearest to; NULL if none. */
const struct evr_local *evr_frame_near(uintptr_t address);
void evr_heap_report_leaks(void);

/* access.c: one access of up to 16 bytes, as the program's own instructions make them. */
evr_value evr_access_load(uintptr_t address, size_t size, const struct evr_site *site);
void evr_access_store(uintptr_t address, size_t size, evr_value value, const struct evr_site *site);
evr_value evr_access_rmw(uintptr_t address, size_t size, evr_value operand, unsigned op, const struct evr_site *site);
evr_value evr_access_cas(uintptr_t address, size_t size, evr_value expected, evr_value desired,
			 const struct evr_site *site);
/* Can others see accesses to it, all or none of its bytes? Ends the thread with a finding if it may not be accessed. */
bool evr_access_visible(uintptr_t address, size_t size, bool write, const struct evr_site *site);
/* The same place in the source with another order, and with more flags. */
const struct evr_site *evr_site_as(const struct evr_site *site, enum evr_order order, unsigned flags);
/* A finding if there are no such bytes to read, even if they are not read. */
void evr_access_expect(const void *from, size_t size, const struct evr_site *site);
/* copy.c: for the library's wrappers. Both end the thread with a finding if the memory may not be accessed. */
void evr_access_read(void *to, const void *from, size_t size, const struct evr_site *site);
/* The same, for what the function does not merely copy: that nobody wrote it is a finding, too. */
void evr_access_look(void *to, const void *from, size_t size, const struct evr_site *site);
void evr_access_write(void *to, const void *from, size_t size, const struct evr_site *site);
/* The same for bytes rather than numbers: how they are accessed fits the program's own accesses to them. */
void evr_access_read_text(void *to, const void *from, size_t size, const struct evr_site *site);
void evr_access_write_text(void *to, const void *from, size_t size, const struct evr_site *site);
/* memmove of program memory: uninitialised bytes stay so. */
void evr_access_copy(void *to, const void *from, size_t size, const struct evr_site *site);
/* A finding if the two places have bytes in common. */
void evr_access_apart(const void *to, const void *from, size_t size, const struct evr_site *site);
/* The length of a string in program memory, read as the program would. */
size_t evr_access_strlen(const char *s, const struct evr_site *site);
/* atomic.c: the object whose lock lies at this address; 0 if there lies none. */
uintptr_t evr_atomic_locked(uintptr_t address, size_t *size);

#endif
