/*
 * Which bytes of the locals are written on all paths (locals.h).
 *
 * Invariant: while solve() iterates, a bit of a block's state only ever turns from 1 to 0, so the iteration ends, with the
 * largest solution. It is looked at only then: check_read() and check_scope() see each use once, in its final state.
 */
#include "instrument/locals.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BITS 1024 /* of a local that is tracked */
#define MAX_WORDS (UINT64_C(1) << 22) /* of all states together: what is more is tracked in another batch */

struct range {
	uint64_t first, end; /* bytes: from the first on, up to the one before the end */
	uint64_t bit;        /* of the first */
};

typedef EVR_VEC(struct range) ranges;

static int by_first(const void *a, const void *b)
{
	uint64_t x = ((const struct range *)a)->first, y = ((const struct range *)b)->first;
	return x < y ? -1 : x > y;
}

static void add_range(ranges *all, size_t local, struct position p, uint64_t size)
{
	if (p.local == local && size)
		evr_vec_push(all, (struct range){ p.offset, p.offset + size, 0 });
}

/* The parts of the local that are accessed, without overlaps; returns how many bytes they have together. */
static uint64_t find_ranges(const struct locals_flow *f, size_t local, ranges *all)
{
	uint64_t total = 0;
	size_t n = 0;
	for (size_t i = 0; i < f->uses.len; i++) {
		add_range(all, local, f->uses.data[i].to, f->uses.data[i].size);
		add_range(all, local, f->uses.data[i].from, f->uses.data[i].size);
	}
	if (all->len)
		qsort(all->data, all->len, sizeof(*all->data), by_first);
	for (size_t i = 0; i < all->len; i++) {
		struct range r = all->data[i];
		if (n && r.first <= all->data[n - 1].end) {
			struct range *last = &all->data[n - 1];
			last->end = r.end > last->end ? r.end : last->end;
			continue;
		}
		all->data[n++] = r;
	}
	all->len = n;
	for (size_t i = 0; i < n; i++) {
		all->data[i].bit = total;
		total += all->data[i].end - all->data[i].first;
	}
	return total;
}

static void set_bit(struct position *p, size_t local, const ranges *all)
{
	for (size_t i = 0; p->local == local && i < all->len; i++)
		if (p->offset >= all->data[i].first && p->offset < all->data[i].end)
			p->bit = all->data[i].bit + p->offset - all->data[i].first;
}

/* Of a large local only what is accessed has bits. */
static void number_large(struct locals_flow *f, size_t local)
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

static void number_bits(struct locals_flow *f)
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

static void add_blocks(struct locals_flow *f)
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

/* The local of a position, if it is among those being tracked. */
static struct local *tracked(struct locals_flow *f, struct position p)
{
	bool known = p.local != NO_LOCAL && p.local >= f->batch_first && p.local < f->batch_end;
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

static void copy(struct locals_flow *f, uint64_t *state, const struct use *u)
{
	const struct local *to = tracked(f, u->to), *from = tracked(f, u->from);
	bool known[MAX_BITS];
	if (!to)
		return;
	for (uint64_t i = 0; i < u->size; i++)
		known[i] = u->constant || (from && get(state, from->first + u->from.bit + i));
	for (uint64_t i = 0; i < u->size; i++)
		put(state, to->first + u->to.bit + i, known[i]);
}

static void change(struct locals_flow *f, uint64_t *state, const struct use *u)
{
	const struct local *to = tracked(f, u->to);
	if (u->kind == USE_COPY)
		copy(f, state, u);
	else if (to && u->kind == USE_WRITE)
		for (uint64_t i = 0; i < u->size; i++)
			put(state, to->first + u->to.bit + i, true);
	else if (to && (u->kind == USE_SCOPE_BEGIN || u->kind == USE_SCOPE_END))
		for (uint64_t i = 0; i <= to->bits; i++)
			put(state, to->first + i, i == to->bits && u->kind == USE_SCOPE_BEGIN);
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

static void check_read(struct locals_flow *f, const uint64_t *state, struct use *u)
{
	struct local *l = tracked(f, u->from);
	if (!l)
		return;
	uint64_t written = count_written(state, l, u->from.bit, u->size);
	if (u->kind == USE_COPY) {
		l->may_copy_unset |= written < u->size;
		return;
	}
	u->may_be_partial = written < u->size;
	l->may_be_partial |= u->may_be_partial;
	/* The compiler's own, such as the value of a function that returns none, may well be unset. */
	l->may_be_unset |= !written && l->declared && !is_idiom(u->at) && !access_updates_bitfield(u->at);
}

/* Is the local there? */
static void check_scope(struct locals_flow *f, const uint64_t *state, const struct use *u)
{
	struct local *from = tracked(f, u->from), *to = tracked(f, u->to);
	if (from)
		from->may_dangle |= !get(state, from->first + from->bits);
	if (to && u->kind != USE_SCOPE_BEGIN && u->kind != USE_SCOPE_END)
		to->may_dangle |= !get(state, to->first + to->bits);
}

/* Through a block, from the state at its beginning. */
static void pass(struct locals_flow *f, LLVMBasicBlockRef b, uint64_t *state, bool record)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
		const uint64_t *index = evr_map_get(&f->use_of, (uintptr_t)i);
		if (!index)
			continue;
		struct use *u = &f->uses.data[*index - 1];
		if (record) {
			check_read(f, state, u);
			check_scope(f, state, u);
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

static void solve(struct locals_flow *f)
{
	uint64_t *state = evr_alloc((f->words + 1) * sizeof(*state));
	bool changed = true;
	evr_vec_clear(&f->states);
	for (size_t i = 0; i < f->words * f->blocks.len; i++)
		evr_vec_push(&f->states, i < f->words ? 0 : UINT64_MAX);
	for (size_t i = f->batch_first; i < f->batch_end; i++)
		if (f->locals.data[i].simple)
			put(f->states.data, f->locals.data[i].first + f->locals.data[i].bits,
			    !f->locals.data[i].has_scope);
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
static void solve_in_batches(struct locals_flow *f)
{
	add_blocks(f);
	for (f->batch_first = f->batch_end = 0; f->batch_first < f->locals.len; f->batch_first = f->batch_end) {
		uint64_t bytes = 0;
		while (f->batch_end < f->locals.len &&
		       (bytes / 64 + MAX_BITS / 64) * f->blocks.len <= MAX_WORDS + MAX_BITS) {
			struct local *l = &f->locals.data[f->batch_end++];
			l->first = bytes;
			bytes += l->simple ? l->bits + 1 : 0;
		}
		if (f->batch_end == f->batch_first)
			f->locals.data[f->batch_end++].simple = false;
		f->words = (bytes + 63) / 64;
		if (f->words)
			solve(f);
	}
}

void locals_analyse(struct locals_flow *f, struct module *m, LLVMValueRef function)
{
	*f = (struct locals_flow){ .m = m, .function = function };
	locals_add(f);
	number_bits(f);
	solve_in_batches(f);
}

void locals_release(struct locals_flow *f)
{
	evr_vecs_release(&f->locals, &f->uses, &f->blocks, &f->states);
	evr_map_release(&f->use_of);
	evr_map_release(&f->number);
}
