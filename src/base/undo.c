#include "base/undo.h"

void evr_undo_range(struct evr_undo *u, uintptr_t address, size_t size)
{
	for (uintptr_t a = address & ~(uintptr_t)7; a < address + size; a += 8)
		evr_undo_word(u, a);
}

void evr_undo_restore(struct evr_undo *u)
{
	for (size_t i = u->log.len; i-- > 0;)
		*u->log.data[i].word = u->log.data[i].old;
	evr_vec_clear(&u->log);
}

void evr_undo_release(struct evr_undo *u)
{
	evr_vec_release(&u->log);
}
