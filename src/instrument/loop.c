#include "instrument/loop.h"

bool loop_has(const struct loop *l, LLVMBasicBlockRef b)
{
	return evr_map_get(&l->blocks, (uintptr_t)b);
}

bool loop_is_latch(const struct loop *l, LLVMBasicBlockRef b)
{
	for (size_t i = 0; i < l->latches.len; i++)
		if (l->latches.data[i] == b)
			return true;
	return false;
}

void loop_add_predecessors(LLVMBasicBlockRef b, block_vec *out)
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
		loop_add_predecessors(b, &todo);
	}
	evr_vec_release(&todo);
	return inside;
}

static void find_blocks(struct loop *l)
{
	block_vec before = { 0 };
	loop_add_predecessors(l->head, &before);
	evr_map_put(&l->blocks, (uintptr_t)l->head, 1);
	for (size_t i = 0; i < before.len; i++) {
		struct evr_map blocks = { 0 };
		if (!loop_is_latch(l, before.data[i]) && collect_backwards(l, before.data[i], &blocks)) {
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

bool loop_carries(const struct loop *l, LLVMValueRef phi)
{
	bool changes = false;
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
		if (loop_is_latch(l, LLVMGetIncomingBlock(phi, i)))
			changes = changes || LLVMGetIncomingValue(phi, i) != phi;
	if (!changes || phi == LLVMGetOperand(l->hook, 0))
		return false;
	struct evr_map seen = { 0 };
	bool result = matters(phi, &seen);
	evr_map_release(&seen);
	return result;
}

void hook_calls(struct module *m, enum hook h, value_vec *out)
{
	LLVMValueRef hook = m->hooks[h];
	for (LLVMUseRef u = hook ? LLVMGetFirstUse(hook) : NULL; u; u = LLVMGetNextUse(u))
		evr_vec_push(out, LLVMGetUser(u));
}

void loop_find(struct loop *l)
{
	l->head = LLVMGetInstructionParent(l->hook);
	find_blocks(l);
}

void loop_release(struct loop *l)
{
	evr_map_release(&l->blocks);
	evr_vec_release(&l->latches);
}
