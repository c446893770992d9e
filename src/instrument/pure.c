/*
 * What a waiting loop may do (awaits.c): nothing that outlives the iteration. An instruction is pure if it only reads memory
 * and computes; a function is pure if all that it does on its way to a return is, where stores to its own locals count as
 * computing: each call has them anew, and their address goes nowhere.
 *
 * A fence is pure. It makes earlier stores reach memory before what follows; without it they still may, at the same
 * moments. So what holds of an execution with the fence is allowed without it, which is all that leaving out an iteration
 * asks for. A pause advances no clock but the thread's own, about which no two executions agree anyway.
 *
 * A path that does not return (a failed assertion) ends the loop, too, and may do what it likes.
 */
#include "instrument/module.h"

#include <string.h>

enum purity { WORKING = 1, IMPURE, PURE, PURE_READING };

static bool is_one_of(const char *const *list, const char *name)
{
	for (; *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

static LLVMValueRef base_of(LLVMValueRef pointer)
{
	while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return pointer;
}

static bool is_local(LLVMValueRef pointer)
{
	return LLVMIsAAllocaInst(base_of(pointer));
}

/* Is the address used for nothing but loads and stores? */
static bool stays_here(LLVMValueRef pointer)
{
	for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		bool derived = LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user);
		bool stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer;
		if (derived ? !stays_here(user) : !stored && !LLVMIsALoadInst(user) && !scope_marker(user))
			return false;
	}
	return true;
}

static bool pure_intrinsic(LLVMValueRef call, const char *name, bool own_locals)
{
	static const char *const computing[] = {
		"llvm.dbg.",          "llvm.lifetime.",     "llvm.expect.",      "llvm.abs.",
		"llvm.smax.",         "llvm.smin.",         "llvm.umax.",        "llvm.umin.",
		"llvm.ctpop.",        "llvm.ctlz.",         "llvm.cttz.",        "llvm.bswap.",
		"llvm.fshl.",         "llvm.fshr.",         "llvm.is.constant.", "llvm.threadlocal.address",
		"llvm.sadd.with.",    "llvm.uadd.with.",    "llvm.ssub.with.",   "llvm.usub.with.",
		"llvm.smul.with.",    "llvm.umul.with.",    "llvm.objectsize.",  "llvm.x86.sse2.pause",
		"llvm.x86.sse2.mfen", "llvm.x86.sse2.lfen", "llvm.x86.sse.sfen", "llvm.aarch64.hint",
		"llvm.aarch64.isb",   "llvm.pseudoprobe",
	};
	for (size_t i = 0; i < EVR_COUNT(computing); i++)
		if (evr_starts_with(name, computing[i]))
			return true;
	bool copies = evr_starts_with(name, "llvm.memcpy.") || evr_starts_with(name, "llvm.memset.");
	return copies && own_locals && is_local(LLVMGetOperand(call, 0));
}

/* Library functions that only pass the time. One that sleeps may be told where to say how long it did not. */
static bool is_pause(LLVMValueRef call, const char *name)
{
	/* The ends of an atomic section leave nothing behind either: what lies between is judged by itself. */
	static const char *const pauses[] = { "sched_yield",
					      "pthread_yield",
					      "thrd_yield",
					      "sleep",
					      "usleep",
					      "everett_atomic_begin",
					      "everett_atomic_end",
					      "__VERIFIER_atomic_begin",
					      "__VERIFIER_atomic_end",
					      NULL };
	static const char *const sleeps[] = { "nanosleep", "clock_nanosleep", "thrd_sleep", NULL };
	if (is_one_of(pauses, name))
		return true;
	unsigned n = LLVMGetNumArgOperands(call);
	return is_one_of(sleeps, name) && n > 0 && LLVMIsNull(LLVMGetOperand(call, n - 1));
}

static enum purity purity_of(struct module *m, LLVMValueRef function);

static bool pure_call(struct module *m, LLVMValueRef call, bool own_locals)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	if (LLVMIsAInlineAsm(callee))
		return assembly_is_barrier(call);
	if (!LLVMIsAFunction(callee))
		return false;
	const char *name = value_name(callee);
	if (evr_starts_with(name, "llvm."))
		return pure_intrinsic(call, name, own_locals);
	if (!LLVMIsDeclaration(callee))
		return purity_of(m, callee) >= PURE;
	return callee == m->hooks[HOOK_evr_loop] || is_pause(call, name);
}

static bool pure(struct module *m, LLVMValueRef i, bool own_locals)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(i);
	if (LLVMIsABinaryOperator(i) || LLVMIsAUnaryOperator(i) || LLVMIsACastInst(i))
		return true;
	switch (op) {
	case LLVMBr:
	case LLVMSwitch:
	case LLVMPHI:
	case LLVMICmp:
	case LLVMFCmp:
	case LLVMSelect:
	case LLVMGetElementPtr:
	case LLVMExtractElement:
	case LLVMInsertElement:
	case LLVMShuffleVector:
	case LLVMExtractValue:
	case LLVMInsertValue:
	case LLVMFreeze:
	case LLVMLoad:
	case LLVMFence:
		return true;
	case LLVMCall:
		return pure_call(m, i, own_locals);
	case LLVMAlloca:
	case LLVMRet:
		return own_locals;
	case LLVMStore:
		return own_locals && is_local(LLVMGetOperand(i, 1));
	default:
		return false;
	}
}

bool pure_instruction(struct module *m, LLVMValueRef i)
{
	return pure(m, i, false);
}

bool pure_reads(struct module *m, LLVMValueRef i)
{
	if (LLVMIsALoadInst(i)) {
		LLVMValueRef base = base_of(LLVMGetOperand(i, 0));
		return !LLVMIsAAllocaInst(base) || !stays_here(base);
	}
	if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i)))
		return false;
	LLVMValueRef callee = LLVMGetCalledValue(i);
	return !LLVMIsDeclaration(callee) && purity_of(m, callee) == PURE_READING;
}

static enum purity compute_purity(struct module *m, LLVMValueRef function)
{
	enum purity result = PURE;
	LLVMLinkage linkage = LLVMGetLinkage(function);
	/* Another object's function may take its place. */
	if (linkage == LLVMWeakAnyLinkage || linkage == LLVMLinkOnceAnyLinkage)
		return IMPURE;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		if (LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(b)))
			continue;
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			if (!pure(m, i, true))
				return IMPURE;
			if (pure_reads(m, i))
				result = PURE_READING;
		}
	}
	return result;
}

/* A function that is asked for while its purity is being computed calls itself. */
static enum purity purity_of(struct module *m, LLVMValueRef function)
{
	uint64_t *known = evr_map_get(&m->purity, (uintptr_t)function);
	if (known)
		return *known == WORKING ? IMPURE : (enum purity) * known;
	evr_map_put(&m->purity, (uintptr_t)function, WORKING);
	enum purity result = compute_purity(m, function);
	evr_map_put(&m->purity, (uintptr_t)function, result);
	return result;
}
