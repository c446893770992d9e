/*
 * All functions of the module, instruction by instruction; and thread-local variables, which need a copy for each thread.
 *
 * Invariant: the instructions of a function are listed before any of them is instrumented, so what is added for
 * one of them is not instrumented itself. Hooks that were there before are known by their names.
 */
#include "instrument/module.h"

#include <stdlib.h>
#include <string.h>

static void check_division(struct module *m, LLVMValueRef i, LLVMValueRef divided, LLVMValueRef divisor)
{
	LLVMTypeRef type = LLVMTypeOf(divisor);
	LLVMOpcode op = LLVMGetInstructionOpcode(i);
	LLVMValueRef zero = LLVMConstNull(type), minus_one = LLVMConstAllOnes(type);
	if (LLVMIsAConstantInt(divisor) && divisor != zero && divisor != minus_one)
		return;
	position_before(m, i);
	LLVMValueRef nonzero = LLVMBuildICmp(m->builder, LLVMIntNE, divisor, zero, "");
	LLVMValueRef verdict = LLVMBuildZExt(m->builder, nonzero, m->i64, "");
	if (op == LLVMSDiv || op == LLVMSRem) {
		/* The least number is the one that is its own negative and not zero. */
		LLVMValueRef same =
			LLVMBuildICmp(m->builder, LLVMIntEQ, LLVMBuildNeg(m->builder, divided, ""), divided, "");
		LLVMValueRef some = LLVMBuildICmp(m->builder, LLVMIntNE, divided, zero, "");
		LLVMValueRef least = LLVMBuildAnd(m->builder, same, some, "");
		LLVMValueRef negates = LLVMBuildICmp(m->builder, LLVMIntEQ, divisor, minus_one, "");
		LLVMValueRef overflow = LLVMBuildAnd(m->builder, least, negates, "");
		verdict = LLVMBuildSelect(m->builder, overflow, const_int(m->i64, 2), verdict, "");
	}
	LLVMValueRef arguments[] = { verdict, site_of(m, i, EVR_PLAIN, 0) };
	hook_call(m, HOOK_evr_division, arguments, 2);
}

/* The machine divides vectors element by element. */
static void check_divisions(struct module *m, LLVMValueRef i)
{
	LLVMValueRef divided = LLVMGetOperand(i, 0), divisor = LLVMGetOperand(i, 1);
	if (LLVMGetTypeKind(LLVMTypeOf(divisor)) == LLVMIntegerTypeKind) {
		check_division(m, i, divided, divisor);
		return;
	}
	for (unsigned k = 0; k < LLVMGetVectorSize(LLVMTypeOf(divisor)); k++) {
		position_before(m, i);
		LLVMValueRef index = const_int(m->i32, k);
		LLVMValueRef a = LLVMBuildExtractElement(m->builder, divided, index, "");
		check_division(m, i, a, LLVMBuildExtractElement(m->builder, divisor, index, ""));
	}
}

/*
 * Where the compiler believes that the program never comes: behind __builtin_unreachable(), and behind a function that
 * must not return. If it comes there all the same, it must not run on into whatever lies behind.
 */
static void trap_unreachable(struct module *m, LLVMValueRef i)
{
	LLVMValueRef before = LLVMGetPreviousInstruction(i);
	LLVMValueRef callee = before && LLVMIsACallInst(before) ? LLVMGetCalledValue(before) : NULL;
	if (callee && LLVMIsAFunction(callee) && evr_starts_with(value_name(callee), "evr_"))
		return;
	LLVMValueRef site = site_of(m, before && !LLVMGetDebugLocLine(i) ? before : i, EVR_PLAIN, 0);
	position_before(m, i);
	hook_call(m, HOOK_evr_trap, &site, 1);
}

static LLVMValueRef pointer_operand(LLVMValueRef i)
{
	return LLVMGetOperand(i, LLVMGetInstructionOpcode(i) == LLVMStore ? 1 : 0);
}

/* Does it fill a local that no hook has to see, or copy to it from another? */
static bool is_native_copy(LLVMValueRef call, const value_vec *native)
{
	if (!locals_is_copy(call) || !frame_is_native(native, LLVMGetOperand(call, 0)))
		return false;
	LLVMValueRef from = LLVMGetOperand(call, 1);
	return LLVMGetTypeKind(LLVMTypeOf(from)) != LLVMPointerTypeKind || frame_is_native(native, from);
}

static void instrument(struct module *m, LLVMValueRef i, const value_vec *native)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
	case LLVMStore:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer_operand(i))) != 0)
			refuse(m, i, "an access to another address space is not supported");
		else if (!frame_is_native(native, pointer_operand(i)))
			access_instrument(m, i);
		break;
	case LLVMFence:
		access_instrument(m, i);
		break;
	case LLVMCall:
	case LLVMInvoke:
		if (!is_native_copy(i, native))
			calls_instrument(m, i);
		break;
	case LLVMCallBr:
		refuse(m, i, "assembly with jumps (asm goto) is not supported");
		break;
	case LLVMSDiv:
	case LLVMUDiv:
	case LLVMSRem:
	case LLVMURem:
		check_divisions(m, i);
		break;
	case LLVMUnreachable:
		trap_unreachable(m, i);
		break;
	case LLVMIndirectBr:
		/* For a jump to nowhere. */
		position_before(m, i);
		LLVMBuildStore(m->builder, site_of(m, i, EVR_PLAIN, 0), m->call_site);
		break;
	default:
		break;
	}
}

static void instrument_function(struct module *m)
{
	value_vec native = { 0 }, instructions = { 0 };
	frame_instrument(m, &native);
	/* Hooks that are there already must not be taken for calls of the program: they are skipped by their name. */
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(m->function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			evr_vec_push(&instructions, i);
	for (size_t k = 0; k < instructions.len; k++)
		instrument(m, instructions.data[k], &native);
	evr_vec_release(&native);
	evr_vec_release(&instructions);
}

/*
 * What the compiler knew of the program's memory is not true of the hooks, and a call whose value nobody uses is not to be left
 * out because a function promises to do nothing else.
 */
static void forget_promises(LLVMValueRef function)
{
	static const char *const promises[] = { "memory",     "nosync",       "nofree",
						"willreturn", "speculatable", "mustprogress" };
	for (size_t k = 0; k < EVR_COUNT(promises); k++) {
		unsigned kind = LLVMGetEnumAttributeKindForName(promises[k], strlen(promises[k]));
		LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
		for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
			LLVMValueRef call = LLVMGetUser(u);
			if ((LLVMIsACallInst(call) || LLVMIsAInvokeInst(call)) && LLVMGetCalledValue(call) == function)
				LLVMRemoveCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
		}
	}
}

void functions_instrument(struct module *m)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		if (!evr_starts_with(value_name(f), "llvm."))
			forget_promises(f);
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			continue;
		m->function = f;
		instrument_function(m);
	}
}

/* A global that describes the variable, under a name that other objects find it by. */
static LLVMValueRef tls_descriptor(struct module *m, LLVMValueRef g)
{
	LLVMTypeRef fields_type[] = { m->ptr, m->ptr, m->i64, m->i64, m->i64 };
	LLVMTypeRef type = LLVMStructTypeInContext(m->context, fields_type, EVR_COUNT(fields_type), 0);
	char *name = evr_format("evr_tls.%s", value_name(g));
	LLVMValueRef d = LLVMAddGlobal(m->module, type, name);
	free(name);
	evr_vec_push(&m->added, d);
	LLVMSetLinkage(d, LLVMGetLinkage(g));
	if (LLVMIsDeclaration(g))
		return d;
	LLVMTypeRef value = LLVMGlobalGetValueType(g);
	uint64_t size = LLVMABISizeOfType(m->layout, value);
	LLVMMetadataRef debug = debug_global(g);
	char *variable = debug ? debug_variable_name(m, debug) : evr_strdup(value_name(g));
	LLVMValueRef fields[] = {
		variable_constant(m, variable, debug, NULL, size, 0),
		private_constant(m, LLVMGetInitializer(g), "evr.image"),
		const_int(m->i64, size),
		const_int(m->i64, LLVMGetAlignment(g) ? LLVMGetAlignment(g) : 16),
		const_int(m->i64, 0),
	};
	free(variable);
	LLVMSetInitializer(d, LLVMConstStructInContext(m->context, fields, EVR_COUNT(fields), 0));
	evr_vec_push(&m->tls, d);
	return d;
}

/*
 * A variable of libstdc++ in which std::call_once(), which futures call, too, passes the routine to what pthread_once() calls. One message
 * is enough: there is another such variable, and several uses.
 */
static void refuse_call_once(struct module *m, LLVMValueRef g)
{
	LLVMUseRef use = LLVMGetFirstUse(g);
	if (!use || !LLVMIsDeclaration(g) || strcmp(value_name(g), "_ZSt15__once_callable") != 0)
		return;
	LLVMValueRef user = LLVMGetUser(use);
	refuse(m, LLVMIsAInstruction(user) ? user : NULL,
	       "std::call_once() and std::future are not supported: they manage threads, and Everett implements the "
	       "program's threads itself (pthread_once() is supported)");
}

static void lower_variable(struct module *m, LLVMValueRef g)
{
	refuse_call_once(m, g);
	LLVMValueRef d = tls_descriptor(m, g);
	value_vec calls = { 0 };
	for (LLVMUseRef u = LLVMGetFirstUse(g); u; u = LLVMGetNextUse(u))
		evr_vec_push(&calls, LLVMGetUser(u));
	for (size_t i = 0; i < calls.len; i++) {
		LLVMValueRef call = calls.data[i];
		LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
		if (!callee || !evr_starts_with(value_name(callee), "llvm.threadlocal.address")) {
			refuse(m, LLVMIsAInstruction(call) ? call : NULL,
			       "this use of the thread-local variable '%s' is not supported", value_name(g));
			continue;
		}
		position_before(m, call);
		LLVMReplaceAllUsesWith(call, hook_call(m, HOOK_evr_tls_address, &d, 1));
		LLVMInstructionEraseFromParent(call);
	}
	evr_vec_release(&calls);
}

void tls_lower(struct module *m)
{
	value_vec variables = { 0 };
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g))
		if (LLVMIsThreadLocal(g))
			evr_vec_push(&variables, g);
	for (size_t i = 0; i < variables.len; i++)
		lower_variable(m, variables.data[i]);
	for (size_t i = 0; i < variables.len && !m->errors.len; i++)
		if (!LLVMGetFirstUse(variables.data[i]))
			LLVMDeleteGlobal(variables.data[i]);
	evr_vec_release(&variables);
}
