/*
 * Which type of object a call allocates: what clang says of operator new, else what the pointer that gets the result points to. It stays with
 * the call, as metadata, for the names in reports.
 *
 * Invariant: runs before locals become registers, while what the program assigns to a variable is a store to it. What is not
 * understood has no type: nothing but names depends on it.
 */
#include "instrument/module.h"

#include <string.h>

#define DEEPEST 8 /* pointers to pointers, members of members */

static const char kind_name[] = "everett.allocates";

static unsigned metadata_kind(struct module *m, const char *name)
{
	return LLVMGetMDKindIDInContext(m->context, name, (unsigned)strlen(name));
}

static LLVMMetadataRef type_at(struct module *m, LLVMValueRef pointer, unsigned depth);

/* The type of what the indices of a getelementptr lead to, from the type of what its base points to. */
static LLVMMetadataRef type_of_part(struct module *m, LLVMValueRef gep, unsigned depth)
{
	LLVMMetadataRef debug = type_at(m, LLVMGetOperand(gep, 0), depth);
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	for (int i = 2; debug && i < LLVMGetNumOperands(gep); i++) {
		LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
		if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
			debug = debug_element(m, debug);
			type = LLVMGetElementType(type);
		} else if (LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMIsAConstantInt(index)) {
			unsigned k = (unsigned)LLVMConstIntGetZExtValue(index);
			debug = debug_member_at(m, debug, LLVMOffsetOfElement(m->layout, type, k));
			type = LLVMStructGetTypeAtIndex(type, k);
		} else {
			return NULL;
		}
	}
	return debug;
}

/* The type of what is at an address, as far as debug information tells. */
static LLVMMetadataRef type_at(struct module *m, LLVMValueRef pointer, unsigned depth)
{
	if (depth > DEEPEST)
		return NULL;
	const uint64_t *local = evr_map_get(&m->locals, (uintptr_t)pointer);
	if (local)
		return debug_type(m, (LLVMMetadataRef)(uintptr_t)*local);
	LLVMMetadataRef global = LLVMIsAGlobalVariable(pointer) ? debug_global(pointer) : NULL;
	if (global)
		return debug_type(m, global);
	bool part = LLVMIsAGetElementPtrInst(pointer) ||
		    (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr);
	if (part)
		return type_of_part(m, pointer, depth + 1);
	if (LLVMIsALoadInst(pointer))
		return debug_pointee(m, type_at(m, LLVMGetOperand(pointer, 0), depth + 1));
	return NULL;
}

static LLVMMetadataRef assigned_type(struct module *m, LLVMValueRef call)
{
	for (LLVMUseRef u = LLVMGetFirstUse(call); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) != call)
			continue;
		LLVMMetadataRef type = debug_pointee(m, type_at(m, LLVMGetOperand(user, 1), 0));
		if (type)
			return type;
	}
	return NULL;
}

static void find(struct module *m, LLVMValueRef call)
{
	static const char *const functions[] = { "malloc",   "calloc",        "realloc", "reallocarray",
						 "memalign", "aligned_alloc", "valloc",  "pvalloc" };
	LLVMValueRef callee = LLVMGetCalledValue(call);
	bool allocates = false;
	for (size_t i = 0; i < EVR_COUNT(functions); i++)
		allocates |= LLVMIsAFunction(callee) && !strcmp(value_name(callee), functions[i]);
	LLVMMetadataRef type = allocates ? assigned_type(m, call) : NULL;
	if (type)
		LLVMSetMetadata(call, metadata_kind(m, kind_name), LLVMMetadataAsValue(m->context, type));
}

void allocations_find(struct module *m)
{
	debug_find_locals(m);
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
					find(m, i);
	/* Addresses of allocas that sroa deletes may come again. */
	evr_map_clear(&m->locals);
}

LLVMMetadataRef allocations_type(struct module *m, LLVMValueRef call)
{
	static const char *const kinds[] = { kind_name, "heapallocsite" };
	for (size_t i = 0; i < EVR_COUNT(kinds); i++) {
		LLVMValueRef type = LLVMGetMetadata(call, metadata_kind(m, kinds[i]));
		/* Of void clang has an empty node. */
		if (type && LLVMGetMDNodeNumOperands(type))
			return LLVMValueAsMetadata(type);
	}
	return NULL;
}
