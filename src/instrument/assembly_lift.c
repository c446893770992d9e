/*
 * Inline assembly of x86 that accesses memory, lifted to the atomic instructions that it stands for, before any other pass: what
 * liburcu, Concurrency Kit and the headers of Linux's tools write. A statement with the prefix `lock`, and `xchg` with or without it,
 * is sequentially consistent; a `mov` is an acquire load or a release store, which is what the processor makes of it.
 *
 * All of the assembly is understood, or none of it is: then it stays, and assembly.c says what becomes of it. Understood are, in the syntax of AT&T, a
 * list of statements, each of them one of
 *
 *     [lock] xchg, lock xadd, lock cmpxchg, lock add, sub, and, or, xor, inc, dec, not         one access to memory
 *     mov                                                                                    from or to memory, or neither
 *     setz, sete, setnz, setne, and outputs @ccz, @cce, @ccnz, @ccne                         whether the one before gave zero
 *     bsf, rep; bsf (tzcnt), bsr                                                             of registers
 *     pause, nop, rep; nop                                                                   nothing
 */
#include "instrument/module.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { OPERANDS = 16 };

/* An operand as the constraints have it: an output, an input, or a pointer to memory that is either. */
struct operand {
	char constraint[16]; /* without =, & and * */
	bool output, memory;
	LLVMValueRef
		argument; /* the input, or the pointer; of an output in a register: what it holds at first, or NULL */
	LLVMTypeRef type;      /* of the value */
	LLVMValueRef value;    /* of an output in a register: what it becomes */
	bool is_result;
};

struct lift {
	struct module *m;
	LLVMValueRef call;
	struct operand operands[OPERANDS];
	unsigned count;
	LLVMValueRef zero; /* did the last statement set the zero flag? NULL: it set no flags */
};

/* ---- constraints ---- */

static LLVMTypeRef element_type(LLVMValueRef call, unsigned argument)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", strlen("elementtype"));
	LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
	return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

static LLVMTypeRef result_type(LLVMValueRef call, unsigned k)
{
	LLVMTypeRef type = LLVMTypeOf(call);
	if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return k ? NULL : type;
	return k < LLVMCountStructElementTypes(type) ? LLVMStructGetTypeAtIndex(type, k) : NULL;
}

/* One constraint; `arguments` and `results` count what has been used up. */
static bool add_operand(struct lift *l, const char *text, size_t n, unsigned *arguments, unsigned *results)
{
	if (text[0] == '~')
		return true;
	if (l->count == OPERANDS)
		return false;
	struct operand *o = &l->operands[l->count++];
	const char *end = text + n;
	for (; text < end && strchr("=&*", *text); text++) {
		o->output |= *text == '=';
		o->memory |= *text == '*';
	}
	if ((size_t)(end - text) >= sizeof(o->constraint) || memchr(text, '|', (size_t)(end - text)))
		return false;
	memcpy(o->constraint, text, (size_t)(end - text));
	o->is_result = o->output && !o->memory;
	if (o->is_result) {
		o->type = result_type(l->call, (*results)++);
		return o->type != NULL;
	}
	if (*arguments >= LLVMGetNumArgOperands(l->call))
		return false;
	o->type = o->memory ? element_type(l->call, *arguments) : NULL;
	o->argument = LLVMGetOperand(l->call, (*arguments)++);
	if (!o->memory)
		o->type = LLVMTypeOf(o->argument);
	if (isdigit((unsigned char)o->constraint[0]) && (unsigned)atoi(o->constraint) < l->count)
		l->operands[atoi(o->constraint)].argument = o->argument;
	return o->type != NULL;
}

static bool read_constraints(struct lift *l)
{
	size_t n;
	const char *s = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(l->call), &n), *end = s + n;
	unsigned arguments = 0, results = 0;
	while (s < end) {
		const char *comma = memchr(s, ',', (size_t)(end - s));
		size_t length = (size_t)((comma ? comma : end) - s);
		if (!add_operand(l, s, length, &arguments, &results))
			return false;
		s += length + 1;
	}
	return arguments == LLVMGetNumArgOperands(l->call);
}

/* The operand that is in this register: "{ax}". An output comes before the input of the same register. */
static struct operand *in_register(struct lift *l, const char *name, bool output)
{
	for (unsigned i = 0; i < l->count; i++)
		if (!strcmp(l->operands[i].constraint, name) && (!output || l->operands[i].output))
			return &l->operands[i];
	return NULL;
}

/* ---- statements ---- */

/* What a statement names: an operand, the memory that one points to, or a number. */
struct place {
	struct operand *operand;
	bool memory;
	bool number;
	int64_t value;
};

/* "$1", "${1:b}", "($1)", "$$5" */
static bool read_place(struct lift *l, const char *text, size_t n, struct place *p)
{
	bool brackets = n > 2 && text[0] == '(' && text[n - 1] == ')';
	if (brackets)
		text++, n -= 2;
	char *end;
	if (n > 2 && !strncmp(text, "$$", 2) && !brackets) {
		p->number = true;
		p->value = strtoll(text + 2, &end, 0);
		return end == text + n;
	}
	if (n < 2 || text[0] != '$')
		return false;
	bool braces = text[1] == '{';
	unsigned long k = strtoul(text + 1 + braces, &end, 10);
	if (!isdigit((unsigned char)text[1 + braces]) || k >= l->count)
		return false;
	/* A modifier is the width of a register, which the statement tells as well. */
	if (braces && *end == ':' && strchr("bwkqP", end[1]))
		end += 2;
	if (end + braces != text + n)
		return false;
	p->operand = &l->operands[k];
	p->memory = p->operand->memory || brackets;
	return !(brackets && p->operand->memory);
}

struct statement {
	bool lock, rep;
	char name[12];
	unsigned bits; /* by the suffix; 0: it has none */
	struct place places[2];
	unsigned count;
};

static const char *const names[] = { "xchg", "xadd", "cmpxchg", "add",   "sub",   "and", "or",
				     "xor",  "inc",  "dec",     "not",   "mov",   "bsf", "bsr",
				     "setz", "sete", "setnz",   "setne", "pause", "nop", NULL };

/* The mnemonic with its suffix, if it is one of these. */
static bool read_name(struct statement *s, const char *text, size_t n)
{
	static const char suffixes[] = "bwlq";
	for (const char *const *name = names; *name; name++) {
		size_t length = strlen(*name);
		bool suffix = n == length + 1 && strchr(suffixes, text[length]) && strncmp(*name, "set", 3) != 0;
		if (strncmp(text, *name, length) != 0 || (n != length && !suffix))
			continue;
		snprintf(s->name, sizeof(s->name), "%s", *name);
		s->bits = suffix ? 8u << (strchr(suffixes, text[length]) - suffixes) : 0;
		return true;
	}
	return false;
}

/* A statement in lower case without blanks at its ends; one blank, or none, between its words. */
static bool read_statement(struct lift *l, const char *text, struct statement *s)
{
	*s = (struct statement){ 0 };
	if (evr_starts_with(text, "lock ")) {
		s->lock = true;
		text += 5;
	}
	if (!strcmp(text, "rep nop") || evr_starts_with(text, "rep bsf")) {
		s->rep = true;
		text += 4;
	}
	size_t n = strcspn(text, " ");
	if (!read_name(s, text, n))
		return false;
	for (text += n; *text;) {
		text += strspn(text, " ,");
		n = strcspn(text, ",");
		while (n && text[n - 1] == ' ')
			n--;
		if (!n || s->count == 2 || !read_place(l, text, n, &s->places[s->count++]))
			return false;
		text += n;
		text += strspn(text, " ");
	}
	return true;
}

/* ---- values ---- */

/* Are both in the same register? */
static bool shares_register(const struct lift *l, const struct operand *o, const struct operand *output)
{
	if (isdigit((unsigned char)o->constraint[0]))
		return &l->operands[atoi(o->constraint)] == output;
	return o == output || (o->constraint[0] == '{' && !strcmp(o->constraint, output->constraint));
}

/* What the operand's register holds now: statements before may have changed it. */
static LLVMValueRef held(const struct lift *l, const struct operand *o)
{
	for (unsigned i = 0; i < l->count && !o->memory; i++)
		if (l->operands[i].value && shares_register(l, o, &l->operands[i]))
			return l->operands[i].value;
	return o->argument;
}

static LLVMTypeRef integer(struct lift *l, unsigned bits)
{
	return LLVMIntTypeInContext(l->m->context, bits);
}

static unsigned bits_of(struct lift *l, LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	bool scalar = kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
	return scalar ? (unsigned)size_of(l->m, type) * 8 : 0;
}

/* How wide the access is: the suffix says so, or what lies in memory, or a register. 0: that is not clear. */
static unsigned width(struct lift *l, const struct statement *s)
{
	unsigned bits = s->bits;
	for (unsigned i = 0; i < s->count && !bits; i++)
		if (s->places[i].memory && s->places[i].operand->memory)
			bits = bits_of(l, s->places[i].operand->type);
	for (unsigned i = 0; i < s->count && !bits; i++)
		if (s->places[i].operand && !s->places[i].memory)
			bits = bits_of(l, s->places[i].operand->type);
	return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits : 0;
}

static LLVMValueRef pointer_of(struct lift *l, const struct place *p)
{
	LLVMValueRef v = held(l, p->operand);
	if (!v || LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind)
		return v;
	return bits_of(l, LLVMTypeOf(v)) == 64
		       ? LLVMBuildIntToPtr(l->m->builder, v, LLVMPointerTypeInContext(l->m->context, 0), "")
		       : NULL;
}

/* As an integer of so many bits, the upper ones being cut off; NULL: it has fewer. */
static LLVMValueRef narrow(struct lift *l, LLVMValueRef v, unsigned bits)
{
	LLVMTypeRef type = LLVMTypeOf(v);
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		v = LLVMBuildPtrToInt(l->m->builder, v, integer(l, 64), "");
	unsigned own = bits_of(l, type);
	if (own == bits)
		return v;
	if (LLVMIsAConstantInt(v))
		return LLVMConstInt(integer(l, bits), (uint64_t)LLVMConstIntGetSExtValue(v), 1);
	return own > bits ? LLVMBuildTrunc(l->m->builder, v, integer(l, bits), "") : NULL;
}

/* What a register or number holds now. */
static LLVMValueRef read(struct lift *l, const struct place *p, unsigned bits)
{
	if (p->number)
		return LLVMConstInt(integer(l, bits), (uint64_t)p->value, 1);
	LLVMValueRef v = held(l, p->operand);
	return v && !p->memory ? narrow(l, v, bits) : NULL;
}

/* A register becomes this. One that is wider would keep its upper bits: that is not understood. */
static bool write(struct lift *l, struct operand *o, LLVMValueRef v)
{
	if (!o || !o->is_result || bits_of(l, o->type) != bits_of(l, LLVMTypeOf(v)))
		return false;
	bool pointer = LLVMGetTypeKind(o->type) == LLVMPointerTypeKind;
	o->value = pointer ? LLVMBuildIntToPtr(l->m->builder, v, o->type, "") : v;
	return true;
}

/* ---- what the statements mean ---- */

static LLVMValueRef rmw(struct lift *l, LLVMAtomicRMWBinOp op, LLVMValueRef pointer, LLVMValueRef value)
{
	return LLVMBuildAtomicRMW(l->m->builder, op, pointer, value, LLVMAtomicOrderingSequentiallyConsistent, 0);
}

static void set_zero(struct lift *l, LLVMValueRef v)
{
	l->zero = LLVMBuildICmp(l->m->builder, LLVMIntEQ, v, LLVMConstNull(LLVMTypeOf(v)), "");
}

/* The one place of two that is memory; NULL: none is, or both are. */
static struct place *memory_place(struct statement *s)
{
	if (s->count == 1)
		return s->places[0].memory ? &s->places[0] : NULL;
	if (s->count != 2 || s->places[0].memory == s->places[1].memory)
		return NULL;
	return &s->places[s->places[1].memory];
}

static bool lift_exchange(struct lift *l, struct statement *s)
{
	struct place *memory = memory_place(s), *other = memory == s->places ? &s->places[1] : &s->places[0];
	unsigned bits = width(l, s);
	LLVMValueRef value = memory && s->count == 2 && bits ? read(l, other, bits) : NULL;
	LLVMValueRef pointer = value ? pointer_of(l, memory) : NULL;
	return pointer && write(l, other->operand, rmw(l, LLVMAtomicRMWBinOpXchg, pointer, value));
}

static bool lift_exchange_add(struct lift *l, struct statement *s)
{
	unsigned bits = width(l, s);
	if (s->count != 2 || !bits || !s->places[1].memory || s->places[0].memory)
		return false;
	LLVMValueRef value = read(l, &s->places[0], bits), pointer = pointer_of(l, &s->places[1]);
	if (!value || !pointer)
		return false;
	LLVMValueRef old = rmw(l, LLVMAtomicRMWBinOpAdd, pointer, value);
	set_zero(l, LLVMBuildAdd(l->m->builder, old, value, ""));
	return write(l, s->places[0].operand, old);
}

static bool lift_compare_exchange(struct lift *l, struct statement *s)
{
	struct operand *input = in_register(l, "{ax}", false), *output = in_register(l, "{ax}", true);
	unsigned bits = width(l, s);
	if (s->count != 2 || !bits || !s->places[1].memory || s->places[0].memory || !input)
		return false;
	struct place accumulator = { .operand = input };
	if (input->output && !input->argument)
		for (unsigned i = 0; i < l->count; i++)
			if (!l->operands[i].output && !strcmp(l->operands[i].constraint, "{ax}"))
				accumulator.operand = &l->operands[i];
	LLVMValueRef expected = read(l, &accumulator, bits), desired = read(l, &s->places[0], bits);
	LLVMValueRef pointer = pointer_of(l, &s->places[1]);
	if (!expected || !desired || !pointer)
		return false;
	LLVMValueRef pair = LLVMBuildAtomicCmpXchg(l->m->builder, pointer, expected, desired,
						   LLVMAtomicOrderingSequentiallyConsistent,
						   LLVMAtomicOrderingSequentiallyConsistent, 0);
	l->zero = LLVMBuildExtractValue(l->m->builder, pair, 1, "");
	/* An output of that register may be a part of it, which a setz is going to write. */
	unsigned own = output ? bits_of(l, output->type) : 0;
	LLVMValueRef old = LLVMBuildExtractValue(l->m->builder, pair, 0, "");
	return !output || write(l, output, own && own < bits ? narrow(l, old, own) : old);
}

/* Operations with a number or a register, of which nothing but the zero flag is left; inc, dec and not have a number of their own. */
static bool lift_operation(struct lift *l, struct statement *s)
{
	static const struct {
		const char *name;
		LLVMAtomicRMWBinOp op;
		LLVMOpcode same;
		unsigned places;
		int64_t operand; /* of those with one place */
	} operations[] = {
		{ "add", LLVMAtomicRMWBinOpAdd, LLVMAdd, 2, 0 }, { "sub", LLVMAtomicRMWBinOpSub, LLVMSub, 2, 0 },
		{ "and", LLVMAtomicRMWBinOpAnd, LLVMAnd, 2, 0 }, { "or", LLVMAtomicRMWBinOpOr, LLVMOr, 2, 0 },
		{ "xor", LLVMAtomicRMWBinOpXor, LLVMXor, 2, 0 }, { "inc", LLVMAtomicRMWBinOpAdd, LLVMAdd, 1, 1 },
		{ "dec", LLVMAtomicRMWBinOpSub, LLVMSub, 1, 1 }, { "not", LLVMAtomicRMWBinOpXor, LLVMXor, 1, -1 },
	};
	unsigned bits = width(l, s);
	for (size_t i = 0; i < EVR_COUNT(operations) && bits; i++) {
		if (strcmp(operations[i].name, s->name) != 0 || operations[i].places != s->count)
			continue;
		const struct place number = { .number = true, .value = operations[i].operand };
		const struct place *memory = &s->places[s->count - 1];
		LLVMValueRef value = read(l, s->count == 2 ? &s->places[0] : &number, bits);
		LLVMValueRef pointer = memory->memory ? pointer_of(l, memory) : NULL;
		if (!value || !pointer)
			return false;
		LLVMValueRef old = rmw(l, operations[i].op, pointer, value);
		if (strcmp(s->name, "not") != 0)
			set_zero(l, LLVMBuildBinOp(l->m->builder, operations[i].same, old, value, ""));
		return true;
	}
	return false;
}

static bool lift_move(struct lift *l, struct statement *s)
{
	unsigned bits = width(l, s);
	if (s->count != 2 || !bits || s->lock || (s->places[0].memory && s->places[1].memory))
		return false;
	LLVMValueRef pointer = NULL, access;
	struct place *memory = memory_place(s);
	if (memory && !(pointer = pointer_of(l, memory)))
		return false;
	if (memory == &s->places[0]) {
		access = LLVMBuildLoad2(l->m->builder, integer(l, bits), pointer, "");
		LLVMSetOrdering(access, LLVMAtomicOrderingAcquire);
		LLVMSetAlignment(access, bits / 8);
		return write(l, s->places[1].operand, access);
	}
	LLVMValueRef value = read(l, &s->places[0], bits);
	if (!value)
		return false;
	if (!memory)
		return write(l, s->places[1].operand, value);
	access = LLVMBuildStore(l->m->builder, value, pointer);
	LLVMSetOrdering(access, LLVMAtomicOrderingRelease);
	LLVMSetAlignment(access, bits / 8);
	return true;
}

/* Whether the flag is set, into a byte: of a register, or of memory that only this assembly knows. */
static bool lift_set(struct lift *l, struct statement *s)
{
	struct place *to = &s->places[0];
	if (s->count != 1 || !l->zero || to->number)
		return false;
	bool negated = s->name[3] == 'n';
	LLVMValueRef flag = negated ? LLVMBuildNot(l->m->builder, l->zero, "") : l->zero;
	LLVMValueRef byte = LLVMBuildZExt(l->m->builder, flag, integer(l, 8), "");
	if (!to->memory)
		return write(l, to->operand, byte);
	LLVMValueRef pointer = pointer_of(l, to);
	if (pointer)
		LLVMBuildStore(l->m->builder, byte, pointer);
	return pointer;
}

/* The lowest or the highest bit that is set; of 0, some number. With the prefix rep the flag says something else, which nobody asks for. */
static bool lift_scan(struct lift *l, struct statement *s)
{
	unsigned bits = width(l, s);
	if (s->count != 2 || !bits || s->lock || s->places[0].memory || s->places[1].memory)
		return false;
	LLVMValueRef v = read(l, &s->places[0], bits);
	if (!v)
		return false;
	bool lowest = s->name[2] == 'f';
	const char *name = lowest ? "llvm.cttz" : "llvm.ctlz";
	LLVMTypeRef type = integer(l, bits);
	LLVMValueRef function =
		LLVMGetIntrinsicDeclaration(l->m->module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);
	LLVMValueRef arguments[] = { v, LLVMConstInt(integer(l, 1), 0, 0) };
	LLVMValueRef n = LLVMBuildCall2(l->m->builder, LLVMGlobalGetValueType(function), function, arguments, 2, "");
	if (!lowest)
		n = LLVMBuildXor(l->m->builder, n, LLVMConstInt(type, bits - 1, 0), "");
	if (s->rep)
		l->zero = NULL;
	else
		set_zero(l, v);
	return write(l, s->places[1].operand, n);
}

static bool lift_statement(struct lift *l, struct statement *s)
{
	static const struct {
		const char *name;
		bool locked; /* is atomic only with the prefix */
		bool (*lift)(struct lift *l, struct statement *s);
	} kinds[] = {
		{ "xchg", false, lift_exchange },
		{ "xadd", true, lift_exchange_add },
		{ "cmpxchg", true, lift_compare_exchange },
		{ "mov", false, lift_move },
		{ "setz", false, lift_set },
		{ "sete", false, lift_set },
		{ "setnz", false, lift_set },
		{ "setne", false, lift_set },
		{ "bsf", false, lift_scan },
		{ "bsr", false, lift_scan },
	};
	if (!strcmp(s->name, "pause") || !strcmp(s->name, "nop"))
		return !s->count;
	for (size_t i = 0; i < EVR_COUNT(kinds); i++)
		if (!strcmp(kinds[i].name, s->name))
			return (s->lock || !kinds[i].locked) && kinds[i].lift(l, s);
	return s->lock && lift_operation(l, s);
}

/* ---- the whole ---- */

/* Lower case; statements end in ';', prefixes in a blank, and no other blanks are at their ends. */
static char *normalise(const char *text, size_t n)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	bool comment = false;
	for (size_t i = 0; i < n; i++) {
		char c = (char)tolower((unsigned char)text[i]);
		comment = c == '#' || (comment && c != '\n');
		if (comment)
			continue;
		bool begins = !out.len || out.text[out.len - 1] == ';';
		if (c == '\n' || c == ';') {
			while (out.len && out.text[out.len - 1] == ' ')
				evr_strbuf_shorten(&out, out.len - 1);
			bool prefix = (out.len >= 4 && !strcmp(out.text + out.len - 4, "lock")) ||
				      (out.len >= 3 && !strcmp(out.text + out.len - 3, "rep"));
			if (!begins)
				evr_strbuf_putc(&out, prefix ? ' ' : ';');
		} else if (!isspace((unsigned char)c)) {
			evr_strbuf_putc(&out, c);
		} else if (!begins && out.text[out.len - 1] != ' ') {
			evr_strbuf_putc(&out, ' ');
		}
	}
	return evr_strbuf_take(&out);
}

static bool lift_all(struct lift *l, char *text)
{
	bool accesses = false;
	for (char *s = text, *end; s; s = end) {
		struct statement statement;
		end = strchr(s, ';');
		if (end)
			*end++ = '\0';
		for (size_t n = strlen(s); n && s[n - 1] == ' ';)
			s[--n] = '\0';
		if (!*s)
			continue;
		if (!read_statement(l, s, &statement) || !lift_statement(l, &statement))
			return false;
		accesses |= statement.count > 0;
	}
	return accesses;
}

/* Outputs that are flags take them when all is done. */
static bool set_flags(struct lift *l)
{
	for (unsigned i = 0; i < l->count; i++) {
		struct operand *o = &l->operands[i];
		if (strncmp(o->constraint, "{@cc", 4) != 0)
			continue;
		bool negated = o->constraint[4] == 'n';
		const char *flag = o->constraint + 4 + negated;
		if (!l->zero || (strcmp(flag, "z}") != 0 && strcmp(flag, "e}") != 0))
			return false;
		LLVMValueRef v = negated ? LLVMBuildNot(l->m->builder, l->zero, "") : l->zero;
		o->value = LLVMBuildZExt(l->m->builder, v, o->type, "");
	}
	return true;
}

/* What the call returned: its outputs, each of which must have become something. */
static bool replace_result(struct lift *l)
{
	LLVMTypeRef type = LLVMTypeOf(l->call);
	if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
		return true;
	bool several = LLVMGetTypeKind(type) == LLVMStructTypeKind;
	LLVMValueRef result = LLVMGetUndef(type);
	for (unsigned i = 0, k = 0; i < l->count; i++) {
		struct operand *o = &l->operands[i];
		LLVMValueRef v = o->value ? o->value : o->argument;
		if (!o->is_result)
			continue;
		if (!v || LLVMTypeOf(v) != o->type)
			return false;
		result = several ? LLVMBuildInsertValue(l->m->builder, result, v, k++, "") : v;
	}
	LLVMReplaceAllUsesWith(l->call, result);
	return true;
}

/* Instructions between the two, which belong to an attempt that failed. */
static void erase_between(LLVMValueRef before, LLVMValueRef call)
{
	for (;;) {
		LLVMValueRef last = LLVMGetPreviousInstruction(call);
		if (last == before)
			return;
		LLVMInstructionEraseFromParent(last);
	}
}

static void lift(struct module *m, LLVMValueRef call)
{
	size_t n;
	const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &n);
	LLVMValueRef before = LLVMGetPreviousInstruction(call);
	struct lift l = { .m = m, .call = call };
	char *normal = normalise(text, n);
	bool known = LLVMGetInlineAsmDialect(LLVMGetCalledValue(call)) == LLVMInlineAsmDialectATT;
	position_before(m, call);
	if (known && read_constraints(&l) && lift_all(&l, normal) && set_flags(&l) && replace_result(&l))
		LLVMInstructionEraseFromParent(call);
	else
		erase_between(before, call);
	free(normal);
}

void assembly_lift(struct module *m)
{
	if (!evr_starts_with(LLVMGetTarget(m->module), "x86_64"))
		return;
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
				next = LLVMGetNextInstruction(i);
				if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
					lift(m, i);
			}
}
