/*
 * What most calls of hooks come to is inlined into the program: a plain access to bytes that only this thread has accessed, in its present
 * period and in this way before (runs.c), an iteration of a loop that nobody has to look at, a call of a function that may be called. Everything
 * else still calls the hook.
 *
 * Inlined code takes the compiler longer than a call. So only that is inlined which may run often.
 *
 * Invariant: whatever the inlined code does without a call, the hook does as well (ACCESSES in runtime/memory/access.c, evr_loop(), callee.c).
 */
#include "instrument/cells.h"
#include "instrument/loop.h"

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

static struct path path_begin(struct module *m, enum hook h)
{
	struct path p = { .m = m };
	size_t n;
	char *name = evr_format("%s.fast", LLVMGetValueName2(m->hooks[h], &n));
	p.function = LLVMAddFunction(m->module, name, m->hook_types[h]);
	free(name);
	LLVMSetLinkage(p.function, LLVMInternalLinkage);
	add_attribute(&p, "alwaysinline");
	p.unlikely = cells_weights(m);
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

static void return_value(struct path *p, LLVMValueRef value)
{
	LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(p->function));
	if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
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

/* ---- paths ---- */

static LLVMValueRef count_up(struct path *p)
{
	struct module *m = p->m;
	LLVMBuilderRef b = m->builder;
	LLVMValueRef count = LLVMGetParam(p->function, 0);
	LLVMValueRef last = const_int(m->i32, EVR_LOOP_NOTICE - 1);
	LLVMValueRef bound = cells_member(m, m->i64, cells_current(m), offsetof(struct evr_fast, loop_bound));
	require(p, LLVMBuildICmp(b, LLVMIntULT, LLVMBuildZExt(b, count, m->i64, ""), bound, ""));
	require(p, LLVMBuildICmp(b, LLVMIntNE, LLVMBuildAnd(b, count, last, ""), last, ""));
	return LLVMBuildAdd(b, count, const_int(m->i32, 1), "");
}

static LLVMValueRef loop_path(struct module *m, enum hook h)
{
	struct path p = path_begin(m, h);
	path_end(&p, h, count_up(&p));
	return p.function;
}

/* An iteration of a thread that computes, and keeps no journal now: whether it is like the last one nobody asks. */
static LLVMValueRef retry_path(struct module *m, enum hook h)
{
	struct path p = path_begin(m, h);
	LLVMBuilderRef b = m->builder;
	LLVMValueRef noted = cells_member(m, m->i64, cells_current(m), offsetof(struct evr_fast, noted));
	LLVMValueRef stamp = cells_member(m, m->i64, cells_current(m), offsetof(struct evr_fast, stamp));
	LLVMValueRef index = const_int(m->i64, EVR_ROUND_JOURNAL);
	require(&p, LLVMBuildICmp(b, LLVMIntUGT, noted, const_int(m->i64, EVR_COMPUTES), ""));
	require(&p, LLVMBuildICmp(b, LLVMIntNE, stamp, const_int(m->i64, 0), ""));
	LLVMValueRef count = count_up(&p);
	LLVMBuildStore(b, const_int(m->i64, UINT64_MAX),
		       LLVMBuildGEP2(b, m->i64, LLVMGetParam(p.function, 2), &index, 1, ""));
	path_end(&p, h, count);
	return p.function;
}

static enum hook hook_of(const struct module *m, LLVMValueRef function)
{
	unsigned h = 0;
	while (m->hooks[h] != function)
		h++;
	return (enum hook)h;
}

/* A use of a local that has its place. */
static LLVMValueRef use_path(struct module *m, enum hook h)
{
	struct path p = path_begin(m, h);
	LLVMValueRef place = LLVMGetParam(p.function, 0);
	require(&p, LLVMBuildICmp(m->builder, LLVMIntNE, place, LLVMConstNull(m->ptr), ""));
	path_end(&p, h, place);
	return p.function;
}

/* The call of a function of another module, which was looked at when the program began. Only wrappers of the library ask for the site of their call. */
static LLVMValueRef call_path(struct module *m, enum hook h)
{
	struct path p = path_begin(m, h);
	LLVMValueRef allowed =
		cells_member(m, m->i64, LLVMGetParam(p.function, 0), offsetof(struct evr_callee, allowed));
	require(&p, LLVMBuildICmp(m->builder, LLVMIntEQ, allowed, const_int(m->i64, EVR_CALLEE_QUIET), ""));
	path_end(&p, h, allowed);
	return p.function;
}

static LLVMValueRef pointer_path(struct module *m, enum hook h)
{
	struct path p = path_begin(m, h);
	LLVMBuilderRef b = m->builder;
	LLVMValueRef function = LLVMBuildPtrToInt(b, LLVMGetParam(p.function, 0), m->i64, "");
	LLVMValueRef half = LLVMBuildLShr(b, function, const_int(m->i64, 1), "");
	LLVMValueRef offset = LLVMBuildAnd(b, half, const_int(m->i64, EVR_QUIET_MASK), "");
	LLVMValueRef place = LLVMBuildAdd(b, offset, const_int(m->i64, EVR_STAMP_PAGE), "");
	LLVMValueRef known = LLVMBuildLoad2(b, m->i64, LLVMBuildIntToPtr(b, place, m->ptr, ""), "");
	require(&p, LLVMBuildICmp(b, LLVMIntEQ, known, function, ""));
	path_end(&p, h, LLVMBuildStore(b, LLVMGetParam(p.function, 1), m->call_site));
	return p.function;
}

static LLVMValueRef division_path(struct module *m, enum hook h)
{
	struct path p = path_begin(m, h);
	LLVMValueRef verdict = LLVMGetParam(p.function, 0);
	require(&p, LLVMBuildICmp(m->builder, LLVMIntEQ, verdict, const_int(m->i64, 1), ""));
	path_end(&p, h, verdict);
	return p.function;
}

static LLVMValueRef fast_member(struct path *p, size_t offset)
{
	return cells_member(p->m, p->m->i64, cells_current(p->m), offset);
}

static LLVMValueRef set_frames_top(struct path *p, LLVMValueRef top)
{
	struct module *m = p->m;
	LLVMValueRef index = const_int(m->i64, offsetof(struct evr_fast, frames_top));
	return LLVMBuildStore(m->builder, top, LLVMBuildGEP2(m->builder, m->i8, cells_current(m), &index, 1, ""));
}

static LLVMValueRef enter_path(struct module *m, enum hook h)
{
	struct path p = path_begin(m, h);
	LLVMValueRef top = fast_member(&p, offsetof(struct evr_fast, frames_top));
	LLVMValueRef result = LLVMBuildIntToPtr(m->builder, top, m->ptr, "");
	return_value(&p, result);
	LLVMDeleteBasicBlock(p.slow);
	return p.function;
}

static LLVMValueRef reserve_path(struct module *m, enum hook h)
{
	struct path p = path_begin(m, h);
	LLVMBuilderRef b = m->builder;
	LLVMValueRef top = fast_member(&p, offsetof(struct evr_fast, frames_top));
	LLVMValueRef next = LLVMBuildAdd(b, top, const_int(m->i64, 2 * EVR_FRAMES_GAP - 1), "");
	LLVMValueRef room = LLVMBuildAnd(b, next, const_int(m->i64, ~(uint64_t)(EVR_FRAMES_GAP - 1)), "");
	LLVMValueRef end = LLVMBuildAdd(b, room, LLVMGetParam(p.function, 0), "");
	LLVMValueRef limit = fast_member(&p, offsetof(struct evr_fast, frames_limit));
	require(&p, LLVMBuildICmp(b, LLVMIntULE, end, limit, ""));
	set_frames_top(&p, end);
	path_end(&p, h, LLVMBuildIntToPtr(b, room, m->ptr, ""));
	return p.function;
}

/* No local of the function has been created, or all are gone. */
static LLVMValueRef leave_path(struct module *m, enum hook h)
{
	struct path p = path_begin(m, h);
	LLVMValueRef mark = LLVMBuildPtrToInt(m->builder, LLVMGetParam(p.function, 0), m->i64, "");
	LLVMValueRef held = fast_member(&p, offsetof(struct evr_fast, frames_held));
	require(&p, LLVMBuildICmp(m->builder, LLVMIntULE, held, mark, ""));
	path_end(&p, h, set_frames_top(&p, mark));
	return p.function;
}

static LLVMValueRef path_of(struct module *m, enum hook h)
{
	switch (h) {
	case HOOK_evr_loop:
		return loop_path(m, h);
	case HOOK_evr_retry:
		return retry_path(m, h);
	case HOOK_evr_call_check:
		return call_path(m, h);
	case HOOK_evr_call_pointer:
		return pointer_path(m, h);
	case HOOK_evr_frame_enter:
		return enter_path(m, h);
	case HOOK_evr_frame_reserve:
		return reserve_path(m, h);
	case HOOK_evr_frame_leave:
		return leave_path(m, h);
	case HOOK_evr_division:
		return division_path(m, h);
	default:
		return use_path(m, h);
	}
}

static void add_hot(struct module *m, enum hook h, const struct evr_map *hot, value_vec *calls)
{
	value_vec all = { 0 };
	hook_calls(m, h, &all);
	for (size_t i = 0; i < all.len; i++)
		if (evr_map_get(hot, (uintptr_t)LLVMGetInstructionParent(all.data[i])))
			evr_vec_push(calls, all.data[i]);
	evr_vec_release(&all);
}

void fast_paths_insert(struct module *m)
{
	LLVMValueRef paths[HOOK_COUNT] = { 0 };
	value_vec calls = { 0 };
	struct evr_map hot = { 0 };
	hook_calls(m, HOOK_evr_loop, &calls);
	hook_calls(m, HOOK_evr_retry, &calls);
	hook_calls(m, HOOK_evr_frame_use, &calls);
	hot_find(m, &hot);
	add_hot(m, HOOK_evr_call_check, &hot, &calls);
	add_hot(m, HOOK_evr_call_pointer, &hot, &calls);
	add_hot(m, HOOK_evr_division, &hot, &calls);
	add_hot(m, HOOK_evr_frame_enter, &hot, &calls);
	add_hot(m, HOOK_evr_frame_reserve, &hot, &calls);
	add_hot(m, HOOK_evr_frame_leave, &hot, &calls);
	runs_fuse(m, &hot);
	evr_map_release(&hot);
	for (size_t i = 0; i < calls.len; i++) {
		LLVMValueRef call = calls.data[i];
		enum hook h = hook_of(m, LLVMGetCalledValue(call));
		LLVMValueRef *path = &paths[h];
		if (!*path)
			*path = path_of(m, h);
		LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, *path);
	}
	evr_vec_release(&calls);
}
