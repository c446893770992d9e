/*
 * Locals that may be read before they are written. Such a read is undefined (C11 6.3.2.1, paragraph 2), and a register would
 * hold anything then, so that a verdict would rest on chance. They are kept from becoming registers, and live where escaping
 * locals do: the shadow knows whether they were written.
 *
 * Which they are follows from the control flow alone. One that is always written in time, for reasons that the flow does not
 * show, merely costs a little more.
 */
#include "instrument/module.h"

static bool is_load(LLVMValueRef i, LLVMValueRef local)
{
	return LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == local;
}

static bool is_store(LLVMValueRef i, LLVMValueRef local)
{
	return LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == local;
}

/* `int x = x;` says that its author knows better. */
static bool is_idiom(LLVMValueRef load, LLVMValueRef local)
{
	LLVMUseRef u = LLVMGetFirstUse(load);
	return u && !LLVMGetNextUse(u) && is_store(LLVMGetUser(u), local);
}

static bool is_scalar(LLVMTypeRef type)
{
	LLVMTypeKind k = LLVMGetTypeKind(type);
	return k == LLVMIntegerTypeKind || k == LLVMPointerTypeKind || k == LLVMFloatTypeKind ||
	       k == LLVMDoubleTypeKind;
}

/* Would it become a register? Notes the blocks that use it. */
static bool is_register(LLVMValueRef local, struct evr_map *blocks)
{
	if (!LLVMIsAConstantInt(LLVMGetOperand(local, 0)) || !is_scalar(LLVMGetAllocatedType(local)))
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef i = LLVMGetUser(u);
		bool plain = is_load(i, local) || (is_store(i, local) && LLVMGetOperand(i, 0) != local);
		if (!plain || LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
			return false;
		evr_map_put(blocks, (uintptr_t)LLVMGetInstructionParent(i), 1);
	}
	return true;
}

enum found { NOTHING, LOAD, STORE };

static enum found first_use(LLVMBasicBlockRef b, LLVMValueRef local)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
		if (is_store(i, local))
			return STORE;
		if (is_load(i, local) && !is_idiom(i, local))
			return LOAD;
	}
	return NOTHING;
}

/* Is there a way from the function's beginning to a load that meets no store? */
static bool may_be_unset(LLVMValueRef function, LLVMValueRef local, struct evr_map *used)
{
	EVR_VEC(LLVMBasicBlockRef) todo = { 0 };
	struct evr_map seen = { 0 };
	bool found = false;
	evr_vec_push(&todo, LLVMGetEntryBasicBlock(function));
	while (todo.len && !found) {
		LLVMBasicBlockRef b = todo.data[--todo.len];
		if (evr_map_get(&seen, (uintptr_t)b))
			continue;
		evr_map_put(&seen, (uintptr_t)b, 1);
		enum found first = evr_map_get(used, (uintptr_t)b) ? first_use(b, local) : NOTHING;
		found = first == LOAD;
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		for (unsigned i = 0; first == NOTHING && i < LLVMGetNumSuccessors(end); i++)
			evr_vec_push(&todo, LLVMGetSuccessor(end, i));
	}
	evr_vec_release(&todo);
	evr_map_release(&seen);
	return found;
}

static void set_volatile(LLVMValueRef local, bool on)
{
	for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef i = LLVMGetUser(u);
		if (is_load(i, local) || is_store(i, local))
			LLVMSetVolatile(i, on);
	}
}

static void keep_locals(struct module *m, LLVMValueRef function)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
	for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
		/* The compiler's own, such as the value of a function that returns none, may well be unset. */
		if (!LLVMIsAAllocaInst(i) || !evr_map_get(&m->locals, (uintptr_t)i))
			continue;
		struct evr_map used = { 0 };
		if (is_register(i, &used) && may_be_unset(function, i, &used)) {
			evr_map_put(&m->unset, (uintptr_t)i, 1);
			evr_vec_push(&m->unset_locals, i);
			set_volatile(i, true);
		}
		evr_map_release(&used);
	}
}

void unset_keep(struct module *m)
{
	debug_find_locals(m);
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			keep_locals(m, f);
	/* Most of them are about to vanish. */
	evr_map_clear(&m->locals);
}

void unset_kept(struct module *m)
{
	for (size_t i = 0; i < m->unset_locals.len; i++)
		set_volatile(m->unset_locals.data[i], false);
}
