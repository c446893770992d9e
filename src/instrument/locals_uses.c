/*
 * The uses of a function's locals: loads, stores, copies and marks of scopes, each at a constant offset.
 *
 * Invariant: a local is simple only if every use of its address, through any number of constant offsets, is one of these
 * and within its bounds. An instruction has one use, even if it copies from one local to another.
 */
#include "instrument/locals.h"

static bool is_debug_marker(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	return callee && LLVMIsAFunction(callee) && evr_starts_with(value_name(callee), "llvm.dbg.");
}

/* The constant offset that a GEP adds, or false. */
bool locals_constant_offset(struct module *m, LLVMValueRef gep, int64_t *offset)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	unsigned n = (unsigned)LLVMGetNumOperands(gep);
	int64_t sum = 0, step;
	for (unsigned i = 1; i < n; i++) {
		LLVMValueRef index = LLVMGetOperand(gep, i);
		if (!LLVMIsAConstantInt(index) || LLVMGetIntTypeWidth(LLVMTypeOf(index)) > 64)
			return false;
		int64_t k = LLVMConstIntGetSExtValue(index);
		if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			step = (int64_t)LLVMOffsetOfElement(m->layout, type, (unsigned)k);
			type = LLVMStructGetTypeAtIndex(type, (unsigned)k);
		} else {
			if (i > 1)
				type = LLVMGetElementType(type);
			if (__builtin_mul_overflow(k, (int64_t)LLVMABISizeOfType(m->layout, type), &step))
				return false;
		}
		if (__builtin_add_overflow(sum, step, &sum))
			return false;
	}
	*offset = sum;
	return true;
}

static struct use *use_at(struct locals_flow *f, LLVMValueRef at, enum use_kind kind, uint64_t size)
{
	uint64_t *known = evr_map_get(&f->use_of, (uintptr_t)at);
	if (known)
		return &f->uses.data[*known - 1];
	struct position nowhere = { NO_LOCAL, 0, 0 };
	evr_vec_push(&f->uses, (struct use){ at, kind, nowhere, nowhere, size, false, false });
	evr_map_put(&f->use_of, (uintptr_t)at, f->uses.len);
	return &evr_vec_last(&f->uses);
}

static bool add_load(struct locals_flow *f, LLVMValueRef load, struct position p)
{
	struct local *l = &f->locals.data[p.local];
	l->is_atomic |= LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic;
	uint64_t size = size_of(f->m, LLVMTypeOf(load));
	use_at(f, load, USE_READ, size)->from = p;
	return size <= l->size - p.offset;
}

static bool add_store(struct locals_flow *f, LLVMValueRef store, LLVMValueRef pointer, struct position p)
{
	struct local *l = &f->locals.data[p.local];
	if (LLVMGetOperand(store, 0) == pointer)
		return false;
	l->is_atomic |= LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic;
	uint64_t size = size_of(f->m, LLVMTypeOf(LLVMGetOperand(store, 0)));
	use_at(f, store, USE_WRITE, size)->to = p;
	return size <= l->size - p.offset;
}

/* Does the pointer lead to so many bytes of a constant, such as the one that an array is initialised from? */
static bool is_constant(struct locals_flow *f, LLVMValueRef pointer, uint64_t size)
{
	if (!LLVMIsAGlobalVariable(pointer) || !LLVMIsGlobalConstant(pointer) || LLVMIsDeclaration(pointer))
		return false;
	const uint64_t *known = evr_map_get(&f->m->sizes, (uintptr_t)pointer);
	uint64_t all = known ? *known : LLVMABISizeOfType(f->m->layout, LLVMGlobalGetValueType(pointer));
	return size <= all;
}

/* memset, memcpy and memmove of a constant number of bytes. */
static bool add_intrinsic(struct locals_flow *f, LLVMValueRef call, LLVMValueRef pointer, struct position p)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	const char *name = callee && LLVMIsAFunction(callee) ? value_name(callee) : "";
	bool fills = evr_starts_with(name, "llvm.memset.");
	if (!fills && !evr_starts_with(name, "llvm.memcpy.") && !evr_starts_with(name, "llvm.memmove."))
		return false;
	LLVMValueRef length = LLVMGetOperand(call, 2);
	if (!LLVMIsAConstantInt(length) || !LLVMIsNull(LLVMGetOperand(call, 3))) /* volatile */
		return false;
	uint64_t size = LLVMConstIntGetZExtValue(length);
	struct use *u = use_at(f, call, fills ? USE_WRITE : USE_COPY, size);
	if (LLVMGetOperand(call, 0) == pointer)
		u->to = p;
	if (!fills && LLVMGetOperand(call, 1) == pointer)
		u->from = p;
	/* Copying within a local, where that is not allowed, is an error that must be seen. */
	bool apart = u->to.offset - u->from.offset >= size && u->from.offset - u->to.offset >= size;
	if (u->to.local == u->from.local && !apart && evr_starts_with(name, "llvm.memcpy."))
		return false;
	u->constant = !fills && is_constant(f, LLVMGetOperand(call, 1), size);
	return size <= f->locals.data[p.local].size - p.offset;
}

/* Are all uses of the pointer accesses within the local? Notes them. */
static bool add_uses(struct locals_flow *f, LLVMValueRef pointer, struct position p)
{
	struct local *l = &f->locals.data[p.local];
	for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		bool fine = false;
		int64_t more;
		if (LLVMIsALoadInst(user)) {
			fine = add_load(f, user, p);
		} else if (LLVMIsAStoreInst(user)) {
			fine = add_store(f, user, pointer, p);
		} else if (LLVMIsAGetElementPtrInst(user)) {
			struct position inner = p;
			fine = locals_constant_offset(f->m, user, &more) &&
			       !__builtin_add_overflow(p.offset, more, &inner.offset) && inner.offset <= l->size &&
			       add_uses(f, user, inner);
		} else if (scope_marker(user)) {
			use_at(f, user, scope_begins(user) ? USE_SCOPE_BEGIN : USE_SCOPE_END, 0)->to =
				(struct position){ p.local, 0, 0 };
			l->has_scope = true;
			fine = !p.offset;
		} else if (LLVMIsACallInst(user)) {
			fine = is_debug_marker(user) || add_intrinsic(f, user, pointer, p);
		}
		if (!fine)
			return false;
	}
	return true;
}

static bool is_static(LLVMValueRef a)
{
	return LLVMIsAConstantInt(LLVMGetOperand(a, 0)) && LLVMConstIntGetZExtValue(LLVMGetOperand(a, 0)) == 1;
}

void locals_add(struct locals_flow *f)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f->function);
	for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
		if (!LLVMIsAAllocaInst(i))
			continue;
		uint64_t size = LLVMABISizeOfType(f->m->layout, LLVMGetAllocatedType(i));
		bool declared = evr_map_get(&f->m->locals, (uintptr_t)i);
		evr_vec_push(&f->locals, (struct local){ .alloca = i, .size = size, .declared = declared });
		struct local *l = &evr_vec_last(&f->locals);
		l->simple = is_static(i) && size && add_uses(f, i, (struct position){ f->locals.len - 1, 0, 0 });
	}
}
