#include "twin.h"

#include "runtime/threads/coroutine.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Nothing is asserted on a coroutine's stack: a failed assertion jumps, and must not jump from one stack to another.
 * Coroutines write down what they see, and the tests look at it.
 */

enum { STACK = 256 << 10 };

/*
 * keep(f, c, in, out): put in[] into every callee-saved register, call f(c), and write them to out[]. Once in a
 * coroutine, with yield, once in the scheduler, with resume.
 */
void keep(void (*f)(struct evr_coroutine *), struct evr_coroutine *c, const uint64_t *in, uint64_t *out);

#if defined(__x86_64__)
enum { REGISTERS = 6 };
__asm__(".text\n"
	".globl keep\n"
	"keep:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	pushq %rcx\n"
	"	movq %rdi, %rax\n"
	"	movq %rsi, %rdi\n"
	"	movq 0(%rdx), %rbp\n"
	"	movq 8(%rdx), %rbx\n"
	"	movq 16(%rdx), %r12\n"
	"	movq 24(%rdx), %r13\n"
	"	movq 32(%rdx), %r14\n"
	"	movq 40(%rdx), %r15\n"
	"	call *%rax\n"
	"	popq %rcx\n"
	"	movq %rbp, 0(%rcx)\n"
	"	movq %rbx, 8(%rcx)\n"
	"	movq %r12, 16(%rcx)\n"
	"	movq %r13, 24(%rcx)\n"
	"	movq %r14, 32(%rcx)\n"
	"	movq %r15, 40(%rcx)\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	ret\n");
#elif defined(__aarch64__)
enum { REGISTERS = 19 };
#define ALL_REGISTERS(two, one, base, from) \
	two " x19, x20, [" base ", #" from "+0]\n" two " x21, x22, [" base ", #" from "+16]\n" two " x23, x24, [" base \
	    ", #" from "+32]\n" two " x25, x26, [" base ", #" from "+48]\n" two " x27, x28, [" base ", #" from \
	    "+64]\n" two " d8, d9, [" base ", #" from "+80]\n" two " d10, d11, [" base ", #" from "+96]\n" two \
	    " d12, d13, [" base ", #" from "+112]\n" two " d14, d15, [" base ", #" from "+128]\n" one " x29, [" base \
	    ", #" from "+144]\n"
__asm__(".text\n"
	".globl keep\n"
	"keep:\n"
	"	sub sp, sp, #176\n"
	"	stp x30, x3, [sp]\n" ALL_REGISTERS(
		"stp", "str", "sp",
		"16") "	mov x9, x0\n"
		      "	mov x0, x1\n" ALL_REGISTERS("ldp", "ldr", "x2",
						    "0") "	blr x9\n"
							 "	ldp x30, x3, [sp]\n" ALL_REGISTERS("stp", "str", "x3",
												   "0")
								 ALL_REGISTERS("ldp", "ldr", "sp",
									       "16") "	add sp, sp, #176\n"
										     "	ret\n");
#endif

struct registers {
	struct evr_coroutine c;
	bool started;
	uint64_t in[REGISTERS], out[REGISTERS];
};

static void keep_registers(void *argument)
{
	struct registers *r = argument;
	for (;;)
		keep(evr_coroutine_yield, &r->c, r->in, r->out);
}

static void switches_keep_registers(void **state)
{
	(void)state;
	static struct registers two[2];
	uint64_t random = 1, in[REGISTERS], out[REGISTERS];
	for (int i = 0; i < 2; i++) {
		evr_coroutine_init(&two[i].c, STACK);
		evr_coroutine_begin(&two[i].c, keep_registers, &two[i]);
	}
	for (int round = 0; round < 200; round++) {
		struct registers *r = &two[twin_below(&random, 2)];
		uint64_t before[REGISTERS];
		/* What it took with it at its last yield it must find now; after that it takes something new. */
		memcpy(before, r->in, sizeof(before));
		for (int k = 0; k < REGISTERS; k++) {
			in[k] = twin_random(&random);
			r->in[k] = twin_random(&random);
		}
		keep(evr_coroutine_resume, &r->c, in, out);
		assert_memory_equal(in, out, sizeof(in));
		if (r->started)
			assert_memory_equal(r->out, before, sizeof(before));
		r->started = true;
	}
	for (int i = 0; i < 2; i++)
		evr_coroutine_release(&two[i].c);
}

/* A thread of calls and returns, told from outside what to do next. Its twin keeps its frames in an array. */
enum command { CALL, RETURN, MIX, COMMANDS };

struct climber {
	struct evr_coroutine c;
	enum command command;
	uint64_t operand, sum;
	double real, total;
	unsigned depth;
};

enum { DEPTH = 20, CONTENTS = 40 };

struct level {
	uint64_t contents[CONTENTS];
	double real;
};

static void mix(struct level *l, uint64_t operand, double real)
{
	for (int i = 0; i < CONTENTS; i++)
		l->contents[i] = l->contents[i] * 31 + (operand ^ (uint64_t)i);
	l->real = l->real * 0.75 + real;
}

static uint64_t sum_of(const struct level *l)
{
	uint64_t sum = 0;
	for (int i = 0; i < CONTENTS; i++)
		sum = sum * 7 + l->contents[i];
	return sum;
}

static double climb(struct climber *w, unsigned depth)
{
	struct level here = { .contents = { depth } };
	double outside = 1.5 * depth;
	for (;;) {
		w->sum = sum_of(&here);
		w->total = here.real + outside;
		w->depth = depth;
		evr_coroutine_yield(&w->c);
		if (w->command == CALL && depth + 1 < DEPTH)
			outside += climb(w, depth + 1);
		else if (w->command == RETURN && depth > 0)
			return here.real + outside;
		else
			mix(&here, w->operand, w->real);
	}
}

static void climb_entry(void *argument)
{
	climb(argument, 0);
}

struct climber_twin {
	struct level levels[DEPTH];
	double outside[DEPTH];
	unsigned depth;
};

static void twin_enter(struct climber_twin *t, unsigned depth)
{
	memset(&t->levels[depth], 0, sizeof(t->levels[depth]));
	t->levels[depth].contents[0] = depth;
	t->outside[depth] = 1.5 * depth;
	t->depth = depth;
}

static void twin_step(struct climber_twin *t, enum command command, uint64_t operand, double real)
{
	unsigned d = t->depth;
	if (command == CALL && d + 1 < DEPTH) {
		twin_enter(t, d + 1);
	} else if (command == RETURN && d > 0) {
		t->depth = d - 1;
		t->outside[d - 1] += t->levels[d].real + t->outside[d];
	} else {
		mix(&t->levels[d], operand, real);
	}
}

static void check_climber(const struct climber *w, const struct climber_twin *t)
{
	double total = t->levels[t->depth].real + t->outside[t->depth];
	assert_int_equal(w->depth, t->depth);
	assert_true(w->sum == sum_of(&t->levels[t->depth]));
	assert_memory_equal(&w->total, &total, sizeof(total));
}

/* Many at once, in any order; some are abandoned wherever they are and start again. */
static void interleaved_against_state_machines(void **state)
{
	(void)state;
	enum { COUNT = 30 };
	static struct climber all[COUNT];
	static struct climber_twin twins[COUNT];
	uint64_t random = 2;
	for (int i = 0; i < COUNT; i++)
		evr_coroutine_init(&all[i].c, STACK);
	for (int step = 0; step < 60000; step++) {
		size_t i = twin_below(&random, COUNT);
		struct climber *w = &all[i];
		if (!w->c.sp || twin_below(&random, 500) == 0) {
			evr_coroutine_begin(&w->c, climb_entry, w);
			twin_enter(&twins[i], 0);
		} else {
			w->command = (enum command)twin_below(&random, COMMANDS);
			w->operand = twin_random(&random);
			w->real = (double)twin_below(&random, 1000) / 8;
			twin_step(&twins[i], w->command, w->operand, w->real);
		}
		evr_coroutine_resume(&w->c);
		check_climber(w, &twins[i]);
	}
	for (int i = 0; i < COUNT; i++)
		evr_coroutine_release(&all[i].c);
}

/* As a program under test does it: the same coroutine, abandoned at its deepest, a great many times. */
static void starts_again_after_being_abandoned(void **state)
{
	(void)state;
	static struct climber w;
	static struct climber_twin t;
	evr_coroutine_init(&w.c, STACK);
	for (int round = 0; round < 2000; round++) {
		evr_coroutine_begin(&w.c, climb_entry, &w);
		evr_coroutine_resume(&w.c);
		twin_enter(&t, 0);
		for (int i = 0; i < 1 + round % DEPTH; i++) {
			check_climber(&w, &t);
			w.command = CALL;
			w.operand = (uint64_t)round;
			twin_step(&t, CALL, w.operand, w.real);
			evr_coroutine_resume(&w.c);
		}
		check_climber(&w, &t);
	}
	evr_coroutine_release(&w.c);
}

struct entry_seen {
	struct evr_coroutine c;
	uintptr_t frame;
	void *argument;
};

static void look_around(void *argument)
{
	struct entry_seen *s = argument;
	s->argument = argument;
	s->frame = (uintptr_t)__builtin_frame_address(0);
	for (;;)
		evr_coroutine_yield(&s->c);
}

static void entry_has_an_aligned_stack(void **state)
{
	(void)state;
	static struct entry_seen s;
	for (size_t size = 64 << 10; size <= 512 << 10; size += 4096) {
		memset(&s, 0, sizeof(s));
		evr_coroutine_init(&s.c, size);
		evr_coroutine_begin(&s.c, look_around, &s);
		evr_coroutine_resume(&s.c);
		assert_ptr_equal(s.argument, &s);
		assert_int_equal(s.frame % 16, 0);
		assert_true(evr_coroutine_has(&s.c, s.frame));
		assert_true((uintptr_t)s.c.stack + size - s.c.unused - s.frame < 1024);
		evr_coroutine_release(&s.c);
	}
}

static void knows_its_stack_and_guard(void **state)
{
	(void)state;
	struct evr_coroutine c = { 0 };
	evr_coroutine_init(&c, STACK);
	uintptr_t low = (uintptr_t)c.stack, high = low + STACK;
	const struct {
		uintptr_t address;
		bool has, overflow;
	} cases[] = {
		{ low - EVR_STACK_GUARD - 1, false, false },
		{ low - EVR_STACK_GUARD, false, true },
		{ low - 1, false, true },
		{ low, true, false },
		{ high - 1, true, false },
		{ high, false, false },
		{ 0, false, false },
		{ UINTPTR_MAX, false, false },
	};
	for (size_t i = 0; i < EVR_COUNT(cases); i++) {
		assert_int_equal(evr_coroutine_has(&c, cases[i].address), cases[i].has);
		assert_int_equal(evr_coroutine_overflow(&c, cases[i].address), cases[i].overflow);
	}
	/* All of the stack can be written. */
	memset(c.stack, 1, STACK);
	evr_coroutine_release(&c);
	assert_null(c.stack);
}

static struct evr_coroutine deep;

static unsigned recurse(unsigned n)
{
	volatile char page[1000];
	page[n % sizeof(page)] = (char)n;
	return n == UINT32_MAX ? n : recurse(n + 1) + (unsigned)page[n % sizeof(page)];
}

static void recurse_entry(void *argument)
{
	(void)argument;
	recurse(0);
}

static void on_overflow(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	_exit(evr_coroutine_overflow(&deep, (uintptr_t)info->si_addr) ? 42 : 43);
}

/* The real thing, in a process of its own. */
static void overflow_hits_the_guard(void **state)
{
	(void)state;
	static char alternate[64 << 10];
	int status = 0;
	evr_coroutine_init(&deep, STACK);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		const stack_t stack = { .ss_sp = alternate, .ss_size = sizeof(alternate) };
		struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
		action.sa_sigaction = on_overflow;
		sigaltstack(&stack, NULL);
		sigaction(SIGSEGV, &action, NULL);
		sigaction(SIGBUS, &action, NULL);
		evr_coroutine_begin(&deep, recurse_entry, NULL);
		evr_coroutine_resume(&deep);
		_exit(44);
	}
	assert_true(waitpid(child, &status, 0) == child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 42);
	evr_coroutine_release(&deep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(switches_keep_registers),
		cmocka_unit_test(interleaved_against_state_machines),
		cmocka_unit_test(starts_again_after_being_abandoned),
		cmocka_unit_test(entry_has_an_aligned_stack),
		cmocka_unit_test(knows_its_stack_and_guard),
		cmocka_unit_test(overflow_hits_the_guard),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
