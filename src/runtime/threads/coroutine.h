/*
 * Coroutines: one for each thread of the program, each on its own stack with a guard page below it.
 * The scheduler runs on the process's own stack; it lets a coroutine run, which may let another one run in its place, and
 * whichever runs last gives control back. A coroutine that is not wanted any more is simply not resumed; evr_coroutine_begin() starts it afresh.
 */
#ifndef EVR_COROUTINE_H
#define EVR_COROUTINE_H

#include "base/pieces.h"

struct evr_coroutine {
	void *sp;         /* saved stack pointer while it is not running */
	char *stack;      /* lowest usable address */
	size_t size;
	size_t unused;    /* bytes at its end */
	void *fake_stack; /* AddressSanitizer's, in builds that have it */
};

#define EVR_STACK_SIZE ((size_t)8 << 20)
#define EVR_STACK_GUARD ((size_t)64 << 10)

/* Map the stack. Once per thread; it is kept for all executions. */
void evr_coroutine_init(struct evr_coroutine *c, size_t size);
void evr_coroutine_release(struct evr_coroutine *c);
/* The next switch to c calls entry(argument), which must never return. */
void evr_coroutine_begin(struct evr_coroutine *c, void (*entry)(void *), void *argument);
/* From the scheduler: run c until it calls evr_coroutine_yield(). */
void evr_coroutine_resume(struct evr_coroutine *c);
/* From a coroutine: back to the scheduler. */
void evr_coroutine_yield(struct evr_coroutine *c);
/* From a coroutine: let another one run in its place. */
void evr_coroutine_transfer(struct evr_coroutine *c, struct evr_coroutine *to);
/* While it does not run: how much is on its stack, from `sp` up. */
static inline size_t evr_coroutine_used(const struct evr_coroutine *c)
{
	return (size_t)(c->stack + c->size - c->unused - (char *)c->sp);
}
/* Can that be put back? Not if a sanitizer keeps books on it. */
bool evr_coroutine_has_pieces(void);
/* From now on each coroutine has its own rounding mode and exceptions of floating point. */
void evr_coroutine_environment(void);
/* Is the address on its stack, or in the guard below it? */
bool evr_coroutine_has(const struct evr_coroutine *c, uintptr_t address);
bool evr_coroutine_overflow(const struct evr_coroutine *c, uintptr_t address);

#endif
