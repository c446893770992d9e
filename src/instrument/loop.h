/* A loop of the program, as blocks, found by the hook at its head. */
#ifndef EVR_LOOP_H
#define EVR_LOOP_H

#include "instrument/module.h"

typedef EVR_VEC(LLVMBasicBlockRef) block_vec;

struct loop {
	LLVMValueRef hook; /* the call of evr_loop() at its head */
	LLVMBasicBlockRef head;
	struct evr_map blocks; /* of the loop */
	block_vec latches;     /* those that lead back to the head */
};

/* All calls of a hook in the module: of evr_loop(), the heads of all loops. */
void hook_calls(struct module *m, enum hook h, value_vec *out);
/* Fill in the rest, of which `hook` is known. */
void loop_find(struct loop *l);
void loop_release(struct loop *l);
bool loop_has(const struct loop *l, LLVMBasicBlockRef b);
bool loop_is_latch(const struct loop *l, LLVMBasicBlockRef b);
/* Does the head's phi bring something new from one time round to the next, and does it matter? */
bool loop_carries(const struct loop *l, LLVMValueRef phi);
void loop_add_predecessors(LLVMBasicBlockRef b, block_vec *out);

#endif
