/*
 * Loads, stores, atomic operations and fences become hooks. Values travel as integers of the access's size; whatever has
 * no such integer (vectors, structs, long double, odd integers) goes through a temporary on the machine's stack, piece by
 * piece, as the machine itself would access it.
 */
#include "instrument/module.h"

#include <string.h>

static enum evr_order order_of(LLVMAtomicOrdering o)
{
	switch (o) {
	case LLVMAtomicOrderingNotAtomic:
		return EVR_PLAIN;
	case LLVMAtomicOrderingAcquire:
		return EVR_ACQUIRE;
	case LLVMAtomicOrderingRelease:
		return EVR_RELEASE;
	case LLVMAtomicOrderingAcquireRelease:
		return EVR_ACQ_REL;
	case LLVMAtomicOrderingSequentiallyConsistent:
		return EVR_SEQ_CST;
	default:
		return EVR_RELAXED;
	}
}

/* Which of the five sizes, as an offset into the hooks: 0 for one byte, 4 for sixteen; -1 if none. */
static int size_class(uint64_t size)
{
	for (int i = 0; i < 5; i++)
		if (size == UINT64_C(1) << i)
			return i;
	return -1;
}

static LLVMTypeRef integer_of(struct module *m, uint64_t size)
{
	return LLVMIntTypeInContext(m->context, (unsigned)size * 8);
}

/* Can the type be carried as one integer of its size? */
static bool is_scalar(struct module *m, LLVMTypeRef type)
{
	uint64_t size = size_of(m, type);
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type) == size * 8 && size_class(size) >= 0;
	case LLVMPointerTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
		return true;
	default:
		return false;
	}
}

/* The machine has no plain access of sixteen bytes to an integer: that is two. */
static bool is_one_access(struct module *m, LLVMTypeRef type, enum evr_order order)
{
	return is_scalar(m, type) && (order != EVR_PLAIN || size_of(m, type) <= 8);
}

static LLVMValueRef to_integer(struct module *m, LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v), integer = integer_of(m, size_of(m, type));
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(m->builder, v, integer, "");
	return LLVMBuildBitCast(m->builder, v, integer, "");
}

static LLVMValueRef from_integer(struct module *m, LLVMValueRef v, LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return LLVMBuildIntToPtr(m->builder, v, type, "");
	return LLVMBuildBitCast(m->builder, v, type, "");
}

static LLVMValueRef offset_pointer(struct module *m, LLVMValueRef p, uint64_t offset)
{
	LLVMValueRef index = const_int(m->i64, offset);
	return offset ? LLVMBuildGEP2(m->builder, m->i8, p, &index, 1, "") : p;
}

static uint64_t largest_piece(uint64_t offset, uint64_t left)
{
	uint64_t n = 8;
	while (n > left || offset % n)
		n /= 2;
	return n;
}

void access_note_plain(struct module *m, LLVMValueRef call, unsigned first, unsigned second)
{
	const unsigned most = 128;
	evr_vec_push(&m->plain, call);
	evr_map_put(&m->alignments, (uintptr_t)call,
		    (first < most ? first : most) | (second < most ? second : most) << 8);
}

static LLVMValueRef read_hook(struct module *m, LLVMValueRef p, uint64_t size, LLVMValueRef site, enum evr_order order,
			      unsigned alignment)
{
	LLVMValueRef arguments[] = { p, site };
	LLVMValueRef call = hook_call(m, (enum hook)(HOOK_evr_read1 + size_class(size)), arguments, 2);
	if (order == EVR_PLAIN && size <= 8)
		access_note_plain(m, call, alignment, 0);
	return call;
}

static void write_hook(struct module *m, LLVMValueRef p, LLVMValueRef v, uint64_t size, LLVMValueRef site,
		       enum evr_order order, unsigned alignment)
{
	LLVMValueRef arguments[] = { p, v, site };
	LLVMValueRef call = hook_call(m, (enum hook)(HOOK_evr_write1 + size_class(size)), arguments, 3);
	if (order == EVR_PLAIN && size <= 8)
		access_note_plain(m, call, alignment, 0);
}

/*
 * The read half of a bit-field update: every use is masked, and what comes of it is stored to the same address. Its other
 * bits may be uninitialised.
 */
bool access_updates_bitfield(LLVMValueRef load)
{
	LLVMValueRef p = LLVMGetOperand(load, 0);
	LLVMUseRef first = LLVMGetFirstUse(load);
	if (!first || LLVMGetNextUse(first))
		return false;
	LLVMValueRef v = LLVMGetUser(first);
	if (!LLVMIsABinaryOperator(v) || LLVMGetInstructionOpcode(v) != LLVMAnd)
		return false;
	for (int steps = 0; steps < 2 && LLVMGetFirstUse(v); steps++) {
		LLVMValueRef user = LLVMGetUser(LLVMGetFirstUse(v));
		if (LLVMIsAStoreInst(user))
			return LLVMGetOperand(user, 1) == p;
		if (!LLVMIsABinaryOperator(user) || LLVMGetInstructionOpcode(user) != LLVMOr)
			return false;
		v = user;
	}
	return false;
}

static unsigned flags_of(LLVMValueRef access)
{
	return LLVMGetVolatile(access) ? EVR_SITE_VOLATILE : 0;
}

static void instrument_load(struct module *m, LLVMValueRef load)
{
	LLVMTypeRef type = LLVMTypeOf(load);
	LLVMValueRef p = LLVMGetOperand(load, 0), value;
	uint64_t size = size_of(m, type);
	enum evr_order order = order_of(LLVMGetOrdering(load));
	unsigned flags = flags_of(load) | (access_updates_bitfield(load) ? EVR_SITE_PARTIAL : 0);
	LLVMValueRef site = order == EVR_PLAIN ? site_of(m, load, order, flags)
					       : atomic_site_of(m, load, EVR_OPERATION_LOAD, order, flags);
	position_before(m, load);
	if (is_one_access(m, type, order)) {
		value = from_integer(m, read_hook(m, p, size, site, order, LLVMGetAlignment(load)), type);
	} else {
		if (order != EVR_PLAIN)
			refuse(m, load, "an atomic load of this type is not supported");
		LLVMValueRef temporary = native_alloca(m, type);
		for (uint64_t i = 0, n; i < size; i += n) {
			n = largest_piece(i, size - i);
			LLVMValueRef piece = read_hook(m, offset_pointer(m, p, i), n, site, order, (unsigned)n);
			LLVMSetAlignment(LLVMBuildStore(m->builder, piece, offset_pointer(m, temporary, i)), 1);
		}
		value = LLVMBuildLoad2(m->builder, type, temporary, "");
	}
	LLVMReplaceAllUsesWith(load, value);
	LLVMInstructionEraseFromParent(load);
}

static void instrument_store(struct module *m, LLVMValueRef store)
{
	LLVMValueRef value = LLVMGetOperand(store, 0), p = LLVMGetOperand(store, 1);
	LLVMTypeRef type = LLVMTypeOf(value);
	uint64_t size = size_of(m, type);
	enum evr_order order = order_of(LLVMGetOrdering(store));
	LLVMValueRef site = order == EVR_PLAIN ? site_of(m, store, order, flags_of(store))
					       : atomic_site_of(m, store, EVR_OPERATION_STORE, order, flags_of(store));
	position_before(m, store);
	if (is_one_access(m, type, order)) {
		write_hook(m, p, to_integer(m, value), size, site, order, LLVMGetAlignment(store));
	} else {
		if (order != EVR_PLAIN)
			refuse(m, store, "an atomic store of this type is not supported");
		LLVMValueRef temporary = native_alloca(m, type);
		LLVMBuildStore(m->builder, value, temporary);
		for (uint64_t i = 0, n; i < size; i += n) {
			n = largest_piece(i, size - i);
			LLVMValueRef piece =
				LLVMBuildLoad2(m->builder, integer_of(m, n), offset_pointer(m, temporary, i), "");
			LLVMSetAlignment(piece, 1);
			write_hook(m, offset_pointer(m, p, i), piece, n, site, order, (unsigned)n);
		}
	}
	LLVMInstructionEraseFromParent(store);
}

static bool is_floating(LLVMAtomicRMWBinOp op)
{
	return op >= LLVMAtomicRMWBinOpFAdd && op <= LLVMAtomicRMWBinOpFMin;
}

static void instrument_rmw(struct module *m, LLVMValueRef rmw)
{
	LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(rmw);
	LLVMValueRef p = LLVMGetOperand(rmw, 0), operand = LLVMGetOperand(rmw, 1);
	LLVMTypeRef type = LLVMTypeOf(operand);
	uint64_t size = size_of(m, type);
	if (op > LLVMAtomicRMWBinOpUDecWrap || !is_scalar(m, type) || (is_floating(op) && size < sizeof(float))) {
		refuse(m, rmw, "this atomic read-modify-write operation (number %d) is not supported", (int)op);
		return;
	}
	LLVMValueRef site = atomic_site_of(m, rmw, EVR_OPERATION_RMW, order_of(LLVMGetOrdering(rmw)), flags_of(rmw));
	position_before(m, rmw);
	LLVMValueRef arguments[] = { p, to_integer(m, operand), const_int(m->i32, op), site };
	LLVMValueRef old = hook_call(m, (enum hook)(HOOK_evr_rmw1 + size_class(size)), arguments, 4);
	LLVMReplaceAllUsesWith(rmw, from_integer(m, old, type));
	LLVMInstructionEraseFromParent(rmw);
}

static void instrument_cmpxchg(struct module *m, LLVMValueRef cas)
{
	LLVMValueRef p = LLVMGetOperand(cas, 0), expected = LLVMGetOperand(cas, 1), desired = LLVMGetOperand(cas, 2);
	LLVMTypeRef type = LLVMTypeOf(expected);
	uint64_t size = size_of(m, type);
	if (!is_scalar(m, type)) {
		refuse(m, cas, "a compare-exchange of this type is not supported");
		return;
	}
	bool weak = LLVMGetWeak(cas);
	unsigned flags = flags_of(cas) | (weak ? EVR_SITE_WEAK : 0) |
			 order_of(LLVMGetCmpXchgFailureOrdering(cas)) * EVR_SITE_FAILURE;
	LLVMValueRef site =
		atomic_site_of(m, cas, EVR_OPERATION_CAS, order_of(LLVMGetCmpXchgSuccessOrdering(cas)), flags);
	position_before(m, cas);
	LLVMValueRef wanted = to_integer(m, expected);
	LLVMValueRef arguments[] = { p, wanted, to_integer(m, desired), site };
	LLVMValueRef old = hook_call(m, (enum hook)(HOOK_evr_cas1 + size_class(size)), arguments, 4);
	LLVMValueRef same = LLVMBuildICmp(m->builder, LLVMIntEQ, old, wanted, "");
	if (weak) {
		LLVMValueRef failed = hook_call(m, HOOK_evr_cas_failed, NULL, 0);
		LLVMValueRef none = LLVMBuildICmp(m->builder, LLVMIntEQ, failed, const_int(m->i8, 0), "");
		same = LLVMBuildAnd(m->builder, same, none, "");
	}
	LLVMValueRef pair = LLVMGetUndef(LLVMTypeOf(cas));
	pair = LLVMBuildInsertValue(m->builder, pair, from_integer(m, old, type), 0, "");
	pair = LLVMBuildInsertValue(m->builder, pair, same, 1, "");
	LLVMReplaceAllUsesWith(cas, pair);
	LLVMInstructionEraseFromParent(cas);
}

static void instrument_fence(struct module *m, LLVMValueRef fence)
{
	/* A signal fence orders the compiler only. */
	if (!LLVMIsAtomicSingleThread(fence)) {
		LLVMValueRef site = atomic_site_of(m, fence, EVR_OPERATION_FENCE, order_of(LLVMGetOrdering(fence)), 0);
		position_before(m, fence);
		hook_call(m, HOOK_evr_fence, &site, 1);
	}
	LLVMInstructionEraseFromParent(fence);
}

void access_copy(struct module *m, LLVMValueRef to, LLVMValueRef from, uint64_t size, LLVMValueRef at)
{
	LLVMValueRef arguments[] = { to, from, const_int(m->i64, size), site_of(m, at, EVR_PLAIN, 0) };
	hook_call(m, HOOK_evr_copy, arguments, 4);
}

void access_instrument(struct module *m, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		instrument_load(m, i);
		break;
	case LLVMStore:
		instrument_store(m, i);
		break;
	case LLVMAtomicRMW:
		instrument_rmw(m, i);
		break;
	case LLVMAtomicCmpXchg:
		instrument_cmpxchg(m, i);
		break;
	case LLVMFence:
		instrument_fence(m, i);
		break;
	default:
		break;
	}
}
