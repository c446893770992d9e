/*
 * A hook at every loop header, which is told how often the loop has gone round: it bounds loops (--unroll), and lets a
 * loop without visible events be noticed. The count is a local variable, set to 0 where the loop is entered; LLVM makes a
 * register of it. Runs first, while no value but these crosses blocks in registers.
 *
 * A loop header is the target of a back edge of a depth-first walk. In an irreducible graph that may be one of several
 * entries; then the count may be reset too often, and only a bound is missed.
 */
#include "instrument/module.h"

#include <stdlib.h>

enum colour { WHITE, GREY, BLACK };

struct edge {
	LLVMBasicBlockRef from, to;
};

struct walk {
	struct evr_map colour;
	EVR_VEC(struct edge) back;
};

struct visit {
	LLVMBasicBlockRef block;
	unsigned next;
};

static enum colour colour_of(struct walk *w, LLVMBasicBlockRef b)
{
	uint64_t *c = evr_map_get(&w->colour, (uintptr_t)b);
	return c ? (enum colour) * c : WHITE;
}

static void depth_first(struct walk *w, LLVMBasicBlockRef entry)
{
	EVR_VEC(struct visit) stack = { 0 };
	evr_vec_push(&stack, (struct visit){ entry, 0 });
	evr_map_put(&w->colour, (uintptr_t)entry, GREY);
	while (stack.len) {
		struct visit *v = &evr_vec_last(&stack);
		LLVMValueRef end = LLVMGetBasicBlockTerminator(v->block);
		if (v->next == LLVMGetNumSuccessors(end)) {
			evr_map_put(&w->colour, (uintptr_t)v->block, BLACK);
			stack.len--;
			continue;
		}
		LLVMBasicBlockRef to = LLVMGetSuccessor(end, v->next++);
		enum colour c = colour_of(w, to);
		if (c == GREY)
			evr_vec_push(&w->back, (struct edge){ v->block, to });
		if (c != WHITE)
			continue;
		evr_map_put(&w->colour, (uintptr_t)to, GREY);
		evr_vec_push(&stack, (struct visit){ to, 0 });
	}
	evr_vec_release(&stack);
}

static bool is_back(const struct walk *w, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	for (size_t i = 0; i < w->back.len; i++)
		if (w->back.data[i].from == from && w->back.data[i].to == to)
			return true;
	return false;
}

static void reset_at_entries(struct module *m, struct walk *w, LLVMBasicBlockRef header, LLVMValueRef counter)
{
	LLVMValueRef zero = const_int(m->i32, 0);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(m->function); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
		for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
			if (LLVMGetSuccessor(end, i) != header || is_back(w, b, header))
				continue;
			position_before(m, end);
			LLVMBuildStore(m->builder, zero, counter);
			break;
		}
	}
}

static void instrument_header(struct module *m, struct walk *w, LLVMBasicBlockRef header)
{
	LLVMValueRef counter = native_alloca(m, m->i32);
	LLVMValueRef at = LLVMGetFirstInstruction(header);
	while (LLVMIsAPHINode(at))
		at = LLVMGetNextInstruction(at);
	/* A header with an exception pad first is left alone; loops of landing pads do not occur in C. */
	if (LLVMIsALandingPadInst(at))
		return;
	/* The first instruction that has a line gives the loop its place. */
	LLVMValueRef line = at;
	while ((!LLVMGetDebugLocLine(line) || scope_marker(line)) && LLVMGetNextInstruction(line))
		line = LLVMGetNextInstruction(line);
	position_before(m, at);
	LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(line));
	LLVMValueRef arguments[] = { LLVMBuildLoad2(m->builder, m->i32, counter, ""), site_of(m, line, EVR_PLAIN, 0) };
	LLVMBuildStore(m->builder, hook_call(m, HOOK_evr_loop, arguments, 2), counter);
	reset_at_entries(m, w, header, counter);
}

static void instrument_function(struct module *m)
{
	struct walk w = { 0 };
	struct evr_map done = { 0 };
	depth_first(&w, LLVMGetEntryBasicBlock(m->function));
	for (size_t i = 0; i < w.back.len; i++) {
		LLVMBasicBlockRef header = w.back.data[i].to;
		if (evr_map_get(&done, (uintptr_t)header))
			continue;
		evr_map_put(&done, (uintptr_t)header, 1);
		instrument_header(m, &w, header);
	}
	evr_map_release(&done);
	evr_map_release(&w.colour);
	evr_vec_release(&w.back);
}

void loops_instrument(struct module *m)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			continue;
		m->function = f;
		instrument_function(m);
	}
}
