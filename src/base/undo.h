/*
 * The undo log: old contents of the program's memory, in the order in which they were overwritten.
 * Going back through it gives the memory that the next execution starts from; its cost follows what an
 * execution wrote, not how much memory the program has.
 *
 * An entry is an aligned word of eight bytes. The same word may be logged twice; the older entry wins.
 */
#ifndef EVR_UNDO_H
#define EVR_UNDO_H

#include "base/vec.h"

struct evr_undo_entry {
	uint64_t *word;
	uint64_t old;
};

struct evr_undo {
	EVR_VEC(struct evr_undo_entry) log;
};

static inline void evr_undo_word(struct evr_undo *u, uintptr_t address)
{
	uint64_t *word = (uint64_t *)(address & ~(uintptr_t)7);
	evr_vec_push(&u->log, (struct evr_undo_entry){ word, *word });
}

/* Log every word that [address, address + size) touches. */
void evr_undo_range(struct evr_undo *u, uintptr_t address, size_t size);
/* Restore all that was logged, and forget it. */
void evr_undo_restore(struct evr_undo *u);
void evr_undo_release(struct evr_undo *u);

#endif
