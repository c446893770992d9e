#include "instrument/cells.h"

#include "runtime/memory/cell.h"

#include <stddef.h>
#include <string.h>

LLVMValueRef cells_member(struct module *m, LLVMTypeRef type, LLVMValueRef base, size_t offset)
{
	LLVMValueRef index = const_int(m->i64, offset);
	return LLVMBuildLoad2(m->builder, type, LLVMBuildGEP2(m->builder, m->i8, base, &index, 1, ""), "");
}

LLVMValueRef cells_current(struct module *m)
{
	LLVMValueRef variable = LLVMGetNamedGlobal(m->module, "evr_current");
	if (!variable)
		variable = LLVMAddGlobal(m->module, m->ptr, "evr_current");
	return LLVMBuildLoad2(m->builder, m->ptr, variable, "");
}

LLVMValueRef cells_of(struct module *m, LLVMValueRef address)
{
	LLVMValueRef low = LLVMBuildAnd(m->builder, address, const_int(m->i64, EVR_WINDOW_MASK & ~UINT64_C(7)), "");
	LLVMValueRef offset = LLVMBuildShl(m->builder, low, const_int(m->i64, 1), "");
	LLVMValueRef cell = LLVMBuildAdd(m->builder, offset, const_int(m->i64, EVR_CELLS_BASE), "");
	return LLVMBuildIntToPtr(m->builder, cell, m->ptr, "");
}

LLVMValueRef cells_own_stamp(struct module *m, LLVMValueRef address, unsigned size)
{
	LLVMValueRef marks = LLVMBuildAnd(m->builder, address, const_int(m->i64, EVR_REGION_MASK | (size - 1)), "");
	LLVMValueRef place = LLVMConstIntToPtr(const_int(m->i64, EVR_STAMP_PLACE), m->ptr);
	LLVMValueRef stamp = LLVMBuildLoad2(m->builder, m->i64, place, "");
	return LLVMBuildXor(m->builder, marks, stamp, "");
}

LLVMValueRef cells_unless_stamp(struct module *m, LLVMValueRef cell, LLVMValueRef stamp)
{
	return LLVMBuildXor(m->builder, cells_member(m, m->i64, cell, offsetof(struct evr_cell, stamp)), stamp, "");
}

/* Masks that lie side by side: reads need the first two, writes the last two, as COVERS() of runtime/memory/access.c. */
LLVMValueRef cells_missing(struct module *m, LLVMValueRef cell, LLVMValueRef first, unsigned read, unsigned written)
{
	_Static_assert(offsetof(struct evr_cell, initialised) == offsetof(struct evr_cell, read) + 1 &&
			       offsetof(struct evr_cell, written) == offsetof(struct evr_cell, read) + 2,
		       "masks lie side by side");
	LLVMBuilderRef b = m->builder;
	LLVMValueRef masks = cells_member(m, m->i32, cell, offsetof(struct evr_cell, read));
	if (first)
		masks = LLVMBuildLShr(b, masks, first, "");
	LLVMValueRef wanted = const_int(m->i32, read | (read | written) << 8 | written << 16);
	return LLVMBuildZExt(b, LLVMBuildAnd(b, LLVMBuildNot(b, masks, ""), wanted, ""), m->i64, "");
}

LLVMValueRef cells_first(struct module *m, LLVMValueRef address)
{
	return LLVMBuildAnd(m->builder, LLVMBuildTrunc(m->builder, address, m->i32, ""), const_int(m->i32, 7), "");
}

LLVMValueRef cells_weights(struct module *m)
{
	LLVMMetadataRef operands[] = {
		LLVMMDStringInContext2(m->context, "branch_weights", strlen("branch_weights")),
		LLVMValueAsMetadata(const_int(m->i32, 1000)),
		LLVMValueAsMetadata(const_int(m->i32, 1)),
	};
	return LLVMMetadataAsValue(m->context, LLVMMDNodeInContext2(m->context, operands, EVR_COUNT(operands)));
}
