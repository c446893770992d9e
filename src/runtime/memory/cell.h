/*
 * A shadow cell, and what a thread has at hand for the fast paths: what the code that is inlined into the program
 * (instrument/fast_paths.c) shares with the runtime. EVR_ABI_VERSION changes with it.
 */
#ifndef EVR_CELL_H
#define EVR_CELL_H

#include <stdint.h>

/* Cells are found from so many low bits of an address. */
#define EVR_WINDOW_BITS 38
#define EVR_WINDOW_MASK ((UINT64_C(1) << EVR_WINDOW_BITS) - 1)
#define EVR_CELLS_BASE UINT64_C(0x300000000000)

/*
 * A cell's stamp has the eight bits of the address above the window in the place where the address has them, and 0 in the three lowest bits. So what
 * the fast path compares with, the thread's stamp with the address's bits in these places, tells three things at once: whose word it is, that the
 * address is the one that the cell is of, and that it is aligned.
 */
#define EVR_REGION_MASK (UINT64_C(0xff) << EVR_WINDOW_BITS)

struct evr_cell {
	uint64_t stamp;
	/* Bytes that the thread of the stamp has read, that are initialised, that it has written: these lie side by side for evr_cell_whole(). */
	uint8_t read, initialised, written;
	uint8_t valid; /* bytes that exist; in the arena only if the stamp is of this execution */
	uint8_t shared;
	uint8_t region;
	uint8_t flags; /* enum evr_cell_flag */
	uint8_t constant; /* must not be written */
};

/* Before the cells there is a page with the stamp of the current thread's struct evr_fast: so the fast path finds it with what it finds cells with. */
#define EVR_STAMP_PAGE (EVR_CELLS_BASE - 4096)
#define EVR_STAMP_PLACE (EVR_CELLS_BASE - 64)
/*
 * The page begins with a table of functions that calls through pointers need no hook for (EVR_CALLEE_QUIET), each in the place that its address
 * says, if another one does not have it.
 */
#define EVR_QUIET_MASK UINT64_C(0x7f8) /* of half the address: the offset in the table */

static inline uintptr_t *evr_quiet_callee(uintptr_t function)
{
	return (uintptr_t *)(uintptr_t)(EVR_STAMP_PAGE + (function >> 1 & EVR_QUIET_MASK));
}

/* A loop's iterations are looked at whenever so many are over. */
#define EVR_LOOP_NOTICE 64

/* The first member of struct evr_thread. */
struct evr_fast {
	uint64_t
		stamp; /* but for the region, of the cells that only this thread has touched, in its present period; 0: no fast path, because a journal is kept */
	long loop_bound; /* -1: none */
	/* Accesses that its journals have noted since its last event. From EVR_COMPUTES on it keeps few: runtime/threads/retry.c. */
	uint64_t noted;
	/*
	 * Of its frame arena (frame.c): where the next local goes, what it may not exceed, and the highest place that a function must not give back
	 * without more ado when it returns: where the last local begins, or what is used only once.
	 */
	uint64_t frames_top, frames_limit, frames_held;
};

#define EVR_FRAMES_GAP 16 /* before each local, which is aligned to as much */

#define EVR_COMPUTES 1024

/* The word of a loop's state (HOOK evr_retry) that is UINT64_MAX if the present iteration is not compared with the next one. */
#define EVR_ROUND_JOURNAL 2

#endif
