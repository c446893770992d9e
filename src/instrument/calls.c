/*
 * Calls: library functions that Everett knows go to their wrappers, those nobody defines are checked when they happen.
 *
 * Invariant: when a wrapper is entered, evr_call_site is the site of that very call: the store stands directly before the
 * call, and no other hook between them.
 */
#define EVR_ALLOW_BANNED
#include "instrument/module.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *const wrapped[] = {
#define WRAPPED(name) #name,
#define HARMLESS(name)
#define REFUSED(name, reason)
#include "runtime/libc/library.def"
#undef WRAPPED
#undef HARMLESS
#undef REFUSED
};

static const char *const harmless[] = {
#define WRAPPED(name)
#define HARMLESS(name) #name,
#define REFUSED(name, reason)
#include "runtime/libc/library.def"
#undef WRAPPED
#undef HARMLESS
#undef REFUSED
};

/* Library functions whose wrappers keep no state of their own: what they do is events, or written to memory by hooks. */
static const char *const quiet[] = {
#define QUIET(name) #name,
#include "runtime/libc/quiet.def"
#undef QUIET
};

static bool listed(const char *const *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i], name))
			return true;
	return false;
}

bool calls_wrapped(const char *name)
{
	return listed(wrapped, EVR_COUNT(wrapped), name);
}

/*
 * All uses, calls and pointers alike, of a library function that has a wrapper. A program's own function of that name
 * becomes the wrapper, so that the other objects' calls find it, too.
 */
void calls_rename_library(struct module *m)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		if (!listed(wrapped, EVR_COUNT(wrapped), value_name(f)))
			continue;
		char *name = evr_format(WRAPPER_PREFIX "%s", value_name(f));
		if (!LLVMIsDeclaration(f)) {
			if (LLVMGetLinkage(f) == LLVMExternalLinkage || LLVMGetLinkage(f) == LLVMWeakAnyLinkage)
				LLVMAddAlias2(m->module, LLVMGlobalGetValueType(f), 0, f, name);
			free(name);
			continue;
		}
		LLVMSetValueName2(f, name, strlen(name));
		/* What the compiler knows of malloc or printf does not hold for the wrapper. */
		unsigned last = 0;
		for (unsigned kind = 1; (last = LLVMGetLastEnumAttributeKind()) && kind <= last; kind++)
			LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
		free(name);
	}
}

static void store_call_site(struct module *m, LLVMValueRef call, LLVMValueRef site)
{
	position_before(m, call);
	LLVMBuildStore(m->builder, site, m->call_site);
}

/* The memory order that is the argument of this number of an __atomic_* function, if it is a constant. */
static enum evr_order order_argument(LLVMValueRef call, unsigned which)
{
	static const enum evr_order orders[] = { EVR_RELAXED, EVR_ACQUIRE, EVR_ACQUIRE,
						 EVR_RELEASE, EVR_ACQ_REL, EVR_SEQ_CST };
	LLVMValueRef v = which < LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, which) : NULL;
	uint64_t order = v && LLVMIsAConstantInt(v) ? LLVMConstIntGetZExtValue(v) : 5;
	return order < EVR_COUNT(orders) ? orders[order] : EVR_SEQ_CST;
}

/* The site of a call of the library; an __atomic_* function is an access, and its orders are its last arguments. */
static LLVMValueRef library_site(struct module *m, LLVMValueRef call, const char *name)
{
	unsigned n = LLVMGetNumArgOperands(call), orders = strstr(name, "compare_exchange") ? 2 : 1;
	if (!evr_starts_with(name, "__atomic_") || !strcmp(name, "__atomic_is_lock_free"))
		return site_of(m, call, EVR_PLAIN, 0);
	/* An order that the program computes is the runtime's to find out, and nobody's to change. */
	for (unsigned i = n - orders; i < n; i++)
		if (!LLVMIsAConstantInt(LLVMGetOperand(call, i)))
			return site_of(m, call, order_argument(call, n - orders), 0);
	if (orders == 2)
		return atomic_site_of(m, call, EVR_OPERATION_CAS, order_argument(call, n - 2),
				      order_argument(call, n - 1) * EVR_SITE_FAILURE);
	enum evr_operation operation = evr_starts_with(name, "__atomic_load")    ? EVR_OPERATION_LOAD
				       : evr_starts_with(name, "__atomic_store") ? EVR_OPERATION_STORE
										 : EVR_OPERATION_RMW;
	return atomic_site_of(m, call, operation, order_argument(call, n - 1), 0);
}

static void library_call(struct module *m, LLVMValueRef call, const char *name)
{
	LLVMValueRef site = library_site(m, call, name);
	call_note(m, call, site, name);
	store_call_site(m, call, site);
}

/* A struct passed by value is read by whoever calls: copy it out by a hook, and pass the copy. */
static void copy_byval_arguments(struct module *m, LLVMValueRef call)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
		if (!a)
			continue;
		LLVMTypeRef type = LLVMGetTypeAttributeValue(a);
		LLVMValueRef temporary = native_alloca(m, type);
		position_before(m, call);
		access_copy(m, temporary, LLVMGetOperand(call, i), LLVMABISizeOfType(m->layout, type), call);
		LLVMSetOperand(call, i, temporary);
	}
}

/* Of a pointer, as far as the compiler knows; parameters count from 1. */
static unsigned parameter_alignment(LLVMValueRef call, unsigned i)
{
	LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i, LLVMGetEnumAttributeKindForName("align", 5));
	return a ? (unsigned)LLVMGetEnumAttributeValue(a) : 1;
}

static void memory_intrinsic(struct module *m, LLVMValueRef call, const char *name)
{
	LLVMValueRef site = site_of(m, call, EVR_PLAIN, 0), to = LLVMGetOperand(call, 0);
	position_before(m, call);
	LLVMValueRef size = LLVMBuildIntCast2(m->builder, LLVMGetOperand(call, 2), m->i64, 0, "");
	LLVMValueRef arguments[] = { to, LLVMGetOperand(call, 1), size, site };
	const unsigned alignments[] = { parameter_alignment(call, 1), parameter_alignment(call, 2) };
	enum hook h = evr_starts_with(name, "llvm.memset")    ? HOOK_evr_fill
		      : evr_starts_with(name, "llvm.memmove") ? HOOK_evr_move
							      : HOOK_evr_copy;
	LLVMValueRef hook = hook_call(m, h, arguments, 4);
	uint64_t known = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
	if (h == HOOK_evr_copy && (known == 1 || known == 2 || known == 4 || known == 8))
		access_note_plain(m, hook, alignments[0], alignments[1]);
	LLVMInstructionEraseFromParent(call);
}

static bool has_pointer_argument(LLVMValueRef call)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
			return true;
	return false;
}

/* An intrinsic that is a fence, with its order; EVR_PLAIN if it is none. */
static enum evr_order fence_intrinsic(const char *name)
{
	if (!strcmp(name, "llvm.x86.sse2.mfence"))
		return EVR_SEQ_CST;
	if (!strcmp(name, "llvm.x86.sse2.lfence"))
		return EVR_ACQUIRE;
	if (!strcmp(name, "llvm.x86.sse.sfence"))
		return EVR_RELEASE;
	return EVR_PLAIN;
}

/* These take pointers and are no accesses, or are the machine stack's own business. */
static bool pointer_intrinsic_allowed(const char *name)
{
	static const char *const allowed[] = { "llvm.dbg.",           "llvm.lifetime.",   "llvm.va_",
					       "llvm.objectsize",     "llvm.assume",      "llvm.eh.",
					       "llvm.invariant.",     "llvm.ptrmask",     "llvm.launder.",
					       "llvm.strip.",         "llvm.is.constant", "llvm.ptr.annotation",
					       "llvm.var.annotation", "llvm.expect",      "llvm.fake.use" };
	for (size_t i = 0; i < EVR_COUNT(allowed); i++)
		if (evr_starts_with(name, allowed[i]))
			return true;
	return false;
}

static void replace_by_hook(struct module *m, LLVMValueRef call, enum hook h, enum evr_order order)
{
	LLVMValueRef site = order == EVR_PLAIN ? site_of(m, call, order, 0)
					       : atomic_site_of(m, call, EVR_OPERATION_FENCE, order, 0);
	position_before(m, call);
	hook_call(m, h, &site, 1);
	LLVMInstructionEraseFromParent(call);
}

static void fill_va_list(struct module *m, LLVMValueRef call)
{
	LLVMValueRef arguments[] = { LLVMGetOperand(call, 0), site_of(m, call, EVR_PLAIN, 0) };
	position_before(m, call);
	hook_call(m, HOOK_evr_va_list, arguments, 2);
}

static void intrinsic(struct module *m, LLVMValueRef call, const char *name)
{
	if (evr_starts_with(name, "llvm.memcpy") || evr_starts_with(name, "llvm.memmove") ||
	    evr_starts_with(name, "llvm.memset"))
		memory_intrinsic(m, call, name);
	else if (evr_starts_with(name, "llvm.trap") || evr_starts_with(name, "llvm.debugtrap") ||
		 evr_starts_with(name, "llvm.ubsantrap"))
		replace_by_hook(m, call, HOOK_evr_trap, EVR_PLAIN);
	else if (fence_intrinsic(name) != EVR_PLAIN)
		replace_by_hook(m, call, HOOK_evr_fence, fence_intrinsic(name));
	else if (evr_starts_with(name, "llvm.prefetch") || evr_starts_with(name, "llvm.clear_cache"))
		LLVMInstructionEraseFromParent(call);
	else if (evr_starts_with(name, "llvm.va_start") || evr_starts_with(name, "llvm.va_copy"))
		fill_va_list(m, call);
	else if (evr_starts_with(name, "llvm.x86.rdrand") || evr_starts_with(name, "llvm.x86.rdseed"))
		refuse(m, call, "'%s' returns a random number, which differs in every execution", name);
	else if (evr_starts_with(name, "llvm.x86.rdt") || evr_starts_with(name, "llvm.x86.rdpmc") ||
		 evr_starts_with(name, "llvm.readcyclecounter") || evr_starts_with(name, "llvm.readsteadycounter"))
		refuse(m, call, "'%s' reads a clock, which differs in every execution", name);
	else if (evr_starts_with(name, "llvm.x86.x"))
		refuse(m, call, "'%s' is not supported", name);
	else if (evr_starts_with(name, "llvm.eh.sjlj."))
		refuse(m, call, "__builtin_setjmp and __builtin_longjmp are not supported; use setjmp()");
	else if (evr_starts_with(name, "llvm.set.") || evr_starts_with(name, "llvm.reset."))
		refuse(m, call, "'%s' changes the floating-point environment; use fesetround()", name);
	else if (has_pointer_argument(call) && !pointer_intrinsic_allowed(name))
		refuse(m, call, "the compiler's built-in operation '%s' is not supported", name);
}

bool calls_setjmp(const char *name)
{
	return !strcmp(name, "setjmp") || !strcmp(name, "_setjmp") || !strcmp(name, "__sigsetjmp");
}

/* Who is the last at a barrier matters only if the program does something else if it is told so. */
static bool pass_barrier(struct module *m, LLVMValueRef call, const char *name)
{
	if (strcmp(name, WRAPPER_PREFIX "pthread_barrier_wait") != 0 || told_apart(call, PTHREAD_BARRIER_SERIAL_THREAD))
		return false;
	LLVMValueRef arguments[] = { LLVMGetOperand(call, 0), site_of(m, call, EVR_PLAIN, 0) };
	call_note(m, call, arguments[1], "pthread_barrier_wait");
	position_before(m, call);
	hook_call(m, HOOK_evr_barrier_pass, arguments, 2);
	LLVMReplaceAllUsesWith(call, const_int(LLVMTypeOf(call), 0));
	LLVMInstructionEraseFromParent(call);
	return true;
}

static void direct_call(struct module *m, LLVMValueRef call, LLVMValueRef callee)
{
	const char *name = value_name(callee);
	if (!LLVMIsDeclaration(callee) || evr_starts_with(name, "evr_")) {
		if (LLVMIsDeclaration(callee) && pass_barrier(m, call, name))
			return;
		if (evr_starts_with(name, WRAPPER_PREFIX)) {
			if (!listed(quiet, EVR_COUNT(quiet), name + strlen(WRAPPER_PREFIX))) {
				position_before(m, call);
				hook_call(m, HOOK_evr_effect, NULL, 0);
			}
			library_call(m, call, name + strlen(WRAPPER_PREFIX));
		}
		return;
	}
	if (calls_setjmp(name)) {
		position_before(m, call);
		LLVMValueRef arguments[] = { LLVMGetOperand(call, 0), site_of(m, call, EVR_PLAIN, 0) };
		hook_call(m, HOOK_evr_setjmp, arguments, 2);
	} else if (!listed(harmless, EVR_COUNT(harmless), name)) {
		LLVMValueRef site = site_of(m, call, EVR_PLAIN, 0);
		LLVMValueRef arguments[] = { callee_constant(m, callee, call), site };
		position_before(m, call);
		hook_call(m, HOOK_evr_call_check, arguments, 2);
	}
}

static void pointer_call(struct module *m, LLVMValueRef call, LLVMValueRef callee)
{
	LLVMValueRef arguments[] = { callee, site_of(m, call, EVR_PLAIN, 0) };
	position_before(m, call);
	hook_call(m, HOOK_evr_call_pointer, arguments, 2);
}

void calls_instrument(struct module *m, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	if (LLVMIsAInlineAsm(callee)) {
		assembly_instrument(m, call);
		return;
	}
	if (LLVMIsAFunction(callee) && evr_starts_with(value_name(callee), "llvm.")) {
		intrinsic(m, call, value_name(callee));
		return;
	}
	copy_byval_arguments(m, call);
	if (LLVMIsAFunction(callee))
		direct_call(m, call, callee);
	else
		pointer_call(m, call, callee);
}
