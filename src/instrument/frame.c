/*
 * Locals. One stays on the machine's stack if every use of it is a load or store of bytes that are certainly its own;
 * whatever may be reached through a pointer moves to its thread's frame arena, where hooks watch it. Registers have taken
 * the rest before we come here.
 *
 * A va_list stays where the machine keeps it; hooks let a thread use its own machine stack. Structs that are passed by
 * value are copied out of the caller's memory, and into the callee's, by hooks.
 */
#include "instrument/module.h"

#include "runtime/memory/cell.h"

#include <stdlib.h>
#include <string.h>

static bool is_va_list(LLVMTypeRef type)
{
	while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
		type = LLVMGetElementType(type);
	if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return false;
	const char *name = LLVMGetStructName(type);
	return name && evr_starts_with(name, "struct.__va_list");
}

static LLVMValueRef variable_of(struct module *m, LLVMValueRef a, uint64_t size)
{
	uint64_t *debug = evr_map_get(&m->locals, (uintptr_t)a);
	if (!debug)
		return LLVMConstNull(m->ptr);
	LLVMMetadataRef variable = (LLVMMetadataRef)(uintptr_t)*debug;
	char *name = debug_variable_name(m, variable);
	LLVMValueRef result = variable_constant(m, name, variable, NULL, size, 0);
	free(name);
	return result;
}

/* The type that is passed by value in parameter i (from 1), or NULL. */
static LLVMTypeRef byval_type(LLVMAttributeRef a)
{
	return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

static unsigned byval_kind(void)
{
	return LLVMGetEnumAttributeKindForName("byval", 5);
}

static LLVMValueRef first_after_allocas(LLVMValueRef function)
{
	LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
	while (LLVMIsAAllocaInst(i) || LLVMIsAPHINode(i))
		i = LLVMGetNextInstruction(i);
	return i;
}

/* The callee's copy of a struct that it got by value must be memory like any other. */
static bool copy_parameters(struct module *m)
{
	bool any = false;
	for (unsigned i = 0; i < LLVMCountParams(m->function); i++) {
		LLVMTypeRef type = byval_type(LLVMGetEnumAttributeAtIndex(m->function, i + 1, byval_kind()));
		LLVMValueRef parameter = LLVMGetParam(m->function, i);
		if (!type || !LLVMGetFirstUse(parameter))
			continue;
		LLVMValueRef at = first_after_allocas(m->function);
		position_before(m, at);
		uint64_t size = LLVMABISizeOfType(m->layout, type);
		LLVMValueRef arguments[] = { LLVMConstNull(m->ptr), const_int(m->i64, size),
					     const_int(m->i64, LLVMABIAlignmentOfType(m->layout, type)) };
		LLVMValueRef copy = hook_call(m, HOOK_evr_frame_alloc, arguments, 3);
		LLVMReplaceAllUsesWith(parameter, copy);
		access_copy(m, copy, parameter, size, at);
		any = true;
	}
	return any;
}

/* Does the local come and go within the function? One of its outermost block goes when it returns. */
static bool is_inner(struct module *m, LLVMValueRef a)
{
	uint64_t *debug = evr_map_get(&m->locals, (uintptr_t)a);
	return !debug || !debug_is_outermost(m, (LLVMMetadataRef)(uintptr_t)*debug);
}

static LLVMValueRef alignment_of(struct module *m, LLVMValueRef a)
{
	return const_int(m->i64, LLVMGetAlignment(a));
}

/* Where the address of a local is kept that may lie elsewhere each time its scope begins. */
static LLVMValueRef slot_of(struct module *m, LLVMValueRef a, struct evr_map *slots, value_vec *native)
{
	uint64_t *known = evr_map_get(slots, (uintptr_t)a);
	if (known)
		return (LLVMValueRef)(uintptr_t)*known;
	LLVMValueRef slot = native_alloca(m, m->ptr);
	evr_map_put(slots, (uintptr_t)a, (uintptr_t)slot);
	evr_vec_push(native, slot);
	return slot;
}

static void lower_scope(struct module *m, LLVMValueRef marker, LLVMValueRef a, struct evr_map *slots, value_vec *native)
{
	uint64_t size = LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(a));
	if (!scope_begins(marker)) {
		position_before(m, marker);
		hook_call(m, HOOK_evr_scope_end, (LLVMValueRef[]){ a, site_of(m, marker, EVR_PLAIN, 0) }, 2);
		return;
	}
	LLVMValueRef slot = slot_of(m, a, slots, native);
	position_before(m, marker);
	/* Its room, if it has some, is not known yet. */
	LLVMValueRef arguments[] = { a, LLVMConstNull(m->ptr), variable_of(m, a, size), const_int(m->i64, size),
				     alignment_of(m, a) };
	LLVMBuildStore(m->builder, hook_call(m, HOOK_evr_scope_begin, arguments, 5), slot);
}

/* The marks of scopes, which tell hooks when a local that they watch comes and goes. Nobody else needs them any more. */
static void lower_scopes(struct module *m, value_vec *instructions, struct evr_map *slots, value_vec *native)
{
	size_t n = 0;
	for (size_t k = 0; k < instructions->len; k++) {
		LLVMValueRef i = instructions->data[k];
		if (!scope_marker(i)) {
			instructions->data[n++] = i;
			continue;
		}
		LLVMValueRef a = scope_local(i);
		if (LLVMIsAAllocaInst(a) && !frame_is_native(native, a) && is_inner(m, a))
			lower_scope(m, i, a, slots, native);
		LLVMInstructionEraseFromParent(i);
	}
	instructions->len = n;
}

/* Every use asks where the local is now. */
static void use_slot(struct module *m, LLVMValueRef a, LLVMValueRef slot)
{
	for (LLVMUseRef u; (u = LLVMGetFirstUse(a));) {
		LLVMValueRef user = LLVMGetUser(u), at = user;
		unsigned i = 0;
		while (LLVMGetOperand(user, i) != a)
			i++;
		if (LLVMIsAPHINode(user))
			at = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, i));
		position_before(m, at);
		LLVMSetOperand(user, i, LLVMBuildLoad2(m->builder, m->ptr, slot, ""));
	}
}

/*
 * The room of locals that are not there from the start of their function. Where it lies does not depend on which of them are used: an address that
 * turns out to be shared is that of the same local in each execution.
 */
struct room {
	LLVMValueRef call; /* of evr_frame_reserve(); NULL: none has been needed */
	uint64_t size;
};

static uint64_t size_of_local(struct module *m, LLVMValueRef a)
{
	return LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(a)) * LLVMConstIntGetZExtValue(LLVMGetOperand(a, 0));
}

/* Does it have the same place whenever its function runs? */
static bool can_have_room(struct module *m, LLVMValueRef a)
{
	return LLVMIsAConstantInt(LLVMGetOperand(a, 0)) && LLVMGetAlignment(a) <= 16 &&
	       LLVMGetInstructionParent(a) == LLVMGetEntryBasicBlock(m->function);
}

/* Is it used only behind the function's first block, perhaps not at all? */
static bool is_used_later(LLVMValueRef a)
{
	for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u))
		if (!LLVMIsAInstruction(LLVMGetUser(u)) || LLVMIsAPHINode(LLVMGetUser(u)) ||
		    LLVMGetInstructionParent(LLVMGetUser(u)) == LLVMGetInstructionParent(a))
			return false;
	return true;
}

/* Room for the local, as a pointer that is there from `a` on. */
static LLVMValueRef room_for(struct module *m, LLVMValueRef a, struct room *r)
{
	position_before(m, a);
	if (!r->call)
		r->call = hook_call(m, HOOK_evr_frame_reserve, (LLVMValueRef[]){ const_int(m->i64, 0) }, 1);
	LLVMValueRef offset = const_int(m->i64, r->size);
	r->size += (size_of_local(m, a) + 15) / 16 * 16 + EVR_FRAMES_GAP;
	LLVMSetOperand(r->call, 0, const_int(m->i64, r->size));
	return LLVMBuildGEP2(m->builder, m->i8, r->call, &offset, 1, "");
}

static bool is_scope_begin(struct module *m, LLVMValueRef user)
{
	return LLVMIsACallInst(user) && m->hooks[HOOK_evr_scope_begin] &&
	       LLVMGetCalledValue(user) == m->hooks[HOOK_evr_scope_begin];
}

/* It is there when its scope begins. */
static void place_at_scope(struct module *m, LLVMValueRef a, LLVMValueRef slot, struct room *r)
{
	LLVMValueRef room = room_for(m, a, r);
	for (LLVMUseRef u = LLVMGetFirstUse(a); u; u = LLVMGetNextUse(u))
		if (is_scope_begin(m, LLVMGetUser(u)))
			LLVMSetOperand(LLVMGetUser(u), 1, room);
	use_slot(m, a, slot);
	position_before(m, a);
	LLVMBuildStore(m->builder, LLVMConstNull(m->ptr), slot);
	LLVMInstructionEraseFromParent(a);
}

/* It is there when it is first used: every use asks for it. */
static void place_at_first_use(struct module *m, LLVMValueRef a, LLVMValueRef slot, struct room *r)
{
	uint64_t size = size_of_local(m, a);
	LLVMValueRef arguments[] = { NULL, room_for(m, a, r), variable_of(m, a, size), const_int(m->i64, size) };
	LLVMBuildStore(m->builder, LLVMConstNull(m->ptr), slot);
	for (LLVMUseRef u; (u = LLVMGetFirstUse(a));) {
		LLVMValueRef user = LLVMGetUser(u);
		position_before(m, user);
		arguments[0] = LLVMBuildLoad2(m->builder, m->ptr, slot, "");
		LLVMValueRef place = hook_call(m, HOOK_evr_frame_use, arguments, 4);
		LLVMBuildStore(m->builder, place, slot);
		for (int i = 0; i < LLVMGetNumOperands(user); i++)
			if (LLVMGetOperand(user, (unsigned)i) == a)
				LLVMSetOperand(user, (unsigned)i, place);
	}
	LLVMInstructionEraseFromParent(a);
}

/* It is there from the start. */
static void move_to_arena(struct module *m, LLVMValueRef a, LLVMValueRef slot)
{
	LLVMTypeRef type = LLVMGetAllocatedType(a);
	uint64_t element = LLVMABISizeOfType(m->layout, type);
	LLVMValueRef count = LLVMGetOperand(a, 0);
	position_before(m, a);
	LLVMValueRef size;
	uint64_t known = 0;
	if (LLVMIsAConstantInt(count)) {
		known = element * LLVMConstIntGetZExtValue(count);
		size = const_int(m->i64, known);
	} else {
		LLVMValueRef wide = LLVMBuildIntCast2(m->builder, count, m->i64, 0, "");
		size = LLVMBuildMul(m->builder, wide, const_int(m->i64, element), "");
	}
	LLVMValueRef arguments[] = { variable_of(m, a, known), size, alignment_of(m, a) };
	LLVMValueRef address = hook_call(m, HOOK_evr_frame_alloc, arguments, 3);
	if (slot) {
		use_slot(m, a, slot);
		position_before(m, a);
		LLVMBuildStore(m->builder, address, slot);
	}
	LLVMReplaceAllUsesWith(a, address);
	LLVMInstructionEraseFromParent(a);
}

static bool is_intrinsic(LLVMValueRef i, const char *name)
{
	return LLVMIsACallInst(i) && LLVMGetCalledValue(i) && evr_starts_with(value_name(LLVMGetCalledValue(i)), name);
}

/* Variable-length arrays are given back at the end of their block. */
static bool lower_stack_saves(struct module *m, const value_vec *instructions)
{
	bool any = false;
	for (size_t k = 0; k < instructions->len; k++) {
		LLVMValueRef i = instructions->data[k];
		if (is_intrinsic(i, "llvm.stacksave")) {
			position_before(m, i);
			LLVMReplaceAllUsesWith(i, hook_call(m, HOOK_evr_frame_enter, NULL, 0));
		} else if (is_intrinsic(i, "llvm.stackrestore")) {
			LLVMValueRef mark = LLVMGetOperand(i, 0);
			position_before(m, i);
			hook_call(m, HOOK_evr_frame_leave, (LLVMValueRef[]){ mark, site_of(m, i, EVR_PLAIN, 0) }, 2);
		} else {
			continue;
		}
		LLVMInstructionEraseFromParent(i);
		any = true;
	}
	return any;
}

/*
 * Does the function call one that returns twice? What was put on the arena in between is then gone, as behind a variable-length array, and a local
 * would be looked for where another one lies by now.
 */
static bool comes_back(struct module *m, const value_vec *instructions)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("returns_twice", strlen("returns_twice"));
	if (LLVMGetEnumAttributeAtIndex(m->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind))
		return true;
	for (size_t k = 0; k < instructions->len; k++) {
		LLVMValueRef i = instructions->data[k];
		LLVMValueRef callee = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) ? LLVMGetCalledValue(i) : NULL;
		if (!callee)
			continue;
		if (LLVMGetCallSiteEnumAttribute(i, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) ||
		    (LLVMIsAFunction(callee) && calls_setjmp(value_name(callee))))
			return true;
	}
	return false;
}

static void enter_and_leave(struct module *m)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(m->function);
	position_before(m, LLVMGetFirstInstruction(entry));
	LLVMSetCurrentDebugLocation2(m->builder, NULL);
	LLVMValueRef mark = hook_call(m, HOOK_evr_frame_enter, NULL, 0);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(m->function); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		if (!LLVMIsAReturnInst(end) && !LLVMIsAResumeInst(end))
			continue;
		position_before(m, end);
		hook_call(m, HOOK_evr_frame_leave, (LLVMValueRef[]){ mark, site_of(m, end, EVR_PLAIN, 0) }, 2);
	}
}

void frame_instrument(struct module *m, value_vec *native)
{
	value_vec instructions = { 0 }, moved = { 0 };
	struct evr_map slots = { 0 };
	struct room room = { 0 };
	locals_find_native(m, native);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(m->function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			evr_vec_push(&instructions, i);
	for (size_t k = 0; k < instructions.len; k++) {
		LLVMValueRef a = instructions.data[k];
		if (!LLVMIsAAllocaInst(a) || frame_is_native(native, a))
			continue;
		if (is_va_list(LLVMGetAllocatedType(a)))
			evr_vec_push(native, a);
		else
			evr_vec_push(&moved, a);
	}
	lower_scopes(m, &instructions, &slots, native);
	bool any = lower_stack_saves(m, &instructions);
	const bool goes_back = any || comes_back(m, &instructions);
	for (size_t k = 0; k < moved.len; k++) {
		LLVMValueRef a = moved.data[k];
		uint64_t *known = evr_map_get(&slots, (uintptr_t)a);
		LLVMValueRef slot = known ? (LLVMValueRef)(uintptr_t)*known : NULL;
		if (goes_back || !can_have_room(m, a))
			move_to_arena(m, a, slot);
		else if (slot)
			place_at_scope(m, a, slot, &room);
		else if (is_used_later(a))
			place_at_first_use(m, a, slot_of(m, a, &slots, native), &room);
		else
			move_to_arena(m, a, NULL);
	}
	any |= copy_parameters(m);
	if (any || moved.len)
		enter_and_leave(m);
	evr_vec_release(&instructions);
	evr_vec_release(&moved);
	evr_map_release(&slots);
}

bool frame_is_native(const value_vec *native, LLVMValueRef pointer)
{
	while (LLVMIsAGetElementPtrInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	if (!LLVMIsAAllocaInst(pointer))
		return false;
	for (size_t i = 0; i < native->len; i++)
		if (native->data[i] == pointer)
			return true;
	return false;
}
