/*
 * Names and types of variables, from debug information. LLVM's C interface reads few fields of these nodes, but gives a
 * node's operands, whose order is LLVM's own affair: the tests of reports hold on to it.
 */
#include "instrument/module.h"
#include "runtime/abi.h"

#include <stdlib.h>
#include <string.h>

enum {
	TAG_ARRAY = 0x01,
	TAG_CLASS = 0x02,
	TAG_ENUM = 0x04,
	TAG_POINTER = 0x0f,
	TAG_REFERENCE = 0x10,
	TAG_STRUCT = 0x13,
	TAG_TYPEDEF = 0x16,
	TAG_UNION = 0x17,
	TAG_CONST = 0x26,
	TAG_VOLATILE = 0x35,
	TAG_RESTRICT = 0x37,
	TAG_RVALUE = 0x42,
	TAG_ATOMIC = 0x47,
	TAG_MEMBER = 0x0d,
	TAG_INHERITANCE = 0x1c,
};

enum {
	VARIABLE_SCOPE = 0,
	VARIABLE_NAME = 1,
	VARIABLE_TYPE = 3,
	/* LLVM 21 made operands of a type's size and offset. */
	TYPE_BASE = EVR_LLVM_MAJOR >= 21 ? 5 : 3,
	TYPE_ELEMENTS = TYPE_BASE + 1,
	SUBRANGE_COUNT = 0,
};

typedef EVR_VEC(LLVMValueRef) operands;

static operands operands_of(struct module *m, LLVMMetadataRef node)
{
	operands out = { 0 };
	LLVMValueRef v = LLVMMetadataAsValue(m->context, node);
	size_t n = LLVMGetMDNodeNumOperands(v);
	evr_vec_reserve(&out, n + 1);
	LLVMGetMDNodeOperands(v, out.data);
	out.len = n;
	return out;
}

static LLVMMetadataRef operand(struct module *m, LLVMMetadataRef node, unsigned i)
{
	operands all = operands_of(m, node);
	LLVMMetadataRef found = i < all.len && all.data[i] ? LLVMValueAsMetadata(all.data[i]) : NULL;
	evr_vec_release(&all);
	return found;
}

char *debug_variable_name(struct module *m, LLVMMetadataRef variable)
{
	unsigned n = 0;
	operands all = operands_of(m, variable);
	LLVMValueRef name = all.len > VARIABLE_NAME ? all.data[VARIABLE_NAME] : NULL;
	const char *text = name ? LLVMGetMDString(name, &n) : NULL;
	char *copy = evr_strndup(text ? text : "", text ? n : 0);
	evr_vec_release(&all);
	return copy;
}

bool debug_is_outermost(struct module *m, LLVMMetadataRef variable)
{
	LLVMMetadataRef subprogram = LLVMGetSubprogram(m->function);
	return subprogram && operand(m, variable, VARIABLE_SCOPE) == subprogram;
}

static LLVMValueRef type_constant(struct module *m, LLVMMetadataRef type);

static LLVMValueRef type_struct(struct module *m, unsigned kind, uint64_t size, LLVMValueRef members, uint64_t count,
				LLVMValueRef element)
{
	LLVMValueRef fields[] = {
		const_int(m->i64, kind),
		const_int(m->i64, size),
		members ? members : LLVMConstNull(m->ptr),
		const_int(m->i64, count),
		element ? element : LLVMConstNull(m->ptr),
	};
	LLVMValueRef g =
		private_constant(m, LLVMConstStructInContext(m->context, fields, EVR_COUNT(fields), 0), "evr.type");
	LLVMSetGlobalConstant(g, 1);
	return g;
}

/* The encoding of a basic type cannot be read; its name can. */
static unsigned basic_kind(LLVMMetadataRef type)
{
	size_t n = 0;
	const char *name = LLVMDITypeGetName(type, &n);
	char *copy = evr_strndup(name ? name : "", name ? n : 0);
	unsigned kind = EVR_TYPE_SIGNED;
	if (strstr(copy, "float") || strstr(copy, "double"))
		kind = EVR_TYPE_FLOAT;
	else if (strstr(copy, "unsigned") || strstr(copy, "ool") || strstr(copy, "char16") || strstr(copy, "char32"))
		kind = EVR_TYPE_UNSIGNED;
	free(copy);
	return kind;
}

static LLVMValueRef struct_type(struct module *m, LLVMMetadataRef type, uint64_t size)
{
	LLVMMetadataRef list = operand(m, type, TYPE_ELEMENTS);
	EVR_VEC(LLVMValueRef) members = { 0 };
	operands all = { 0 };
	if (list)
		all = operands_of(m, list);
	for (size_t i = 0; i < all.len; i++) {
		LLVMMetadataRef e = all.data[i] ? LLVMValueAsMetadata(all.data[i]) : NULL;
		unsigned tag = e ? LLVMGetDINodeTag(e) : 0;
		LLVMMetadataRef base = tag == TAG_MEMBER || tag == TAG_INHERITANCE ? operand(m, e, TYPE_BASE) : NULL;
		if (!base)
			continue;
		size_t n = 0;
		const char *name = LLVMDITypeGetName(e, &n);
		char *copy = evr_strndup(name ? name : "", name ? n : 0);
		LLVMValueRef fields[] = {
			string_constant(m, copy),
			type_constant(m, base),
			const_int(m->i64, LLVMDITypeGetOffsetInBits(e) / 8),
		};
		free(copy);
		evr_vec_push(&members, LLVMConstStructInContext(m->context, fields, EVR_COUNT(fields), 0));
	}
	LLVMValueRef array = NULL;
	if (members.len)
		array = private_constant(m, LLVMConstArray2(LLVMTypeOf(members.data[0]), members.data, members.len),
					 "evr.members");
	LLVMValueRef result = type_struct(m, EVR_TYPE_STRUCT, size, array, members.len, NULL);
	evr_vec_release(&all);
	evr_vec_release(&members);
	return result;
}

/* int a[2][3] has one node with two subranges: the innermost array is the last of them. */
static LLVMValueRef array_type(struct module *m, LLVMMetadataRef type, uint64_t size)
{
	LLVMMetadataRef base = operand(m, type, TYPE_BASE), list = operand(m, type, TYPE_ELEMENTS);
	LLVMValueRef element = base ? type_constant(m, base) : NULL;
	operands ranges = { 0 };
	if (list)
		ranges = operands_of(m, list);
	uint64_t counts[8], product = 1;
	size_t n = ranges.len < 8 ? ranges.len : 8;
	for (size_t i = 0; i < n; i++) {
		operands range = operands_of(m, LLVMValueAsMetadata(ranges.data[i]));
		LLVMValueRef count = range.len ? range.data[SUBRANGE_COUNT] : NULL;
		counts[i] = count && LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
		product *= counts[i] ? counts[i] : 1;
		evr_vec_release(&range);
	}
	evr_vec_release(&ranges);
	uint64_t step = product ? size / product : 0;
	for (size_t i = n; i-- > 0;) {
		step *= counts[i];
		element = type_struct(m, EVR_TYPE_ARRAY, step, NULL, 0, element);
	}
	return element ? element : type_struct(m, EVR_TYPE_OTHER, size, NULL, 0, NULL);
}

static LLVMValueRef make_type(struct module *m, LLVMMetadataRef type)
{
	unsigned tag = LLVMGetDINodeTag(type);
	uint64_t size = LLVMDITypeGetSizeInBits(type) / 8;
	LLVMMetadataRef base;
	switch (tag) {
	case TAG_TYPEDEF:
	case TAG_CONST:
	case TAG_VOLATILE:
	case TAG_RESTRICT:
	case TAG_ATOMIC:
		base = operand(m, type, TYPE_BASE);
		return base ? type_constant(m, base) : type_struct(m, EVR_TYPE_OTHER, 0, NULL, 0, NULL);
	case TAG_POINTER:
	case TAG_REFERENCE:
	case TAG_RVALUE:
		return type_struct(m, EVR_TYPE_POINTER, size ? size : 8, NULL, 0, NULL);
	case TAG_STRUCT:
	case TAG_CLASS:
	case TAG_UNION:
		return struct_type(m, type, size);
	case TAG_ARRAY:
		return array_type(m, type, size);
	case TAG_ENUM:
		return type_struct(m, EVR_TYPE_SIGNED, size, NULL, 0, NULL);
	default:
		if (LLVMGetMetadataKind(type) == LLVMDIBasicTypeMetadataKind)
			return type_struct(m, basic_kind(type), size, NULL, 0, NULL);
		return type_struct(m, EVR_TYPE_OTHER, size, NULL, 0, NULL);
	}
}

/* Types refer to each other only through pointers, which are not followed, so this ends. */
static LLVMValueRef type_constant(struct module *m, LLVMMetadataRef type)
{
	uint64_t *known = evr_map_get(&m->types, (uintptr_t)type);
	if (known)
		return (LLVMValueRef)(uintptr_t)*known;
	LLVMValueRef g = make_type(m, type);
	evr_map_put(&m->types, (uintptr_t)type, (uintptr_t)g);
	return g;
}

/* Without typedefs and qualifiers; NULL stays NULL. */
static LLVMMetadataRef bare(struct module *m, LLVMMetadataRef type)
{
	for (;;) {
		switch (type ? LLVMGetDINodeTag(type) : 0) {
		case TAG_TYPEDEF:
		case TAG_CONST:
		case TAG_VOLATILE:
		case TAG_RESTRICT:
		case TAG_ATOMIC:
			type = operand(m, type, TYPE_BASE);
			break;
		default:
			return type;
		}
	}
}

static bool has_tag(LLVMMetadataRef type, unsigned a, unsigned b, unsigned c)
{
	unsigned tag = type ? LLVMGetDINodeTag(type) : 0;
	return tag && (tag == a || tag == b || tag == c);
}

LLVMMetadataRef debug_type(struct module *m, LLVMMetadataRef variable)
{
	return operand(m, variable, VARIABLE_TYPE);
}

LLVMMetadataRef debug_element(struct module *m, LLVMMetadataRef type)
{
	type = bare(m, type);
	return has_tag(type, TAG_ARRAY, 0, 0) ? operand(m, type, TYPE_BASE) : NULL;
}

LLVMMetadataRef debug_pointee(struct module *m, LLVMMetadataRef type)
{
	/* The address of a struct is that of its first member, too. */
	for (type = bare(m, type); has_tag(type, TAG_STRUCT, TAG_CLASS, 0);)
		type = bare(m, debug_member_at(m, type, 0));
	return has_tag(type, TAG_POINTER, TAG_REFERENCE, TAG_RVALUE) ? operand(m, type, TYPE_BASE) : NULL;
}

LLVMMetadataRef debug_member_at(struct module *m, LLVMMetadataRef type, uint64_t offset)
{
	type = bare(m, type);
	LLVMMetadataRef list = has_tag(type, TAG_STRUCT, TAG_CLASS, 0) ? operand(m, type, TYPE_ELEMENTS) : NULL,
			found = NULL;
	operands all = { 0 };
	if (list)
		all = operands_of(m, list);
	for (size_t i = 0; i < all.len && !found; i++) {
		LLVMMetadataRef e = all.data[i] ? LLVMValueAsMetadata(all.data[i]) : NULL;
		if (has_tag(e, TAG_MEMBER, TAG_INHERITANCE, 0) && LLVMDITypeGetOffsetInBits(e) == offset * 8)
			found = operand(m, e, TYPE_BASE);
	}
	evr_vec_release(&all);
	return found;
}

LLVMValueRef debug_type_constant(struct module *m, LLVMMetadataRef type)
{
	return type_constant(m, type);
}

char *debug_struct_name(struct module *m, LLVMMetadataRef type)
{
	size_t n = 0;
	while (has_tag(type, TAG_CONST, TAG_VOLATILE, TAG_ATOMIC))
		type = operand(m, type, TYPE_BASE);
	LLVMMetadataRef itself = bare(m, type);
	const char *name = type ? LLVMDITypeGetName(type, &n) : NULL;
	return evr_strndup(name ? name : "", has_tag(itself, TAG_STRUCT, TAG_CLASS, TAG_UNION) ? n : 0);
}

LLVMValueRef debug_variable_type(struct module *m, LLVMMetadataRef variable)
{
	LLVMMetadataRef type = variable ? operand(m, variable, VARIABLE_TYPE) : NULL;
	return type ? type_constant(m, type) : LLVMConstNull(m->ptr);
}

LLVMMetadataRef debug_global(LLVMValueRef global)
{
	size_t n = 0;
	LLVMMetadataRef found = NULL;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &n);
	for (unsigned i = 0; i < n && !found; i++) {
		LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
		if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind)
			found = LLVMDIGlobalVariableExpressionGetVariable(node);
	}
	LLVMDisposeValueMetadataEntries(entries);
	return found;
}

#if EVR_LLVM_MAJOR < 20
/* Which variable an alloca is, as llvm.dbg.declare tells. */
static void note_declare(struct module *m, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	if (!callee || strcmp(value_name(callee), "llvm.dbg.declare") != 0)
		return;
	LLVMValueRef address = NULL, wrapped = LLVMGetOperand(call, 0);
	if (LLVMGetMDNodeNumOperands(wrapped) == 1)
		LLVMGetMDNodeOperands(wrapped, &address);
	if (address && LLVMIsAAllocaInst(address))
		evr_map_put(&m->locals, (uintptr_t)address, (uintptr_t)LLVMValueAsMetadata(LLVMGetOperand(call, 1)));
}

static void visit(struct module *m, LLVMValueRef instruction)
{
	if (LLVMIsACallInst(instruction))
		note_declare(m, instruction);
}
#else
static void visit(struct module *m, LLVMValueRef instruction)
{
	for (LLVMDbgRecordRef r = LLVMGetFirstDbgRecord(instruction); r; r = LLVMGetNextDbgRecord(r)) {
#if EVR_LLVM_MAJOR >= 22
		LLVMValueRef address =
			LLVMDbgRecordGetKind(r) == LLVMDbgRecordDeclare ? LLVMDbgVariableRecordGetValue(r, 0) : NULL;
		if (address && LLVMIsAAllocaInst(address))
			evr_map_put(&m->locals, (uintptr_t)address, (uintptr_t)LLVMDbgVariableRecordGetVariable(r));
#else
		(void)m;
#endif
	}
}
#endif

void debug_find_locals(struct module *m)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				visit(m, i);
}
