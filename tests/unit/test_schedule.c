#include "world.h"

#include <sys/wait.h>
#include <unistd.h>

/*
 * A schedule is written by one process and read by another: so each case is a fork that writes and a fork that reads,
 * both of which know the case. The parent stays clean.
 */
enum { MAX_STEPS = 60, MAX_RANGES = 6 };

/* qemu takes seconds to map shadow memory, which each fork does. */
#ifdef __x86_64__
enum { SAMPLES = 60 };
#else
enum { SAMPLES = 3 };
#endif

static unsigned char global[256];

struct sample {
	unsigned threads, parents[8];
	struct evr_range ranges[MAX_RANGES];
	size_t range_count;
	struct evr_step steps[MAX_STEPS];
	size_t step_count;
};

/* Mostly none, sometimes a small one; an update's is the index of a store, which needs all 32 bits. */
static uint32_t some_variant(uint64_t *random)
{
	if (twin_below(random, 3))
		return 0;
	return twin_below(random, 4) ? (uint32_t)twin_below(random, 5)
				     : UINT32_MAX - (uint32_t)twin_below(random, 1u << 17);
}

static struct sample some_sample(uint64_t seed)
{
	uint64_t random = seed;
	struct sample s = { .threads = 1 + (unsigned)twin_below(&random, 8) };
	for (unsigned i = 1; i < s.threads; i++)
		s.parents[i] = (unsigned)twin_below(&random, i);
	s.range_count = twin_below(&random, MAX_RANGES + 1);
	for (size_t i = 0; i < s.range_count; i++) {
		uintptr_t base =
			twin_below(&random, 2) ? (uintptr_t)global : EVR_MAIN_HEAP + twin_below(&random, 1000) * 4096;
		s.ranges[i] = (struct evr_range){ base + twin_below(&random, 200), 1 + twin_below(&random, 40) };
	}
	s.step_count = twin_below(&random, MAX_STEPS);
	for (size_t i = 0; i < s.step_count; i++)
		if (i && twin_below(&random, 2))
			s.steps[i] = s.steps[i - 1];
		else
			s.steps[i] =
				(struct evr_step){ (uint16_t)twin_below(&random, s.threads), some_variant(&random) };
	return s;
}

static void begin(void)
{
	world_init();
	evr_objects_init();
}

static void write_schedule(const struct sample *s, int fd)
{
	unsigned ranks[8] = { 0 };
	begin();
	evr_thread_known(EVR_NO_THREAD, 0);
	for (unsigned i = 1; i < s->threads; i++)
		evr_thread_known(s->parents[i], ranks[s->parents[i]]++);
	for (size_t i = 0; i < s->range_count; i++)
		evr_shadow_share(s->ranges[i].address, s->ranges[i].size);
	for (size_t i = 0; i < s->step_count; i++)
		evr_vec_push(&evr_execution.taken, s->steps[i]);
	char *text = evr_schedule_text();
	_exit(write(fd, text, strlen(text) + 1) < 0 || strchr(text, ' ') ? 1 : 0);
}

/* A model in which exactly the step that is wanted next is possible. */
static struct evr_step possible;

static void possible_steps(struct evr_world *w, evr_steps *out)
{
	(void)w;
	evr_vec_push(out, possible);
}

static const struct evr_model_ops model = { .name = "one", .steps = possible_steps };

static bool same_bytes(const struct sample *s)
{
	for (size_t i = 0; i < s->range_count; i++)
		for (uintptr_t a = s->ranges[i].address; a < s->ranges[i].address + s->ranges[i].size; a++)
			if (!evr_shadow_shared(a, 1))
				return false;
	for (size_t k = 0; k < sizeof(global); k++) {
		bool in = false;
		for (size_t i = 0; i < s->range_count; i++)
			in |= (uintptr_t)global + k - s->ranges[i].address < s->ranges[i].size;
		if (evr_shadow_shared((uintptr_t)global + k, 1) != in)
			return false;
	}
	return true;
}

static void read_schedule(const struct sample *s, const char *text)
{
	char *error = NULL;
	begin();
	evr_rt.world.model = &model;
	struct evr_engine *e = evr_schedule_engine(text, &error);
	if (!e || error || evr_rt.thread_count != s->threads)
		_exit(2);
	for (unsigned i = 1; i < s->threads; i++)
		if (evr_rt.threads[i]->parent != s->parents[i])
			_exit(3);
	if (!same_bytes(s))
		_exit(4);
	for (size_t i = 0; i < s->step_count; i++) {
		possible = s->steps[i];
		struct evr_step got = e->ops->next(e);
		if (got.actor != possible.actor || got.variant != possible.variant || e->failure)
			_exit(5);
		evr_vec_push(&evr_execution.taken, got);
	}
	/* After the last, any step will do: there are no more of them in the text. */
	possible = (struct evr_step){ 99, 7 };
	if (e->ops->next(e).actor != 99)
		_exit(6);
	char *again = evr_schedule_text();
	_exit(strcmp(again, text) ? 7 : 0);
}

static int status_of(pid_t child)
{
	int status = 0;
	assert_true(child > 0);
	assert_true(waitpid(child, &status, 0) == child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void text_goes_there_and_back(void **state)
{
	(void)state;
	static char text[4096];
	for (uint64_t seed = 1; seed <= SAMPLES; seed++) {
		struct sample s = some_sample(seed);
		int pipes[2];
		assert_int_equal(pipe(pipes), 0);
		pid_t writer = fork();
		if (writer == 0)
			write_schedule(&s, pipes[1]);
		assert_int_equal(status_of(writer), 0);
		assert_true(read(pipes[0], text, sizeof(text)) > 0);
		close(pipes[0]);
		close(pipes[1]);
		pid_t reader = fork();
		if (reader == 0)
			read_schedule(&s, text);
		assert_int_equal(status_of(reader), 0);
	}
}

static void garbage_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"",
		" ",
		"x",
		"1",
		"1;",
		"1;;",
		"2;;;",
		"11;;;",
		"-1;;;",
		"+1;;;",
		" 1;;;",
		"1;;; ",
		"1;1;;",
		"1;0.;;",
		"1;.0;;",
		"1;0.2;;",
		"1;-0;;",
		"1;0",
		"1;0;",
		"1;99999999999999999999;;",
		"1;\t0;;",
		"1;;e;",
		"1;;e10;",
		"1;;e10:;",
		"1;;e10:x;",
		"1;;z10:4;",
		"1;;10:4;",
		"1;;l-10:4;",
		"1;;l1:4;",
		"1;;l1-10;",
		"1;;a10:4,;",
		"1;;,a10:4;",
		"1;;a-1:4;",
		"1;;a 1:4;",
		"1;;a\t-1:4;",
		"1;;a0x10:4;",
		"1;;a10:fffffffffffffff;",
		"1;;a10:99999999999999999999;",
		"1;;a10:4",
		"1;;;,",
		"1;;;0,",
		"1;;;,0",
		"1;;;x",
		"1;;;0x",
		"1;;;0+",
		"1;;;0+x",
		"1;;;+1",
		"1;;;0y",
		"1;;;0+1+1",
		"1;;;0x2x2",
		"1;;;0x2+1",
		"1;;;-1",
		"1;;;65535",
		"1;;;0+4294967296",
		"1;;;0x100000001",
		"1;;;99999999999999999999",
		"1;;;0 1",
		"1;;;\n0",
		"1;;;0;",
		"1;;;0,,0",
	};
	begin();
	for (size_t i = 0; i < EVR_COUNT(bad); i++) {
		char *error = NULL;
		struct evr_engine *e = evr_schedule_engine(bad[i], &error);
		if (e)
			fail_msg("'%s' is taken for a schedule", bad[i]);
		assert_non_null(error);
		assert_non_null(strstr(error, "is not a schedule"));
		free(error);
		evr_knowledge_release(&evr_rt.world.knowledge);
	}
}

/* In the world of the test before. Characters changed, left out or put in, anywhere: refused or not, nothing worse happens. */
static void damaged_text_does_no_harm(void **state)
{
	(void)state;
	static const char valid[] = "1;0.0.1;e40:4,a1020:8,l1-20:2;1,2x3,1+1,0x2,3";
	static const char alphabet[] = "0123456789abcdefl;:,.+-x \t\n\"\\%";
	char *error = NULL;
	struct evr_engine *e = evr_schedule_engine(valid, &error);
	assert_non_null(e);
	e->ops->destroy(e);
	uint64_t random = 3;
	size_t refused = 0;
	for (int round = 0; round < 4000; round++) {
		char text[sizeof(valid) + 1];
		size_t n = sizeof(valid) - 1, at = twin_below(&random, n);
		char c = alphabet[twin_below(&random, sizeof(alphabet) - 1)];
		memcpy(text, valid, sizeof(valid));
		if (round % 3 == 0) {
			text[at] = c;
		} else if (round % 3 == 1) {
			memmove(text + at, text + at + 1, n - at);
		} else {
			memmove(text + at + 1, text + at, n - at + 1);
			text[at] = c;
		}
		e = evr_schedule_engine(text, &error);
		refused += !e;
		if (e)
			e->ops->destroy(e);
		else
			free(error);
		evr_knowledge_release(&evr_rt.world.knowledge);
	}
	assert_in_range(refused, 1000, 3500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_goes_there_and_back),
		cmocka_unit_test(garbage_is_refused),
		cmocka_unit_test(damaged_text_does_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
