/*
 * What most calls of hooks come to is inlined into the program: a plain access to bytes that only this thread has accessed, in its present
 * period and in this way before, and an iteration of a loop that nobody has to look at. Everything else still calls the hook.
 *
 * An inlined access takes the compiler ten times as long as a call. So only those are inlined that may run often, and no more than MOST of a module.
 *
 * Invariant: whatever the inlined code does without a call, the hook does as well (ACCESSES in runtime/memory/access.c, evr_loop()).
 */
#include "instrument/module.h"

#include "runtime/memory/cell.h"

#include <stddef.h>
#include <string.h>

/* A function that calls the hook unless all its conditions hold. */
struct path {
	struct module *m;
	LLVMValueRef function;
	LLVMBasicBlockRef slow;
	LLVMValueRef unlikely; /* weights of a branch */
};

static void add_attribute(struct path *p, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	LLVMAddAttributeAtIndex(p->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(p->m->context, kind, 0));
}

static LLVMValueRef branch_weights(struct module *m)
{
	LLVMMetadataRef operands[] = {
		LLVMMDStringInContext2(m->context, "branch_weights", strlen("branch_weights")),
		LLVMValueAsMetadata(const_int(m->i32, 1000)),
		LLVMValueAsMetadata(const_int(m->i32, 1)),
	};
	return LLVMMetadataAsValue(m->context, LLVMMDNodeInContext2(m->context, operands, EVR_COUNT(operands)));
}

static struct path path_begin(struct module *m, enum hook h)
{
	struct path p = { .m = m };
	size_t n;
	char *name = evr_format("%s.fast", LLVMGetValueName2(m->hooks[h], &n));
	p.function = LLVMAddFunction(m->module, name, m->hook_types[h]);
	free(name);
	LLVMSetLinkage(p.function, LLVMInternalLinkage);
	add_attribute(&p, "alwaysinline");
	p.unlikely = branch_weights(m);
	LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->context, p.function, "");
	p.slow = LLVMAppendBasicBlockInContext(m->context, p.function, "");
	LLVMPositionBuilderAtEnd(m->builder, entry);
	LLVMSetCurrentDebugLocation2(m->builder, NULL);
	return p;
}

/* The fast path goes on if the condition holds. */
static void require(struct path *p, LLVMValueRef condition)
{
	LLVMBasicBlockRef next = LLVMInsertBasicBlockInContext(p->m->context, p->slow, "");
	LLVMValueRef branch = LLVMBuildCondBr(p->m->builder, condition, next, p->slow);
	LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(p->m->context, "prof", 4), p->unlikely);
	LLVMPositionBuilderAtEnd(p->m->builder, next);
}

static void require_equal(struct path *p, LLVMValueRef a, LLVMValueRef b)
{
	require(p, LLVMBuildICmp(p->m->builder, LLVMIntEQ, a, b, ""));
}

static void return_value(struct path *p, LLVMValueRef value)
{
	if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVoidTypeKind || LLVMIsAStoreInst(value))
		LLVMBuildRetVoid(p->m->builder);
	else
		LLVMBuildRet(p->m->builder, value);
}

static void path_end(struct path *p, enum hook h, LLVMValueRef result)
{
	LLVMValueRef arguments[6];
	return_value(p, result);
	LLVMPositionBuilderAtEnd(p->m->builder, p->slow);
	LLVMGetParams(p->function, arguments);
	return_value(p, hook_call(p->m, h, arguments, LLVMCountParams(p->function)));
}

/* ---- what is at hand ---- */

static LLVMValueRef member(struct module *m, LLVMTypeRef type, LLVMValueRef base, size_t offset)
{
	LLVMValueRef index = const_int(m->i64, offset);
	return LLVMBuildLoad2(m->builder, type, LLVMBuildGEP2(m->builder, m->i8, base, &index, 1, ""), "");
}

/* The current thread's struct evr_fast, which is its first member. */
static LLVMValueRef current(struct module *m)
{
	LLVMValueRef variable = LLVMGetNamedGlobal(m->module, "evr_current");
	if (!variable)
		variable = LLVMAddGlobal(m->module, m->ptr, "evr_current");
	return LLVMBuildLoad2(m->builder, m->ptr, variable, "");
}

static LLVMValueRef cell_of(struct module *m, LLVMValueRef address)
{
	LLVMValueRef low = LLVMBuildAnd(m->builder, address, const_int(m->i64, EVR_WINDOW_MASK & ~UINT64_C(7)), "");
	LLVMValueRef offset = LLVMBuildShl(m->builder, low, const_int(m->i64, 1), "");
	LLVMValueRef cell = LLVMBuildAdd(m->builder, offset, const_int(m->i64, EVR_CELLS_BASE), "");
	return LLVMBuildIntToPtr(m->builder, cell, m->ptr, "");
}

/* Does the access lie within its word by its alignment alone? */
static void require_alignment(struct path *p, LLVMValueRef address, unsigned size)
{
	LLVMTypeRef i64 = p->m->i64;
	if (size > 1)
		require_equal(p, LLVMBuildAnd(p->m->builder, address, const_int(i64, size - 1), ""), const_int(i64, 0));
}

/*
 * All bytes of the access are in both of two masks that lie side by side: COVERS() of access.c. Often the whole word is: that is asked first, since
 * it takes half the instructions.
 */
static void require_bytes(struct path *p, LLVMValueRef cell, size_t masks, LLVMValueRef address, unsigned size)
{
	struct module *m = p->m;
	LLVMBuilderRef b = m->builder;
	LLVMBasicBlockRef slow = p->slow;
	LLVMBasicBlockRef covered = LLVMInsertBasicBlockInContext(m->context, slow, "");
	if (size < 8)
		p->slow = LLVMInsertBasicBlockInContext(m->context, slow, "");
	require_equal(p, member(m, m->i16, cell, masks), const_int(m->i16, UINT16_MAX));
	require_alignment(p, address, size);
	LLVMBuildBr(b, covered);
	if (size < 8) {
		LLVMPositionBuilderAtEnd(b, p->slow);
		p->slow = slow;
		LLVMValueRef one = member(m, m->i8, cell, masks), two = member(m, m->i8, cell, masks + 1);
		LLVMValueRef both = LLVMBuildZExt(b, LLVMBuildAnd(b, one, two, ""), m->i32, "");
		LLVMValueRef first = LLVMBuildAnd(b, LLVMBuildTrunc(b, address, m->i32, ""), const_int(m->i32, 7), "");
		LLVMValueRef rest = LLVMBuildNot(b, LLVMBuildLShr(b, both, first, ""), "");
		LLVMValueRef missing = LLVMBuildAnd(b, rest, const_int(m->i32, (1u << size) - 1), "");
		require_equal(p, missing, const_int(m->i32, 0));
		LLVMBuildBr(b, covered);
	}
	LLVMPositionBuilderAtEnd(b, covered);
}

/* ---- paths ---- */

static LLVMValueRef access_path(struct module *m, enum hook h)
{
	bool writes = h >= HOOK_evr_write1;
	unsigned size = 1u << (h - (writes ? HOOK_evr_write1 : HOOK_evr_read1));
	struct path p = path_begin(m, h);
	LLVMBuilderRef b = m->builder;
	LLVMValueRef pointer = LLVMGetParam(p.function, 0), result;
	LLVMValueRef address = LLVMBuildPtrToInt(b, pointer, m->i64, ""), cell = cell_of(m, address);
	size_t masks = writes ? offsetof(struct evr_cell, initialised) : offsetof(struct evr_cell, read);
	require_equal(&p, member(m, m->i64, cell, offsetof(struct evr_cell, stamp)),
		      member(m, m->i64, current(m), offsetof(struct evr_fast, stamp)));
	require_bytes(&p, cell, masks, address, size);
	LLVMValueRef region = LLVMBuildLShr(b, address, const_int(m->i64, EVR_WINDOW_BITS), "");
	require_equal(&p, LLVMBuildTrunc(b, region, m->i8, ""),
		      member(m, m->i8, cell, offsetof(struct evr_cell, region)));
	if (writes)
		result = LLVMBuildStore(b, LLVMGetParam(p.function, 1), pointer);
	else
		result = LLVMBuildLoad2(b, LLVMIntTypeInContext(m->context, size * 8), pointer, "");
	LLVMSetAlignment(result, 1);
	path_end(&p, h, result);
	return p.function;
}

static LLVMValueRef loop_path(struct module *m, enum hook h)
{
	struct path p = path_begin(m, h);
	LLVMBuilderRef b = m->builder;
	LLVMValueRef count = LLVMGetParam(p.function, 0);
	LLVMValueRef last = const_int(m->i32, EVR_LOOP_NOTICE - 1);
	LLVMValueRef bound = member(m, m->i64, current(m), offsetof(struct evr_fast, loop_bound));
	require(&p, LLVMBuildICmp(b, LLVMIntULT, LLVMBuildZExt(b, count, m->i64, ""), bound, ""));
	require(&p, LLVMBuildICmp(b, LLVMIntNE, LLVMBuildAnd(b, count, last, ""), last, ""));
	path_end(&p, h, LLVMBuildAdd(b, count, const_int(m->i32, 1), ""));
	return p.function;
}

#define MOST 8192

static enum hook hook_of(const struct module *m, LLVMValueRef function)
{
	unsigned h = 0;
	while (m->hooks[h] != function)
		h++;
	return (enum hook)h;
}

void fast_paths_insert(struct module *m)
{
	LLVMValueRef paths[HOOK_COUNT] = { 0 };
	value_vec calls = { 0 };
	struct evr_map hot = { 0 };
	LLVMValueRef loop = m->hooks[HOOK_evr_loop];
	hot_find(m, &hot);
	for (LLVMUseRef u = loop ? LLVMGetFirstUse(loop) : NULL; u; u = LLVMGetNextUse(u))
		evr_vec_push(&calls, LLVMGetUser(u));
	for (size_t i = 0; i < m->plain.len && calls.len < MOST; i++)
		if (evr_map_get(&hot, (uintptr_t)LLVMGetInstructionParent(m->plain.data[i])))
			evr_vec_push(&calls, m->plain.data[i]);
	evr_map_release(&hot);
	for (size_t i = 0; i < calls.len; i++) {
		LLVMValueRef call = calls.data[i];
		enum hook h = hook_of(m, LLVMGetCalledValue(call));
		if (!paths[h])
			paths[h] = h == HOOK_evr_loop ? loop_path(m, h) : access_path(m, h);
		LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, paths[h]);
	}
	evr_vec_release(&calls);
}
