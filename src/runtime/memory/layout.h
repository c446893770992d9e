/*
 * Where the program's memory lies. Everything that the program can allocate has a fixed address, a function of the
 * thread and of what it allocated before, so that every execution sees the same addresses.
 *
 * Each aligned word of eight bytes of program memory has a shadow cell, found from the low bits of its address. The
 * arena's addresses are chosen so that their low bits meet neither those of executables nor of shared libraries; the byte
 * `region` of a cell, the address bits above, tells a stray address from the one that the cell belongs to.
 */
#ifndef EVR_LAYOUT_H
#define EVR_LAYOUT_H

#include "event/event.h"
#include "runtime/memory/cell.h"

#include <stddef.h>
#include <stdint.h>

#define EVR_GIB (UINT64_C(1) << 30)
#define EVR_MIB (UINT64_C(1) << 20)
#define EVR_PAGE ((size_t)4096) /* of the program: what it maps is aligned to it */

/* The arena: heaps, escaping locals, thread-local storage, the program's arguments. */
#define EVR_ARENA_BASE UINT64_C(0x201800000000)
#define EVR_ARENA_SIZE (120 * EVR_GIB)

#define EVR_MAIN_HEAP EVR_ARENA_BASE
#define EVR_MAIN_HEAP_SIZE (32 * EVR_GIB)
#define EVR_FRAMES (EVR_MAIN_HEAP + EVR_MAIN_HEAP_SIZE)
#define EVR_FRAMES_SIZE (16 * EVR_MIB)
/*
 * So much of a thread's frames is used only once in an execution, so that whoever has kept the address of a local finds
 * nothing there after its function has returned, not the next function's local. It is little enough to stay in the cache.
 */
#define EVR_USED_ONCE (64 << 10)
#define EVR_TLS (EVR_FRAMES + EVR_MAX_THREADS * EVR_FRAMES_SIZE)
#define EVR_TLS_SIZE (4 * EVR_MIB)
#define EVR_FRAMES_END (EVR_TLS + EVR_MAX_THREADS * EVR_TLS_SIZE) /* thread-local storage included */
#define EVR_HEAPS (EVR_ARENA_BASE + 64 * EVR_GIB) /* of the other threads */
#define EVR_HEAP_SIZE (55 * EVR_MIB)
#define EVR_ARGUMENTS \
	(EVR_HEAPS + EVR_MAX_THREADS * EVR_HEAP_SIZE) /* the last, as they do not begin anew with each execution */
#define EVR_ARGUMENTS_SIZE (16 * EVR_MIB)

_Static_assert(EVR_FRAMES_END <= EVR_HEAPS && EVR_ARGUMENTS + EVR_ARGUMENTS_SIZE <= EVR_ARENA_BASE + EVR_ARENA_SIZE,
	       "the parts of the arena lie one behind the other, within it");

/* For each byte of the arena one that tells whether the object that begins there is alive: runtime/memory/lifetime.h. */
#define EVR_LIVES UINT64_C(0x204000000000)

#endif
