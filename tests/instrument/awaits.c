/*
 * Loops that only wait, waits_*, have the hook evr_await, and one for each loop; the others, loops_*, keep evr_loop. A name
 * says what is special about the shape.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void everett_assume(int condition);
unsigned everett_choose(unsigned n);

struct node {
	struct node *_Atomic next;
	int value;
};

static atomic_int x, y, flags[4];
static atomic_llong wide;
static volatile int plain;
static int ordinary;
static struct node *_Atomic list;
static pthread_mutex_t mutex;
static _Thread_local int *own;
void unknown(void);
void use(int *p);
void use_value(int value);

void waits_while(void)
{
	while (!atomic_load(&x))
		;
}

void waits_ordinary_load(void)
{
	while (ordinary == 0)
		;
}

void waits_do(void)
{
	do
		sched_yield();
	while (!plain);
}

int waits_break(void)
{
	for (;;) {
		if (atomic_load(&x) == 2)
			break;
	}
	return 1;
}

int waits_return(void)
{
	for (;;)
		if (atomic_load(&x) == 2)
			return y;
}

int waits_value_used_later(void)
{
	int v;
	while ((v = atomic_load_explicit(&x, memory_order_acquire)) == 0)
		;
	return v;
}

void waits_two_locations(void)
{
	while (atomic_load(&flags[1]) && atomic_load(&x) == 1)
		;
}

void waits_two_sizes(void)
{
	while (atomic_load(&wide) != atomic_load(&x))
		;
}

int waits_two_exits(void)
{
	while (!atomic_load(&x))
		if (atomic_load(&y))
			return 1;
	return 0;
}

void waits_continue(void)
{
	for (;;) {
		if (!atomic_load(&x))
			continue;
		if (!atomic_load(&y))
			continue;
		return;
	}
}

void waits_goto(void)
{
	// clang-format off
again:	if (!atomic_load(&x)) goto again;
	// clang-format on
}

int waits_switch(void)
{
	for (;;)
		switch (atomic_load(&x)) {
		case 0:
			break;
		case 1:
			return 7;
		default:
			return 8;
		}
}

void waits_pointer(struct node *n)
{
	while (!atomic_load(&n->next))
		;
}

void waits_pointers_followed(void)
{
	while (atomic_load(&list)->value != 3)
		;
}

void waits_thread_local(void)
{
	while (!*own)
		;
}

static bool ready(int i)
{
	int wanted = i + 1;
	return atomic_load(&flags[i]) == wanted;
}

static bool all_ready(int n)
{
	for (int i = 0; i < n; i++)
		if (!ready(i))
			return false;
	return true;
}

void waits_calling(void)
{
	while (!ready(2))
		;
}

void waits_calling_with_loop(void)
{
	while (!all_ready(4))
		;
}

static bool sound(void)
{
	int v = atomic_load(&x);
	assert(v >= 0);
	return v > 0;
}

void waits_calling_assertion(void)
{
	while (!sound())
		;
}

static bool snapshot(void)
{
	struct pair {
		int a, b[2];
	} p = { atomic_load(&x), { atomic_load(&y), 0 } };
	return p.b[p.a & 1];
}

void waits_calling_with_locals(void)
{
	while (!snapshot())
		;
}

void waits_fence(void)
{
	while (!atomic_load_explicit(&x, memory_order_relaxed))
		atomic_thread_fence(memory_order_seq_cst);
}

void waits_assembly(void)
{
	while (!plain)
		__asm__ volatile("pause" ::: "memory");
}

void waits_builtin_pause(void)
{
	while (!plain)
		__builtin_ia32_pause();
}

void waits_sleeping(void)
{
	static const struct timespec moment = { 0, 1000 };
	while (!atomic_load(&x)) {
		usleep(10);
		nanosleep(&moment, NULL);
	}
}

void waits_counting_for_nobody(void)
{
	int spins = 0;
	while (!atomic_load(&x))
		spins++;
}

void waits_pausing_longer(void)
{
	while (!atomic_load(&x))
		for (int i = 0; i < 8; i++)
			__asm__ volatile("pause");
}

void waits_inside(void)
{
	for (;;) {
		while (!atomic_load(&x))
			;
		if (atomic_load(&y))
			break;
	}
}

int waits_by_flag(void)
{
	bool done = false;
	do
		if (atomic_load(&x))
			done = true;
		else
			done = false;
	while (!done);
	return 1;
}

int waits_testing_next_time(void)
{
	int v = 0;
	while (v == 0)
		v = atomic_load(&x);
	return v;
}

int waits_reading_before_too(void)
{
	int v = atomic_load(&x);
	while (v != 3) {
		sched_yield();
		v = atomic_load(&x);
	}
	return v;
}

void waits_escaped_local(void)
{
	int local = 0;
	use(&local);
	while (!local)
		;
}

void waits_asserting(void)
{
	while (!atomic_load(&x))
		assert(!atomic_load(&y));
}

void waits_effects_on_the_way_out(void)
{
	for (;;)
		if (atomic_load(&x)) {
			atomic_store(&y, 1);
			unknown();
			break;
		}
}

void loops_storing(void)
{
	while (!atomic_load(&x))
		ordinary = 1;
}

void loops_swapping(void)
{
	while (atomic_exchange(&x, 1))
		;
}

void loops_comparing(void)
{
	int zero = 0;
	while (!atomic_compare_exchange_weak(&x, &zero, 1))
		zero = 0;
}

void loops_calling(void)
{
	while (!atomic_load(&x))
		unknown();
}

void loops_calling_pointer(bool (*test)(void))
{
	while (!test())
		;
}

static bool noted(void)
{
	ordinary++;
	return atomic_load(&x);
}

void loops_calling_effects(void)
{
	while (!noted())
		;
}

static void fill(int *p)
{
	*p = atomic_load(&x);
}

int loops_filling(void)
{
	int v = 0;
	do
		fill(&v);
	while (!v);
	return v;
}

static bool depth(int n)
{
	return n == 0 ? atomic_load(&x) : depth(n - 1);
}

void loops_calling_recursion(void)
{
	while (!depth(2))
		;
}

__attribute__((weak)) bool replaceable(void)
{
	return atomic_load(&x);
}

void loops_calling_weak(void)
{
	while (!replaceable())
		;
}

int loops_counting(void)
{
	int spins = 0;
	while (!atomic_load(&x))
		spins++;
	return spins;
}

int loops_bounded(void)
{
	for (int i = 0; i < 10; i++)
		if (atomic_load(&x))
			return 1;
	return 0;
}

void loops_list(void)
{
	struct node *n = atomic_load(&list);
	while (n)
		n = atomic_load(&n->next);
}

int loops_two_rounds(void)
{
	/* What ends the loop was read the time before last. */
	int last = 0, v = 0;
	while (!last) {
		last = v;
		v = atomic_load(&x);
	}
	return v;
}

int loops_reading_in_head(void)
{
	/* What the head has read is used behind it. */
	int v, found = 0;
	while (v = atomic_load(&y), !found)
		found = atomic_load(&x) == v;
	return v;
}

int loops_leaving_with_last(void)
{
	/* Who leaves by the break takes along what was read the time before. */
	int v = 0;
	while (v < 5) {
		if (atomic_load(&y))
			break;
		v = atomic_load(&x);
	}
	return v;
}

int loops_sum(void)
{
	int sum = 0;
	do
		sum += atomic_load(&x);
	while (sum < 3);
	return sum;
}

void loops_change(void)
{
	/* Until two reads agree. */
	int before, now = atomic_load(&x);
	do {
		before = now;
		now = atomic_load(&x);
	} while (before != now);
}

void loops_without_exit(void)
{
	for (;;)
		(void)atomic_load(&x);
}

void loops_read_before(void)
{
	int v = atomic_load(&x);
	while (!v)
		;
}

void loops_forever(void)
{
	for (;;)
		;
}

void loops_private(void)
{
	volatile int local = 0;
	while (!local)
		;
}

void loops_assuming(void)
{
	while (!atomic_load(&x))
		everett_assume(atomic_load(&y));
}

void loops_choosing(void)
{
	while (!atomic_load(&x) && everett_choose(2))
		;
}

void loops_locking(void)
{
	for (;;) {
		pthread_mutex_lock(&mutex);
		int v = ordinary;
		pthread_mutex_unlock(&mutex);
		if (v)
			break;
	}
}

void loops_printing(void)
{
	while (!atomic_load(&x))
		puts("waiting");
}

void loops_clock(void)
{
	while (!atomic_load(&x) && time(NULL) < 100)
		;
}

void loops_sleep_remainder(struct timespec *t)
{
	while (!atomic_load(&x))
		nanosleep(t, t);
}

void loops_allocating(void)
{
	while (!atomic_load(&x))
		use(__builtin_alloca(8));
}

void loops_volatile_store(void)
{
	volatile int i = 0;
	while (!atomic_load(&x))
		i = 1;
}

void loops_two_entries(int n)
{
	/* No head that all ways in pass. */
	if (n)
		goto middle;
	do {
		if (atomic_load(&y))
			return;
middle:
		sched_yield();
	} while (!atomic_load(&x));
}

void loops_setjmp(jmp_buf *buffer)
{
	while (!atomic_load(&x))
		if (setjmp(*buffer))
			return;
}

void loops_outer_waits_inner(void)
{
	/* Only the inner loop waits. */
	for (int i = 0; i < 3; i++)
		while (atomic_load(&x) != i)
			;
}

/* Locals of the loop's body, which end with each iteration: several ways lead out of it, and one of them out of the loop. */
void scope_break(void)
{
	for (;;) {
		int seen = atomic_load(&x);
		if (seen == 2)
			continue;
		if (seen)
			break;
	}
}

int scope_return(void)
{
	while (1) {
		int seen = atomic_load(&x);
		{
			int other = atomic_load(&y);
			if (seen && other)
				return other;
			if (other == 2)
				continue;
		}
		int third = seen + 1;
		if (third == 5)
			break;
	}
	return 0;
}
