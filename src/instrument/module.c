/*
 * What all passes need of the module: types, hooks, errors, names, and where new instructions go.
 *
 * Invariant: a hook is declared in the module when it is first called, with the types of hooks.def. Whoever refuses something only collects
 * errors: passes go on, and nothing is written if there are any.
 */
#define EVR_ALLOW_BANNED
#include "instrument/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum hook_type { hook_void = 1, hook_ptr, hook_i8, hook_i16, hook_i32, hook_i64, hook_i128 };

static const struct {
	const char *name;
	enum hook_type result, arguments[6];
} hook_table[] = {
#define HOOK(name, result, ...) { #name, result, { __VA_ARGS__ } },
#include "runtime/hooks.def"
#undef HOOK
};

static LLVMTypeRef llvm_type(struct module *m, enum hook_type t)
{
	switch (t) {
	case hook_ptr:
		return m->ptr;
	case hook_i8:
		return m->i8;
	case hook_i16:
		return m->i16;
	case hook_i32:
		return m->i32;
	case hook_i64:
		return m->i64;
	case hook_i128:
		return m->i128;
	default:
		return m->none;
	}
}

static void declare_hook(struct module *m, unsigned h)
{
	LLVMTypeRef arguments[6];
	unsigned n = 0;
	while (n < 6 && hook_table[h].arguments[n] > hook_void) {
		arguments[n] = llvm_type(m, hook_table[h].arguments[n]);
		n++;
	}
	m->hook_types[h] = LLVMFunctionType(llvm_type(m, hook_table[h].result), arguments, n, 0);
	m->hooks[h] = NULL;
}

void module_init(struct module *m)
{
	LLVMContextRef c = m->context;
	m->builder = LLVMCreateBuilderInContext(c);
	m->layout = LLVMGetModuleDataLayout(m->module);
	m->i8 = LLVMInt8TypeInContext(c);
	m->i16 = LLVMInt16TypeInContext(c);
	m->i32 = LLVMInt32TypeInContext(c);
	m->i64 = LLVMInt64TypeInContext(c);
	m->i128 = LLVMInt128TypeInContext(c);
	m->ptr = LLVMPointerTypeInContext(c, 0);
	m->none = LLVMVoidTypeInContext(c);
	LLVMTypeRef site[] = { m->ptr, m->ptr, m->i32, m->i16, m->i8, m->i8 };
	m->site_type = LLVMStructTypeInContext(c, site, EVR_COUNT(site), 0);
	for (unsigned h = 0; h < HOOK_COUNT; h++)
		declare_hook(m, h);
	m->call_site = LLVMAddGlobal(m->module, m->ptr, "evr_call_site");
	evr_vec_push(&m->added, m->call_site);
	evr_strbuf_init(&m->errors);
}

void module_release(struct module *m)
{
	LLVMDisposeBuilder(m->builder);
	evr_strbuf_release(&m->errors);
	evr_map_release(&m->strings);
	evr_map_release(&m->types);
	evr_map_release(&m->locals);
	evr_map_release(&m->callee_of);
	evr_map_release(&m->sizes);
	evr_map_release(&m->alignments);
	evr_map_release(&m->purity);
	for (size_t i = 0; i < m->string_texts.len; i++)
		free(m->string_texts.data[i]);
	evr_vecs_release(&m->string_texts, &m->string_values, &m->callees, &m->atomics, &m->calls, &m->tls, &m->added,
			 &m->plain, &m->points, &m->branches, &m->edges);
}

/* The C calling convention leaves extending small integers to the caller. */
static void extend_arguments(struct module *m, LLVMValueRef call, enum hook h)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("zeroext", 7);
	for (unsigned i = 0; i < 6 && hook_table[h].arguments[i]; i++)
		if (hook_table[h].arguments[i] == hook_i8 || hook_table[h].arguments[i] == hook_i16)
			LLVMAddCallSiteAttribute(call, i + 1, LLVMCreateEnumAttribute(m->context, kind, 0));
}

LLVMValueRef hook_call(struct module *m, enum hook h, LLVMValueRef *arguments, unsigned n)
{
	if (!m->hooks[h])
		m->hooks[h] = LLVMAddFunction(m->module, hook_table[h].name, m->hook_types[h]);
	LLVMValueRef call = LLVMBuildCall2(m->builder, m->hook_types[h], m->hooks[h], arguments, n, "");
	extend_arguments(m, call, h);
	return call;
}

/* Is it the folder in which the compiler ran? */
static bool is_compilers(struct module *m, const char *folder, unsigned n)
{
	unsigned length = 0;
	if (!LLVMGetNamedMetadataNumOperands(m->module, "llvm.dbg.cu"))
		return true;
	/* Of several, in linked bitcode, the first decides. */
	LLVMValueRef *units = evr_alloc(LLVMGetNamedMetadataNumOperands(m->module, "llvm.dbg.cu") * sizeof(*units));
	LLVMGetNamedMetadataOperands(m->module, "llvm.dbg.cu", units);
	LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMValueAsMetadata(units[0]));
	free(units);
	const char *unit_folder = file ? LLVMDIFileGetDirectory(file, &length) : NULL;
	return !unit_folder || (length == n && !memcmp(unit_folder, folder, n));
}

char *file_of(struct module *m, LLVMValueRef at)
{
	unsigned n = 0, folder_length = 0;
	const char *file = LLVMGetDebugLocFilename(at, &n), *folder = LLVMGetDebugLocDirectory(at, &folder_length);
	if (!file)
		return NULL;
	if (*file == '/' || !folder_length || is_compilers(m, folder, folder_length))
		return evr_strndup(file, n);
	return evr_format("%.*s/%.*s", (int)folder_length, folder, (int)n, file);
}

void refuse(struct module *m, LLVMValueRef at, const char *format, ...)
{
	char *file = at ? file_of(m, at) : NULL;
	size_t length = 0;
	if (file)
		evr_strbuf_printf(&m->errors, "%s:%u: ", file, LLVMGetDebugLocLine(at));
	else
		evr_strbuf_printf(&m->errors, "%s: ", LLVMGetSourceFileName(m->module, &length));
	free(file);
	size_t start = m->errors.len;
	va_list args;
	va_start(args, format);
	evr_strbuf_vprintf(&m->errors, format, args);
	va_end(args);
	/* One line, whatever the program calls it. */
	for (size_t i = start; i < m->errors.len; i++)
		if ((unsigned char)m->errors.text[i] < ' ')
			m->errors.text[i] = ' ';
	evr_strbuf_putc(&m->errors, '\n');
}

LLVMValueRef const_int(LLVMTypeRef type, uint64_t value)
{
	return LLVMConstInt(type, value, 0);
}

uint64_t size_of(struct module *m, LLVMTypeRef type)
{
	return LLVMStoreSizeOfType(m->layout, type);
}

const char *value_name(LLVMValueRef v)
{
	size_t n;
	return LLVMGetValueName2(v, &n);
}

void position_before(struct module *m, LLVMValueRef at)
{
	LLVMPositionBuilderBefore(m->builder, at);
	LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(at));
}

LLVMValueRef native_alloca(struct module *m, LLVMTypeRef type)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(m->function);
	LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
	LLVMValueRef a = LLVMBuildAlloca(b, type, "");
	LLVMDisposeBuilder(b);
	return a;
}
