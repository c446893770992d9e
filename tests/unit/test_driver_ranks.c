/*
 * The protocol between ranks (src/ranks), on a network that is as unpleasant as it may be: any message, any line between a carrier and its checker, and any step of a checker may be
 * the next thing that happens; only the order on each channel is kept. The checkers are fakes that explore a tree whose size is known by counting it. Judged are:
 *
 *   - what was explored when the search is said to be over: the whole tree, once, and nothing is left anywhere;
 *   - every epoch of a checkpoint, as driver/parts.c reads it: what was counted and the subtrees that are left are the whole tree;
 *   - what is left when it was stopped, and whether that is said;
 *   - what is left when all ranks are lost at any moment, again and again, and when some parts cannot be written;
 *   - that rank 0's checker hears each finding of the others in one piece, and all of them before the end.
 *
 * That the judge can fail is tried, too: with parts that lack what was sent, or what was taken.
 */
#include "base/map.h"
#include "driver/parts.h"
#include "ranks/epochs.h"
#include "ranks/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define MOST 9
#define ROOT "10.3"

struct channel {
	EVR_VEC(char *) lines;
	size_t head;
};

/* A checker: its branches are texts DEPTH.SEED; to explore one is to count it, and to have its children instead. */
struct checker {
	int rank;
	unsigned long long generation, taken, told_taken;
	int told; /* state, -1: none */
	bool waits, stopped, final;
	EVR_VEC(char *) queue;
	uint64_t executions;
	unsigned findings; /* that were said */
};

static struct {
	int ranks;
	uint64_t random;
	double now;
	char directory[64];
	const char *without; /* lines that begin so are left out of the parts */
	struct evr_rank rank[MOST];
	struct checker checker[MOST];
	struct channel network[MOST][MOST], down[MOST], up[MOST]; /* down: to the checker */
	int slow; /* whose messages to rank 0 take long */
	int learn; /* so many times something will be learned */
	unsigned epochs, wrong;
	uint64_t last; /* counted, by the last epoch */
	bool saved; /* by this job or one before */
	unsigned full; /* of a hundred parts, so many cannot be written */
	unsigned long long first_epoch; /* of earlier jobs */
	unsigned heard; /* findings, by rank 0's checker */
	int from; /* of which rank is the finding that it is hearing; 0: none */
	uint64_t said_left; /* in the end */
	bool ended;
} t;

static unsigned draw(unsigned n)
{
	t.random = evr_hash64(t.random + 0x9e3779b97f4a7c15u);
	return (unsigned)(t.random % n);
}

static void put(struct channel *c, char *text)
{
	evr_vec_push(&c->lines, text);
}

static char *get(struct channel *c)
{
	return c->lines.data[c->head++];
}

static bool has(const struct channel *c)
{
	return c->head < c->lines.len;
}

/* ---- the tree ---- */

static unsigned children(unsigned depth, uint64_t seed)
{
	return depth ? (unsigned)(evr_hash64(seed) % 4) + (depth > 5) : 0;
}

static uint64_t size_of(unsigned depth, uint64_t seed)
{
	uint64_t n = 1;
	for (unsigned i = 0; i < children(depth, seed); i++)
		n += size_of(depth - 1, evr_hash64(seed + i) & 0xffffffff);
	return n;
}

static uint64_t size_of_text(const char *branch)
{
	unsigned depth;
	unsigned long long seed;
	assert_int_equal(sscanf(branch, "%u.%llu", &depth, &seed), 2);
	return size_of(depth, seed);
}

/* ---- checkers ---- */

static void say(struct checker *c, char *line)
{
	put(&t.up[c->rank], line);
}

static void forget(struct checker *c)
{
	for (size_t i = 0; i < c->queue.len; i++)
		free(c->queue.data[i]);
	c->queue.len = 0;
}

static void take(struct checker *c, const char *text)
{
	while (*text == '\t') {
		size_t n = strcspn(text + 1, "\t");
		char *branch = evr_strndup(text + 1, n);
		evr_vec_push(&c->queue, branch);
		text += n + 1;
	}
	c->taken++;
	c->told = -1;
}

static void give(struct checker *c)
{
	struct evr_strbuf b;
	size_t n = c->waits || c->stopped ? 0 : (c->queue.len + 1) / 2;
	evr_strbuf_init(&b);
	evr_strbuf_printf(&b, "given\t%llu", c->generation);
	for (size_t i = 0; i < n; i++) {
		evr_strbuf_printf(&b, "\t%s", c->queue.data[i]);
		free(c->queue.data[i]);
	}
	memmove(c->queue.data, c->queue.data + n, (c->queue.len - n) * sizeof(char *));
	c->queue.len -= n;
	say(c, evr_strbuf_take(&b));
}

static void save(struct checker *c)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	evr_strbuf_printf(&b, "rest\tabc\tknown\t%llu\t0\t0\t0\t0", (unsigned long long)c->executions);
	for (size_t i = 0; i < c->queue.len; i++)
		evr_strbuf_printf(&b, "\t%s", c->queue.data[i]);
	say(c, evr_strdup("saving"));
	say(c, evr_strbuf_take(&b));
}

static void begin(struct checker *c, const char *text)
{
	c->generation = strtoull(text, NULL, 10);
	c->waits = false;
	c->told = -1;
	c->taken = 0;
	c->executions = 0;
	forget(c);
	if (!c->rank)
		evr_vec_push(&c->queue, evr_strdup(ROOT));
}

/* A follower finds something: several lines, of which carriers know the first and the last. */
static void find(struct checker *c)
{
	c->findings++;
	say(c, evr_format("finding\t%d", c->rank));
	say(c, evr_format("whatever\t%d", c->rank));
	say(c, evr_format("found"));
}

static void hear_finding(const char *line)
{
	int rank;
	if (sscanf(line, "finding\t%d", &rank) == 1) {
		assert_int_equal(t.from, 0);
		t.from = rank;
	} else if (sscanf(line, "whatever\t%d", &rank) == 1) {
		assert_int_equal(t.from, rank);
	} else if (!strcmp(line, "found")) {
		assert_int_not_equal(t.from, 0);
		t.from = 0;
		t.heard++;
	}
}

/* Behind five totals and the remarks. */
static void hear_final(struct checker *c, const char *line)
{
	for (int i = 0; i < EVR_FINAL_LEFT + 1 && line; i++)
		line = strchr(line + 1, '\t');
	t.said_left = (line ? strtoull(line, NULL, 10) : 0) + c->queue.len;
	c->final = true;
}

static void obey(struct checker *c, const char *line)
{
	if (!c->rank)
		hear_finding(line);
	/* The last numbers count. */
	if (evr_starts_with(line, "sum\t"))
		assert_false(c->final);
	if (evr_starts_with(line, "begin\t"))
		begin(c, line + 6);
	else if (evr_starts_with(line, "take\t"))
		take(c, line + 4);
	else if (evr_starts_with(line, "ask\t"))
		give(c);
	else if (!strcmp(line, "save"))
		save(c);
	else if (!strcmp(line, "stop") || !strcmp(line, "over"))
		c->stopped = true;
	else if (evr_starts_with(line, "final"))
		hear_final(c, line);
	if (c->rank && c->stopped && !c->final) {
		if (draw(2))
			find(c);
		c->final = true;
		say(c, evr_format("final\t%llu\t%llu\t0\t0\t0\t0\t0\t%zu", c->taken, (unsigned long long)c->executions,
				  c->queue.len));
	}
}

static void explore(struct checker *c)
{
	unsigned depth;
	unsigned long long seed;
	char *branch = c->queue.data[--c->queue.len];
	sscanf(branch, "%u.%llu", &depth, &seed);
	free(branch);
	c->executions++;
	for (unsigned i = 0; i < children(depth, seed); i++)
		evr_vec_push(&c->queue,
			     evr_format("%u.%llu", depth - 1, (unsigned long long)(evr_hash64(seed + i) & 0xffffffff)));
}

static void step(struct checker *c)
{
	if (!c->generation || c->waits || c->stopped)
		return;
	if (c->queue.len && t.learn && !draw(400)) {
		t.learn--;
		c->waits = true;
		say(c, evr_format("learned\t%llu\tknown", c->generation));
		return;
	}
	if (c->queue.len)
		explore(c);
	if (c->rank && c->queue.len && !draw(30))
		find(c);
	if (c->rank && !draw(50))
		say(c, evr_format("sum\t%llu\t%llu", c->generation, (unsigned long long)c->executions));
	int state = c->queue.len ? 0 : 2;
	if (state != c->told)
		say(c, evr_format("state\t%llu\t%llu\t%d", c->generation, c->taken, state));
	c->told = state;
}

/* ---- what the protocol asks for ---- */

static void send_message(void *self, int to, char *text)
{
	put(&t.network[((struct checker *)self)->rank][to], text);
}

static void tell(void *self, const char *line)
{
	put(&t.down[((struct checker *)self)->rank], evr_strdup(line));
}

static bool write_part(void *self, unsigned long long epoch, const char *text)
{
	const struct evr_rank *r = &t.rank[((struct checker *)self)->rank];
	struct evr_strbuf b;
	assert_true(epoch > t.first_epoch);
	if (draw(100) < t.full)
		return false;
	evr_files_remove(t.directory, "sc", r->valid, r->rank);
	evr_strbuf_init(&b);
	for (const char *line = text; *line;) {
		size_t n = strcspn(line, "\n") + 1;
		if (!t.without || strncmp(line, t.without, strlen(t.without)) != 0)
			evr_strbuf_add(&b, line, n);
		line += n;
	}
	assert_int_equal(evr_files_write_part(t.directory, "sc", epoch, r->rank, b.text), 0);
	evr_strbuf_release(&b);
	return true;
}

static struct evr_result *result_of_parts(void)
{
	char *file = evr_format("%s/search.json", t.directory);
	struct evr_result *r = evr_result_new("sc", "rf");
	r->rest = (struct evr_result_rest){ .there = true, .program = evr_strdup(""), .known = evr_strdup("") };
	evr_vec_push(&r->rest.branches, evr_strdup(EVR_REST_ELSEWHERE));
	evr_parts_read(file, r);
	free(file);
	return r;
}

/* What is in the parts, and the size of what is left. */
static uint64_t read_parts(uint64_t *executions)
{
	struct evr_result *r = result_of_parts();
	uint64_t left = 0;
	for (size_t i = 0; i < r->rest.branches.len; i++)
		left += size_of_text(r->rest.branches.data[i]);
	*executions = r->rest.executions;
	evr_result_free(r);
	return left;
}

static bool epoch_complete(void *self, unsigned long long epoch)
{
	(void)self;
	assert_int_equal(evr_files_write_list(t.directory, "sc", epoch, t.ranks), 0);
	uint64_t executions, left = read_parts(&executions);
	t.epochs++;
	t.last = executions;
	t.wrong += executions + left != size_of_text(ROOT);
	if (!t.rank[0].valid)
		evr_files_remove(t.directory, "sc", epoch, -1);
	return true;
}

static void ended(void *self)
{
	t.ended |= !((struct checker *)self)->rank;
}

static const char *host(void *self)
{
	(void)self;
	return "host";
}

static const struct evr_rank_ops operations = { send_message, tell, write_part, epoch_complete, ended, host };

/* ---- what happens next ---- */

static void happen(void)
{
	int a = (int)draw((unsigned)t.ranks), b = (int)draw((unsigned)t.ranks);
	char *text = NULL;
	t.now += 1e-5;
	switch (draw(4)) {
	case 0:
		if (has(&t.network[a][b]) && (a != t.slow || b || !draw(30)))
			evr_rank_hear(&t.rank[b], a, text = get(&t.network[a][b]), t.now);
		break;
	case 1:
		if (has(&t.down[a]))
			obey(&t.checker[a], text = get(&t.down[a]));
		break;
	case 2:
		if (has(&t.up[a]))
			evr_rank_line(&t.rank[a], text = get(&t.up[a]), t.now);
		break;
	default:
		step(&t.checker[a]);
		evr_rank_tick(&t.rank[a], t.now);
	}
	free(text);
}

static void release_channel(struct channel *c)
{
	while (has(c))
		free(get(c));
	evr_vec_release(&c->lines);
	c->head = 0;
}

static void set_up(int ranks, uint64_t seed, int learn)
{
	t.ranks = ranks;
	t.random = seed;
	t.now = 0;
	t.learn = learn;
	t.slow = (int)(seed % 11);
	t.heard = 0;
	t.from = 0;
	t.first_epoch = 0;
	for (int i = 0; i < ranks; i++) {
		t.checker[i] = (struct checker){ .rank = i, .told = -1 };
		evr_rank_init(&t.rank[i], &operations, &t.checker[i], i, ranks);
		evr_rank_set_fanout(&t.rank[i], (int)(seed % 5) + 1);
		t.rank[i].saves = true;
		t.rank[i].saving_every = 5e-3;
		say(&t.checker[i], evr_strdup("ready\tsc\t1\t2"));
	}
	struct checker *first = &t.checker[0];
	first->generation = 1;
	evr_vec_push(&first->queue, evr_strdup(ROOT));
	say(first, evr_strdup("known\tknown"));
}

/* Nothing is left of the job but its files. */
static void lose(void)
{
	for (int i = 0; i < t.ranks; i++) {
		evr_rank_release(&t.rank[i]);
		forget(&t.checker[i]);
		evr_vec_release(&t.checker[i].queue);
		release_channel(&t.down[i]);
		release_channel(&t.up[i]);
		for (int k = 0; k < t.ranks; k++)
			release_channel(&t.network[i][k]);
	}
}

static void tear_down(void)
{
	lose();
	evr_files_remove_list(t.directory, "sc");
	evr_files_remove(t.directory, "sc", (unsigned long long)-1, -1);
}

/* Nothing is left but what is on its way. */
static bool everything_moves(void)
{
	uint64_t n = 0;
	for (int i = 0; i < t.ranks; i++) {
		n += t.checker[i].executions;
		if (t.checker[i].queue.len || has(&t.up[i]))
			return false;
	}
	return n && n < size_of_text(ROOT);
}

/* Until rank 0's checker has heard the end and a while longer, or something never ends. Stop it after so many steps; WHEN_MOVING: as soon as everything moves. */
#define WHEN_MOVING (UINT32_MAX - 1)
static void run_to_the_end(unsigned stop_after)
{
	for (unsigned i = 0; !t.checker[0].final; i++) {
		assert_true(i < 50000000);
		if (!t.checker[0].stopped && (i == stop_after || (stop_after == WHEN_MOVING && everything_moves()))) {
			t.checker[0].stopped = true;
			say(&t.checker[0], evr_strdup("stop"));
		}
		happen();
	}
	for (int i = 0; i < 30000; i++)
		happen();
}

/* Everybody has said what it has found, and rank 0 knows. */
static void require_findings(void)
{
	unsigned said = 0;
	for (int i = 1; i < t.ranks; i++)
		said += t.checker[i].findings;
	assert_int_equal(t.heard, said);
}

static uint64_t explored(uint64_t *left)
{
	uint64_t n = 0;
	*left = 0;
	for (int i = 0; i < t.ranks; i++) {
		n += t.checker[i].executions;
		for (size_t k = 0; k < t.checker[i].queue.len; k++)
			*left += size_of_text(t.checker[i].queue.data[k]);
	}
	return n;
}

static void everything_is_explored_once(void **state)
{
	(void)state;
	t.epochs = t.wrong = 0;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		uint64_t left;
		set_up((int)(seed % MOST) + 1, seed, (int)(seed % 3));
		run_to_the_end(UINT32_MAX);
		assert_int_equal(explored(&left), size_of_text(ROOT));
		assert_int_equal(left, 0);
		assert_int_equal(t.rank[0].final.n ? t.rank[0].final.value[0] + t.checker[0].executions
						   : t.checker[0].executions,
				 size_of_text(ROOT));
		assert_int_equal(t.said_left, 0);
		require_findings();
		tear_down();
	}
	print_message("%u epochs, a tree of %u\n", t.epochs, (unsigned)size_of_text(ROOT));
	assert_true(t.epochs > 400);
	assert_int_equal(t.wrong, 0);
}

static void what_is_left_is_saved(void **state)
{
	(void)state;
	unsigned stopped = 0;
	t.epochs = t.wrong = 0;
	for (uint64_t seed = 101; seed <= 140; seed++) {
		uint64_t left, total;
		set_up((int)(seed % MOST) + 1, seed, 1);
		run_to_the_end(seed % 2 ? WHEN_MOVING : 500 + (unsigned)(seed * 971 % 20000));
		total = explored(&left);
		/* Some of it may be on its way from one rank to another. */
		assert_int_equal(t.said_left > 0, total < size_of_text(ROOT));
		require_findings();
		/* The last part of each rank was written after it had stopped. */
		if (!t.rank[0].over)
			assert_int_equal(t.last, total);
		stopped += !t.rank[0].over;
		tear_down();
	}
	assert_true(stopped > 20);
	assert_int_equal(t.wrong, 0);
}

/* The job that is set up goes on with what others have saved. */
static void resume(void)
{
	struct evr_result *r = result_of_parts();
	struct checker *first = &t.checker[0];
	t.first_epoch = t.rank[0].epoch = t.rank[0].first_epoch = evr_files_last_epoch(t.directory, "sc");
	forget(first);
	for (size_t i = 0; i < r->rest.branches.len; i++)
		evr_vec_push(&first->queue, evr_strdup(r->rest.branches.data[i]));
	first->executions = r->rest.executions;
	evr_result_free(r);
}

/* Everybody is lost at any moment, with a part half written or not, until a job comes to its end. */
static void what_was_saved_is_resumed(void **state)
{
	(void)state;
	unsigned lost = 0, resumed = 0;
	t.epochs = t.wrong = 0;
	for (uint64_t seed = 301; seed <= 340; seed++) {
		t.full = seed % 4 ? 0 : 20;
		for (unsigned job = 0;; job++) {
			uint64_t left, executions;
			unsigned limit = job < 8 ? 300 + (unsigned)(evr_hash64(seed * 100 + job) % 5000) : UINT32_MAX;
			set_up((int)((seed + job) % MOST) + 1, seed * 1000 + job, 0);
			if (t.saved) {
				resume();
				resumed++;
			}
			for (unsigned i = 0; i < limit && !t.checker[0].final; i++)
				happen();
			bool over = t.checker[0].final;
			if (over)
				assert_int_equal(explored(&left), size_of_text(ROOT));
			t.saved |= t.rank[0].valid > 0;
			lose();
			lost += !over;
			if (t.saved)
				assert_int_equal(read_parts(&executions) + executions, size_of_text(ROOT));
			if (over)
				break;
		}
		t.full = 0;
		t.saved = false;
		evr_files_remove_list(t.directory, "sc");
		evr_files_remove(t.directory, "sc", (unsigned long long)-1, -1);
	}
	print_message("%u jobs were lost, %u resumed\n", lost, resumed);
	assert_true(lost > 100 && resumed > 100);
	assert_int_equal(t.wrong, 0);
}

/* The judge notices a part that lacks something. */
static unsigned count_wrong_without(const char *lines)
{
	t.without = lines;
	t.epochs = t.wrong = 0;
	for (uint64_t seed = 201; seed <= 230; seed++) {
		set_up((int)(seed % 5) + 4, seed, 0);
		run_to_the_end(UINT32_MAX);
		tear_down();
	}
	t.without = NULL;
	return t.wrong;
}

static void the_judge_can_fail(void **state)
{
	(void)state;
	assert_true(count_wrong_without("sent\t") > 0);
	assert_true(count_wrong_without("taken\t") > 0);
}

static void another_checker_is_refused(void **state)
{
	(void)state;
	set_up(2, 5, 0);
	get(&t.up[1]);
	say(&t.checker[1], evr_strdup("ready\tsc\t1\t3"));
	bool refused = false;
	for (int i = 0; i < 10000 && !refused; i++) {
		happen();
		for (size_t k = t.down[0].head; k < t.down[0].lines.len; k++)
			refused |= strstr(t.down[0].lines.data[k],
					  "error\t2\trank 1 (host) cannot take part: addresses") != NULL;
	}
	assert_true(refused);
	tear_down();
}

static int make_directory(void **state)
{
	(void)state;
	/* Files are written to disk before they count, which takes its time. */
	snprintf(t.directory, sizeof(t.directory), "%sranks-XXXXXX", access("/dev/shm", W_OK) ? "" : "/dev/shm/");
	return mkdtemp(t.directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
	(void)state;
	evr_files_remove(t.directory, "sc", (unsigned long long)-1, -1);
	evr_files_remove_list(t.directory, "sc");
	return rmdir(t.directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_explored_once), cmocka_unit_test(what_is_left_is_saved),
		cmocka_unit_test(what_was_saved_is_resumed),   cmocka_unit_test(the_judge_can_fail),
		cmocka_unit_test(another_checker_is_refused),
	};
	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
