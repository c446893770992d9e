/*
 * Stacks, and how to change from one to another.
 *
 * Invariant: either the scheduler runs or one coroutine does. The stack pointer of each of the others leads to its registers, which lie
 * on its own stack as evr_switch() has left them, or as evr_coroutine_begin() has made them up.
 */
#include "runtime/threads/coroutine.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN 1
#endif
#endif
#ifdef ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

/* switch_*.S: save the callee-saved registers and the stack pointer at *from, and continue at `to`. */
void evr_switch(void **from, void *to);
/* The same, with the environment of floating point. */
void evr_switch_environment(void **from, void *to);
/* switch_*.S: where a fresh coroutine begins; calls entry(argument) as laid out by evr_coroutine_begin(). */
void evr_switch_entry(void);

static EVR_LASTING void *scheduler_sp;
static EVR_LASTING bool environment; /* a program has changed that of floating point */

static void change_stack(void **from, void *to)
{
	if (EVR_UNLIKELY(environment))
		evr_switch_environment(from, to);
	else
		evr_switch(from, to);
}

void evr_coroutine_environment(void)
{
	environment = true;
}
#ifdef ASAN
static EVR_LASTING const void *scheduler_stack;
static EVR_LASTING size_t scheduler_size;
static EVR_LASTING bool from_scheduler; /* whose stack's bounds the next switch tells */

static void arrive(void *fake)
{
	const void *stack;
	size_t size;
	__sanitizer_finish_switch_fiber(fake, &stack, &size);
	if (from_scheduler) {
		scheduler_stack = stack;
		scheduler_size = size;
	}
}
#endif

void evr_coroutine_init(struct evr_coroutine *c, size_t size)
{
	char *base = mmap(NULL, size + EVR_STACK_GUARD, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (base == MAP_FAILED || mprotect(base, EVR_STACK_GUARD, PROT_NONE))
		evr_die("cannot map a stack of %zu KiB: %s", size >> 10, strerror(errno));
	/*
	 * Stacks lie at the same place modulo large powers of two; if they all began at their end, a few of them would fill
	 * the sets of the cache that their first frames fall into.
	 */
	static EVR_LASTING size_t number;
	c->unused = number++ % 32 * 17 * 64;
	c->stack = base + EVR_STACK_GUARD;
	c->size = size;
}

void evr_coroutine_release(struct evr_coroutine *c)
{
	munmap(c->stack - EVR_STACK_GUARD, c->size + EVR_STACK_GUARD);
	memset(c, 0, sizeof(*c));
}

void evr_coroutine_begin(struct evr_coroutine *c, void (*entry)(void *), void *argument)
{
#ifdef ASAN
	/* Whatever was on it is given up, with the red zones of its frames. */
	if (c->sp)
		__asan_unpoison_memory_region(c->sp, (size_t)(c->stack + c->size - (char *)c->sp));
#endif
	/* What evr_switch() pops: on both machines entry and argument sit in callee-saved registers. */
	void **sp = (void **)(c->stack + c->size - c->unused);
#if defined(__x86_64__)
	*--sp = NULL; /* evr_switch_entry's return address: ends backtraces */
	*--sp = NULL; /* and the stack is aligned to 16 when it calls */
	*--sp = (void *)(uintptr_t)evr_switch_entry;
	*--sp = NULL;        /* rbp */
	*--sp = (void *)(uintptr_t)entry;  /* rbx */
	*--sp = argument;                  /* r12 */
	*--sp = NULL;
	*--sp = NULL;
	*--sp = NULL; /* r13-r15 */
	*--sp = (void *)0x37f00001f80; /* floating point as a process starts: x87 control word, MXCSR */
#elif defined(__aarch64__)
	sp -= 22; /* x19-x30, d8-d15, fpcr */
	memset(sp, 0, 22 * sizeof(*sp));
	sp[0] = (void *)(uintptr_t)entry; /* x19 */
	sp[1] = argument;                 /* x20 */
	sp[11] = (void *)(uintptr_t)evr_switch_entry; /* x30 */
#else
#error "no coroutine switch for this machine"
#endif
	c->sp = sp;
#ifdef ASAN
	c->fake_stack = NULL;
#endif
}

bool evr_coroutine_has_pieces(void)
{
#ifdef ASAN
	return false;
#else
	return true;
#endif
}

void evr_coroutine_resume(struct evr_coroutine *c)
{
#ifdef ASAN
	void *fake = NULL;
	__sanitizer_start_switch_fiber(&fake, c->stack, c->size);
	from_scheduler = true;
	change_stack(&scheduler_sp, c->sp);
	__sanitizer_finish_switch_fiber(fake, NULL, NULL);
#else
	change_stack(&scheduler_sp, c->sp);
#endif
}

void evr_coroutine_yield(struct evr_coroutine *c)
{
#ifdef ASAN
	__sanitizer_start_switch_fiber(&c->fake_stack, scheduler_stack, scheduler_size);
	change_stack(&c->sp, scheduler_sp);
	arrive(c->fake_stack);
#else
	change_stack(&c->sp, scheduler_sp);
#endif
}

void evr_coroutine_transfer(struct evr_coroutine *c, struct evr_coroutine *to)
{
#ifdef ASAN
	__sanitizer_start_switch_fiber(&c->fake_stack, to->stack, to->size);
	from_scheduler = false;
	change_stack(&c->sp, to->sp);
	arrive(c->fake_stack);
#else
	change_stack(&c->sp, to->sp);
#endif
}

void evr_coroutine_started(void);
/* Called by evr_switch_entry before anything else runs on a fresh stack. */
void evr_coroutine_started(void)
{
#ifdef ASAN
	arrive(NULL);
#endif
}

bool evr_coroutine_has(const struct evr_coroutine *c, uintptr_t address)
{
	return address - (uintptr_t)c->stack < c->size;
}

bool evr_coroutine_overflow(const struct evr_coroutine *c, uintptr_t address)
{
	return address - ((uintptr_t)c->stack - EVR_STACK_GUARD) < EVR_STACK_GUARD;
}
