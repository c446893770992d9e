/*
 * Which locals may leave memory. LLVM's sroa, which turns locals into registers, takes undefined behaviour for granted: it
 * deletes an access that is out of bounds, shortens one that is partly so, drops the part of a copy that nobody looks at,
 * and makes up a value for what was never written. So it gets to see only locals for which none of this can happen: every
 * use is an access within bounds at a constant offset, and whatever is read has been written before, on every path. All
 * others are pinned, by a call that takes their address, and end in memory that hooks watch (frame.c).
 *
 * A local is written byte by byte: a forward data-flow analysis keeps, for each byte of each local, whether it is written
 * on all paths, and one bit more for whether the local is there. The beginning and the end of its scope make it unwritten. As for the runtime (evr_access_load()), a
 * read is fine if some of its bytes are written: the others may be padding, or other bits of a bit-field. They are made zero
 * then, for a register would hold anything.
 *
 * A copy is no read. A local that is copied from or to memory which is not of this kind is pinned: sroa would make accesses
 * of single members of the copy.
 */
#include "instrument/module.h"

#include <stdlib.h>
#include <string.h>

#define PIN "evr_pin" /* a function that is declared while sroa runs */
#define TAG "evr.access"

#define MAX_BITS 1024 /* of a local that is followed */
#define MAX_WORDS (UINT64_C(1) << 22) /* of all states together: what is more is followed separately */

#define NO_LOCAL SIZE_MAX

struct local {
	LLVMValueRef alloca;
	uint64_t size;        /* in bytes */
	uint64_t first, bits; /* its bits in a state: one for each byte that is accessed, and whether it is there */
	bool simple;          /* all uses are accesses within bounds */
	bool named;           /* the program's, not the compiler's own */
	bool is_atomic;
	bool comes;   /* has marks of its scope */
	bool gone;    /* may be accessed when its scope has ended */
	bool unset;   /* may be read before any of it is written */
	bool partial; /* may be read before all of it is written */
	bool leaves;  /* is copied from or to other memory */
	bool spills;  /* may be copied before all of it is written */
};

struct place {
	size_t local; /* or NO_LOCAL */
	uint64_t offset, bit; /* in bytes; among the local's bits */
};

enum kind { READ, WRITE, COPY, BEGIN, END };

/* One instruction that uses one local, or, a copy, up to two. */
struct use {
	LLVMValueRef at;
	enum kind kind;
	struct place to, from;
	uint64_t size;
	bool constant; /* what is copied is a constant */
	bool partial;  /* some of what is read may be unwritten */
};

typedef EVR_VEC(uint64_t) bits;

struct flow {
	struct module *m;
	LLVMValueRef function;
	EVR_VEC(struct local) locals;
	EVR_VEC(struct use) uses;
	struct evr_map use_of;   /* instruction -> index of its use, from 1 */
	EVR_VEC(LLVMBasicBlockRef) blocks; /* that are reached, from the entry on */
	struct evr_map number;   /* block -> its index, from 1 */
	size_t begin, end;       /* the locals being followed */
	size_t words;            /* of a state */
	bits states;             /* of all blocks, at their beginnings */
};

/* ---- uses ---- */

static bool is_debug_marker(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	return callee && LLVMIsAFunction(callee) && starts_with(value_name(callee), "llvm.dbg.");
}

/* The constant offset that a GEP adds, or false. */
static bool constant_offset(struct module *m, LLVMValueRef gep, int64_t *offset)
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

static struct use *use_at(struct flow *f, LLVMValueRef at, enum kind kind, uint64_t size)
{
	uint64_t *known = evr_map_get(&f->use_of, (uintptr_t)at);
	if (known)
		return &f->uses.data[*known - 1];
	struct place nowhere = { NO_LOCAL, 0, 0 };
	evr_vec_push(&f->uses, (struct use){ at, kind, nowhere, nowhere, size, false, false });
	evr_map_put(&f->use_of, (uintptr_t)at, f->uses.len);
	return &evr_vec_last(&f->uses);
}

static bool add_load(struct flow *f, LLVMValueRef load, struct place p)
{
	struct local *l = &f->locals.data[p.local];
	l->is_atomic |= LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic;
	uint64_t size = size_of(f->m, LLVMTypeOf(load));
	use_at(f, load, READ, size)->from = p;
	return size <= l->size - p.offset;
}

static bool add_store(struct flow *f, LLVMValueRef store, LLVMValueRef pointer, struct place p)
{
	struct local *l = &f->locals.data[p.local];
	if (LLVMGetOperand(store, 0) == pointer)
		return false;
	l->is_atomic |= LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic;
	uint64_t size = size_of(f->m, LLVMTypeOf(LLVMGetOperand(store, 0)));
	use_at(f, store, WRITE, size)->to = p;
	return size <= l->size - p.offset;
}

/* Does the pointer lead to so many bytes of a constant, such as the one that an array is initialised from? */
static bool is_constant(struct flow *f, LLVMValueRef pointer, uint64_t size)
{
	if (!LLVMIsAGlobalVariable(pointer) || !LLVMIsGlobalConstant(pointer) || LLVMIsDeclaration(pointer))
		return false;
	const uint64_t *known = evr_map_get(&f->m->sizes, (uintptr_t)pointer);
	uint64_t all = known ? *known : LLVMABISizeOfType(f->m->layout, LLVMGlobalGetValueType(pointer));
	return size <= all;
}

/* memset, memcpy and memmove of a constant number of bytes. */
static bool add_intrinsic(struct flow *f, LLVMValueRef call, LLVMValueRef pointer, struct place p)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	const char *name = callee && LLVMIsAFunction(callee) ? value_name(callee) : "";
	bool fills = starts_with(name, "llvm.memset.");
	if (!fills && !starts_with(name, "llvm.memcpy.") && !starts_with(name, "llvm.memmove."))
		return false;
	LLVMValueRef length = LLVMGetOperand(call, 2);
	if (!LLVMIsAConstantInt(length) || !LLVMIsNull(LLVMGetOperand(call, 3))) /* volatile */
		return false;
	uint64_t size = LLVMConstIntGetZExtValue(length);
	struct use *u = use_at(f, call, fills ? WRITE : COPY, size);
	if (LLVMGetOperand(call, 0) == pointer)
		u->to = p;
	if (!fills && LLVMGetOperand(call, 1) == pointer)
		u->from = p;
	/* Copying within a local, where that is not allowed, is an error that must be seen. */
	bool apart = u->to.offset - u->from.offset >= size && u->from.offset - u->to.offset >= size;
	if (u->to.local == u->from.local && !apart && starts_with(name, "llvm.memcpy."))
		return false;
	u->constant = !fills && is_constant(f, LLVMGetOperand(call, 1), size);
	return size <= f->locals.data[p.local].size - p.offset;
}

/* Are all uses of the pointer accesses within the local? Notes them. */
static bool add_uses(struct flow *f, LLVMValueRef pointer, struct place p)
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
			struct place inner = p;
			fine = constant_offset(f->m, user, &more) &&
			       !__builtin_add_overflow(p.offset, more, &inner.offset) && inner.offset <= l->size &&
			       add_uses(f, user, inner);
		} else if (scope_marker(user)) {
			use_at(f, user, scope_begins(user) ? BEGIN : END, 0)->to = (struct place){ p.local, 0, 0 };
			l->comes = true;
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

static void add_locals(struct flow *f)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f->function);
	for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
		if (!LLVMIsAAllocaInst(i))
			continue;
		uint64_t size = LLVMABISizeOfType(f->m->layout, LLVMGetAllocatedType(i));
		bool named = evr_map_get(&f->m->locals, (uintptr_t)i);
		evr_vec_push(&f->locals, (struct local){ .alloca = i, .size = size, .named = named });
		struct local *l = &evr_vec_last(&f->locals);
		l->simple = is_static(i) && size && add_uses(f, i, (struct place){ f->locals.len - 1, 0, 0 });
	}
}

/* ---- bits ---- */

struct range {
	uint64_t begin, end; /* bytes */
	uint64_t bit;        /* of the first */
};

typedef EVR_VEC(struct range) ranges;

static int by_begin(const void *a, const void *b)
{
	uint64_t x = ((const struct range *)a)->begin, y = ((const struct range *)b)->begin;
	return x < y ? -1 : x > y;
}

static void add_range(ranges *all, size_t local, struct place p, uint64_t size)
{
	if (p.local == local && size)
		evr_vec_push(all, (struct range){ p.offset, p.offset + size, 0 });
}

/* The parts of the local that are accessed, without overlaps; returns how many bytes they have together. */
static uint64_t find_ranges(const struct flow *f, size_t local, ranges *all)
{
	uint64_t total = 0;
	size_t n = 0;
	for (size_t i = 0; i < f->uses.len; i++) {
		add_range(all, local, f->uses.data[i].to, f->uses.data[i].size);
		add_range(all, local, f->uses.data[i].from, f->uses.data[i].size);
	}
	if (all->len)
		qsort(all->data, all->len, sizeof(*all->data), by_begin);
	for (size_t i = 0; i < all->len; i++) {
		struct range r = all->data[i];
		if (n && r.begin <= all->data[n - 1].end) {
			struct range *last = &all->data[n - 1];
			last->end = r.end > last->end ? r.end : last->end;
			continue;
		}
		all->data[n++] = r;
	}
	all->len = n;
	for (size_t i = 0; i < n; i++) {
		all->data[i].bit = total;
		total += all->data[i].end - all->data[i].begin;
	}
	return total;
}

static void set_bit(struct place *p, size_t local, const ranges *all)
{
	for (size_t i = 0; p->local == local && i < all->len; i++)
		if (p->offset >= all->data[i].begin && p->offset < all->data[i].end)
			p->bit = all->data[i].bit + p->offset - all->data[i].begin;
}

/* Of a large local only what is accessed has bits. */
static void number_large(struct flow *f, size_t local)
{
	struct local *l = &f->locals.data[local];
	ranges all = { 0 };
	l->bits = find_ranges(f, local, &all);
	l->simple = l->bits <= MAX_BITS;
	for (size_t i = 0; i < f->uses.len; i++) {
		set_bit(&f->uses.data[i].to, local, &all);
		set_bit(&f->uses.data[i].from, local, &all);
	}
	evr_vec_release(&all);
}

static void number_bits(struct flow *f)
{
	for (size_t i = 0; i < f->uses.len; i++) {
		f->uses.data[i].to.bit = f->uses.data[i].to.offset;
		f->uses.data[i].from.bit = f->uses.data[i].from.offset;
	}
	for (size_t i = 0; i < f->locals.len; i++) {
		f->locals.data[i].bits = f->locals.data[i].size;
		if (f->locals.data[i].simple && f->locals.data[i].size > MAX_BITS)
			number_large(f, i);
	}
}

/* ---- what is written on all paths ---- */

static void add_blocks(struct flow *f)
{
	evr_vec_push(&f->blocks, LLVMGetEntryBasicBlock(f->function));
	evr_map_put(&f->number, (uintptr_t)f->blocks.data[0], 1);
	for (size_t i = 0; i < f->blocks.len; i++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(f->blocks.data[i]);
		for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
			LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
			if (evr_map_get(&f->number, (uintptr_t)next))
				continue;
			evr_vec_push(&f->blocks, next);
			evr_map_put(&f->number, (uintptr_t)next, f->blocks.len);
		}
	}
}

/* The local of a place, if it is being followed. */
static struct local *followed(struct flow *f, struct place p)
{
	bool known = p.local != NO_LOCAL && p.local >= f->begin && p.local < f->end;
	return known && f->locals.data[p.local].simple ? &f->locals.data[p.local] : NULL;
}

static bool get(const uint64_t *state, uint64_t bit)
{
	return state[bit / 64] >> bit % 64 & 1;
}

static void put(uint64_t *state, uint64_t bit, bool on)
{
	uint64_t mask = UINT64_C(1) << bit % 64;
	state[bit / 64] = on ? state[bit / 64] | mask : state[bit / 64] & ~mask;
}

static void copy(struct flow *f, uint64_t *state, const struct use *u)
{
	const struct local *to = followed(f, u->to), *from = followed(f, u->from);
	bool known[MAX_BITS];
	if (!to)
		return;
	for (uint64_t i = 0; i < u->size; i++)
		known[i] = u->constant || (from && get(state, from->first + u->from.bit + i));
	for (uint64_t i = 0; i < u->size; i++)
		put(state, to->first + u->to.bit + i, known[i]);
}

static void change(struct flow *f, uint64_t *state, const struct use *u)
{
	const struct local *to = followed(f, u->to);
	if (u->kind == COPY)
		copy(f, state, u);
	else if (to && u->kind == WRITE)
		for (uint64_t i = 0; i < u->size; i++)
			put(state, to->first + u->to.bit + i, true);
	else if (to && (u->kind == BEGIN || u->kind == END))
		for (uint64_t i = 0; i <= to->bits; i++)
			put(state, to->first + i, i == to->bits && u->kind == BEGIN);
}

/* `int x = x;` says that its author knows better, and what `(void)x;` reads nobody uses. */
static bool is_idiom(LLVMValueRef load)
{
	LLVMUseRef u = LLVMGetFirstUse(load);
	LLVMValueRef user = u && !LLVMGetNextUse(u) ? LLVMGetUser(u) : NULL;
	return !u || (user && LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == load &&
		      LLVMGetOperand(user, 1) == LLVMGetOperand(load, 0));
}

static uint64_t count_written(const uint64_t *state, const struct local *l, uint64_t bit, uint64_t size)
{
	uint64_t written = 0;
	for (uint64_t i = 0; i < size; i++)
		written += get(state, l->first + bit + i);
	return written;
}

static void judge_read(struct flow *f, const uint64_t *state, struct use *u)
{
	struct local *l = followed(f, u->from);
	if (!l)
		return;
	uint64_t written = count_written(state, l, u->from.bit, u->size);
	if (u->kind == COPY) {
		l->spills |= written < u->size;
		return;
	}
	u->partial = written < u->size;
	l->partial |= u->partial;
	/* The compiler's own, such as the value of a function that returns none, may well be unset. */
	l->unset |= !written && l->named && !is_idiom(u->at) && !access_updates_bitfield(u->at);
}

/* Is the local there? */
static void judge_life(struct flow *f, const uint64_t *state, const struct use *u)
{
	struct local *from = followed(f, u->from), *to = followed(f, u->to);
	if (from)
		from->gone |= !get(state, from->first + from->bits);
	if (to && u->kind != BEGIN && u->kind != END)
		to->gone |= !get(state, to->first + to->bits);
}

/* Through a block, from the state at its beginning. */
static void pass(struct flow *f, LLVMBasicBlockRef b, uint64_t *state, bool judge)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
		const uint64_t *index = evr_map_get(&f->use_of, (uintptr_t)i);
		if (!index)
			continue;
		struct use *u = &f->uses.data[*index - 1];
		if (judge) {
			judge_read(f, state, u);
			judge_life(f, state, u);
		}
		change(f, state, u);
	}
}

/* What comes from one more block: only what is written there too stays written. */
static bool meet(uint64_t *state, const uint64_t *other, size_t words)
{
	bool changed = false;
	for (size_t i = 0; i < words; i++) {
		changed |= (state[i] & ~other[i]) != 0;
		state[i] &= other[i];
	}
	return changed;
}

static void solve(struct flow *f)
{
	uint64_t *state = evr_alloc((f->words + 1) * sizeof(*state));
	bool changed = true;
	evr_vec_clear(&f->states);
	for (size_t i = 0; i < f->words * f->blocks.len; i++)
		evr_vec_push(&f->states, i < f->words ? 0 : UINT64_MAX);
	for (size_t i = f->begin; i < f->end; i++)
		if (f->locals.data[i].simple)
			put(f->states.data, f->locals.data[i].first + f->locals.data[i].bits, !f->locals.data[i].comes);
	while (changed) {
		changed = false;
		for (size_t b = 0; b < f->blocks.len; b++) {
			memcpy(state, f->states.data + b * f->words, f->words * sizeof(*state));
			pass(f, f->blocks.data[b], state, false);
			LLVMValueRef end = LLVMGetBasicBlockTerminator(f->blocks.data[b]);
			for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
				uint64_t *next = evr_map_get(&f->number, (uintptr_t)LLVMGetSuccessor(end, k));
				changed |= meet(f->states.data + (*next - 1) * f->words, state, f->words);
			}
		}
	}
	for (size_t b = 0; b < f->blocks.len; b++)
		pass(f, f->blocks.data[b], f->states.data + b * f->words, true);
	free(state);
}

/* As many locals at a time as there is room for. */
static void follow(struct flow *f)
{
	add_blocks(f);
	for (f->begin = f->end = 0; f->begin < f->locals.len; f->begin = f->end) {
		uint64_t bytes = 0;
		while (f->end < f->locals.len && (bytes / 64 + MAX_BITS / 64) * f->blocks.len <= MAX_WORDS + MAX_BITS) {
			struct local *l = &f->locals.data[f->end++];
			l->first = bytes;
			bytes += l->simple ? l->bits + 1 : 0;
		}
		if (f->end == f->begin)
			f->locals.data[f->end++].simple = false;
		f->words = (bytes + 63) / 64;
		if (f->words)
			solve(f);
	}
}

static void analyse(struct flow *f, struct module *m, LLVMValueRef function)
{
	*f = (struct flow){ .m = m, .function = function };
	add_locals(f);
	number_bits(f);
	follow(f);
}

static void release(struct flow *f)
{
	evr_vec_release(&f->locals);
	evr_vec_release(&f->uses);
	evr_vec_release(&f->blocks);
	evr_vec_release(&f->states);
	evr_map_release(&f->use_of);
	evr_map_release(&f->number);
}

/* ---- registers ---- */

static bool can_leave_memory(const struct local *l)
{
	return l->simple && !l->unset && !l->gone && !l->leaves;
}

static bool stays(const struct flow *f, struct place p)
{
	return p.local == NO_LOCAL || !can_leave_memory(&f->locals.data[p.local]);
}

/* A copy keeps its two ends together: both leave memory, or neither. */
static void judge_copies(struct flow *f)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < f->uses.len; i++) {
			const struct use *u = &f->uses.data[i];
			if (u->kind != COPY || stays(f, u->to) == (!u->constant && stays(f, u->from)))
				continue;
			if (!stays(f, u->to))
				f->locals.data[u->to.local].leaves = changed = true;
			else if (!u->constant)
				f->locals.data[u->from.local].leaves = changed = true;
		}
	}
}

/* Zero where the load reads. */
static void zero(struct module *m, const struct use *u, LLVMValueRef alloca, LLVMValueRef at)
{
	position_before(m, at);
	LLVMValueRef offset = const_int(m->i64, u->from.offset);
	LLVMValueRef pointer = LLVMBuildGEP2(m->builder, m->i8, alloca, &offset, 1, "");
	LLVMSetAlignment(LLVMBuildStore(m->builder, LLVMConstNull(LLVMTypeOf(u->at)), pointer), 1);
}

/* What is read and may be unwritten is zero at the beginning, and whenever the scope begins again. */
static void make_zero(struct flow *f, const struct use *u)
{
	LLVMValueRef alloca = f->locals.data[u->from.local].alloca, at = alloca;
	while (LLVMIsAAllocaInst(at))
		at = LLVMGetNextInstruction(at);
	zero(f->m, u, alloca, at);
	for (LLVMUseRef mark = LLVMGetFirstUse(alloca); mark; mark = LLVMGetNextUse(mark)) {
		LLVMValueRef user = LLVMGetUser(mark);
		if (scope_marker(user) && scope_begins(user))
			zero(f->m, u, alloca, LLVMGetNextInstruction(user));
	}
}

static LLVMValueRef pin_function(struct module *m, LLVMTypeRef *type)
{
	*type = LLVMFunctionType(m->none, &m->ptr, 1, 0);
	LLVMValueRef known = LLVMGetNamedFunction(m->module, PIN);
	return known ? known : LLVMAddFunction(m->module, PIN, *type);
}

static void pin(struct module *m, LLVMValueRef alloca)
{
	LLVMTypeRef type;
	LLVMValueRef function = pin_function(m, &type);
	position_before(m, LLVMGetNextInstruction(alloca));
	LLVMBuildCall2(m->builder, type, function, &alloca, 1, "");
}

/* ---- what must not vanish ---- */

bool locals_is_copy(LLVMValueRef i)
{
	LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
	const char *name = callee && LLVMIsAFunction(callee) ? value_name(callee) : "";
	return starts_with(name, "llvm.memcpy.") || starts_with(name, "llvm.memmove.") ||
	       starts_with(name, "llvm.memset.");
}

/* Structs that are one value sroa takes apart, wherever they are: the same bytes are accessed. */
static bool is_aggregate(LLVMValueRef access)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMIsALoadInst(access) ? access : LLVMGetOperand(access, 0));
	return LLVMGetTypeKind(type) == LLVMStructTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

static bool must_stay(const struct flow *f, LLVMValueRef i)
{
	if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) ? is_aggregate(i) : !locals_is_copy(i))
		return false;
	const uint64_t *index = evr_map_get(&f->use_of, (uintptr_t)i);
	const struct use *u = index ? &f->uses.data[*index - 1] : NULL;
	return !u || (stays(f, u->to) && stays(f, u->from));
}

static void tag_accesses(const struct flow *f)
{
	struct module *m = f->m;
	unsigned kind = LLVMGetMDKindIDInContext(m->context, TAG, strlen(TAG));
	LLVMValueRef node = LLVMMetadataAsValue(m->context, LLVMMDNodeInContext2(m->context, NULL, 0));
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (must_stay(f, i)) {
				LLVMSetMetadata(i, kind, node);
				m->accesses++;
			}
}

static size_t untag_accesses(struct module *m, LLVMValueRef function)
{
	unsigned kind = LLVMGetMDKindIDInContext(m->context, TAG, strlen(TAG));
	size_t n = 0;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMHasMetadata(i) && LLVMGetMetadata(i, kind)) {
				LLVMSetMetadata(i, kind, NULL);
				n++;
			}
	return n;
}

/* ---- the passes ---- */

static void pin_locals(struct module *m, LLVMValueRef function)
{
	struct flow f;
	analyse(&f, m, function);
	judge_copies(&f);
	tag_accesses(&f);
	for (size_t i = 0; i < f.locals.len; i++)
		if (!can_leave_memory(&f.locals.data[i]))
			pin(m, f.locals.data[i].alloca);
	for (size_t i = 0; i < f.uses.len; i++)
		if (f.uses.data[i].partial && !stays(&f, f.uses.data[i].from))
			make_zero(&f, &f.uses.data[i]);
	release(&f);
}

void locals_pin(struct module *m)
{
	debug_find_locals(m);
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			pin_locals(m, f);
	/* Most of them are about to vanish. */
	evr_map_clear(&m->locals);
}

bool locals_unpin(struct module *m)
{
	LLVMValueRef function = LLVMGetNamedFunction(m->module, PIN);
	while (function && LLVMGetFirstUse(function))
		LLVMInstructionEraseFromParent(LLVMGetUser(LLVMGetFirstUse(function)));
	if (function)
		LLVMDeleteFunction(function);
	size_t left = 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			left += untag_accesses(m, f);
	return left == m->accesses;
}

/*
 * Accesses to its own bytes only, which no hook has to see; nothing is read that may not have been written. Nor is that copied
 * to where hooks would take it for written.
 */
static bool is_native(const struct local *l)
{
	return l->simple && !l->is_atomic && !l->gone && !l->spills && !(l->named && (l->unset || l->partial));
}

void locals_find_native(struct module *m, value_vec *native)
{
	struct flow f;
	analyse(&f, m, m->function);
	for (size_t i = 0; i < f.locals.len; i++)
		if (is_native(&f.locals.data[i]))
			evr_vec_push(native, f.locals.data[i].alloca);
	release(&f);
}
