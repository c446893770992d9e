/*
 * What a function does with its locals: a forward data-flow analysis that keeps, for each byte of each local, whether it is
 * written on all paths, and one bit more for whether the local is in scope. Markers at the beginning and the end of a scope
 * make the local unwritten.
 *
 * As for the runtime (evr_access_load()), a read is fine if some of its bytes are written: the others may be padding, or
 * other bits of a bit-field. A copy is no read.
 */
#ifndef EVR_LOCALS_H
#define EVR_LOCALS_H

#include "instrument/module.h"

#define NO_LOCAL SIZE_MAX

/* What the analysis has found out about a local. The flags that begin with "may" only ever turn from false to true. */
struct local {
	LLVMValueRef alloca;
	uint64_t size;        /* in bytes */
	uint64_t first,
		bits; /* its bits in a state: one for each byte that is accessed, and behind them whether it is in scope */
	bool simple; /* all uses are accesses within bounds, and it is small enough to be tracked */
	bool declared; /* by the program; else it is the compiler's own */
	bool is_atomic; /* some access is */
	bool has_scope; /* has markers of its scope; else it is in scope from the function's entry on */
	bool may_dangle; /* may be accessed out of its scope */
	bool may_be_unset; /* may be read before any of it is written */
	bool may_be_partial; /* may be read before all of it is written */
	bool copied_outside; /* is copied from or to memory that stays: it must stay, too */
	bool may_copy_unset; /* may be copied before all of it is written */
};

/* A byte of a local. */
struct position {
	size_t local; /* or NO_LOCAL: other memory */
	uint64_t offset; /* in bytes */
	uint64_t bit; /* which of the local's bits stands for it */
};

enum use_kind { USE_READ, USE_WRITE, USE_COPY, USE_SCOPE_BEGIN, USE_SCOPE_END };

/* One instruction that uses one local, or, a copy, up to two. */
struct use {
	LLVMValueRef at;
	enum use_kind kind;
	struct position to, from;
	uint64_t size; /* in bytes */
	bool constant; /* a copy from a constant */
	bool may_be_partial; /* some of what is read may be unwritten */
};

struct locals_flow {
	struct module *m;
	LLVMValueRef function;
	EVR_VEC(struct local) locals;
	EVR_VEC(struct use) uses; /* of simple locals all; of others those up to the first that is not */
	struct evr_map use_of; /* instruction -> index of its use, from 1 */
	EVR_VEC(LLVMBasicBlockRef) blocks; /* that are reached, from the entry on */
	struct evr_map number; /* block -> its index, from 1 */
	size_t batch_first, batch_end; /* the locals being tracked */
	size_t words; /* of a state */
	EVR_VEC(uint64_t) states; /* of all blocks, at their beginnings; `words` for each */
};

/* locals_uses.c: find the function's locals and their uses. */
void locals_add(struct locals_flow *f);
/* locals_flow.c: fill in *f, which locals_release() releases. */
void locals_analyse(struct locals_flow *f, struct module *m, LLVMValueRef function);
void locals_release(struct locals_flow *f);

#endif
