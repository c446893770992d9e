/*
 * What the runtime is told about the module.
 *
 * Invariant: the structs of runtime/abi.h are built field by field in the same order; EVR_ABI_VERSION changes with them. Globals
 * that we add to the module are in m->added, and are no variables of the program.
 */
#include "instrument/module.h"
#include "runtime/abi.h"

#include <stdlib.h>
#include <string.h>

LLVMValueRef private_constant(struct module *m, LLVMValueRef initial, const char *name)
{
	LLVMValueRef g = LLVMAddGlobal(m->module, LLVMTypeOf(initial), name);
	LLVMSetInitializer(g, initial);
	LLVMSetLinkage(g, LLVMPrivateLinkage);
	evr_vec_push(&m->added, g);
	return g;
}

LLVMValueRef string_constant(struct module *m, const char *text)
{
	uint64_t hash = evr_hash_bytes(text, strlen(text));
	uint64_t *known = evr_map_get(&m->strings, hash);
	if (known && !strcmp(m->string_texts.data[*known], text))
		return m->string_values.data[*known];
	LLVMValueRef s = private_constant(m, LLVMConstStringInContext2(m->context, text, strlen(text), 0), "evr.text");
	LLVMSetGlobalConstant(s, 1);
	evr_map_put(&m->strings, hash, m->string_values.len);
	evr_vec_push(&m->string_values, s);
	evr_vec_push(&m->string_texts, evr_strdup(text));
	return s;
}

/* As the program calls it, to be freed: main has another name by now, or will have. */
static char *function_name(LLVMValueRef f)
{
	return evr_starts_with(value_name(f), PROGRAM_MAIN) ? evr_strdup("main") : demangled(value_name(f));
}

/* Instructions that the compiler made up have no line: then that of their function. */
static unsigned line_of(struct module *m, LLVMValueRef at)
{
	unsigned line = LLVMGetDebugLocLine(at);
	LLVMMetadataRef subprogram = LLVMGetSubprogram(m->function);
	return line || !subprogram ? line : LLVMDISubprogramGetLine(subprogram);
}

LLVMValueRef site_of(struct module *m, LLVMValueRef at, enum evr_order order, unsigned flags)
{
	size_t length;
	char *name = file_of(m, at);
	if (!name)
		name = file_of(m, m->function);
	if (!name)
		name = evr_strdup(LLVMGetSourceFileName(m->module, &length));
	char *function = function_name(m->function);
	LLVMValueRef fields[] = {
		string_constant(m, name),          string_constant(m, function),
		const_int(m->i32, line_of(m, at)), const_int(m->i16, LLVMGetDebugLocColumn(at)),
		const_int(m->i8, order),           const_int(m->i8, flags),
	};
	free(name);
	free(function);
	LLVMValueRef s =
		private_constant(m, LLVMConstStructInContext(m->context, fields, EVR_COUNT(fields), 0), "evr.site");
	LLVMSetGlobalConstant(s, 1);
	return s;
}

static LLVMValueRef structure(struct module *m, LLVMValueRef *fields, unsigned n)
{
	return LLVMConstStructInContext(m->context, fields, n, 0);
}

/* The mark is a store of the program's own: it costs one instruction, and needs no hook. */
LLVMValueRef atomic_site_of(struct module *m, LLVMValueRef at, enum evr_operation operation, enum evr_order order,
			    unsigned flags)
{
	LLVMValueRef site = site_of(m, at, order, flags);
	LLVMSetGlobalConstant(site, 0);
	LLVMValueRef fields[] = { site, const_int(m->i64, operation), const_int(m->i64, 0) };
	LLVMValueRef a = private_constant(m, structure(m, fields, EVR_COUNT(fields)), "evr.atomic");
	evr_vec_push(&m->atomics, a);
	position_before(m, at);
	LLVMValueRef executed =
		LLVMBuildStructGEP2(m->builder, LLVMGlobalGetValueType(a), a, EVR_COUNT(fields) - 1, "");
	LLVMBuildStore(m->builder, const_int(m->i64, 1), executed);
	return site;
}

static LLVMValueRef variable_struct(struct module *m, const char *name, LLVMMetadataRef variable, LLVMValueRef address,
				    uint64_t size, unsigned flags)
{
	LLVMValueRef fields[] = {
		string_constant(m, name), debug_variable_type(m, variable), address ? address : LLVMConstNull(m->ptr),
		const_int(m->i64, size),  const_int(m->i64, flags),
	};
	return structure(m, fields, EVR_COUNT(fields));
}

LLVMValueRef variable_constant(struct module *m, const char *name, LLVMMetadataRef variable, LLVMValueRef address,
			       uint64_t size, unsigned flags)
{
	return private_constant(m, variable_struct(m, name, variable, address, size, flags), "evr.variable");
}

/* The callees' array is made at the end; until then each is a global of its own, which the runtime may write. */
LLVMValueRef callee_constant(struct module *m, LLVMValueRef function, LLVMValueRef call)
{
	uint64_t *known = evr_map_get(&m->callee_of, (uintptr_t)function);
	if (known)
		return (LLVMValueRef)(uintptr_t)*known;
	char *name = demangled(value_name(function));
	LLVMValueRef fields[] = {
		string_constant(m, name),
		string_constant(m, value_name(function)),
		function,
		call ? site_of(m, call, EVR_PLAIN, 0) : LLVMConstNull(m->ptr),
		const_int(m->i64, 0),
	};
	LLVMValueRef c = private_constant(m, structure(m, fields, EVR_COUNT(fields)), "evr.callee");
	free(name);
	evr_map_put(&m->callee_of, (uintptr_t)function, (uintptr_t)c);
	evr_vec_push(&m->callees, c);
	return c;
}

void call_note(struct module *m, LLVMValueRef call, LLVMValueRef site, const char *name)
{
	LLVMMetadataRef type = allocations_type(m, call);
	char *type_name = type ? debug_struct_name(m, type) : evr_strdup("");
	LLVMValueRef fields[] = {
		site,
		string_constant(m, name),
		type ? debug_type_constant(m, type) : LLVMConstNull(m->ptr),
		string_constant(m, type_name),
	};
	free(type_name);
	evr_vec_push(&m->calls, structure(m, fields, EVR_COUNT(fields)));
}

/* An array of constants of one type, as a private global; null and 0 if there are none. */
static void add_array(struct module *m, const value_vec *elements, LLVMValueRef *pointer, LLVMValueRef *count)
{
	*count = const_int(m->i64, elements->len);
	*pointer = LLVMConstNull(m->ptr);
	if (!elements->len)
		return;
	LLVMTypeRef type = LLVMTypeOf(elements->data[0]);
	*pointer = private_constant(m, LLVMConstArray2(type, elements->data, elements->len), "evr.table");
}

static void collect_variables(struct module *m, value_vec *out)
{
	struct evr_map added = { 0 };
	for (size_t i = 0; i < m->added.len; i++)
		evr_map_put(&added, (uintptr_t)m->added.data[i], 1);
	EVR_VEC(LLVMValueRef) globals = { 0 };
	for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = LLVMGetNextGlobal(g))
		evr_vec_push(&globals, g);
	for (size_t i = 0; i < globals.len; i++) {
		LLVMValueRef g = globals.data[i];
		LLVMTypeRef type = LLVMGlobalGetValueType(g);
		const char *section = LLVMGetSection(g);
		if (evr_map_get(&added, (uintptr_t)g) || evr_starts_with(value_name(g), "llvm.") ||
		    LLVMIsThreadLocal(g) || !LLVMTypeIsSized(type) || (section && evr_starts_with(section, "llvm.")))
			continue;
		const uint64_t *padded = evr_map_get(&m->sizes, (uintptr_t)g);
		bool external = LLVMIsDeclaration(g);
		LLVMMetadataRef debug = debug_global(g);
		/* In a namespace, the name that debug information has is not all of it. */
		bool mangled = evr_starts_with(value_name(g), "_Z");
		char *name = mangled || !debug ? demangled(value_name(g)) : debug_variable_name(m, debug);
		unsigned flags = (LLVMIsGlobalConstant(g) && !external ? EVR_VARIABLE_CONST : 0) |
				 (external ? EVR_VARIABLE_EXTERN : 0);
		uint64_t size = padded ? *padded : LLVMABISizeOfType(m->layout, type);
		evr_vec_push(out, variable_struct(m, name, debug, g, size, flags));
		free(name);
	}
	evr_vec_release(&globals);
	evr_map_release(&added);
}

static void collect_constructors(struct module *m, const char *list, bool destructors, value_vec *out)
{
	LLVMValueRef g = LLVMGetNamedGlobal(m->module, list);
	if (!g)
		return;
	LLVMValueRef initial = LLVMGetInitializer(g);
	int n = LLVMGetNumOperands(initial);
	for (int i = 0; i < n; i++) {
		LLVMValueRef entry = LLVMGetOperand(initial, (unsigned)i);
		LLVMValueRef fields[] = {
			LLVMGetOperand(entry, 1),
			const_int(m->i64, LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0))),
			const_int(m->i64, destructors),
		};
		evr_vec_push(out, structure(m, fields, EVR_COUNT(fields)));
	}
	LLVMDeleteGlobal(g);
}

static void collect_functions(struct module *m, value_vec *out)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) == LLVMAvailableExternallyLinkage)
			continue;
		/* What calls a main that is declared void is not the program's. */
		if (!strcmp(value_name(f), PROGRAM_MAIN) && !LLVMGetSubprogram(f))
			continue;
		m->function = f;
		char *name = function_name(f);
		LLVMValueRef fields[] = { string_constant(m, name), f, site_of(m, f, EVR_PLAIN, 0) };
		free(name);
		evr_vec_push(out, structure(m, fields, EVR_COUNT(fields)));
	}
}

/* A function that registers the object, and its address where the loader looks for what to call first. */
static void emit_registration(struct module *m, LLVMValueRef f, LLVMValueRef object)
{
	LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMPositionBuilderAtEnd(m->builder, LLVMAppendBasicBlockInContext(m->context, f, ""));
	LLVMSetCurrentDebugLocation2(m->builder, NULL);
	hook_call(m, HOOK_evr_object_register, &object, 1);
	LLVMBuildRetVoid(m->builder);
	LLVMValueRef entry = private_constant(m, f, "evr.init");
	LLVMSetSection(entry, ".init_array");
}

void tables_emit(struct module *m, const char *source)
{
	value_vec variables = { 0 }, constructors = { 0 }, functions = { 0 }, points = { 0 };
	LLVMValueRef f[22], last;
	collect_constructors(m, "llvm.global_ctors", false, &constructors);
	collect_constructors(m, "llvm.global_dtors", true, &constructors);
	collect_variables(m, &variables);
	collect_functions(m, &functions);
	f[0] = const_int(m->i64, EVR_ABI_VERSION);
	f[1] = string_constant(m, source);
	add_array(m, &variables, &f[2], &f[3]);
	add_array(m, &m->tls, &f[4], &f[5]);
	add_array(m, &constructors, &f[6], &f[7]);
	add_array(m, &m->callees, &f[8], &f[9]);
	add_array(m, &functions, &f[10], &f[11]);
	f[12] = last = LLVMAddFunction(m->module, "evr.register", LLVMFunctionType(m->none, NULL, 0, 0));
	f[13] = const_int(m->i64, m->flags);
	add_array(m, &m->atomics, &f[14], &f[15]);
	add_array(m, &m->calls, &f[16], &f[17]);
	coverage_emit(m, &points, &f[20]);
	add_array(m, &points, &f[18], &f[19]);
	f[21] = LLVMConstNull(m->ptr);
	emit_registration(m, last, private_constant(m, structure(m, f, EVR_COUNT(f)), "evr.object"));
	evr_vecs_release(&variables, &constructors, &functions, &points);
}
