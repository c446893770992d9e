/*
 * The lifetime of objects: blocks of the heap, locals, thread-local variables. One thread may end it (free(), a return, the end
 * of the thread) while another uses the object.
 *
 * Whether an object is alive is kept in a location of its own, its *life*: a byte that is 0 until the lifetime ends. Who ends it
 * does so by a compare-exchange of that byte, and who accesses the object reads the byte first. These are events like any
 * other, so models and engines know nothing of freed memory: an access that comes too late is a read of another value. A
 * finding is then the end of its thread, and no event at all.
 *
 * Between an access and its read of the life another thread may end the lifetime. That is no loss: nobody who begins later finds
 * the object alive, so what is still under way could have been done before.
 *
 * Only *contended* objects have such events: those whose lifetime was found to end, in some execution, while it is not ordered
 * with another thread's accesses by create and join. That is knowledge as sharing is: it outlives executions and only grows.
 */
#ifndef EVR_LIFETIME_H
#define EVR_LIFETIME_H

#include "runtime/memory/layout.h"
#include "runtime/memory/shadow.h"

static inline bool evr_is_life(uintptr_t address)
{
	return address - EVR_LIVES < EVR_ARENA_SIZE;
}

/* The object whose life it is. */
static inline uintptr_t evr_life_object(uintptr_t life)
{
	return life - EVR_LIVES + EVR_ARENA_BASE;
}

static inline bool evr_is_contended(uintptr_t address)
{
	return evr_cell(address)->flags & EVR_CELL_CONTENDED;
}

/* The current thread accesses a contended object, or finds memory gone: does not return if the lifetime is over. */
void evr_life_use(uintptr_t address, size_t size, bool write, const struct evr_site *site);
/*
 * Has a lifetime ended, in which all of these bytes were, at a time that is not ordered with the current thread? Then the object is
 * contended from now on, if it was not: the search starts again.
 */
bool evr_life_missed(uintptr_t address, size_t size);
/* Has the lifetime of a contended object ended? */
bool evr_life_is_over(uintptr_t object, const struct evr_site *site);
/* The current thread ends the lifetime of a contended object. False: somebody has done so before. */
bool evr_life_end(uintptr_t object, size_t size, const struct evr_site *site);
/*
 * The memory of an object goes away, whose lifetime the current thread has ended. If it is contended that is a FREE, with which
 * accesses may race, and after which no store must take effect. Was any of it shared?
 */
bool evr_life_destroy(uintptr_t object, size_t size, const struct evr_site *site);

#endif
