#include "world.h"

#include "runtime/hooks.h"

/* Addresses below that of a thread's arena are given only once in an execution. */
enum { GAP = 16, DEPTH = 30, ONCE = 64 << 10 };

/* The twin: which locals there are, and where each function began. */
struct twin_local {
	uintptr_t address;
	size_t size;
};

static struct twin_local locals[2000];
static size_t len;
static struct {
	void *mark;
	size_t first;
} marks[DEPTH];
static size_t depth;
static uintptr_t highest; /* end of a local that was ever given below that */

static void check_locals(const struct evr_thread *t)
{
	uintptr_t end = t->frames;
	assert_int_equal(t->locals.len, len);
	for (size_t i = 0; i < len; i++) {
		const struct twin_local *l = &locals[i];
		assert_true(l->address - end >= GAP);
		for (uintptr_t a = end; a < l->address; a++)
			assert_false(evr_shadow_valid(a, 1));
		for (uintptr_t a = l->address; a < l->address + l->size; a++)
			assert_true(evr_shadow_valid(a, 1));
		end = l->address + l->size;
	}
	for (uintptr_t a = end; a < end + 600; a++)
		assert_false(evr_shadow_valid(a, 1));
}

static void enter(uint64_t *random)
{
	marks[depth].mark = evr_frame_enter();
	marks[depth++].first = len;
	for (size_t n = twin_below(random, 4); n > 0; n--) {
		size_t size = twin_below(random, 40), align = (size_t)1 << twin_below(random, 7);
		uintptr_t a = (uintptr_t)evr_frame_alloc(NULL, size, align);
		assert_int_equal(a % align, 0);
		assert_int_equal(a % 16, 0);
		if (a + size < evr_current->frames + ONCE) {
			assert_true(a >= highest + GAP);
			highest = a + size;
		}
		assert_false(size && evr_shadow_any_initialised(a, size));
		locals[len++] = (struct twin_local){ a, size };
		evr_access_write((void *)a, "0123456789012345678901234567890123456789", size, &world_site);
		assert_true(evr_shadow_sound(a, size));
	}
}

static unsigned reused;

/* Back by one function, or by several at once, as longjmp does. */
static void leave(uint64_t *random)
{
	size_t to = depth - 1 - twin_below(random, depth) / 4;
	static struct evr_site site;
	bool returned = marks[to].first < len && locals[marks[to].first].address >= evr_current->frames + ONCE;
	evr_frame_leave(marks[to].mark, &site);
	assert_true(evr_frame_enter() >= marks[to].mark);
	if (returned) {
		assert_ptr_equal(evr_frame_enter(), marks[to].mark);
		reused++;
	}
	len = marks[to].first;
	depth = to;
}

static void frames_are_a_stack(void **state)
{
	(void)state;
	uint64_t random = 1;
	for (int execution = 0; execution < 10; execution++) {
		world_begin();
		evr_current = world_create();
		len = depth = 0;
		highest = evr_current->frames;
		for (int step = 0; step < 3000; step++) {
			if (depth && (depth == DEPTH || twin_below(&random, 2)))
				leave(&random);
			else
				enter(&random);
			if (step % 16 == 0)
				check_locals(evr_current);
		}
	}
	assert_true(reused > 100);
}

/* The same calls give the same addresses, whatever other threads do. */
static void addresses_follow_from_own_history(void **state)
{
	(void)state;
	void *first[20] = { NULL };
	for (int execution = 0; execution < 4; execution++) {
		struct evr_thread *main_thread = world_begin(), *child = world_create();
		for (unsigned i = 0; i < EVR_COUNT(first); i++) {
			evr_current = main_thread;
			for (int k = 0; k < execution; k++)
				evr_frame_alloc(NULL, 8, 8);
			evr_current = child;
			void *p = evr_frame_alloc(NULL, 1 + i * 3, 4);
			if (execution == 0)
				first[i] = p;
			assert_ptr_equal(p, first[i]);
		}
	}
}

/* Run in a coroutine: a finding ends its thread there. */
static size_t wanted, given;

static void *use_up(void *argument)
{
	/* No scheduler has counted that it runs. */
	evr_execution.runnable = 0;
	for (given = 0; given < SIZE_MAX; given++)
		evr_frame_alloc(argument, wanted, 16);
	return NULL;
}

static void too_much_is_a_stack_overflow(void **state)
{
	(void)state;
	const size_t room = 4096;
	for (wanted = 1; wanted < room * 2; wanted = wanted * 3 / 2 + 1) {
		struct evr_thread *t = world_begin();
		evr_thread_begin(t, use_up, NULL);
		t->fast.frames_limit = t->frames + room;
		evr_current = t;
		evr_coroutine_resume(&t->coroutine);
		assert_int_equal(t->state, EVR_ENDED);
		assert_int_equal(evr_execution.faults.len, 1);
		assert_string_equal(evr_execution.faults.data[0].kind, "crash");
		assert_true(given <= room / (wanted + GAP));
		assert_true(t->fast.frames_top <= t->fast.frames_limit);
		/* All that was there to give has been given. */
		assert_true(given + 2 > room / (wanted + GAP + 15));
		evr_execution_begin(0);
		t->fast.frames_limit = t->frames + EVR_FRAMES_SIZE;
	}
	/* Sizes that wrap around. */
	struct evr_thread *t = world_begin();
	wanted = SIZE_MAX - 8;
	evr_thread_begin(t, use_up, NULL);
	evr_coroutine_resume(&t->coroutine);
	assert_int_equal(evr_execution.faults.len, 1);
	assert_int_equal(given, 0);
	evr_execution_begin(0);
}

static int setup(void **state)
{
	(void)state;
	world_init();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	evr_vec_release(&evr_execution.faults);
	world_release();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_a_stack),
		cmocka_unit_test(addresses_follow_from_own_history),
		cmocka_unit_test(too_much_is_a_stack_overflow),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
