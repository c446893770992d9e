/*
 * Does the module's code use a memory order weaker than seq_cst? The object records it, and the runtime chooses the memory model by it
 * if the user names none.
 *
 * Where the order of an operation is a variable, the compiler emits a switch with a copy of the operation for each order. All of C++'s
 * std::atomic is like that, since its members take the order as a parameter. So the question is asked of a copy of the module in which
 * constants were propagated from call to call and dead code was removed: what is left of such a switch is what some call asks for. An
 * order that is still unknown there counts as weak.
 *
 * Runs first, on the compiler's plain output.
 */
#include "instrument/module.h"
#include "runtime/abi.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

#define ATOMIC "__atomic_" /* how the names of the library's atomic operations begin */
#define SEQ_CST 5          /* __ATOMIC_SEQ_CST */
#define PASSES "function(sroa),cgscc(inline),ipsccp,function(simplifycfg),globaldce"

static bool is_weak(LLVMAtomicOrdering order)
{
	return order != LLVMAtomicOrderingNotAtomic && order != LLVMAtomicOrderingSequentiallyConsistent;
}

/* The compiler's own acquire load, before a static local of C++ is initialised. */
static bool is_guard(LLVMValueRef pointer)
{
	return LLVMIsAGlobalVariable(pointer) && evr_starts_with(value_name(pointer), "_ZGV");
}

/* Atomic operations on objects of unusual size are calls of the library; the orders are their last arguments. */
static bool is_weak_call(LLVMValueRef call)
{
	LLVMValueRef f = LLVMGetCalledValue(call);
	const char *name = LLVMIsAFunction(f) && LLVMIsDeclaration(f) ? value_name(f) : "";
	unsigned n = LLVMGetNumArgOperands(call), orders = strstr(name, "compare_exchange") ? 2 : 1;
	if (!evr_starts_with(name, ATOMIC) || !strcmp(name, ATOMIC "is_lock_free"))
		return false;
	for (unsigned i = 0; i < orders && i < n; i++) {
		LLVMValueRef order = LLVMGetOperand(call, n - 1 - i);
		if (!LLVMIsAConstantInt(order) || LLVMConstIntGetZExtValue(order) != SEQ_CST)
			return true;
	}
	return false;
}

/* Inline assembly is not looked at: its fences have no order that C would know. */
static bool has_weak_order(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		return is_weak(LLVMGetOrdering(i)) && !is_guard(LLVMGetOperand(i, 0));
	case LLVMStore:
	case LLVMAtomicRMW:
		return is_weak(LLVMGetOrdering(i));
	case LLVMAtomicCmpXchg:
		return is_weak(LLVMGetCmpXchgSuccessOrdering(i)) || is_weak(LLVMGetCmpXchgFailureOrdering(i));
	case LLVMFence:
		/* A signal fence orders the compiler only. */
		return is_weak(LLVMGetOrdering(i)) && !LLVMIsAtomicSingleThread(i);
	case LLVMCall:
	case LLVMInvoke:
		return is_weak_call(i);
	default:
		return false;
	}
}

/*
 * A function of the C++ library that is not told an order by its caller: those that it uses, such as a shared_ptr for its reference
 * count, say nothing about the program.
 */
static bool is_library(LLVMValueRef f)
{
	static const char *const prefixes[] = { "_ZSt", "_ZNSt", "_ZNKSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx" };
	const char *name = value_name(f);
	for (size_t i = 0; i < EVR_COUNT(prefixes); i++)
		if (evr_starts_with(name, prefixes[i]))
			return !strstr(name, "12memory_order");
	return false;
}

static bool has_weak_orders(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = is_library(f) ? NULL : LLVMGetFirstBasicBlock(f); b;
		     b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				if (has_weak_order(i))
					return true;
	return false;
}

/*
 * Inline functions and templates are also in the other modules that use them: here only the calls of this module count. The compiler
 * forbids that they are inlined, since nothing is optimised.
 */
static void make_local(LLVMModuleRef module)
{
	unsigned noinline = LLVMGetEnumAttributeKindForName("noinline", 8);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) != LLVMLinkOnceODRLinkage || is_library(f))
			continue;
		LLVMSetComdat(f, NULL);
		LLVMSetLinkage(f, LLVMInternalLinkage);
		LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, noinline);
	}
}

/* What memory holds is not for LLVM to say: an access to a variable that never changes is one, too. */
static void hide_values(LLVMModuleRef module)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
		if (!LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g))
			LLVMSetExternallyInitialized(g, 1);
}

/* If the passes fail, for whatever reason, nothing is removed that would have counted. */
static void propagate_orders(LLVMModuleRef module, LLVMTargetMachineRef machine)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	make_local(module);
	hide_values(module);
	LLVMStripModuleDebugInfo(module);
	LLVMErrorRef failed = LLVMRunPasses(module, PASSES, machine, options);
	if (failed)
		LLVMConsumeError(failed);
	LLVMDisposePassBuilderOptions(options);
}

void orders_find(struct module *m, LLVMTargetMachineRef machine)
{
	if (!has_weak_orders(m->module))
		return;
	LLVMModuleRef copy = LLVMCloneModule(m->module);
	propagate_orders(copy, machine);
	if (has_weak_orders(copy))
		m->flags |= EVR_OBJECT_WEAK_ORDERS;
	LLVMDisposeModule(copy);
}
