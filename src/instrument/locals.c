/*
 * Which locals may leave memory. LLVM's sroa, which turns locals into registers, takes undefined behaviour for granted: it
 * deletes an access that is out of bounds, shortens one that is partly so, drops the part of a copy that nobody looks at,
 * and makes up a value for what was never written. So it gets to see only locals for which none of this can happen: every
 * use is an access within bounds at a constant offset, and whatever is read has been written before, on every path. All
 * others are pinned, by a call that takes their address, and end in memory that hooks watch (frame.c).
 *
 * locals.h has the analysis that finds them. What a read finds unwritten of such a local is made zero, for a register would
 * hold anything.
 *
 * A local that is copied from or to memory which is not of this kind is pinned, too: sroa would make accesses of single
 * members of the copy.
 */
#include "instrument/locals.h"

#include <string.h>

#define PIN "evr_pin" /* a function that is declared while sroa runs */
#define TAG "evr.access"

/* ---- registers ---- */

static bool can_leave_memory(const struct local *l)
{
	return l->simple && !l->may_be_unset && !l->may_dangle && !l->copied_outside;
}

static bool stays(const struct locals_flow *f, struct position p)
{
	return p.local == NO_LOCAL || !can_leave_memory(&f->locals.data[p.local]);
}

/* A copy keeps its two ends together: both leave memory, or neither. */
static void keep_copies_together(struct locals_flow *f)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < f->uses.len; i++) {
			const struct use *u = &f->uses.data[i];
			if (u->kind != USE_COPY || stays(f, u->to) == (!u->constant && stays(f, u->from)))
				continue;
			if (!stays(f, u->to))
				f->locals.data[u->to.local].copied_outside = changed = true;
			else if (!u->constant)
				f->locals.data[u->from.local].copied_outside = changed = true;
		}
	}
}

/* Zero where the load reads. */
static void zero(struct module *m, const struct use *u, LLVMValueRef alloca, LLVMValueRef at)
{
	position_before(m, at);
	LLVMValueRef offset = const_int(m->i64, u->from.offset);
	LLVMValueRef pointer = LLVMBuildGEP2(m->builder, m->i8, alloca, &offset, 1, "");
	LLVMSetAlignment(LLVMBuildStore(m->builder, LLVMConstNull(LLVMTypeOf(u->at)), pointer), 1);
}

/* What is read and may be unwritten is zero at the beginning, and whenever the scope begins again. */
static void make_zero(struct locals_flow *f, const struct use *u)
{
	LLVMValueRef alloca = f->locals.data[u->from.local].alloca, at = alloca;
	while (LLVMIsAAllocaInst(at))
		at = LLVMGetNextInstruction(at);
	zero(f->m, u, alloca, at);
	for (LLVMUseRef mark = LLVMGetFirstUse(alloca); mark; mark = LLVMGetNextUse(mark)) {
		LLVMValueRef user = LLVMGetUser(mark);
		if (scope_marker(user) && scope_begins(user))
			zero(f->m, u, alloca, LLVMGetNextInstruction(user));
	}
}

static LLVMValueRef pin_function(struct module *m, LLVMTypeRef *type)
{
	*type = LLVMFunctionType(m->none, &m->ptr, 1, 0);
	LLVMValueRef known = LLVMGetNamedFunction(m->module, PIN);
	return known ? known : LLVMAddFunction(m->module, PIN, *type);
}

static void pin(struct module *m, LLVMValueRef alloca)
{
	LLVMTypeRef type;
	LLVMValueRef function = pin_function(m, &type);
	position_before(m, LLVMGetNextInstruction(alloca));
	LLVMBuildCall2(m->builder, type, function, &alloca, 1, "");
}

/* ---- what must not vanish ---- */

bool locals_is_copy(LLVMValueRef i)
{
	LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
	const char *name = callee && LLVMIsAFunction(callee) ? value_name(callee) : "";
	return evr_starts_with(name, "llvm.memcpy.") || evr_starts_with(name, "llvm.memmove.") ||
	       evr_starts_with(name, "llvm.memset.");
}

/* Structs that are one value sroa takes apart, wherever they are: the same bytes are accessed. */
static bool is_aggregate(LLVMValueRef access)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMIsALoadInst(access) ? access : LLVMGetOperand(access, 0));
	return LLVMGetTypeKind(type) == LLVMStructTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

static bool must_stay(const struct locals_flow *f, LLVMValueRef i)
{
	if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) ? is_aggregate(i) : !locals_is_copy(i))
		return false;
	const uint64_t *index = evr_map_get(&f->use_of, (uintptr_t)i);
	const struct use *u = index ? &f->uses.data[*index - 1] : NULL;
	return !u || (stays(f, u->to) && stays(f, u->from));
}

static void tag_accesses(const struct locals_flow *f)
{
	struct module *m = f->m;
	unsigned kind = LLVMGetMDKindIDInContext(m->context, TAG, strlen(TAG));
	LLVMValueRef node = LLVMMetadataAsValue(m->context, LLVMMDNodeInContext2(m->context, NULL, 0));
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (must_stay(f, i)) {
				LLVMSetMetadata(i, kind, node);
				m->accesses++;
			}
}

static size_t untag_accesses(struct module *m, LLVMValueRef function)
{
	unsigned kind = LLVMGetMDKindIDInContext(m->context, TAG, strlen(TAG));
	size_t n = 0;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMHasMetadata(i) && LLVMGetMetadata(i, kind)) {
				LLVMSetMetadata(i, kind, NULL);
				n++;
			}
	return n;
}

/* ---- the passes ---- */

static void pin_locals(struct module *m, LLVMValueRef function)
{
	struct locals_flow f;
	locals_analyse(&f, m, function);
	keep_copies_together(&f);
	tag_accesses(&f);
	for (size_t i = 0; i < f.locals.len; i++)
		if (!can_leave_memory(&f.locals.data[i]))
			pin(m, f.locals.data[i].alloca);
	for (size_t i = 0; i < f.uses.len; i++)
		if (f.uses.data[i].may_be_partial && !stays(&f, f.uses.data[i].from))
			make_zero(&f, &f.uses.data[i]);
	locals_release(&f);
}

void locals_pin(struct module *m)
{
	debug_find_locals(m);
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			pin_locals(m, f);
	/* Most of them are about to vanish. */
	evr_map_clear(&m->locals);
}

bool locals_unpin(struct module *m)
{
	LLVMValueRef function = LLVMGetNamedFunction(m->module, PIN);
	while (function && LLVMGetFirstUse(function))
		LLVMInstructionEraseFromParent(LLVMGetUser(LLVMGetFirstUse(function)));
	if (function)
		LLVMDeleteFunction(function);
	size_t left = 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			left += untag_accesses(m, f);
	return left == m->accesses;
}

/*
 * Accesses to its own bytes only, which no hook has to see; nothing is read that may not have been written. Nor is that copied
 * to where hooks would take it for written.
 */
static bool is_native(const struct local *l)
{
	return l->simple && !l->is_atomic && !l->may_dangle && !l->may_copy_unset &&
	       !(l->declared && (l->may_be_unset || l->may_be_partial));
}

void locals_find_native(struct module *m, value_vec *native)
{
	struct locals_flow f;
	locals_analyse(&f, m, m->function);
	for (size_t i = 0; i < f.locals.len; i++)
		if (is_native(&f.locals.data[i]))
			evr_vec_push(native, f.locals.data[i].alloca);
	locals_release(&f);
}
