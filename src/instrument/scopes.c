/*
 * The compiler marks where the scope of a local begins and ends (llvm.lifetime). Several ways out of a block, by break,
 * continue, goto, return or its end, share one copy of the marks at its end: each stores a number, and behind the marks a
 * switch finds out where to go. That hides which way leads out of a loop (awaits.c), so each way gets marks of its own here,
 * and goes where it is bound for. Runs first, while all values are in memory.
 */
#include "instrument/module.h"

#include <string.h>

#define MAX_COPIES 4096 /* in one function: no program that is written by hand comes near */

bool scope_marker(LLVMValueRef i)
{
	LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
	return callee && LLVMIsAFunction(callee) && evr_starts_with(value_name(callee), "llvm.lifetime.");
}

bool scope_begins(LLVMValueRef marker)
{
	return evr_starts_with(value_name(LLVMGetCalledValue(marker)), "llvm.lifetime.start");
}

LLVMValueRef scope_local(LLVMValueRef marker)
{
	return LLVMGetOperand(marker, LLVMGetNumArgOperands(marker) - 1);
}

/* Is it a variable that only such numbers are stored to, and only such switches read? */
static bool is_slot(LLVMValueRef v)
{
	if (!LLVMIsAAllocaInst(v))
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		bool stores = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == v &&
			      LLVMIsAConstantInt(LLVMGetOperand(user, 0));
		LLVMUseRef read = LLVMIsALoadInst(user) ? LLVMGetFirstUse(user) : NULL;
		bool loads = LLVMIsALoadInst(user) &&
			     (!read || (!LLVMGetNextUse(read) && LLVMIsASwitchInst(LLVMGetUser(read))));
		if (!stores && !loads)
			return false;
	}
	return true;
}

LLVMValueRef scope_slot(LLVMBasicBlockRef b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
	LLVMValueRef asked = LLVMIsASwitchInst(end) ? LLVMGetOperand(end, 0) : NULL;
	if (!asked || !LLVMIsALoadInst(asked) || LLVMGetInstructionParent(asked) != b)
		return NULL;
	return is_slot(LLVMGetOperand(asked, 0)) ? LLVMGetOperand(asked, 0) : NULL;
}

static bool goes_to_phi(LLVMBasicBlockRef b)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
	for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
		if (LLVMIsAPHINode(LLVMGetFirstInstruction(LLVMGetSuccessor(end, i))))
			return true;
	return false;
}

/* Has the block nothing but ends of scopes, and goes on to a switch? Tells which slot that asks for. */
static LLVMValueRef shared_end(LLVMBasicBlockRef b, unsigned depth)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b), slot = scope_slot(b);
	bool jumps = LLVMIsABranchInst(end) && LLVMGetNumSuccessors(end) == 1;
	if ((!slot && !jumps) || goes_to_phi(b))
		return NULL;
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != end; i = LLVMGetNextInstruction(i)) {
		bool asks = slot && i == LLVMGetOperand(end, 0);
		if (!asks && (!scope_marker(i) || scope_begins(i)))
			return NULL;
	}
	if (slot)
		return slot;
	return depth ? shared_end(LLVMGetSuccessor(end, 0), depth - 1) : NULL;
}

/* The number that the block leaves in the slot, or NULL. */
static LLVMValueRef number_in(LLVMBasicBlockRef b, LLVMValueRef slot)
{
	for (LLVMValueRef i = LLVMGetLastInstruction(b); i; i = LLVMGetPreviousInstruction(i))
		if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == slot)
			return LLVMGetOperand(i, 0);
	return NULL;
}

LLVMValueRef scope_case_of(LLVMValueRef end, unsigned successor)
{
#if EVR_LLVM_MAJOR >= 22
	return LLVMGetSwitchCaseValue(end, successor);
#else
	return LLVMGetOperand(end, 2 * successor);
#endif
}

static LLVMBasicBlockRef target(LLVMBasicBlockRef b, LLVMValueRef number)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
	if (!LLVMIsASwitchInst(end))
		return LLVMGetSuccessor(end, 0);
	for (unsigned i = 1; i < LLVMGetNumSuccessors(end); i++)
		if (scope_case_of(end, i) == number)
			return LLVMGetSuccessor(end, i);
	return LLVMGetSuccessor(end, 0);
}

/* A copy of the block's marks that goes where the number says. */
static LLVMBasicBlockRef copy_end(struct module *m, LLVMBasicBlockRef b, LLVMValueRef slot, LLVMValueRef number)
{
	LLVMBasicBlockRef copy = LLVMInsertBasicBlockInContext(m->context, b, "");
	LLVMPositionBuilderAtEnd(m->builder, copy);
	/* The builder would give the marks its location in place of their own. */
	LLVMSetCurrentDebugLocation2(m->builder, NULL);
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
		if (scope_marker(i))
			LLVMInsertIntoBuilder(m->builder, LLVMInstructionClone(i));
	LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(b)));
	LLVMBuildStore(m->builder, number, slot); /* for the block where it goes */
	LLVMBuildBr(m->builder, target(b, number));
	return copy;
}

static bool is_reached(LLVMBasicBlockRef b)
{
	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u; u = LLVMGetNextUse(u))
		if (LLVMIsAInstruction(LLVMGetUser(u)))
			return true;
	return false;
}

/* All ways from `from` to a shared end. */
static unsigned separate(struct module *m, LLVMBasicBlockRef from)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
	unsigned copies = 0;
	for (unsigned i = 0; LLVMIsABranchInst(end) && i < LLVMGetNumSuccessors(end); i++) {
		LLVMBasicBlockRef b = LLVMGetSuccessor(end, i);
		LLVMValueRef slot = b != from ? shared_end(b, 64) : NULL;
		LLVMValueRef number = slot ? number_in(from, slot) : NULL;
		if (!number)
			continue;
		LLVMSetSuccessor(end, i, copy_end(m, b, slot, number));
		copies++;
	}
	return copies;
}

/* Blocks that nobody comes to any more. What they led to may be next. */
static void remove_left(struct module *m)
{
	LLVMBasicBlockRef next;
	for (LLVMBasicBlockRef b = LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(m->function)); b; b = next) {
		LLVMValueRef first = LLVMGetFirstInstruction(b);
		next = LLVMGetNextBasicBlock(b);
		bool nothing = LLVMIsAUnreachableInst(first);
		if (is_reached(b) || (!nothing && !shared_end(b, 64)))
			continue;
		LLVMDeleteBasicBlock(b);
		next = LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(m->function));
	}
}

void scopes_separate(struct module *m)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		unsigned copies = 0;
		if (LLVMIsDeclaration(f))
			continue;
		m->function = f;
		/* A copy goes in front of what it was copied from, which may lie behind or before: until there are no more. */
		for (unsigned more = 1; more && copies < MAX_COPIES; copies += more) {
			more = 0;
			for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
				more += separate(m, b);
		}
		if (copies)
			remove_left(m);
	}
}
