/*
 * The names of SV-COMP that mean something whatever the program says about them: its own definition of reach_error(), which
 * may as well be empty, is not called; functions named __VERIFIER_atomic_* are atomic sections; and __VERIFIER_nondet_*(),
 * which nobody defines, is asked for a value. Runs after awaits.c, which must see the program's functions as they are.
 */
#include "instrument/module.h"

#include <stdlib.h>
#include <string.h>

#define NONDET "__VERIFIER_nondet_"
#define ATOMIC "__VERIFIER_atomic_"

static bool is_meant(const char *name)
{
	static const char *const names[] = { "reach_error",           "__VERIFIER_error",
					     "__VERIFIER_assume",     "__VERIFIER_atomic_begin",
					     "__VERIFIER_atomic_end", "assume_abort_if_not" };
	for (size_t i = 0; i < EVR_COUNT(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* All uses get a declaration of the name instead, which calls.c takes to the wrapper. */
static void forget_definition(struct module *m, LLVMValueRef f)
{
	char *name = evr_strdup(value_name(f)), *renamed = evr_format("evr_own.%s", name);
	LLVMSetValueName2(f, renamed, strlen(renamed));
	LLVMReplaceAllUsesWith(f, LLVMAddFunction(m->module, name, LLVMGlobalGetValueType(f)));
	LLVMSetLinkage(f, LLVMInternalLinkage);
	free(renamed);
	free(name);
}

static void begin_section(struct module *m, LLVMValueRef f)
{
	LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
	m->function = f;
	while (LLVMIsAAllocaInst(at))
		at = LLVMGetNextInstruction(at);
	position_before(m, at);
	LLVMValueRef site = site_of(m, at, EVR_PLAIN, 0);
	hook_call(m, HOOK_evr_section_begin, &site, 1);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		if (!LLVMIsAReturnInst(end))
			continue;
		position_before(m, end);
		site = site_of(m, end, EVR_PLAIN, 0);
		hook_call(m, HOOK_evr_section_end, &site, 1);
	}
}

/*
 * A body that asks the runtime for a value. It is weak, and has the name under which calls.c makes the program's own functions
 * known: one that is defined in another file is called instead.
 */
static void define_nondet(struct module *m, LLVMValueRef f)
{
	LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(f));
	bool integer = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64;
	LLVMValueRef arguments[] = { string_constant(m, value_name(f)),
				     const_int(m->i32, integer ? LLVMGetIntTypeWidth(type) : 0) };
	LLVMPositionBuilderAtEnd(m->builder, LLVMAppendBasicBlockInContext(m->context, f, ""));
	LLVMSetCurrentDebugLocation2(m->builder, NULL);
	LLVMValueRef value = hook_call(m, HOOK_evr_nondet, arguments, 2);
	if (integer)
		LLVMBuildRet(m->builder, LLVMBuildIntCast2(m->builder, value, type, 0, ""));
	else
		LLVMBuildUnreachable(m->builder);
	LLVMSetLinkage(f, LLVMWeakAnyLinkage);
	char *name = evr_format(WRAPPER_PREFIX "%s", value_name(f));
	LLVMSetValueName2(f, name, strlen(name));
	free(name);
}

static void publish(struct module *m, LLVMValueRef f)
{
	char *name = evr_format(WRAPPER_PREFIX "%s", value_name(f));
	if (LLVMGetLinkage(f) == LLVMExternalLinkage || LLVMGetLinkage(f) == LLVMWeakAnyLinkage)
		LLVMAddAlias2(m->module, LLVMGlobalGetValueType(f), 0, f, name);
	free(name);
}

void svcomp_lower(struct module *m)
{
	value_vec functions = { 0 };
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		evr_vec_push(&functions, f);
	for (size_t i = 0; i < functions.len; i++) {
		LLVMValueRef f = functions.data[i];
		const char *name = value_name(f);
		bool declared = LLVMIsDeclaration(f);
		if (is_meant(name) && !declared)
			forget_definition(m, f);
		else if (evr_starts_with(name, ATOMIC) && !declared)
			begin_section(m, f);
		else if (evr_starts_with(name, NONDET) && !calls_wrapped(name))
			(declared ? define_nondet : publish)(m, f);
	}
	evr_vec_release(&functions);
}
