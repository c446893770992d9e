/*
 * Loops that may turn out to wait: whatever an iteration does, it was a wait if it leaves everything as it was. The runtime
 * finds that out (runtime/threads/retry.c); here its hook gets to see what the loop takes along from one time round to the next in
 * registers and in locals that no other hook sees. All else is memory that hooks watch.
 *
 * At the head of a loop, what is alive in registers is what its phis brought and what was computed before the loop, which
 * does not change. So the phis that matter are put where the hook can compare them with the last time, and behind them the
 * bytes of the locals on the machine's stack that the loop writes.
 *
 * A loop that counts (i++, where something comes of i) is none of these, nor is one that calls nothing: it makes no events.
 *
 * Runs last: the locals that are still allocas are those that stay on the machine's stack.
 */
#include "instrument/loop.h"

#include <string.h>

#define MOST_WORDS 32 /* that are compared */
#define HEADER 5      /* words before them: struct round of runtime/threads/retry.c */

struct state {
	value_vec values; /* in registers */
	value_vec locals; /* allocas */
	uint64_t words;
};

/* How many words the value takes; 0: it is of a kind that is not compared. */
static uint64_t words_of(struct module *m, LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type) <= 64 ? 1 : LLVMGetIntTypeWidth(type) == 128 ? 2 : 0;
	case LLVMPointerTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
		return size_of(m, type) <= 8 ? 1 : 0;
	default:
		return 0;
	}
}

/* Is what the phi gets next time another number for sure? */
static bool counts(const struct loop *l, LLVMValueRef phi)
{
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMValueRef v = LLVMGetIncomingValue(phi, i);
		if (!loop_is_latch(l, LLVMGetIncomingBlock(phi, i)))
			continue;
		if (!LLVMIsABinaryOperator(v))
			return false;
		LLVMOpcode op = LLVMGetInstructionOpcode(v);
		if ((op != LLVMAdd && op != LLVMSub) || LLVMGetOperand(v, 0) != phi ||
		    !LLVMIsAConstantInt(LLVMGetOperand(v, 1)) || LLVMIsNull(LLVMGetOperand(v, 1)))
			return false;
	}
	return true;
}

/* False: the loop cannot be a wait, or nobody could tell. */
static bool add_registers(struct module *m, const struct loop *l, struct state *s)
{
	for (LLVMValueRef phi = LLVMGetFirstInstruction(l->head); LLVMIsAPHINode(phi);
	     phi = LLVMGetNextInstruction(phi)) {
		if (!loop_carries(l, phi))
			continue;
		uint64_t words = words_of(m, LLVMTypeOf(phi));
		if (!words || counts(l, phi))
			return false;
		evr_vec_push(&s->values, phi);
		s->words += words;
	}
	return true;
}

static LLVMValueRef base_of(LLVMValueRef pointer)
{
	while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return pointer;
}

static bool is_hook(struct module *m, LLVMValueRef v, enum hook h)
{
	return LLVMIsACallInst(v) && m->hooks[h] && LLVMGetCalledValue(v) == m->hooks[h];
}

/* Where a local of the loop's body lies is of no concern when the body has ended; nor is when another one was used first. */
static bool stores_frame_address(struct module *m, LLVMValueRef store)
{
	LLVMValueRef address = LLVMGetOperand(store, 0);
	return is_hook(m, address, HOOK_evr_scope_begin) || is_hook(m, address, HOOK_evr_frame_use);
}

static void add_local(struct module *m, LLVMValueRef pointer, struct state *s)
{
	LLVMValueRef a = base_of(pointer);
	if (!LLVMIsAAllocaInst(a))
		return;
	for (size_t i = 0; i < s->locals.len; i++)
		if (s->locals.data[i] == a)
			return;
	LLVMValueRef count = LLVMGetOperand(a, 0);
	evr_vec_push(&s->locals, a);
	s->words += (LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(a)) + 7) / 8;
	if (!LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1)
		s->words += MOST_WORDS;
}

/* What the instruction may write of the function's own; or what it calls may. */
static void add_written(struct module *m, LLVMValueRef i, struct state *s)
{
	if (LLVMIsAStoreInst(i) && !stores_frame_address(m, i))
		add_local(m, LLVMGetOperand(i, 1), s);
	if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i))
		return;
	for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++)
		if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, k))) == LLVMPointerTypeKind)
			add_local(m, LLVMGetOperand(i, k), s);
}

static bool is_call(LLVMValueRef i, LLVMValueRef hook)
{
	return (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && i != hook && !LLVMIsADbgInfoIntrinsic(i) &&
	       !coverage_mark(i);
}

/* False: the loop calls nothing, and so makes no events. */
static bool add_locals(struct module *m, const struct loop *l, struct state *s)
{
	bool calls = false;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(m->function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = loop_has(l, b) ? LLVMGetFirstInstruction(b) : NULL; i;
		     i = LLVMGetNextInstruction(i)) {
			add_written(m, i, s);
			calls = calls || is_call(i, l->hook);
		}
	return calls;
}

static LLVMValueRef as_number(struct module *m, LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);
	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind:
		return LLVMBuildPtrToInt(m->builder, v, m->i64, "");
	case LLVMFloatTypeKind:
		v = LLVMBuildBitCast(m->builder, v, m->i32, "");
		break;
	case LLVMDoubleTypeKind:
		return LLVMBuildBitCast(m->builder, v, m->i64, "");
	default:
		break;
	}
	return size_of(m, type) > 8 ? v : LLVMBuildIntCast2(m->builder, v, m->i64, 0, "");
}

static LLVMValueRef word_at(struct module *m, LLVMValueRef state, uint64_t i)
{
	LLVMValueRef index = const_int(m->i64, i);
	return LLVMBuildGEP2(m->builder, m->i64, state, &index, 1, "");
}

/* The state now, behind that of the last time. */
static void save(struct module *m, const struct state *s, LLVMValueRef state)
{
	uint64_t at = HEADER + s->words;
	for (size_t i = 0; i < s->values.len; i++) {
		LLVMValueRef v = s->values.data[i];
		LLVMSetAlignment(LLVMBuildStore(m->builder, as_number(m, v), word_at(m, state, at)), 8);
		at += words_of(m, LLVMTypeOf(v));
	}
	for (size_t i = 0; i < s->locals.len; i++) {
		LLVMValueRef a = s->locals.data[i];
		uint64_t size = LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(a)), words = (size + 7) / 8;
		LLVMBuildStore(m->builder, const_int(m->i64, 0), word_at(m, state, at + words - 1));
		LLVMBuildMemCpy(m->builder, word_at(m, state, at), 8, a, LLVMGetAlignment(a), const_int(m->i64, size));
		at += words;
	}
}

static void rewrite(struct module *m, const struct loop *l, const struct state *s)
{
	LLVMValueRef state = native_alloca(m, LLVMArrayType2(m->i64, HEADER + 2 * s->words));
	LLVMSetAlignment(state, 8);
	position_before(m, l->hook);
	save(m, s, state);
	LLVMValueRef arguments[] = { LLVMGetOperand(l->hook, 0), LLVMGetOperand(l->hook, 1), state,
				     const_int(m->i32, s->words) };
	LLVMReplaceAllUsesWith(l->hook, hook_call(m, HOOK_evr_retry, arguments, 4));
	LLVMInstructionEraseFromParent(l->hook);
}

/* After a longjmp() registers are not what they were. */
static bool jumps(struct module *m)
{
	for (LLVMUseRef u = m->hooks[HOOK_evr_setjmp] ? LLVMGetFirstUse(m->hooks[HOOK_evr_setjmp]) : NULL; u;
	     u = LLVMGetNextUse(u))
		if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(LLVMGetUser(u))) == m->function)
			return true;
	return false;
}

/* Can the loop be left, other than by failing? One that cannot waits for nothing: it goes on as long as it may. */
static bool has_exit(struct module *m, const struct loop *l)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(m->function); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		for (unsigned i = 0; loop_has(l, b) && i < LLVMGetNumSuccessors(end); i++) {
			LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
			if (!loop_has(l, to) && !LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(to)))
				return true;
		}
	}
	return false;
}

static void instrument_loop(struct module *m, LLVMValueRef hook)
{
	struct loop l = { .hook = hook };
	struct state s = { 0 };
	loop_find(&l);
	m->function = LLVMGetBasicBlockParent(l.head);
	if (l.latches.len && has_exit(m, &l) && !jumps(m) && add_registers(m, &l, &s) && add_locals(m, &l, &s) &&
	    s.words <= MOST_WORDS)
		rewrite(m, &l, &s);
	loop_release(&l);
	evr_vec_release(&s.values);
	evr_vec_release(&s.locals);
}

void retries_instrument(struct module *m)
{
	value_vec hooks = { 0 };
	hook_calls(m, HOOK_evr_loop, &hooks);
	for (size_t i = 0; i < hooks.len; i++)
		instrument_loop(m, hooks.data[i]);
	evr_vec_release(&hooks);
}
