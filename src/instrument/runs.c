/*
 * Plain accesses that follow one another in a block, with no call in between, are checked together: if the fast path is open to all of them, they
 * are made without hooks; if not, each calls its hook. While the first is the case no other thread runs, so that what was asked of the cells before
 * the first access is true of the last.
 *
 *     a = evr_read8(p); ... evr_write4(p + 12, a)       is    if (all are own) { a = *p; ... p[12] = a; } else { the same as before }
 *
 * Most pointers are aligned as the compiler expects, so that it is known where in its word an access begins. The check asks for that, too: a pointer that
 * is not as expected takes the other way.
 *
 * Invariants: what lies between the accesses of a run is in both ways, in its order, but for what their addresses are computed by. That has no effect
 * and needs nothing that the run reads, so it can be done before. No access is made that its own check, or that of the run, does not cover: checks of
 * the same word are one, and those of words at constant distances ask for the alignment of one of them.
 */
#include "instrument/cells.h"
#include "instrument/loop.h"

#define MOST_ACCESSES 16 /* of a run: if the fast path is closed to one of them, all call their hooks */
#define FARTHEST 4096 /* bytes between accesses that are at a constant distance */
/* Accesses that are checked alone: of a module, and of a function, for which the compiler's time grows faster than its size. */
#define MOST_ALONE 8192
#define MOST_ALONE_IN_FUNCTION 512

#define UNKNOWN 8

/* Of a hook: what is accessed, and how. A copy accesses two places. */
struct place {
	LLVMValueRef pointer, base;
	int64_t offset; /* from `base` */
	unsigned size;
	unsigned first; /* where in its word it begins, if the pointer is as the compiler expects; or UNKNOWN */
	bool reads, writes;
	bool checked;
};

typedef EVR_VEC(struct place) place_vec;

/* Instructions of a block, by their numbers: from the first hook to the last. */
struct run {
	size_t first, last, places;
};

struct fusing {
	struct module *m;
	LLVMBasicBlockRef block;
	value_vec instructions; /* all of the block */
	EVR_VEC(struct run) runs;
	struct evr_map inside; /* instructions behind the first hook of the present run */
	size_t hooks; /* of the present run; 0: there is none */
	size_t alone, alone_in_function;
	struct evr_map firsts; /* call of a hook -> `first` of its first place, and 16 times that of its second */
	LLVMValueRef weights;
};

/* ---- hooks ---- */

static bool is_hook(const struct module *m, LLVMValueRef callee, enum hook from, unsigned *size)
{
	for (unsigned i = 0; i < 4; i++)
		if (m->hooks[from + i] && m->hooks[from + i] == callee) {
			*size = 1u << i;
			return true;
		}
	return false;
}

static bool is_word(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static struct place place_at(struct module *m, LLVMValueRef pointer, unsigned size, bool writes)
{
	struct place p = {
		.pointer = pointer, .base = pointer, .size = size, .first = UNKNOWN, .reads = !writes, .writes = writes
	};
	int64_t step;
	while (LLVMIsAGetElementPtrInst(p.base) && locals_constant_offset(m, p.base, &step) && step < FARTHEST &&
	       step > -FARTHEST) {
		p.offset += step;
		p.base = LLVMGetOperand(p.base, 0);
	}
	return p;
}

/* What a hook of plain accesses accesses: 0, 1 or 2 places. */
static size_t places_of(const struct fusing *f, LLVMValueRef call, struct place *places)
{
	struct module *m = f->m;
	LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
	unsigned size;
	size_t n = 2;
	if (!callee)
		return 0;
	LLVMValueRef length = callee == m->hooks[HOOK_evr_copy] ? LLVMGetOperand(call, 2) : NULL;
	if (is_hook(m, callee, HOOK_evr_read1, &size) || is_hook(m, callee, HOOK_evr_write1, &size)) {
		bool writes = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
		places[0] = place_at(m, LLVMGetOperand(call, 0), size, writes);
		n = 1;
	} else if (length && LLVMIsAConstantInt(length) && is_word(LLVMConstIntGetZExtValue(length))) {
		size = (unsigned)LLVMConstIntGetZExtValue(length);
		places[0] = place_at(m, LLVMGetOperand(call, 0), size, true);
		places[1] = place_at(m, LLVMGetOperand(call, 1), size, false);
	} else {
		return 0;
	}
	const uint64_t *firsts = evr_map_get(&f->firsts, (uintptr_t)call);
	for (size_t i = 0; i < n; i++)
		places[i].first = size == 8 ? 0 : firsts ? *firsts >> 4 * i & 15 : UNKNOWN;
	return n;
}

static bool is_debug(LLVMValueRef i)
{
	LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
	return callee && LLVMIsAFunction(callee) && evr_starts_with(value_name(callee), "llvm.dbg.");
}

/* ---- finding runs ---- */

/* Only a value comes of it, and it can be computed whenever its operands are there. */
static bool is_pure(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMGetElementPtr:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMBitCast:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMTrunc:
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
	case LLVMICmp:
	case LLVMSelect:
		return true;
	default:
		return false;
	}
}

#define DEEPEST 8

/* Can the value be computed before the present run? */
static bool is_available(const struct fusing *f, LLVMValueRef v, unsigned depth)
{
	if (!LLVMIsAInstruction(v) || !evr_map_get(&f->inside, (uintptr_t)v))
		return true;
	if (!is_pure(v) || depth == DEEPEST)
		return false;
	for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
		if (!is_available(f, LLVMGetOperand(v, i), depth + 1))
			return false;
	return true;
}

static void end_run(struct fusing *f)
{
	if (f->hooks == 1 && (f->alone++ >= MOST_ALONE || f->alone_in_function++ >= MOST_ALONE_IN_FUNCTION))
		f->runs.len--;
	f->hooks = 0;
	evr_map_clear(&f->inside);
}

static void add_hook(struct fusing *f, size_t at, const struct place *places, size_t n)
{
	bool fits = f->hooks && evr_vec_last(&f->runs).places + n <= MOST_ACCESSES;
	for (size_t i = 0; i < n && fits; i++)
		fits = is_available(f, places[i].pointer, 0);
	if (!fits) {
		end_run(f);
		evr_vec_push(&f->runs, (struct run){ .first = at });
	}
	struct run *r = &evr_vec_last(&f->runs);
	r->last = at;
	r->places += n;
	f->hooks++;
}

static void find_runs(struct fusing *f)
{
	for (size_t k = 0; k < f->instructions.len; k++) {
		LLVMValueRef i = f->instructions.data[k];
		struct place places[2];
		size_t n = places_of(f, i, places);
		if (n)
			add_hook(f, k, places, n);
		else if (LLVMIsATerminatorInst(i) || LLVMIsAAllocaInst(i) || LLVMIsALandingPadInst(i) ||
			 (LLVMIsACallInst(i) && !is_debug(i)))
			end_run(f);
		if (f->hooks)
			evr_map_put(&f->inside, (uintptr_t)i, 1);
	}
	end_run(f);
}

/* ---- the check ---- */

static LLVMValueRef add(struct fusing *f, LLVMValueRef wrong, LLVMValueRef more)
{
	return wrong ? LLVMBuildOr(f->m->builder, wrong, more, "") : more;
}

/* Which word after that of the anchor, and where in it, if that one begins where it is expected to. */
static int64_t words_between(const struct place *anchor, const struct place *p, unsigned *first)
{
	int64_t distance = p->offset - anchor->offset + anchor->first;
	*first = (unsigned)(distance & 7);
	return (distance - (int64_t)*first) / 8;
}

static bool is_near(const struct place *anchor, const struct place *p)
{
	int64_t distance = p->offset - anchor->offset;
	unsigned first;
	words_between(anchor, p, &first);
	return p->base == anchor->base && distance < FARTHEST && distance > -FARTHEST && first + p->size <= 8;
}

/* An access that begins at a known place of its word: together with all that are at constant distances from it. */
static LLVMValueRef check_near(struct fusing *f, place_vec *places, const struct place *anchor, LLVMValueRef wrong)
{
	struct module *m = f->m;
	LLVMValueRef address = LLVMBuildPtrToInt(m->builder, anchor->pointer, m->i64, "");
	address = anchor->first ? LLVMBuildSub(m->builder, address, const_int(m->i64, anchor->first), "") : address;
	LLVMValueRef own = cells_own_stamp(m, address, 8), cell = cells_of(m, address);
	for (size_t i = 0; i < places->len; i++) {
		unsigned first, read = 0, written = 0;
		if (places->data[i].checked || !is_near(anchor, &places->data[i]))
			continue;
		int64_t word = words_between(anchor, &places->data[i], &first);
		for (size_t k = i; k < places->len; k++) {
			struct place *p = &places->data[k];
			if (p->checked || !is_near(anchor, p) || words_between(anchor, p, &first) != word)
				continue;
			read |= p->reads ? ((1u << p->size) - 1) << first : 0;
			written |= p->writes ? ((1u << p->size) - 1) << first : 0;
			p->checked = true;
		}
		LLVMValueRef index = const_int(m->i64, (uint64_t)(word * 16));
		LLVMValueRef there = word ? LLVMBuildGEP2(m->builder, m->i8, cell, &index, 1, "") : cell;
		wrong = add(f, wrong, cells_unless_stamp(m, there, own));
		wrong = add(f, wrong, cells_missing(m, there, NULL, read, written));
	}
	return wrong;
}

/* Any other, together with those of the same bytes. */
static LLVMValueRef check_same(struct fusing *f, place_vec *places, struct place *p, LLVMValueRef wrong)
{
	struct module *m = f->m;
	const unsigned bytes = (1u << p->size) - 1;
	bool reads = false, writes = false;
	for (struct place *q = p; q < places->data + places->len; q++)
		if (!q->checked && q->base == p->base && q->offset == p->offset && q->size == p->size) {
			reads |= q->reads;
			writes |= q->writes;
			q->checked = true;
		}
	LLVMValueRef address = LLVMBuildPtrToInt(m->builder, p->pointer, m->i64, ""), cell = cells_of(m, address);
	wrong = add(f, wrong, cells_unless_stamp(m, cell, cells_own_stamp(m, address, p->size)));
	return add(f, wrong, cells_missing(m, cell, cells_first(m, address), reads ? bytes : 0, writes ? bytes : 0));
}

/* 0 if the fast path is open to all. */
static LLVMValueRef check(struct fusing *f, place_vec *places)
{
	LLVMValueRef wrong = NULL;
	for (size_t i = 0; i < places->len; i++)
		if (places->data[i].first != UNKNOWN && !places->data[i].checked)
			wrong = check_near(f, places, &places->data[i], wrong);
	for (size_t i = 0; i < places->len; i++)
		if (!places->data[i].checked)
			wrong = check_same(f, places, &places->data[i], wrong);
	return wrong;
}

/* ---- both ways ---- */

/* All that the value needs of what is in the run. */
static void hoist(const struct evr_map *inside, struct evr_map *hoisted, LLVMValueRef v)
{
	if (!LLVMIsAInstruction(v) || !evr_map_get(inside, (uintptr_t)v) || evr_map_get(hoisted, (uintptr_t)v))
		return;
	evr_map_put(hoisted, (uintptr_t)v, 1);
	for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
		hoist(inside, hoisted, LLVMGetOperand(v, i));
}

static LLVMValueRef renamed(const struct evr_map *copies, LLVMValueRef v)
{
	const uint64_t *copy = evr_map_get(copies, (uintptr_t)v);
	return copy ? (LLVMValueRef)(uintptr_t)*copy : v;
}

static LLVMValueRef unaligned(LLVMValueRef access)
{
	LLVMSetAlignment(access, 1);
	return access;
}

/* What the hook does if its fast path is open. */
static LLVMValueRef access_without_hook(struct fusing *f, LLVMValueRef call, const struct evr_map *copies)
{
	struct module *m = f->m;
	struct place places[2];
	size_t n = places_of(f, call, places);
	LLVMValueRef value;
	if (n == 2) {
		LLVMTypeRef type = LLVMIntTypeInContext(m->context, places[0].size * 8);
		value = unaligned(LLVMBuildLoad2(m->builder, type, places[1].pointer, ""));
		return unaligned(LLVMBuildStore(m->builder, value, places[0].pointer));
	}
	if (places[0].writes)
		return unaligned(
			LLVMBuildStore(m->builder, renamed(copies, LLVMGetOperand(call, 1)), places[0].pointer));
	return unaligned(LLVMBuildLoad2(m->builder, LLVMTypeOf(call), places[0].pointer, ""));
}

static void copy_instruction(struct fusing *f, LLVMValueRef i, struct evr_map *copies)
{
	struct place places[2];
	LLVMValueRef copy;
	if (is_debug(i))
		return;
	LLVMSetCurrentDebugLocation2(f->m->builder, NULL);
	if (places_of(f, i, places)) {
		copy = access_without_hook(f, i, copies);
	} else {
		copy = LLVMInstructionClone(i);
		for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(copy); k++)
			LLVMSetOperand(copy, k, renamed(copies, LLVMGetOperand(copy, k)));
		LLVMInsertIntoBuilder(f->m->builder, copy);
	}
	evr_map_put(copies, (uintptr_t)i, (uintptr_t)copy);
}

/* Uses of the value outside of the slow way get that of the way that was gone. */
static void merge(struct fusing *f, LLVMValueRef v, LLVMValueRef copy, LLVMBasicBlockRef slow, LLVMBasicBlockRef fast)
{
	value_vec users = { 0 };
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
		if (LLVMGetInstructionParent(LLVMGetUser(u)) != slow)
			evr_vec_push(&users, LLVMGetUser(u));
	if (users.len) {
		LLVMValueRef phi = LLVMBuildPhi(f->m->builder, LLVMTypeOf(v), "");
		LLVMAddIncoming(phi, (LLVMValueRef[]){ v, copy }, (LLVMBasicBlockRef[]){ slow, fast }, 2);
		for (size_t i = 0; i < users.len; i++)
			for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(users.data[i]); k++)
				if (LLVMGetOperand(users.data[i], k) == v && users.data[i] != phi)
					LLVMSetOperand(users.data[i], k, phi);
	}
	evr_vec_release(&users);
}

/* Now, because addresses that come of a run before this one are others since it was fused. */
static void find_places(struct fusing *f, const struct run *r, place_vec *places)
{
	struct place two[2];
	for (size_t k = r->first; k <= r->last; k++)
		for (size_t i = 0, n = places_of(f, f->instructions.data[k], two); i < n; i++)
			evr_vec_push(places, two[i]);
}

static void append(struct fusing *f, LLVMBasicBlockRef b, LLVMValueRef i)
{
	LLVMPositionBuilderAtEnd(f->m->builder, b);
	LLVMSetCurrentDebugLocation2(f->m->builder, NULL);
	LLVMInsertIntoBuilder(f->m->builder, i);
}

/* The run goes to the end of `before`, which has all that comes before it. Returns the block that goes on behind it. */
static LLVMBasicBlockRef fuse_run(struct fusing *f, const struct run *r, LLVMBasicBlockRef before,
				  LLVMBasicBlockRef next)
{
	struct module *m = f->m;
	struct evr_map inside = { 0 }, hoisted = { 0 }, copies = { 0 };
	place_vec places = { 0 };
	find_places(f, r, &places);
	LLVMBasicBlockRef after = next ? LLVMInsertBasicBlockInContext(m->context, next, "")
				       : LLVMAppendBasicBlockInContext(m->context, LLVMGetBasicBlockParent(before), "");
	LLVMBasicBlockRef fast = LLVMInsertBasicBlockInContext(m->context, after, "");
	LLVMBasicBlockRef slow = LLVMInsertBasicBlockInContext(m->context, after, "");
	for (size_t k = r->first; k <= r->last; k++)
		evr_map_put(&inside, (uintptr_t)f->instructions.data[k], 1);
	for (size_t i = 0; i < places.len; i++)
		hoist(&inside, &hoisted, places.data[i].pointer);
	for (size_t k = r->first; k <= r->last; k++)
		append(f, evr_map_get(&hoisted, (uintptr_t)f->instructions.data[k]) ? before : slow,
		       f->instructions.data[k]);
	LLVMPositionBuilderAtEnd(m->builder, before);
	LLVMValueRef open = LLVMBuildICmp(m->builder, LLVMIntEQ, check(f, &places), const_int(m->i64, 0), "");
	LLVMSetMetadata(LLVMBuildCondBr(m->builder, open, fast, slow), LLVMGetMDKindIDInContext(m->context, "prof", 4),
			f->weights);
	LLVMPositionBuilderAtEnd(m->builder, slow);
	LLVMBuildBr(m->builder, after);
	LLVMPositionBuilderAtEnd(m->builder, fast);
	for (size_t k = r->first; k <= r->last; k++)
		if (!evr_map_get(&hoisted, (uintptr_t)f->instructions.data[k]))
			copy_instruction(f, f->instructions.data[k], &copies);
	LLVMBuildBr(m->builder, after);
	LLVMPositionBuilderAtEnd(m->builder, after);
	for (size_t k = r->first; k <= r->last; k++) {
		const uint64_t *copy = evr_map_get(&copies, (uintptr_t)f->instructions.data[k]);
		if (copy)
			merge(f, f->instructions.data[k], (LLVMValueRef)(uintptr_t)*copy, slow, fast);
	}
	evr_map_release(&inside);
	evr_map_release(&hoisted);
	evr_map_release(&copies);
	evr_vec_release(&places);
	return after;
}

/* Whoever comes from the block now comes from where it ends. */
static void move_successors(struct fusing *f, LLVMBasicBlockRef end)
{
	LLVMValueRef terminator = LLVMGetBasicBlockTerminator(end);
	for (unsigned s = 0; s < LLVMGetNumSuccessors(terminator); s++) {
		LLVMBasicBlockRef successor = LLVMGetSuccessor(terminator, s);
		for (LLVMValueRef phi = LLVMGetFirstInstruction(successor), next; phi && LLVMIsAPHINode(phi);
		     phi = next) {
			unsigned n = LLVMCountIncoming(phi);
			bool found = false;
			next = LLVMGetNextInstruction(phi);
			for (unsigned i = 0; i < n; i++)
				found |= LLVMGetIncomingBlock(phi, i) == f->block;
			if (!found)
				continue;
			position_before(f->m, phi);
			LLVMValueRef fresh = LLVMBuildPhi(f->m->builder, LLVMTypeOf(phi), "");
			for (unsigned i = 0; i < n; i++) {
				LLVMValueRef value = LLVMGetIncomingValue(phi, i);
				LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
				from = from == f->block ? end : from;
				value = value == phi ? fresh : value;
				LLVMAddIncoming(fresh, &value, &from, 1);
			}
			LLVMReplaceAllUsesWith(phi, fresh);
			LLVMInstructionEraseFromParent(phi);
		}
	}
}

static void fuse_block(struct fusing *f)
{
	LLVMBasicBlockRef next = LLVMGetNextBasicBlock(f->block), b = f->block;
	const size_t start = f->runs.data[0].first;
	for (size_t k = start; k < f->instructions.len; k++)
		LLVMInstructionRemoveFromParent(f->instructions.data[k]);
	size_t k = start;
	for (size_t i = 0; i < f->runs.len; i++) {
		for (; k < f->runs.data[i].first; k++)
			append(f, b, f->instructions.data[k]);
		b = fuse_run(f, &f->runs.data[i], b, next);
		k = f->runs.data[i].last + 1;
	}
	for (; k < f->instructions.len; k++)
		append(f, b, f->instructions.data[k]);
	move_successors(f, b);
}

/* Does the type of an access, or of a struct that it is a member of, tell where the base of its address is in its word? */
static bool tells_base(struct module *m, const struct place *p, unsigned alignment, uint64_t *base)
{
	int64_t offset = p->offset, step;
	*base = (uint64_t)-offset & 7;
	if (alignment >= 8)
		return true;
	for (LLVMValueRef v = p->pointer; v != p->base; v = LLVMGetOperand(v, 0)) {
		LLVMTypeRef type = LLVMGetGEPSourceElementType(v);
		locals_constant_offset(m, v, &step);
		offset -= step;
		*base = (uint64_t)-offset & 7;
		if (LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMABIAlignmentOfType(m->layout, type) >= 8)
			return true;
	}
	return false;
}

/*
 * Where accesses begin in their words, if pointers are aligned as they are to be: one of them tells it of all that have the same base. Before the first
 * run is fused, because bases are others then.
 */
static void find_firsts(struct fusing *f)
{
	struct evr_map bases = { 0 }; /* where they are in their words */
	struct place places[2];
	uint64_t base;
	for (size_t k = 0; k < f->m->plain.len; k++) {
		LLVMValueRef call = f->m->plain.data[k];
		const uint64_t *known = evr_map_get(&f->m->alignments, (uintptr_t)call);
		for (size_t i = 0, n = places_of(f, call, places); i < n; i++)
			if (tells_base(f->m, &places[i], *known >> 8 * i & 0xff, &base))
				evr_map_put(&bases, (uintptr_t)places[i].base, base);
	}
	for (size_t k = 0; k < f->m->plain.len; k++) {
		LLVMValueRef call = f->m->plain.data[k];
		uint64_t firsts = 0;
		for (size_t i = 0, n = places_of(f, call, places); i < n; i++) {
			const uint64_t *found = evr_map_get(&bases, (uintptr_t)places[i].base);
			uint64_t first = found ? (*found + (uint64_t)places[i].offset) & 7 : UNKNOWN;
			firsts |= (first + places[i].size <= 8 ? first : UNKNOWN) << 4 * i;
		}
		evr_map_put(&f->firsts, (uintptr_t)call, firsts);
	}
	evr_map_release(&bases);
}

void runs_fuse(struct module *m, const struct evr_map *hot)
{
	EVR_VEC(LLVMBasicBlockRef) blocks = { 0 };
	struct fusing f = { .m = m, .weights = cells_weights(m) };
	LLVMValueRef function = NULL;
	find_firsts(&f);
	for (LLVMValueRef i = LLVMGetFirstFunction(m->module); i; i = LLVMGetNextFunction(i))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(i); b; b = LLVMGetNextBasicBlock(b))
			if (evr_map_get(hot, (uintptr_t)b))
				evr_vec_push(&blocks, b);
	for (size_t k = 0; k < blocks.len; k++) {
		f.block = blocks.data[k];
		f.instructions.len = f.runs.len = 0;
		if (LLVMGetBasicBlockParent(f.block) != function)
			f.alone_in_function = 0;
		function = LLVMGetBasicBlockParent(f.block);
		for (LLVMValueRef i = LLVMGetFirstInstruction(f.block); i; i = LLVMGetNextInstruction(i))
			evr_vec_push(&f.instructions, i);
		find_runs(&f);
		if (f.runs.len)
			fuse_block(&f);
	}
	evr_map_release(&f.inside);
	evr_map_release(&f.firsts);
	evr_vecs_release(&blocks, &f.instructions, &f.runs);
}
