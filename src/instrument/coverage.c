/*
 * Which lines, branches and functions were executed: the object has a table of these points, and a byte for each stretch of code, which
 * the code sets to 1 when it comes there. A store is all that it costs.
 *
 * Points are found on the compiler's plain output, when each statement still has instructions. Marks keep the places of lines while locals become
 * registers: calls of an intrinsic function that does nothing. A conditional branch and a switch keep theirs as metadata. At the end, when all
 * hooks are there, marks become stores, and each way out of a branch is marked where it begins.
 *
 * Invariant: an execution may end in a call of any function, hooks among them, and nowhere else. So all marks between two calls share a byte.
 */
#include "instrument/module.h"

#include <stdlib.h>
#include <string.h>

#define MARK "llvm.pseudoprobe"
#define BRANCH "evr.branch"
#define NOWHERE UINT64_MAX

/* ---- marks ---- */

bool coverage_mark(LLVMValueRef i)
{
	LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
	return callee && LLVMIsAFunction(callee) && !strcmp(value_name(callee), MARK);
}

static uint64_t number_of(LLVMValueRef mark)
{
	return LLVMConstIntGetZExtValue(LLVMGetOperand(mark, 1));
}

static LLVMTypeRef mark_type(struct module *m)
{
	LLVMTypeRef arguments[] = { m->i64, m->i64, m->i32, m->i64 };
	return LLVMFunctionType(m->none, arguments, EVR_COUNT(arguments), 0);
}

static unsigned branch_kind(struct module *m)
{
	return LLVMGetMDKindIDInContext(m->context, BRANCH, strlen(BRANCH));
}

static void add_point(struct module *m, LLVMValueRef at, enum evr_point_kind kind, uint32_t number, int64_t value)
{
	evr_vec_push(&m->points, ((struct point){ .site = site_of(m, at, EVR_PLAIN, 0),
						  .kind = kind,
						  .number = number,
						  .value = value,
						  .flag = NOWHERE }));
}

/* With the place of `line`, for those who look for the first place of a block; NULL: it has none. */
static void put_mark(struct module *m, LLVMValueRef at, LLVMValueRef line)
{
	LLVMValueRef mark = LLVMGetNamedFunction(m->module, MARK);
	if (!mark)
		mark = LLVMAddFunction(m->module, MARK, mark_type(m));
	position_before(m, at);
	LLVMSetCurrentDebugLocation2(m->builder, line ? LLVMInstructionGetDebugLoc(line) : NULL);
	LLVMValueRef arguments[] = { const_int(m->i64, 0), const_int(m->i64, m->points.len - 1), const_int(m->i32, 0),
				     const_int(m->i64, UINT64_MAX) };
	LLVMBuildCall2(m->builder, mark_type(m), mark, arguments, EVR_COUNT(arguments), "");
}

/* ---- points ---- */

/* What a failed assertion does: that it is never reached is as it should be. */
static bool fails_assertion(LLVMBasicBlockRef b)
{
	static const char *const names[] = { "__assert_fail", "__assert_perror_fail", "__assert" };
	if (!LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(b)))
		return false;
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
		for (size_t k = 0; LLVMIsACallInst(i) && k < EVR_COUNT(names); k++)
			if (!strcmp(value_name(LLVMGetCalledValue(i)), names[k]))
				return true;
	return false;
}

/* Is it an instruction of the source, and not the compiler's own? */
static bool has_line(LLVMValueRef i)
{
	return LLVMGetDebugLocLine(i) && !LLVMIsAPHINode(i) && !LLVMIsALandingPadInst(i) && !LLVMIsAAllocaInst(i) &&
	       !LLVMIsAUnreachableInst(i) && !LLVMIsADbgInfoIntrinsic(i) && !scope_marker(i) && !coverage_mark(i);
}

static bool is_same_place(LLVMValueRef a, LLVMValueRef b)
{
	unsigned n = 0, k = 0;
	const char *one = LLVMGetDebugLocFilename(a, &n), *two = LLVMGetDebugLocFilename(b, &k);
	return LLVMGetDebugLocLine(a) == LLVMGetDebugLocLine(b) && n == k && !memcmp(one, two, n);
}

/* Code of libraries, in their headers, is not the program's; the compiler may have put it into functions that are. */
static bool is_foreign(struct module *m, LLVMValueRef at)
{
	char *file = file_of(m, at);
	bool foreign = !file || evr_starts_with(file, "/usr/include/") || evr_starts_with(file, "/usr/lib");
	free(file);
	return foreign;
}

static void mark_lines(struct module *m, LLVMBasicBlockRef b)
{
	LLVMValueRef last = NULL;
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
		if (!has_line(i) || (last && is_same_place(last, i)))
			continue;
		last = i;
		if (is_foreign(m, i))
			continue;
		add_point(m, i, EVR_POINT_LINE, 0, 0);
		put_mark(m, i, i);
	}
}

/* Several branches may be in one line: they are numbered, in the order of the code. Columns are no help: that of the last operand of && is the whole's. */
static uint32_t number_at(struct module *m, LLVMValueRef at)
{
	uint32_t number = 0;
	for (size_t i = 0; i < m->branches.len; i++)
		number += is_same_place(m->branches.data[i], at);
	return number;
}

static bool is_branch(struct module *m, LLVMValueRef end)
{
	LLVMValueRef slot = LLVMIsASwitchInst(end) ? scope_slot(LLVMGetInstructionParent(end)) : NULL;
	if (!LLVMGetDebugLocLine(end) || is_foreign(m, end) || (slot && !evr_map_get(&m->locals, (uintptr_t)slot)))
		return false;
	if (LLVMIsASwitchInst(end))
		return true;
	if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || LLVMIsAConstant(LLVMGetCondition(end)))
		return false;
	return !fails_assertion(LLVMGetSuccessor(end, 0)) && !fails_assertion(LLVMGetSuccessor(end, 1));
}

static void note_branch(struct module *m, LLVMValueRef end)
{
	uint32_t number = number_at(m, end);
	LLVMMetadataRef index = LLVMValueAsMetadata(const_int(m->i64, m->points.len));
	LLVMSetMetadata(end, branch_kind(m),
			LLVMMetadataAsValue(m->context, LLVMMDNodeInContext2(m->context, &index, 1)));
	evr_vec_push(&m->branches, end);
	if (LLVMIsABranchInst(end)) {
		add_point(m, end, EVR_POINT_TRUE, number, 0);
		add_point(m, end, EVR_POINT_FALSE, number, 0);
		return;
	}
	add_point(m, end, EVR_POINT_DEFAULT, number, 0);
	for (unsigned i = 1; i < LLVMGetNumSuccessors(end); i++)
		add_point(m, end, EVR_POINT_CASE, number, LLVMConstIntGetSExtValue(scope_case_of(end, i)));
}

static void find_points(struct module *m)
{
	LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(m->function));
	while (LLVMIsAAllocaInst(at))
		at = LLVMGetNextInstruction(at);
	add_point(m, m->function, EVR_POINT_FUNCTION, 0, 0);
	put_mark(m, at, NULL);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(m->function); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		if (fails_assertion(b))
			continue;
		mark_lines(m, b);
		if (is_branch(m, end))
			note_branch(m, end);
	}
	evr_vec_clear(&m->branches);
}

void coverage_find(struct module *m)
{
	debug_find_locals(m);
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) == LLVMAvailableExternallyLinkage ||
		    !LLVMGetSubprogram(f) || is_foreign(m, f))
			continue;
		m->function = f;
		find_points(m);
	}
	evr_map_clear(&m->locals);
}

/* ---- flags ---- */

/* The instruction behind which a block can be added to. */
static LLVMValueRef begin_of(LLVMBasicBlockRef b)
{
	LLVMValueRef i = LLVMGetFirstInstruction(b);
	while (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i))
		i = LLVMGetNextInstruction(i);
	return i;
}

static bool has_one_predecessor(LLVMBasicBlockRef b)
{
	unsigned n = 0;
	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u; u = LLVMGetNextUse(u))
		n += LLVMIsAInstruction(LLVMGetUser(u)) || LLVMIsABlockAddress(LLVMGetUser(u));
	return n == 1;
}

/* The same phi, but that one way from `old` comes from `new`. A phi has as many entries of a block as there are ways from it. */
static void redirect_phi(struct module *m, LLVMValueRef phi, LLVMBasicBlockRef old, LLVMBasicBlockRef new)
{
	LLVMPositionBuilderBefore(m->builder, phi);
	LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(phi));
	LLVMValueRef copy = LLVMBuildPhi(m->builder, LLVMTypeOf(phi), "");
	bool done = false;
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMValueRef value = LLVMGetIncomingValue(phi, i);
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
		if (from == old && !done) {
			from = new;
			done = true;
		}
		LLVMAddIncoming(copy, &value, &from, 1);
	}
	LLVMReplaceAllUsesWith(phi, copy);
	LLVMInstructionEraseFromParent(phi);
}

/* A block on the way from a branch to where others come, too. */
static LLVMBasicBlockRef split_edge(struct module *m, LLVMValueRef end, unsigned successor)
{
	LLVMBasicBlockRef from = LLVMGetInstructionParent(end), to = LLVMGetSuccessor(end, successor);
	LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(m->context, to, "");
	LLVMPositionBuilderAtEnd(m->builder, between);
	LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(end));
	LLVMBuildBr(m->builder, to);
	LLVMSetSuccessor(end, successor, between);
	for (LLVMValueRef phi = LLVMGetFirstInstruction(to), next; LLVMIsAPHINode(phi); phi = next) {
		next = LLVMGetNextInstruction(phi);
		redirect_phi(m, phi, from, between);
	}
	return between;
}

static void mark_edges(struct module *m, LLVMValueRef end)
{
	LLVMValueRef node = LLVMGetMetadata(end, branch_kind(m)), index;
	if (!node)
		return;
	LLVMGetMDNodeOperands(node, &index);
	uint64_t first = LLVMConstIntGetZExtValue(index);
	LLVMSetMetadata(end, branch_kind(m), NULL);
	for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
		LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
		if (!has_one_predecessor(to))
			to = split_edge(m, end, i);
		evr_vec_push(&m->edges, ((struct way_out){ to, first + i }));
	}
}

static void set_flag(struct module *m, LLVMValueRef at, uint64_t flag)
{
	LLVMValueRef offset = const_int(m->i64, flag);
	LLVMPositionBuilderBefore(m->builder, at);
	LLVMSetCurrentDebugLocation2(m->builder, NULL);
	LLVMBuildStore(m->builder, const_int(m->i8, 1), LLVMConstGEP2(m->i8, m->coverage, &offset, 1));
}

/* Where code is copied, a point has more than one place: it keeps its flag. */
static void reach(struct module *m, uint64_t point, LLVMValueRef at, uint64_t *current)
{
	struct point *p = &m->points.data[point];
	if (*current == NOWHERE) {
		*current = p->flag == NOWHERE ? m->flag_count++ : p->flag;
		set_flag(m, at, *current);
	}
	if (p->flag == NOWHERE)
		p->flag = *current;
	else if (p->flag != *current)
		set_flag(m, at, p->flag);
}

/* May the execution end in it? */
static bool may_end(LLVMValueRef i)
{
	if (!LLVMIsACallInst(i))
		return LLVMIsAInvokeInst(i);
	LLVMValueRef callee = LLVMGetCalledValue(i);
	return !LLVMIsAFunction(callee) || !evr_starts_with(value_name(callee), "llvm.");
}

static void lower_block(struct module *m, LLVMBasicBlockRef b, const struct evr_map *edge_of)
{
	uint64_t current = NOWHERE;
	const uint64_t *edge = evr_map_get(edge_of, (uintptr_t)b);
	if (edge)
		reach(m, *edge, begin_of(b), &current);
	for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (coverage_mark(i)) {
			reach(m, number_of(i), i, &current);
			LLVMInstructionEraseFromParent(i);
		} else if (may_end(i)) {
			current = NOWHERE;
		}
	}
}

static void lower_function(struct module *m)
{
	struct evr_map edge_of = { 0 };
	value_vec ends = { 0 };
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(m->function); b; b = LLVMGetNextBasicBlock(b))
		evr_vec_push(&ends, LLVMGetBasicBlockTerminator(b));
	evr_vec_clear(&m->edges);
	for (size_t i = 0; i < ends.len; i++)
		mark_edges(m, ends.data[i]);
	for (size_t i = 0; i < m->edges.len; i++)
		evr_map_put(&edge_of, (uintptr_t)m->edges.data[i].to, m->edges.data[i].point);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(m->function); b; b = LLVMGetNextBasicBlock(b))
		lower_block(m, b, &edge_of);
	evr_vec_release(&ends);
	evr_map_release(&edge_of);
}

void coverage_lower(struct module *m)
{
	m->coverage = private_constant(m, const_int(m->i8, 0), "evr.coverage");
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			continue;
		m->function = f;
		lower_function(m);
	}
	LLVMValueRef mark = LLVMGetNamedFunction(m->module, MARK);
	if (mark)
		LLVMDeleteFunction(mark);
}

/* Code that went with others as never reached has no flag, and is no point. */
void coverage_emit(struct module *m, value_vec *out, LLVMValueRef *flags)
{
	*flags = LLVMConstNull(m->ptr);
	for (size_t i = 0; i < m->points.len; i++) {
		const struct point *p = &m->points.data[i];
		LLVMValueRef fields[] = { p->site, const_int(m->i32, p->kind), const_int(m->i32, p->number),
					  const_int(m->i64, (uint64_t)p->value), const_int(m->i64, p->flag) };
		if (p->flag != NOWHERE)
			evr_vec_push(out, LLVMConstStructInContext(m->context, fields, EVR_COUNT(fields), 0));
	}
	if (m->flag_count) {
		LLVMValueRef none = LLVMConstNull(LLVMArrayType2(m->i8, m->flag_count));
		*flags = private_constant(m, none, "evr.flags");
		LLVMReplaceAllUsesWith(m->coverage, *flags);
	}
	LLVMDeleteGlobal(m->coverage);
}
