/*
 * A gap behind every variable, so that an access just outside of one is an access to nothing: each becomes the first
 * member of a struct whose second is the gap. Its name, address and symbol stay what they were.
 */
#include "instrument/module.h"

#include <llvm-c/Comdat.h>
#include <stdlib.h>

#define GAP 32

/* Where others count on the size or on what lies next to it, it stays as it is. */
static bool can_grow(LLVMValueRef g)
{
	switch (LLVMGetLinkage(g)) {
	case LLVMExternalLinkage:
	case LLVMInternalLinkage:
	case LLVMPrivateLinkage:
		break;
	default:
		return false;
	}
	const char *section = LLVMGetSection(g);
	return !LLVMIsDeclaration(g) && !LLVMIsThreadLocal(g) && !(section && *section) && !LLVMGetComdat(g) &&
	       !evr_starts_with(value_name(g), "llvm.");
}

static void copy_metadata(LLVMValueRef to, LLVMValueRef from)
{
	size_t n = 0;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &n);
	for (unsigned i = 0; i < n; i++)
		LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, i),
				      LLVMValueMetadataEntriesGetMetadata(entries, i));
	LLVMDisposeValueMetadataEntries(entries);
}

static void grow(struct module *m, LLVMValueRef g)
{
	LLVMTypeRef gap = LLVMArrayType2(m->i8, GAP);
	LLVMValueRef fields[] = { LLVMGetInitializer(g), LLVMConstNull(gap) };
	LLVMValueRef initial = LLVMConstStructInContext(m->context, fields, 2, 0);
	LLVMValueRef larger = LLVMAddGlobal(m->module, LLVMTypeOf(initial), "");
	uint64_t size = LLVMABISizeOfType(m->layout, LLVMGlobalGetValueType(g));
	unsigned align = LLVMGetAlignment(g);
	LLVMSetInitializer(larger, initial);
	LLVMSetLinkage(larger, LLVMGetLinkage(g));
	LLVMSetVisibility(larger, LLVMGetVisibility(g));
	LLVMSetGlobalConstant(larger, LLVMIsGlobalConstant(g));
	LLVMSetAlignment(larger, align ? align : LLVMPreferredAlignmentOfGlobal(m->layout, g));
	copy_metadata(larger, g);
	LLVMReplaceAllUsesWith(g, larger);
	size_t n;
	const char *name = LLVMGetValueName2(g, &n);
	char *copy = evr_strndup(name, n);
	LLVMSetValueName2(g, "", 0);
	LLVMSetValueName2(larger, copy, n);
	free(copy);
	LLVMDeleteGlobal(g);
	evr_map_put(&m->sizes, (uintptr_t)larger, size);
}

/* What the loader runs before main, nobody could set the stage for. */
static void refuse_start_up(struct module *m, LLVMValueRef g)
{
	static const char *const sections[] = { ".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors" };
	const char *section = LLVMGetSection(g);
	for (size_t i = 0; section && i < EVR_COUNT(sections); i++)
		if (evr_starts_with(section, sections[i]))
			refuse(m, g,
			       "the variable '%s' in section '%s' is not supported; use "
			       "__attribute__((constructor)) or destructor",
			       value_name(g), section);
}

void globals_pad(struct module *m)
{
	value_vec all = { 0 };
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g)) {
		refuse_start_up(m, g);
		evr_vec_push(&all, g);
	}
	for (size_t i = 0; i < all.len; i++)
		if (can_grow(all.data[i]))
			grow(m, all.data[i]);
	evr_vec_release(&all);
}
