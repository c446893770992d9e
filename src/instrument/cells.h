/*
 * What inlined code asks of shadow cells. Conditions of accesses are looked at together: each is a number of 64 bits that is 0 if it holds. A branch
 * for each would make of a large function so many blocks that the compiler takes ten times as long.
 */
#ifndef EVR_CELLS_H
#define EVR_CELLS_H

#include "instrument/module.h"

/* A member of a struct, at this offset. */
LLVMValueRef cells_member(struct module *m, LLVMTypeRef type, LLVMValueRef base, size_t offset);
/* The current thread's struct evr_fast, which is its first member. */
LLVMValueRef cells_current(struct module *m);
/* What the stamp of the address's cell is if the word is the current thread's own, and the address aligned to `size`. */
LLVMValueRef cells_own_stamp(struct module *m, LLVMValueRef address, unsigned size);
LLVMValueRef cells_of(struct module *m, LLVMValueRef address);
/* 0 if they are the same. */
LLVMValueRef cells_unless_stamp(struct module *m, LLVMValueRef cell, LLVMValueRef stamp);
/* 0 if the cell says that all of these bytes of its word were read, and all of those written; `first`: they begin there, or NULL. */
LLVMValueRef cells_missing(struct module *m, LLVMValueRef cell, LLVMValueRef first, unsigned read, unsigned written);
/* Where the address is in its word. */
LLVMValueRef cells_first(struct module *m, LLVMValueRef address);
/* Metadata of a branch on one of these conditions: it holds nearly always. */
LLVMValueRef cells_weights(struct module *m);

#endif
