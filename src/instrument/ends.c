/*
 * How the program can say that something is wrong: by an assertion, or by its exit status.
 *
 * The object records which of the two it has, so that the runtime can tell when a verdict rests on neither. Before main
 * returns, a hook is told the value and where the return statement is. A function with several of those stores each value
 * in a local that the compiler made up, and loads it at its only `ret`, whose line is that of the closing brace: the site
 * is kept beside it. Runs before locals become registers.
 */
#include "instrument/module.h"
#include "runtime/abi.h"

#include <string.h>

static const char *const asserts[] = {
	"__assert_fail", "__assert_perror_fail", "__assert",        "abort", "reach_error",
	"llvm.trap",     "llvm.ubsantrap",       "llvm.debugtrap",  "raise", "__VERIFIER_error",
	"kill",          "pthread_kill",         "_ZSt9terminatev",
};

/* Of all but the exceptions the first argument is the status. */
static const char *const exits[] = {
	"exit", "_exit", "_Exit", "quick_exit",    "err",         "errx",
	"verr", "verrx", "error", "error_at_line", "__cxa_throw", "__cxa_rethrow",
};

static bool is_zero(LLVMValueRef v)
{
	return LLVMIsAConstantInt(v) && LLVMIsNull(v);
}

/* Is there a use that may fail? A pointer to it may lead anywhere. */
static bool is_used(LLVMValueRef function)
{
	for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		bool call = (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) &&
			    LLVMGetCalledValue(user) == function && LLVMGetNumArgOperands(user);
		if (!call || !is_zero(LLVMGetOperand(user, 0)))
			return true;
	}
	return false;
}

static void find_uses(struct module *m, const char *const *names, size_t n, unsigned flag)
{
	for (size_t i = 0; i < n; i++) {
		LLVMValueRef f = LLVMGetNamedFunction(m->module, names[i]);
		if (f && is_used(f))
			m->flags |= flag;
	}
}

/* The local in which main keeps what it returns, if it has one of its own; NULL if not. */
static LLVMValueRef return_slot(struct module *m, LLVMValueRef value)
{
	if (!LLVMIsALoadInst(value))
		return NULL;
	LLVMValueRef local = LLVMGetOperand(value, 0);
	return LLVMIsAAllocaInst(local) && !evr_map_get(&m->locals, (uintptr_t)local) ? local : NULL;
}

/* A local that holds the site of the last store to `slot`; at first that of the `ret`. */
static LLVMValueRef keep_site(struct module *m, LLVMValueRef slot, LLVMValueRef ret)
{
	LLVMValueRef kept = native_alloca(m, m->ptr);
	for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef store = LLVMGetUser(u);
		if (!LLVMIsAStoreInst(store) || LLVMGetOperand(store, 1) != slot)
			continue;
		/* The first one, of the 0 that main returns at its end, has no line. */
		bool first = !LLVMGetDebugLocLine(store);
		LLVMValueRef site = site_of(m, first ? ret : store, EVR_PLAIN, 0);
		if (!is_zero(LLVMGetOperand(store, 0)))
			m->flags |= EVR_OBJECT_EXITS;
		position_before(m, store);
		LLVMBuildStore(m->builder, site, kept);
	}
	return kept;
}

static void tell_return(struct module *m, LLVMValueRef ret)
{
	LLVMValueRef value = LLVMGetOperand(ret, 0), slot = return_slot(m, value);
	LLVMValueRef kept = slot ? keep_site(m, slot, ret) : NULL;
	if (!slot && !is_zero(value))
		m->flags |= EVR_OBJECT_EXITS;
	position_before(m, ret);
	LLVMValueRef site = kept ? LLVMBuildLoad2(m->builder, m->ptr, kept, "") : site_of(m, ret, EVR_PLAIN, 0);
	LLVMValueRef arguments[] = { LLVMBuildIntCast2(m->builder, value, m->i32, 1, ""), site };
	hook_call(m, HOOK_evr_main_return, arguments, 2);
}

/* One that returns no number has no status. */
static void instrument_main(struct module *m, LLVMValueRef f)
{
	if (LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(f))) != LLVMIntegerTypeKind)
		return;
	debug_find_locals(m);
	m->function = f;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		if (LLVMIsAReturnInst(end))
			tell_return(m, end);
	}
	evr_map_clear(&m->locals);
}

/* It may be another name of a function. */
static LLVMValueRef find_main(struct module *m)
{
	LLVMValueRef alias = LLVMGetNamedGlobalAlias(m->module, "main", strlen("main"));
	LLVMValueRef f = alias ? LLVMAliasGetAliasee(alias) : LLVMGetNamedFunction(m->module, "main");
	return f && LLVMIsAFunction(f) && !LLVMIsDeclaration(f) ? f : NULL;
}

void ends_instrument(struct module *m)
{
	LLVMValueRef f = find_main(m);
	find_uses(m, asserts, EVR_COUNT(asserts), EVR_OBJECT_ASSERTS);
	find_uses(m, exits, EVR_COUNT(exits), EVR_OBJECT_EXITS);
	if (f)
		instrument_main(m, f);
}
