/*
 * Can the program tell what a call returned: 0, or another number? The usual check of pthread_barrier_wait() looks at its result
 * and does the same whichever of the two it is:
 *
 *     if (r != 0 && r != PTHREAD_BARRIER_SERIAL_THREAD)
 *             fail();
 *
 * The result is in a register by now, and every use of it is a comparison with a constant or a switch. One that comes out the same for
 * both numbers tells nothing. Any other must decide a branch, and nothing else: then both ways are followed through blocks that do no
 * more than compare and branch, and have to meet again in a block whose phis take the same values from both. Up to there the two
 * executions did the same, and they go on in the same state; so, by induction over these branches, they do the same for ever.
 *
 * What is in a block that the program enters with neither of the two numbers, as the message of fail() above, tells nothing either.
 */
#include "instrument/module.h"

enum { STEPS = 16 }; /* blocks on one way */

/* A way that the program goes if the call returns `result`: in block `at`, coming from `from`. */
struct way {
	LLVMValueRef call;
	int64_t result;
	LLVMBasicBlockRef from, at;
};

static bool compare(LLVMIntPredicate how, int64_t a, int64_t b)
{
	switch (how) {
	case LLVMIntEQ:
		return a == b;
	case LLVMIntNE:
		return a != b;
	case LLVMIntSGT:
		return a > b;
	case LLVMIntSGE:
		return a >= b;
	case LLVMIntSLT:
		return a < b;
	case LLVMIntSLE:
		return a <= b;
	case LLVMIntUGT:
		return (uint64_t)a > (uint64_t)b;
	case LLVMIntUGE:
		return (uint64_t)a >= (uint64_t)b;
	case LLVMIntULT:
		return (uint64_t)a < (uint64_t)b;
	case LLVMIntULE:
		return (uint64_t)a <= (uint64_t)b;
	}
	return false;
}

/* Is it a comparison of the call's result, on the left, with a constant? */
static bool is_comparison(LLVMValueRef call, LLVMValueRef v)
{
	return LLVMIsAICmpInst(v) && LLVMGetOperand(v, 0) == call && LLVMIsAConstantInt(LLVMGetOperand(v, 1));
}

static bool outcome(LLVMValueRef comparison, int64_t result)
{
	return compare(LLVMGetICmpPredicate(comparison), result,
		       LLVMConstIntGetSExtValue(LLVMGetOperand(comparison, 1)));
}

/* Where the terminator goes; NULL if that depends on something else. */
static LLVMBasicBlockRef target(const struct way *w, LLVMValueRef terminator)
{
	if (LLVMIsASwitchInst(terminator) && LLVMGetOperand(terminator, 0) == w->call) {
		/* Operands: the value, the default, and pairs of a case and where it goes. */
		for (unsigned i = 2; i + 1 < (unsigned)LLVMGetNumOperands(terminator); i += 2)
			if (LLVMConstIntGetSExtValue(LLVMGetOperand(terminator, i)) == w->result)
				return LLVMValueAsBasicBlock(LLVMGetOperand(terminator, i + 1));
		return LLVMGetSwitchDefaultDest(terminator);
	}
	if (!LLVMIsABranchInst(terminator))
		return NULL;
	if (!LLVMIsConditional(terminator))
		return LLVMGetSuccessor(terminator, 0);
	LLVMValueRef condition = LLVMGetCondition(terminator);
	if (!is_comparison(w->call, condition))
		return NULL;
	return LLVMGetSuccessor(terminator, outcome(condition, w->result) ? 0 : 1);
}

/* Does the block nothing but compare the result and branch? Which lines were executed is nothing that the program knows. */
static bool only_branches(LLVMValueRef call, LLVMBasicBlockRef block)
{
	LLVMValueRef i = LLVMGetFirstInstruction(block);
	for (; i && !LLVMIsATerminatorInst(i); i = LLVMGetNextInstruction(i))
		if (!is_comparison(call, i) && !LLVMIsADbgInfoIntrinsic(i) && !coverage_mark(i))
			return false;
	return i != NULL;
}

static bool step(struct way *w)
{
	LLVMBasicBlockRef next = target(w, LLVMGetBasicBlockTerminator(w->at));
	w->from = w->at;
	w->at = next;
	return next;
}

/* What a phi of the block takes on this way: a comparison counts as its outcome. */
static LLVMValueRef taken(const struct way *w, LLVMValueRef phi)
{
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMValueRef value = LLVMGetIncomingValue(phi, i);
		if (LLVMGetIncomingBlock(phi, i) == w->from)
			return is_comparison(w->call, value)
				       ? LLVMConstInt(LLVMTypeOf(value), outcome(value, w->result), 0)
				       : value;
	}
	return NULL;
}

/* Does a comparison come to this phi on another edge, in a later round of a loop perhaps? */
static bool comes_later(const struct way *a, const struct way *b, LLVMValueRef phi)
{
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
		if (from != a->from && from != b->from && is_comparison(a->call, LLVMGetIncomingValue(phi, i)))
			return true;
	}
	return false;
}

static bool meet(const struct way *a, const struct way *b)
{
	if (a->at != b->at)
		return false;
	for (LLVMValueRef i = LLVMGetFirstInstruction(a->at); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
		if (taken(a, i) != taken(b, i) || taken(a, i) == a->call || comes_later(a, b, i))
			return false;
	return true;
}

/* The block at whose end the two results part, or might: do they meet again? `phi`, if not NULL, must be in the block where they do. */
static bool meets_again(LLVMValueRef call, LLVMBasicBlockRef block, int64_t other, LLVMValueRef phi)
{
	struct way a = { call, 0, NULL, block };
	for (unsigned i = 0; i < STEPS; i++) {
		if (!step(&a))
			return false;
		struct way b = { call, other, NULL, block };
		for (unsigned k = 0; k < STEPS && step(&b); k++) {
			if (meet(&a, &b))
				return !phi || LLVMGetInstructionParent(phi) == a.at;
			if (!only_branches(call, b.at))
				break;
		}
		if (!only_branches(call, a.at))
			return false;
	}
	return false;
}

/* The only block from which the program comes to this one, or NULL. */
static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef block)
{
	LLVMBasicBlockRef found = NULL;
	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		LLVMBasicBlockRef from = LLVMIsATerminatorInst(user) ? LLVMGetInstructionParent(user) : NULL;
		if (!from || (found && found != from))
			return NULL;
		found = from;
	}
	return found;
}

/* The block in which the two ways part that lead here, or would: nobody comes here with one of the results if it is another block. */
static LLVMBasicBlockRef parting(LLVMValueRef call, LLVMBasicBlockRef block, int64_t other)
{
	for (unsigned i = 0; i < STEPS && block != LLVMGetInstructionParent(call); i++) {
		LLVMBasicBlockRef from = only_predecessor(block);
		struct way a = { call, 0, NULL, from }, b = { call, other, NULL, from };
		if (!from || !step(&a) || !step(&b) || (a.at == block) == (b.at == block))
			break;
		block = from;
	}
	return block;
}

/* The comparison comes out differently: is it only used where the two ways meet again? */
static bool leads_nowhere(LLVMValueRef call, LLVMValueRef comparison, int64_t other)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(comparison), top = parting(call, block, other);
	for (LLVMUseRef u = LLVMGetFirstUse(comparison); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		bool branch = LLVMIsABranchInst(user) && LLVMGetInstructionParent(user) == block;
		if (!branch && !LLVMIsAPHINode(user))
			return false;
		if (!meets_again(call, top, other, branch ? NULL : user))
			return false;
	}
	return true;
}

/*
 * Does the call's result keep the program out of the block? The ways that lead there are followed back as long as there is but one: the
 * call is not on them, so what was compared is the result that the block would use.
 */
static bool keeps_out(LLVMValueRef call, LLVMBasicBlockRef block, int64_t result)
{
	for (unsigned i = 0; i < STEPS && block != LLVMGetInstructionParent(call); i++) {
		LLVMBasicBlockRef from = only_predecessor(block);
		struct way w = { call, result, NULL, from };
		if (!from)
			return false;
		if (step(&w) && w.at != block)
			return true;
		block = from;
	}
	return false;
}

static bool is_unused(LLVMValueRef call, LLVMValueRef user, int64_t other)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(user);
	return !LLVMIsAPHINode(user) && keeps_out(call, block, 0) && keeps_out(call, block, other);
}

bool told_apart(LLVMValueRef call, int64_t other)
{
	for (LLVMUseRef u = LLVMGetFirstUse(call); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		if (is_unused(call, user, other))
			continue;
		if (LLVMIsASwitchInst(user) ? !meets_again(call, LLVMGetInstructionParent(user), other, NULL)
					    : !is_comparison(call, user))
			return true;
		if (!LLVMIsASwitchInst(user) && outcome(user, 0) != outcome(user, other) &&
		    !leads_nowhere(call, user, other))
			return true;
	}
	return false;
}
