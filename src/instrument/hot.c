/*
 * Which code may run often: blocks of loops, and all of a function that such code calls, or that calls itself. A guess, on which nothing but speed
 * depends. It sees one module and direct calls; so a small function that other modules or pointers can call may run
 * often, too.
 */
#include "instrument/loop.h"

/* The function of this module that is called; NULL: there is none that is known. */
static LLVMValueRef called_here(LLVMValueRef instruction)
{
	if (!LLVMIsACallInst(instruction))
		return NULL;
	LLVMValueRef f = LLVMIsAFunction(LLVMGetCalledValue(instruction));
	return f && !LLVMIsDeclaration(f) ? f : NULL;
}

static void add_function(struct evr_map *hot, value_vec *functions, LLVMValueRef f)
{
	if (evr_map_get(hot, (uintptr_t)f))
		return;
	evr_map_put(hot, (uintptr_t)f, 1);
	evr_vec_push(functions, f);
}

static void add_calls(struct evr_map *hot, value_vec *functions, LLVMBasicBlockRef b)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
		LLVMValueRef f = called_here(i);
		if (f)
			add_function(hot, functions, f);
	}
}

static void add_loop(struct evr_map *hot, value_vec *functions, LLVMValueRef hook)
{
	struct loop l = { .hook = hook };
	loop_find(&l);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(l.head)); b;
	     b = LLVMGetNextBasicBlock(b)) {
		if (!loop_has(&l, b) || evr_map_get(hot, (uintptr_t)b))
			continue;
		evr_map_put(hot, (uintptr_t)b, 1);
		add_calls(hot, functions, b);
	}
	loop_release(&l);
}

static bool calls_itself(LLVMValueRef f)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (called_here(i) == f)
				return true;
	return false;
}

/* May it be called through a pointer? One use that is no call is the object's table. */
static bool is_pointed_to(LLVMValueRef f)
{
	unsigned n = 0;
	for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
		n += called_here(LLVMGetUser(u)) != f;
	return n > 1;
}

#define SMALL 64 /* accesses of a function */
#define MOST_SMALL 2048 /* accesses of all functions that are taken for hot because they are small */

static void add_small(struct module *m, struct evr_map *hot, value_vec *functions)
{
	size_t all = 0;
	for (size_t i = 0, n; i < m->plain.len; i += n) {
		LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(m->plain.data[i]));
		for (n = 1; i + n < m->plain.len; n++)
			if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(m->plain.data[i + n])) != f)
				break;
		if ((LLVMGetLinkage(f) != LLVMExternalLinkage && !is_pointed_to(f)) || n > SMALL ||
		    all + n > MOST_SMALL)
			continue;
		all += n;
		add_function(hot, functions, f);
	}
}

void hot_find(struct module *m, struct evr_map *hot)
{
	value_vec hooks = { 0 }, functions = { 0 };
	hook_calls(m, HOOK_evr_loop, &hooks);
	hook_calls(m, HOOK_evr_retry, &hooks);
	for (size_t i = 0; i < hooks.len; i++)
		add_loop(hot, &functions, hooks.data[i]);
	for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f) && calls_itself(f))
			add_function(hot, &functions, f);
	add_small(m, hot, &functions);
	for (size_t i = 0; i < functions.len; i++)
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(functions.data[i]); b; b = LLVMGetNextBasicBlock(b)) {
			evr_map_put(hot, (uintptr_t)b, 1);
			add_calls(hot, &functions, b);
		}
	evr_vecs_release(&hooks, &functions);
}
