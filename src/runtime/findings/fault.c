/*
 * Faults of the program: those that hooks find, and those that the machine finds first.
 *
 * Invariant: a fault ends its thread there and then, or, if the scheduler has found it, before the thread's next step; no event follows it. Only
 * a store that takes effect after its memory was freed does not (`after_free`).
 */
#include "report/result.h"
#include "runtime/hooks.h"
#include "runtime/runtime.h"
#include "runtime/search.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

EVR_LASTING volatile int evr_stop, evr_asked, evr_tick;

static const struct evr_site nowhere = { .file = "", .function = "" };

/* Whether the program is stuck is a matter of what it was given, not of what else the machine has to do. */
double evr_cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/*
 * Stops a debugger right here, in the thread that failed. Registers that calls may change are not what they were when the program called the
 * runtime, unless a function in between has saved them: the unwind table says so (0x07: DW_CFA_undefined, and a register). Otherwise the
 * debugger would show what is in them now as the values of the program's variables.
 */
static void breakpoint(void)
{
#if defined(__x86_64__)
	__asm__ volatile(
		".cfi_escape 7,0, 7,1, 7,2, 7,4, 7,5, 7,8, 7,9, 7,10, 7,11\n\t" /* rax, rdx, rcx, rsi, rdi, r8 to r11 */
		"int3");
#else
	__asm__ volatile(
		".cfi_escape 7,0, 7,1, 7,2, 7,3, 7,4, 7,5, 7,6, 7,7, 7,8, 7,9, 7,10, 7,11, 7,12, 7,13, 7,14, 7,15, 7,16, 7,17\n\t"
		"brk #0");
#endif
}

void evr_fault_add(const char *kind, const struct evr_site *site, evr_thread_id thread, char *message, char *detail)
{
	evr_event_id event = (evr_event_id)evr_rt.world.trace.events.len;
	if (evr_robust_wanted() && evr_robust_ignores(kind)) {
		free(message);
		free(detail);
		return;
	}
	/* The fault belongs to its thread's last event. */
	while (event > 0 && evr_rt.world.trace.events.data[event - 1].thread != thread)
		event--;
	evr_vec_push(&evr_execution.faults, (struct evr_fault){
						    .kind = kind,
						    .message = message,
						    .detail = detail,
						    .site = site ? site : &nowhere,
						    .thread = thread,
						    .event = event ? event - 1 : EVR_NO_EVENT,
						    .other = EVR_NO_EVENT,
						    .end = (evr_event_id)evr_rt.world.trace.events.len,
						    .gone = evr_execution.gone,
					    });
	evr_execution.gone = 0;
	if (EVR_UNLIKELY(evr_rt.stacks_wanted) && evr_current)
		evr_stack_note();
	if (!evr_rt.config.keep_going && !evr_learned(&evr_rt.world))
		evr_execution.stop = true;
	if (evr_rt.config.gdb)
		breakpoint();
}

/* Where the program was: at the fault, or in the innermost call that the stack tells of. */
static const struct evr_function *find_function(uintptr_t pc, uintptr_t sp)
{
	const struct evr_coroutine *c = &evr_current->coroutine;
	uintptr_t end = (uintptr_t)c->stack + c->size;
	const struct evr_function *f = evr_object_function(pc);
	if (sp < (uintptr_t)c->stack)
		sp = (uintptr_t)c->stack;
	for (unsigned i = 0; i < 512 && !f && sp + 8 <= end; i++, sp += 8)
		f = evr_object_function(*(const uintptr_t *)sp);
	return f;
}

void evr_fail(const char *kind, const struct evr_site *site, const char *format, ...)
{
	/* Before the thread's first access, say in its first function's variable-length array: the function then. */
	if (!site && evr_coroutine_has(&evr_current->coroutine, (uintptr_t)__builtin_frame_address(0))) {
		const struct evr_function *f = find_function(0, (uintptr_t)__builtin_frame_address(0));
		site = f ? f->site : NULL;
	}
	va_list args;
	va_start(args, format);
	char *message = evr_vformat(format, args);
	va_end(args);
	evr_current->site = site;
	evr_fault_add(kind, site, evr_current->id, message, NULL);
	evr_end_thread(true);
}

void evr_spin(const struct evr_site *site, char *message)
{
	struct evr_thread *t = evr_current;
	/* Whoever replays this in a debugger wants to see the loop. */
	if (evr_rt.config.gdb)
		evr_fail("no-progress", site, "%s", message);
	t->site = site;
	free(t->spin);
	t->spin = message;
	t->state = EVR_SPINNING;
	evr_progress();
	for (;;)
		evr_yield();
}

void evr_unsupported(const struct evr_site *site, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *message = evr_vformat(format, args);
	va_end(args);
	evr_die("%s:%u: %s", site ? site->file : "?", site ? site->line : 0, message);
}

void evr_division(uint64_t verdict, void *site)
{
	if (EVR_UNLIKELY(verdict != 1))
		evr_fail("crash", site,
			 verdict ? "division overflows: the smallest value divided by -1" : "division by zero");
}

void evr_trap(void *site)
{
	evr_fail("crash", site,
		 "the program reached a trap (__builtin_trap or undefined behaviour that the compiler saw)");
}

/* How many events the current thread has made in this execution. */
static size_t own_events(void)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	for (size_t i = t->events.len; i-- > 0;)
		if (t->events.data[i].thread == evr_current->id)
			return t->events.data[i].index + 1u;
	return 0;
}

/* A loop with events that nothing bounds makes executions without end, or ever longer ones: say so while they are made. */
static void note_long_loop(uint32_t rounds, const struct evr_site *site)
{
	evr_execution.long_loop = site;
	if (evr_rt.long_loop_told || evr_rt.config.replay || own_events() < rounds)
		return;
	evr_rt.long_loop_told = true;
	char *text = evr_format("the loop at %s:%u ran %u iterations in one execution, with events in each; without a "
				"bound, the search may never end: --unroll N sets one",
				site->file, site->line, rounds);
	evr_wire_hint(evr_rt.config.fd, text);
	free(text);
}

/* The bound is reached, or the loop has gone round often. */
static __attribute__((noinline)) uint32_t notice_loop(uint32_t count, void *site)
{
	if ((long)count >= evr_current->fast.loop_bound && evr_current->fast.loop_bound >= 0) {
		evr_current->site = site;
		evr_execution.truncated = true;
		evr_current->state = EVR_STUCK;
		evr_yield();
	}
	if (count % EVR_LOOP_NOTICE == EVR_LOOP_NOTICE - 1)
		evr_rt.world.tired = evr_current->id + 1u;
	if ((count & 1023) != 1023)
		return count + 1;
	/* Others may have to act before this loop can end; see settle(). */
	evr_current->site = site;
	note_long_loop(count + 1, site);
	if (evr_learned(&evr_rt.world))
		evr_execution.stop = true;
	if (evr_rt.world.threads > 1 || evr_tick || evr_execution.stop) {
		evr_current->spins = true;
		evr_thread_wake(evr_current);
		evr_yield();
	}
	if (evr_no_progress())
		evr_spin(site, evr_format("a loop ran for %g seconds without a visible event",
					  evr_rt.config.execution_timeout));
	return count + 1;
}

uint32_t evr_loop(uint32_t count, void *site)
{
	/* No bound is -1. */
	if (EVR_UNLIKELY(count >= (unsigned long)evr_current->fast.loop_bound ||
			 count % EVR_LOOP_NOTICE == EVR_LOOP_NOTICE - 1))
		return notice_loop(count, site);
	return count + 1;
}

/* What the handler leaves for the landing. */
static EVR_SCRATCH int fault_signal;
static EVR_SCRATCH uintptr_t fault_address, fault_pc;
static EVR_SCRATCH const struct evr_function *fault_function; /* of the program; NULL if unknown */

/* Runs on the coroutine's own stack, from its beginning: whatever was on it is given up. */
static void landing(void)
{
	struct evr_thread *t = evr_current;
	const struct evr_site *site = fault_address == fault_pc ? evr_call_site : t->site;
	const struct evr_function *f = fault_function;
	char *where = f ? evr_format(" in '%s'", f->name) : evr_strdup("");
	/* The last event may be far away, in a caller. */
	if (f && (fault_address != fault_pc || !site) && (!site || strcmp(site->function, f->name) != 0))
		site = f->site;
	if (fault_signal == SIGALRM)
		evr_spin(site, evr_format("the program ran for %g seconds without a visible event%s",
					  evr_rt.config.execution_timeout, where));
	if (fault_signal == SIGSEGV && evr_coroutine_overflow(&t->coroutine, fault_address))
		evr_fail("crash", site, "stack overflow%s", where);
	if (fault_signal == SIGSEGV && fault_address == fault_pc)
		evr_fail("crash", site, "call of a function at the invalid address %#zx", (size_t)fault_address);
	evr_fail("crash", site, "%s%s (address %#zx)", strsignal(fault_signal), where, (size_t)fault_address);
}

static uintptr_t *program_counter(ucontext_t *u)
{
#if defined(__x86_64__)
	return (uintptr_t *)&u->uc_mcontext.gregs[REG_RIP];
#else
	return (uintptr_t *)&u->uc_mcontext.pc;
#endif
}

static uintptr_t *stack_pointer(ucontext_t *u)
{
#if defined(__x86_64__)
	return (uintptr_t *)&u->uc_mcontext.gregs[REG_RSP];
#else
	return (uintptr_t *)&u->uc_mcontext.sp;
#endif
}

static void land(ucontext_t *u, int number, uintptr_t address)
{
	fault_signal = number;
	fault_address = address;
	fault_pc = *program_counter(u);
	fault_function = find_function(fault_pc, *stack_pointer(u));
	*program_counter(u) = (uintptr_t)landing;
	/* As after a call: the return address makes the difference of eight. */
	*stack_pointer(u) = ((uintptr_t)evr_current->coroutine.stack + evr_current->coroutine.size - 256) - 8;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	ucontext_t *u = context;
	bool sent = info->si_code <= 0 && info->si_pid != getpid();
	if (!evr_current || sent) {
		/* Ours, or from outside. The driver sees the signal and says so. */
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	land(u, number, (uintptr_t)info->si_addr);
}

static void on_stop(int number)
{
	evr_stop = number;
	evr_tick = 1;
}

static void on_question(int number)
{
	(void)number;
	evr_asked = evr_tick = 1;
}

/*
 * Nobody has looked at the tick for so long that there can be no more hooks on the way: the program is in a loop that has
 * none, such as one of tail calls. What is on the stack is given up, as after a fault.
 */
static bool is_stuck(const ucontext_t *u)
{
	static EVR_LASTING double since;
	if (!evr_tick || !evr_current) {
		since = 0;
		return false;
	}
	if (since == 0)
		since = evr_cpu();
	/* Only the program's own code can be left where it is: a hook may be about to change what is ours. */
	return evr_rt.config.execution_timeout > 0 && evr_cpu() - since > evr_rt.config.execution_timeout &&
	       evr_object_function(*program_counter((ucontext_t *)(uintptr_t)u));
}

static void on_tick(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	if (is_stuck(context)) {
		evr_tick = 0;
		land(context, SIGALRM, 0);
	} else {
		evr_tick = 1;
	}
}

void evr_signals_init(void)
{
	static EVR_SCRATCH char stack[64 << 10];
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction fault = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
	struct sigaction stop = { .sa_handler = on_stop, .sa_flags = SA_RESTART | SA_ONSTACK };
	struct sigaction question = { .sa_handler = on_question, .sa_flags = SA_RESTART | SA_ONSTACK };
	struct sigaction tick = { .sa_sigaction = on_tick, .sa_flags = SA_RESTART | SA_ONSTACK | SA_SIGINFO };
	struct itimerval every = { { 0, 100000 }, { 0, 100000 } };
	sigaltstack(&alternate, NULL);
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
	for (size_t i = 0; i < EVR_COUNT(faults); i++)
		sigaction(faults[i], &fault, NULL);
	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGUSR1, &question, NULL);
	sigaction(SIGALRM, &tick, NULL);
	signal(SIGPIPE, SIG_IGN);
	setitimer(ITIMER_REAL, &every, NULL);
}
