/*
 * Loops that wait: `while (!flag);`. Going round such a loop leaves no trace but what was read, so an execution in which it
 * goes round a few times and then ends has a twin in which the last time is the only one; and that is a real execution,
 * too, for no memory model minds a load that is missing. So one time round is enough: it ends the loop, or the thread stops
 * where it would begin another (paper 004, section 4: a load and an assumption).
 *
 * A loop is an await if all that it does on its way back to the head is pure (pure.c), nothing computed in one iteration is
 * used in the next, and one of its exits is decided by what was read. What it does on its way out is of no concern.
 *
 * An iteration begins at the head of the loop or, in `while (!r) r = flag;`, behind it: there the head decides on what the
 * iteration that ends has read. The hook evr_loop(), which counts iterations, gives way to evr_await() at that place; both
 * get what they returned in the iteration before, and 0 in the first.
 *
 * Runs when locals have become registers: what one iteration leaves to the next is then a phi of the head, or stored to memory.
 */
#include "instrument/loop.h"

#include <stdio.h>

struct await {
	struct loop loop;
	LLVMBasicBlockRef start; /* of an iteration, or NULL if this is no await */
};

/* Is the value, which the head has, used in the loop's other blocks, or by the head when it is reached again? */
static bool used_behind_head(const struct loop *l, LLVMValueRef v)
{
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		LLVMBasicBlockRef b = LLVMGetInstructionParent(user);
		if (loop_has(l, b) && (b != l->head || LLVMIsAPHINode(user) || used_behind_head(l, user)))
			return true;
	}
	return false;
}

/*
 * Does the head do nothing but decide on what it gets, and is it the only one to end the loop? If it read something, that
 * would be used by the next iteration; and another way out would take along what the head got from the iteration before.
 */
static bool head_decides(const struct loop *l)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(l->head); i; i = LLVMGetNextInstruction(i))
		if (LLVMIsALoadInst(i) || LLVMIsAFenceInst(i) ||
		    (LLVMIsACallInst(i) && i != l->hook && !LLVMIsADbgInfoIntrinsic(i) && !scope_marker(i) &&
		     !coverage_mark(i)))
			return false;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(l->head)); b;
	     b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		for (unsigned i = 0; loop_has(l, b) && b != l->head && i < LLVMGetNumSuccessors(end); i++)
			if (!loop_has(l, LLVMGetSuccessor(end, i)))
				return false;
	}
	return true;
}

/* The only way on from the head within the loop, if that comes from nowhere else. */
static LLVMBasicBlockRef behind_head(const struct loop *l)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(l->head);
	LLVMBasicBlockRef next = NULL;
	for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
		LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
		if (loop_has(l, to) && (next || to == l->head))
			return NULL;
		if (loop_has(l, to))
			next = to;
	}
	block_vec before = { 0 };
	if (next)
		loop_add_predecessors(next, &before);
	if (before.len != 1)
		next = NULL;
	evr_vec_release(&before);
	return next;
}

/* Where an iteration begins that gets nothing from the one before; NULL if there is no such place. */
static LLVMBasicBlockRef start_of(const struct loop *l)
{
	LLVMBasicBlockRef start = l->head;
	for (LLVMValueRef i = LLVMGetFirstInstruction(l->head); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
		if (!loop_carries(l, i))
			continue;
		if (used_behind_head(l, i) || !head_decides(l))
			return NULL;
		start = behind_head(l);
	}
	return start;
}

static bool decided_by_reads(struct module *m, const struct loop *l, LLVMValueRef v, struct evr_map *seen);

static bool brought_by_reads(struct module *m, const struct loop *l, LLVMValueRef phi, struct evr_map *seen)
{
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
		if (loop_is_latch(l, LLVMGetIncomingBlock(phi, i)) &&
		    decided_by_reads(m, l, LLVMGetIncomingValue(phi, i), seen))
			return true;
	return false;
}

/* Does the value depend on what the loop has read? A phi behind the head tells which way the iteration took. */
static bool decided_by_reads(struct module *m, const struct loop *l, LLVMValueRef v, struct evr_map *seen)
{
	if (!LLVMIsAInstruction(v) || !loop_has(l, LLVMGetInstructionParent(v)) || evr_map_get(seen, (uintptr_t)v))
		return false;
	evr_map_put(seen, (uintptr_t)v, 1);
	if (LLVMIsAPHINode(v))
		return LLVMGetInstructionParent(v) != l->head || brought_by_reads(m, l, v, seen);
	if (pure_reads(m, v))
		return true;
	for (int i = 0; i < LLVMGetNumOperands(v); i++)
		if (decided_by_reads(m, l, LLVMGetOperand(v, (unsigned)i), seen))
			return true;
	return false;
}

static bool is_deciding_exit(struct module *m, const struct loop *l, LLVMValueRef end)
{
	bool leaves = false;
	for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
		leaves = leaves || !loop_has(l, LLVMGetSuccessor(end, i));
	if (!leaves || LLVMGetNumSuccessors(end) < 2)
		return false;
	struct evr_map seen = { 0 };
	bool result = decided_by_reads(m, l, LLVMGetOperand(end, 0), &seen);
	evr_map_release(&seen);
	return result;
}

static bool only_waits(struct module *m, const struct loop *l)
{
	bool exits = false;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(m->function); b; b = LLVMGetNextBasicBlock(b)) {
		if (!loop_has(l, b))
			continue;
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (!pure_instruction(m, i))
				return false;
		exits = exits || is_deciding_exit(m, l, LLVMGetBasicBlockTerminator(b));
	}
	return l->latches.len && exits;
}

static void find_start(struct module *m, struct await *a)
{
	loop_find(&a->loop);
	m->function = LLVMGetBasicBlockParent(a->loop.head);
	a->start = only_waits(m, &a->loop) ? start_of(&a->loop) : NULL;
}

static void tell(struct module *m, const struct loop *l)
{
	if (!m->verbose)
		return;
	char *file = file_of(m, l->hook);
	fprintf(stderr, "everett: %s:%u: the loop in '%s' is a spin loop: it iterates once or blocks\n",
		file ? file : "", LLVMGetDebugLocLine(l->hook), value_name(m->function));
	free(file);
}

static void rewrite(struct module *m, const struct await *a)
{
	const struct loop *l = &a->loop;
	m->function = LLVMGetBasicBlockParent(l->head);
	tell(m, l);
	LLVMValueRef arguments[] = { LLVMGetOperand(l->hook, 0), LLVMGetOperand(l->hook, 1) };
	LLVMPositionBuilderBefore(m->builder, a->start == l->head ? l->hook : LLVMGetFirstInstruction(a->start));
	LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(l->hook));
	LLVMReplaceAllUsesWith(l->hook, hook_call(m, HOOK_evr_await, arguments, 2));
	LLVMInstructionEraseFromParent(l->hook);
}

void awaits_instrument(struct module *m)
{
	EVR_VEC(struct await) awaits = { 0 };
	value_vec hooks = { 0 };
	hook_calls(m, HOOK_evr_loop, &hooks);
	for (size_t i = 0; i < hooks.len; i++)
		evr_vec_push(&awaits, (struct await){ .loop.hook = hooks.data[i] });
	evr_vec_release(&hooks);
	/* All are looked at before any is changed: one may be inside another. */
	for (size_t i = 0; i < awaits.len; i++)
		find_start(m, &awaits.data[i]);
	for (size_t i = awaits.len; i-- > 0;) {
		if (awaits.data[i].start)
			rewrite(m, &awaits.data[i]);
		loop_release(&awaits.data[i].loop);
	}
	evr_vec_release(&awaits);
}
