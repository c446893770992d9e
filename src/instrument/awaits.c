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
#include "instrument/module.h"

#include <stdio.h>

typedef EVR_VEC(LLVMBasicBlockRef) block_vec;

struct loop {
	LLVMValueRef hook; /* the call of evr_loop() at its head */
	LLVMBasicBlockRef head;
	LLVMBasicBlockRef start; /* of an iteration, or NULL if this is no await */
	struct evr_map blocks; /* of the loop */
	block_vec latches;     /* those that lead back to the head */
};

static bool has(const struct loop *l, LLVMBasicBlockRef b)
{
	return evr_map_get(&l->blocks, (uintptr_t)b);
}

static bool is_latch(const struct loop *l, LLVMBasicBlockRef b)
{
	for (size_t i = 0; i < l->latches.len; i++)
		if (l->latches.data[i] == b)
			return true;
	return false;
}

static void add_predecessors(LLVMBasicBlockRef b, block_vec *out)
{
	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u; u = LLVMGetNextUse(u))
		if (LLVMIsAInstruction(LLVMGetUser(u)))
			evr_vec_push(out, LLVMGetInstructionParent(LLVMGetUser(u)));
}

/*
 * All blocks from which `from` is reached without passing the head. False if the function's entry is one of them: then
 * one can come there without passing the head, and this is no way back.
 */
static bool collect_backwards(const struct loop *l, LLVMBasicBlockRef from, struct evr_map *blocks)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(l->head));
	block_vec todo = { 0 };
	bool inside = true;
	evr_vec_push(&todo, from);
	while (todo.len && inside) {
		LLVMBasicBlockRef b = todo.data[--todo.len];
		if (b == l->head || evr_map_get(blocks, (uintptr_t)b))
			continue;
		evr_map_put(blocks, (uintptr_t)b, 1);
		inside = b != entry;
		add_predecessors(b, &todo);
	}
	evr_vec_release(&todo);
	return inside;
}

static void find_blocks(struct loop *l)
{
	block_vec before = { 0 };
	add_predecessors(l->head, &before);
	evr_map_put(&l->blocks, (uintptr_t)l->head, 1);
	for (size_t i = 0; i < before.len; i++) {
		struct evr_map blocks = { 0 };
		if (!is_latch(l, before.data[i]) && collect_backwards(l, before.data[i], &blocks)) {
			evr_vec_push(&l->latches, before.data[i]);
			for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(l->head)); b;
			     b = LLVMGetNextBasicBlock(b))
				if (evr_map_get(&blocks, (uintptr_t)b))
					evr_map_put(&l->blocks, (uintptr_t)b, 1);
		}
		evr_map_release(&blocks);
	}
	evr_vec_release(&before);
}

/* Does anything come of the value, other than more values? */
static bool matters(LLVMValueRef v, struct evr_map *seen)
{
	if (evr_map_get(seen, (uintptr_t)v))
		return false;
	evr_map_put(seen, (uintptr_t)v, 1);
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		LLVMOpcode op = LLVMGetInstructionOpcode(user);
		bool divides = op == LLVMSDiv || op == LLVMUDiv || op == LLVMSRem || op == LLVMURem;
		bool computes = LLVMIsAPHINode(user) || LLVMIsACastInst(user) || LLVMIsACmpInst(user) ||
				(LLVMIsABinaryOperator(user) && !divides);
		if (!computes || matters(user, seen))
			return true;
	}
	return false;
}

/* Does the head's phi bring something new from one time round to the next, and does it matter? */
static bool carries(const struct loop *l, LLVMValueRef phi)
{
	bool changes = false;
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
		if (is_latch(l, LLVMGetIncomingBlock(phi, i)))
			changes = changes || LLVMGetIncomingValue(phi, i) != phi;
	if (!changes || phi == LLVMGetOperand(l->hook, 0))
		return false;
	struct evr_map seen = { 0 };
	bool result = matters(phi, &seen);
	evr_map_release(&seen);
	return result;
}

/* Is the value, which the head has, used in the loop's other blocks, or by the head when it is reached again? */
static bool used_behind_head(const struct loop *l, LLVMValueRef v)
{
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		LLVMBasicBlockRef b = LLVMGetInstructionParent(user);
		if (has(l, b) && (b != l->head || LLVMIsAPHINode(user) || used_behind_head(l, user)))
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
		    (LLVMIsACallInst(i) && i != l->hook && !LLVMIsADbgInfoIntrinsic(i) && !scope_marker(i)))
			return false;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(l->head)); b;
	     b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		for (unsigned i = 0; has(l, b) && b != l->head && i < LLVMGetNumSuccessors(end); i++)
			if (!has(l, LLVMGetSuccessor(end, i)))
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
		if (has(l, to) && (next || to == l->head))
			return NULL;
		if (has(l, to))
			next = to;
	}
	block_vec before = { 0 };
	if (next)
		add_predecessors(next, &before);
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
		if (!carries(l, i))
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
		if (is_latch(l, LLVMGetIncomingBlock(phi, i)) &&
		    decided_by_reads(m, l, LLVMGetIncomingValue(phi, i), seen))
			return true;
	return false;
}

/* Does the value depend on what the loop has read? A phi behind the head tells which way the iteration took. */
static bool decided_by_reads(struct module *m, const struct loop *l, LLVMValueRef v, struct evr_map *seen)
{
	if (!LLVMIsAInstruction(v) || !has(l, LLVMGetInstructionParent(v)) || evr_map_get(seen, (uintptr_t)v))
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
		leaves = leaves || !has(l, LLVMGetSuccessor(end, i));
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
		if (!has(l, b))
			continue;
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (!pure_instruction(m, i))
				return false;
		exits = exits || is_deciding_exit(m, l, LLVMGetBasicBlockTerminator(b));
	}
	return l->latches.len && exits;
}

static void judge(struct module *m, struct loop *l)
{
	l->head = LLVMGetInstructionParent(l->hook);
	m->function = LLVMGetBasicBlockParent(l->head);
	find_blocks(l);
	l->start = only_waits(m, l) ? start_of(l) : NULL;
}

static void tell(struct module *m, const struct loop *l)
{
	if (!m->verbose)
		return;
	char *file = file_of(m, l->hook);
	fprintf(stderr, "everett: %s:%u: the loop in '%s' waits: it goes round once, or blocks\n", file ? file : "",
		LLVMGetDebugLocLine(l->hook), value_name(m->function));
	free(file);
}

static void rewrite(struct module *m, const struct loop *l)
{
	m->function = LLVMGetBasicBlockParent(l->head);
	tell(m, l);
	LLVMValueRef arguments[] = { LLVMGetOperand(l->hook, 0), LLVMGetOperand(l->hook, 1) };
	LLVMPositionBuilderBefore(m->builder, l->start == l->head ? l->hook : LLVMGetFirstInstruction(l->start));
	LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(l->hook));
	LLVMReplaceAllUsesWith(l->hook, hook_call(m, HOOK_evr_await, arguments, 2));
	LLVMInstructionEraseFromParent(l->hook);
}

void awaits_instrument(struct module *m)
{
	EVR_VEC(struct loop) loops = { 0 };
	for (LLVMUseRef u = m->hooks[HOOK_evr_loop] ? LLVMGetFirstUse(m->hooks[HOOK_evr_loop]) : NULL; u;
	     u = LLVMGetNextUse(u))
		evr_vec_push(&loops, (struct loop){ .hook = LLVMGetUser(u) });
	/* All are judged before any is changed: one may be inside another. */
	for (size_t i = 0; i < loops.len; i++)
		judge(m, &loops.data[i]);
	for (size_t i = loops.len; i-- > 0;) {
		if (loops.data[i].start)
			rewrite(m, &loops.data[i]);
		evr_map_release(&loops.data[i].blocks);
		evr_vec_release(&loops.data[i].latches);
	}
	evr_vec_release(&loops);
}
