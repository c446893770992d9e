/*
 * How threads and the process end, long jumps, and what everett.h offers the program.
 *
 * Invariant: a thread ends in evr_end_thread() and nowhere else, whatever ends it: then its stack is left as it is, and nobody comes back to it.
 */
#include "runtime/hooks.h"
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"
#include "runtime/sync/sync.h"

#include <errno.h>

static void run(evr_exit_handlers *list)
{
	while (list->len) {
		struct evr_exit_handler h = list->data[--list->len];
		void *function = h.plain ? (void *)(uintptr_t)h.plain : (void *)(uintptr_t)h.with_argument;
		evr_call_pointer(function, (void *)(uintptr_t)h.site);
		if (h.plain)
			h.plain();
		else
			h.with_argument(h.argument);
	}
}

/* Last registered, first run. */
static void run_handlers(void)
{
	run(&evr_execution.exit_handlers);
}

int evr_libc_atexit(void (*function)(void))
{
	evr_vec_push(&evr_execution.exit_handlers,
		     (struct evr_exit_handler){ .plain = function, .site = evr_call_site });
	return 0;
}

int evr_libc_at_quick_exit(void (*function)(void))
{
	evr_vec_push(&evr_execution.quick_exit_handlers, (struct evr_exit_handler){ .plain = function });
	return 0;
}

/* What the C library makes of at_quick_exit(). */
int evr_libc___cxa_at_quick_exit(void (*function)(void *), void *dso)
{
	(void)dso;
	evr_vec_push(&evr_execution.quick_exit_handlers, (struct evr_exit_handler){ .with_argument = function });
	return 0;
}

int evr_libc___cxa_atexit(void (*function)(void *), void *argument, void *dso)
{
	(void)dso;
	evr_vec_push(
		&evr_execution.exit_handlers,
		(struct evr_exit_handler){ .with_argument = function, .argument = argument, .site = evr_call_site });
	return 0;
}

void evr_libc___assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
	(void)file, (void)line, (void)function;
	evr_fail("assertion", evr_call_site, "%s", assertion);
}

void evr_libc___assert_perror_fail(int error, const char *file, unsigned line, const char *function)
{
	char text[EVR_ERROR_TEXT];
	(void)file, (void)line, (void)function;
	evr_error_text(error, text);
	evr_fail("assertion", evr_call_site, "%s", text);
}

void evr_libc_abort(void)
{
	evr_fail("abort", evr_call_site, "abort() was called");
}

static _Noreturn void leave(const char *name, int status, const struct evr_site *site)
{
	evr_current->site = site;
	if (status && evr_rt.config.fail_on_exit)
		evr_fail("exit", site, "%s(%d)", name, status);
	evr_end_thread(true);
}

void evr_main_return(uint32_t status, void *site)
{
	/* A thread may call main, too, which is not the end of the program. */
	if (evr_current->id)
		return;
	evr_execution.main_status = (int)status;
	evr_execution.main_site = site;
}

void evr_main_end(void)
{
	int status = evr_execution.main_status;
	const struct evr_site *site = evr_execution.main_site;
	run_handlers();
	evr_objects_run_destructors();
	if (status && evr_rt.config.fail_on_exit)
		evr_fail("exit", site, "main returned %d", status);
}

void evr_libc_exit(int status)
{
	const struct evr_site *site = evr_call_site;
	run_handlers();
	evr_objects_run_destructors();
	leave("exit", status, site);
}

void evr_libc__exit(int status)
{
	leave("_exit", status, evr_call_site);
}

void evr_libc__Exit(int status)
{
	leave("_Exit", status, evr_call_site);
}

void evr_libc_quick_exit(int status)
{
	const struct evr_site *site = evr_call_site;
	run(&evr_execution.quick_exit_handlers);
	leave("quick_exit", status, site);
}

void evr_setjmp(void *buffer, void *site)
{
	char *message = NULL;
	/* The signal mask at its end is not always there. */
	size_t size = offsetof(struct __jmp_buf_tag, __saved_mask);
	const char *problem = evr_access_problem((uintptr_t)buffer, size, true, &message);
	if (problem)
		evr_fail(problem, site, "%s", message);
	/* setjmp itself writes it, out of our sight. */
	evr_shadow_touch((uintptr_t)buffer, size, true);
	evr_shadow_set_initialised((uintptr_t)buffer, size);
	struct evr_jump j = { buffer, evr_current->id, evr_current->fast.frames_top,
			      (uintptr_t)__builtin_frame_address(0), evr_current->sections };
	for (size_t i = 0; i < evr_execution.jumps.len; i++)
		if (evr_execution.jumps.data[i].buffer == buffer) {
			evr_execution.jumps.data[i] = j;
			return;
		}
	evr_vec_push(&evr_execution.jumps, j);
}

void evr_va_list(void *list, void *site)
{
	uintptr_t address = (uintptr_t)list;
	char *message = NULL;
	if (EVR_LIKELY(evr_coroutine_has(&evr_current->coroutine, address)))
		return;
	const char *problem = evr_access_problem(address, sizeof(va_list), true, &message);
	if (problem)
		evr_fail(problem, site, "%s", message);
	/* As with setjmp. */
	evr_shadow_touch(address, sizeof(va_list), true);
	evr_shadow_set_initialised(address, sizeof(va_list));
}

void evr_libc__longjmp(struct __jmp_buf_tag *buffer, int value)
{
	const struct evr_site *site = evr_call_site;
	for (size_t i = 0; i < evr_execution.jumps.len; i++) {
		if (evr_execution.jumps.data[i].buffer != buffer)
			continue;
		if (evr_execution.jumps.data[i].thread != evr_current->id)
			evr_fail("crash", site, "longjmp to a place in thread %u", evr_execution.jumps.data[i].thread);
		/* We are called from within setjmp's caller, or deeper, unless that has returned. */
		if (evr_execution.jumps.data[i].stack < (uintptr_t)__builtin_frame_address(0))
			evr_fail("crash", site, "longjmp into a function that has returned");
		evr_frame_leave((void *)evr_execution.jumps.data[i].frames, (void *)(uintptr_t)site);
		evr_section_unwind(evr_execution.jumps.data[i].sections, site);
		longjmp(buffer, value);
	}
	evr_fail("crash", site, "longjmp to a buffer that setjmp did not fill");
}

void evr_libc_longjmp(struct __jmp_buf_tag *buffer, int value)
{
	evr_libc__longjmp(buffer, value);
}

void evr_libc_siglongjmp(struct __jmp_buf_tag *buffer, int value)
{
	evr_libc__longjmp(buffer, value);
}

/* With _FORTIFY_SOURCE. */
void evr_libc___longjmp_chk(struct __jmp_buf_tag *buffer, int value)
{
	evr_libc__longjmp(buffer, value);
}

void evr_give_up(const struct evr_site *site)
{
	evr_current->site = site;
	evr_execution.blocked = true;
	evr_current->state = EVR_STUCK;
	for (;;)
		evr_yield();
}

void evr_libc_everett_assume(int condition)
{
	if (!condition)
		evr_give_up(evr_call_site);
}

unsigned evr_choose(unsigned n, const struct evr_site *site)
{
	if (n == 1)
		return 0;
	struct evr_event *e = evr_event_arrive(EVR_CHOOSE, 0, 0, site);
	e->choices = n;
	evr_event_wait(true);
	return (unsigned)e->chosen;
}

unsigned evr_libc_everett_choose(unsigned n)
{
	if (n == 0 || n > 0xffff)
		evr_unsupported(evr_call_site, "everett_choose(%u): there must be between 1 and 65535 choices", n);
	return evr_choose(n, evr_call_site);
}

/* Bounds the thread's loops from here on, and those of threads that it creates, unless they are bounded more tightly. */
void evr_libc_everett_loop_bound(unsigned n)
{
	if (evr_rt.config.unroll < 0 || (long)n < evr_rt.config.unroll)
		evr_current->fast.loop_bound = n;
}

void evr_libc___VERIFIER_assume(int condition)
{
	evr_libc_everett_assume(condition);
}

/* SV-COMP's programs define it by abort(), which is no error there, but an end of the program like any other. */
void evr_libc_assume_abort_if_not(int condition)
{
	if (!condition)
		leave("abort", 0, evr_call_site);
}

void evr_libc___VERIFIER_assert(int condition)
{
	if (!condition)
		evr_fail("assertion", evr_call_site, "__VERIFIER_assert() failed");
}

_Bool evr_libc___VERIFIER_nondet_bool(void)
{
	return evr_libc_everett_choose(2);
}

_Bool evr_libc___VERIFIER_nondet__Bool(void)
{
	return evr_libc_everett_choose(2);
}

void evr_libc___VERIFIER_loop_bound(unsigned n)
{
	evr_libc_everett_loop_bound(n);
}

void evr_libc___VERIFIER_error(void)
{
	evr_fail("assertion", evr_call_site, "__VERIFIER_error() was reached");
}

void evr_libc_reach_error(void)
{
	evr_fail("assertion", evr_call_site, "reach_error() was reached");
}
