#include "world.h"

/*
 * The twin writes down every access with a full vector clock over create and join, and says by brute force which bytes
 * are shared: accessed by two threads, unordered, one of them writing. A byte that is shared stays so.
 */
enum { THREADS = 16, SIZE = 48, SEARCHES = 1500 };

struct access {
	unsigned thread, time; /* its thread's own count */
	unsigned clock[THREADS];
	unsigned from, size;
	bool write;
};

struct twin {
	unsigned clocks[THREADS][THREADS];
	struct access accesses[400];
	size_t len;
	bool valid[SIZE], initialised[SIZE], shared[SIZE];
};

static struct twin twin;

static void twin_create(unsigned parent, unsigned child)
{
	memcpy(twin.clocks[child], twin.clocks[parent], sizeof(twin.clocks[child]));
	twin.clocks[parent][parent]++;
	twin.clocks[child][child] = 1;
}

static void twin_join(unsigned thread, unsigned ended)
{
	for (unsigned i = 0; i < THREADS; i++)
		if (twin.clocks[ended][i] > twin.clocks[thread][i])
			twin.clocks[thread][i] = twin.clocks[ended][i];
}

static bool ordered(const struct access *a, const struct access *b)
{
	return b->clock[a->thread] >= a->time;
}

/* Returns whether a byte became shared. */
static bool twin_access(unsigned thread, unsigned from, unsigned size, bool write)
{
	struct access *a = &twin.accesses[twin.len++];
	bool found = false;
	*a = (struct access){
		.thread = thread, .time = ++twin.clocks[thread][thread], .from = from, .size = size, .write = write
	};
	memcpy(a->clock, twin.clocks[thread], sizeof(a->clock));
	for (size_t i = 0; i + 1 < twin.len; i++) {
		const struct access *b = &twin.accesses[i];
		if (b->thread == thread || ordered(b, a) || !(b->write || write))
			continue;
		for (unsigned k = 0; k < SIZE; k++)
			if (k - from < size && k - b->from < b->size && !twin.shared[k])
				found = twin.shared[k] = true;
	}
	return found;
}

/* Memory that went away and came again has not been accessed by anybody. */
static void twin_forget(unsigned from, unsigned size)
{
	for (size_t i = 0; i < twin.len; i++) {
		struct access a = twin.accesses[i];
		if (a.from >= from + size || from >= a.from + a.size)
			continue;
		/* What is left of it on either side is an access of its own. */
		twin.accesses[i].size = a.from < from ? from - a.from : 0;
		if (a.from + a.size > from + size) {
			twin.accesses[twin.len] = a;
			twin.accesses[twin.len].from = from + size;
			twin.accesses[twin.len++].size = a.from + a.size - (from + size);
		}
	}
}

static void compare(uintptr_t memory)
{
	for (unsigned k = 0; k < SIZE; k++) {
		assert_int_equal(evr_shadow_shared(memory + k, 1), twin.shared[k]);
		assert_int_equal(evr_shadow_valid(memory + k, 1), twin.valid[k]);
		if (twin.valid[k])
			assert_int_equal(evr_shadow_any_initialised(memory + k, 1), twin.initialised[k]);
	}
}

static bool all_of(const bool *bits, unsigned from, unsigned size)
{
	for (unsigned k = from; k < from + size; k++)
		if (!bits[k])
			return false;
	return true;
}

static bool any_of(const bool *bits, unsigned from, unsigned size)
{
	for (unsigned k = from; k < from + size; k++)
		if (bits[k])
			return true;
	return false;
}

/* Threads that are there in this execution, and have not ended. */
static struct evr_thread *some_thread(uint64_t *random)
{
	for (;;) {
		unsigned i = (unsigned)twin_below(random, evr_rt.world.threads);
		if (evr_rt.threads[i]->state == EVR_RUNNABLE)
			return evr_rt.threads[i];
	}
}

static unsigned depth_of(const struct evr_thread *t)
{
	return t->parent == EVR_NO_THREAD ? 0 : 1 + depth_of(evr_rt.threads[t->parent]);
}

static void try_create(void)
{
	/* At most 13 places in the tree. */
	if (evr_current->children == 3 || depth_of(evr_current) == 2)
		return;
	unsigned parent = evr_current->id, child = world_create()->id;
	twin_create(parent, child);
}

static void try_join(uint64_t *random)
{
	struct evr_thread *other = evr_rt.threads[twin_below(random, evr_rt.world.threads)];
	if (other == evr_current || other->state == EVR_UNUSED || other->joined)
		return;
	world_end(other);
	if (other->id == 0)
		return;
	assert_int_equal(world_join(other), 0);
	twin_join(evr_current->id, other->id);
}

static void access_memory(uintptr_t memory, uint64_t *random)
{
	static const unsigned sizes[] = { 1, 1, 2, 4, 8, 8, 16, 13 };
	unsigned size = sizes[twin_below(random, EVR_COUNT(sizes))];
	unsigned from = (unsigned)twin_below(random, SIZE - size + 1);
	bool write = twin_below(random, 3) == 0;
	if (!all_of(twin.valid, from, size)) {
		assert_false(evr_shadow_valid(memory + from, size));
		return;
	}
	assert_true(evr_shadow_valid(memory + from, size));
	evr_rt.world.known = evr_rt.world.knowledge.version;
	evr_shadow_touch(memory + from, size, write);
	assert_int_equal(evr_learned(&evr_rt.world), twin_access(evr_current->id, from, size, write));
	assert_int_equal(evr_shadow_shared(memory + from, size), any_of(twin.shared, from, size));
	if (!write)
		return;
	/* A write to shared bytes is an event: the model makes it, and logs them. */
	if (any_of(twin.shared, from, size))
		evr_undo_range(&evr_rt.world.undo, memory + from, size);
	evr_shadow_set_initialised(memory + from, size);
	for (unsigned k = from; k < from + size; k++) {
		twin.initialised[k] = true;
		*(unsigned char *)(memory + k) = (unsigned char)twin_random(random);
	}
}

/* Bytes are copied with what is known of them, also over each other. */
static void copy_initialised(uintptr_t memory, uint64_t *random)
{
	unsigned size = (unsigned)twin_below(random, SIZE / 2);
	unsigned to = (unsigned)twin_below(random, SIZE - size + 1),
		 from = (unsigned)twin_below(random, SIZE - size + 1);
	if (!all_of(twin.valid, to, size) || !all_of(twin.valid, from, size))
		return;
	evr_shadow_copy_initialised(memory + to, memory + from, size);
	memmove(twin.initialised + to, twin.initialised + from, size * sizeof(bool));
	assert_int_equal(evr_shadow_any_initialised(memory + to, size), any_of(twin.initialised, to, size));
}

/* Memory of the arena, whole words of it, ends or begins anew. */
static void come_and_go(uintptr_t memory, uint64_t *random)
{
	unsigned words = 1 + (unsigned)twin_below(random, SIZE / 8);
	unsigned from = (unsigned)twin_below(random, SIZE / 8 - words + 1) * 8;
	bool create = twin_below(random, 4), initialised = twin_below(random, 2);
	unsigned size = words * 8 - (create ? (unsigned)twin_below(random, 8) : 0);
	if (create)
		evr_shadow_create(memory + from, size, initialised);
	else
		evr_shadow_destroy(memory + from, size);
	twin_forget(from, words * 8);
	for (unsigned k = from; k < from + words * 8; k++) {
		twin.valid[k] = create && k < from + size;
		twin.initialised[k] = initialised;
	}
}

static void one_execution(uintptr_t memory, bool arena, uint64_t *random)
{
	unsigned char before[SIZE];
	evr_current = world_begin();
	memset(twin.clocks, 0, sizeof(twin.clocks));
	twin.clocks[0][0] = 1;
	twin.len = 0;
	if (arena)
		memset(twin.valid, 0, sizeof(twin.valid));
	compare(memory);
	if (arena) {
		evr_shadow_create(memory, SIZE, false);
		memset(twin.valid, 1, sizeof(twin.valid));
		memset(twin.initialised, 0, sizeof(twin.initialised));
	}
	memcpy(before, (void *)memory, SIZE);
	for (size_t step = 0, steps = 4 + twin_below(random, 40); step < steps; step++) {
		evr_current = some_thread(random);
		size_t dice = twin_below(random, 100);
		if (dice < 12)
			try_create();
		else if (dice < 18)
			try_join(random);
		else if (dice < 22)
			copy_initialised(memory, random);
		else if (dice < 24 && arena)
			come_and_go(memory, random);
		else
			access_memory(memory, random);
		compare(memory);
	}
	/* Whatever was written, the old contents were logged first. */
	evr_undo_restore(&evr_rt.world.undo);
	assert_memory_equal((void *)memory, before, SIZE);
}

static void against_vector_clocks(bool arena, uint64_t random)
{
	static _Alignas(8) unsigned char globals[SEARCHES][SIZE];
	size_t shared = 0;
	for (unsigned search = 0; search < SEARCHES; search++) {
		uintptr_t memory = arena ? EVR_MAIN_HEAP + (1 << 20) + search * 64 : (uintptr_t)globals[search];
		memset(&twin, 0, sizeof(twin));
		if (!arena) {
			/* A variable that begins and ends within a word. */
			unsigned from = (unsigned)twin_below(&random, 8),
				 size = SIZE - 8 - from + (unsigned)twin_below(&random, 8);
			evr_shadow_global(memory + from, size, false);
			for (unsigned k = from; k < from + size; k++)
				twin.valid[k] = twin.initialised[k] = true;
		}
		for (int execution = 0; execution < 4; execution++) {
			/* Execution numbers come to an end, and start again at 1; soon again, so that cells have seen them. */
			if (search % (SEARCHES / 2) == 7 && execution % 2 == 0)
				evr_execution.number = EVR_LAST_NUMBER;
			one_execution(memory, arena, &random);
		}
		for (unsigned k = 0; k < SIZE; k++)
			shared += twin.shared[k];
	}
	/* The test tests something: some bytes are shared, some are not. */
	assert_in_range(shared, SEARCHES * SIZE / 10, SEARCHES * SIZE * 9 / 10);
}

static void globals_against_vector_clocks(void **state)
{
	(void)state;
	against_vector_clocks(false, 11);
}

static void heap_against_vector_clocks(void **state)
{
	(void)state;
	against_vector_clocks(true, 12);
}

/* By hand: what create and join order, and what they do not. */
static void create_and_join_order(void **state)
{
	(void)state;
	static _Alignas(8) unsigned char byte[8][8];
	evr_shadow_global((uintptr_t)byte, sizeof(byte), false);
	struct evr_thread *parent = world_begin();
	evr_shadow_touch((uintptr_t)byte[0], 1, true);
	struct evr_thread *one = world_create();
	evr_shadow_touch((uintptr_t)byte[1], 1, true);
	evr_shadow_touch((uintptr_t)byte[2], 1, false);
	struct evr_thread *two = world_create();
	evr_current = one;
	evr_shadow_touch((uintptr_t)byte[0], 1, true);
	assert_false(evr_shadow_shared((uintptr_t)byte[0], 1));
	evr_shadow_touch((uintptr_t)byte[2], 1, false);
	assert_false(evr_shadow_shared((uintptr_t)byte[2], 1));
	assert_false(evr_learned(&evr_rt.world));
	evr_shadow_touch((uintptr_t)byte[1], 1, false);
	assert_true(evr_shadow_shared((uintptr_t)byte[1], 1));
	assert_true(evr_learned(&evr_rt.world));
	/* The second child comes after all of this word's accesses but those of the first. */
	evr_current = two;
	evr_shadow_touch((uintptr_t)byte[2], 1, true);
	assert_true(evr_shadow_shared((uintptr_t)byte[2], 1));
	evr_shadow_touch((uintptr_t)byte[3], 8, true);
	world_end(one);
	world_end(two);
	evr_current = parent;
	assert_int_equal(world_join(two), 0);
	evr_shadow_touch((uintptr_t)byte[3], 8, true);
	assert_false(evr_shadow_shared((uintptr_t)byte[3], 8));
	/* The first has not been joined. */
	evr_shadow_touch((uintptr_t)byte[0], 1, false);
	assert_true(evr_shadow_shared((uintptr_t)byte[0], 1));
	assert_false(evr_shadow_shared((uintptr_t)byte[0] + 1, 7));
}

/* What is shared is known as ranges, which are all that a schedule keeps of it. */
static void ranges_hold_what_is_shared(void **state)
{
	(void)state;
	static _Alignas(8) unsigned char memory[64];
	bool twin_bits[64] = { false };
	uint64_t random = 3;
	const struct evr_knowledge *known = &evr_rt.world.knowledge;
	size_t first = known->shared.len;
	for (int i = 0; i < 12; i++) {
		size_t at = twin_below(&random, 60), n = 1 + twin_below(&random, 4);
		evr_shadow_share((uintptr_t)memory + at, n);
		memset(twin_bits + at, 1, n);
	}
	for (size_t k = 0; k < sizeof(memory); k++) {
		bool in = false;
		for (size_t i = first; i < known->shared.len; i++)
			in |= (uintptr_t)memory + k - known->shared.data[i].address < known->shared.data[i].size;
		assert_int_equal(in, twin_bits[k]);
		assert_int_equal(evr_shadow_shared((uintptr_t)memory + k, 1), twin_bits[k]);
	}
}

/* Constants, and addresses whose low bits are those of another. */
static void tells_addresses_apart(void **state)
{
	(void)state;
	static _Alignas(8) const unsigned char constant[16];
	uintptr_t a = (uintptr_t)constant;
	evr_shadow_global(a, sizeof(constant), true);
	for (int round = 0; round < 2; round++) {
		assert_true(evr_shadow_valid(a, 16));
		assert_int_equal(evr_cell(a)->constant, 0xff);
		assert_false(evr_shadow_valid(a ^ (EVR_WINDOW_MASK + 1), 1));
		/* The end of execution numbers. */
		evr_execution.number = EVR_LAST_NUMBER;
		world_begin();
		assert_int_equal(evr_execution.number, 1);
	}
}

static void masks_are_the_bytes_of_a_word(void **state)
{
	(void)state;
	for (uintptr_t address = 64; address < 80; address++)
		for (size_t size = 1; size <= 24; size++)
			for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8)
				for (unsigned k = 0; k < 8; k++)
					assert_int_equal(evr_mask_in(word, address, size) >> k & 1,
							 word + k - address < size);
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
	world_release();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(create_and_join_order),      cmocka_unit_test(globals_against_vector_clocks),
		cmocka_unit_test(heap_against_vector_clocks), cmocka_unit_test(ranges_hold_what_is_shared),
		cmocka_unit_test(tells_addresses_apart),      cmocka_unit_test(masks_are_the_bytes_of_a_word),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
