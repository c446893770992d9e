/*
 * How well would a search scale on many machines? Replays the recorded tree of a search (README.md) with R ranks, whose carriers are the real ones (src/ranks/rank.c): the same messages, the same choice
 * of victims, the same termination detection. What is simulated is the network, the time that carriers and checkers take, and checkers with one worker each.
 *
 *   ranks [-l LATENCY] [-b BANDWIDTH] [-n NAP] [-N NAP] [-m MESSAGE] [-s RESTORE] [-t TIMES] [-x EVERY] [-r R[,R...]] TREE
 *
 *   -l   microseconds from one carrier to another (200)
 *   -b   megabytes per second of a link (1000); a branch has 1500 bytes
 *   -n   microseconds that a carrier sleeps between two looks if somebody waits (50); a message waits for half of them
 *   -N   the same if nobody does (300)
 *   -m   microseconds that a carrier is busy with a message or a line (5); it does one thing at a time
 *   -s   microseconds that it takes a worker to begin with a branch, besides the execution that restores it, and to give some away (100)
 *   -t   every execution takes so many times as long as it did
 *   -x   after every so many leaves of the tree, all of it once more
 *
 * Seconds are from the beginning until rank 0 knows that nothing is left. Efficiency is work / (R * seconds).
 */
#include "tree.h"

#include "ranks/rank.h"

#include <string.h>
#include <unistd.h>

#define BRANCH 1500 /* bytes */

enum kind { ARRIVAL, MESSAGE, LINE_UP, LINE_DOWN, EXECUTED, TICK };

struct event {
	uint64_t when, number; /* of two at the same time, the one that was made first */
	enum kind kind;
	int to, from;
	char *text;
};

struct checker {
	int rank;
	struct frame *frames; /* from `base` on */
	size_t base, len, capacity;
	struct frame *queue;
	size_t queued, queue_capacity;
	uint32_t running, restoring;
	bool busy, over;
	size_t asked; /* branches for so many */
	int told;
	unsigned long long taken;
	uint64_t free_at; /* of the carrier */
	uint64_t tick, look; /* when the carrier looks for messages */
	uint64_t since; /* the worker is idle, from then on */
};

static struct {
	uint64_t latency, nap, message, restore;
	double bytes, times; /* per nanosecond */
	uint64_t long_nap, wake; /* wake: until a carrier that sleeps takes a line of its checker */
} model = { 200000, 50000, 5000, 100000, 1, 1, 300000, 10000 };

static struct {
	int ranks;
	struct evr_rank *rank;
	struct checker *checker;
	struct event *heap;
	size_t events, capacity;
	uint64_t number, now, end, messages, restored, gave, idle, empty, again, spread;
	bool over;
} sim;

/* ---- events ---- */

static bool is_earlier(const struct event *a, const struct event *b)
{
	return a->when != b->when ? a->when < b->when : a->number < b->number;
}

static void schedule(uint64_t when, enum kind kind, int from, int to, char *text)
{
	sim.heap = grow(sim.heap, sizeof(*sim.heap), sim.events, &sim.capacity);
	struct event e = { when, sim.number++, kind, to, from, text };
	size_t i = sim.events++;
	for (; i && is_earlier(&e, &sim.heap[(i - 1) / 2]); i = (i - 1) / 2)
		sim.heap[i] = sim.heap[(i - 1) / 2];
	sim.heap[i] = e;
}

static struct event next_event(void)
{
	struct event first = sim.heap[0], last = sim.heap[--sim.events];
	size_t i = 0;
	for (size_t k; (k = 2 * i + 1) < sim.events; i = k) {
		if (k + 1 < sim.events && is_earlier(&sim.heap[k + 1], &sim.heap[k]))
			k++;
		if (!is_earlier(&sim.heap[k], &last))
			break;
		sim.heap[i] = sim.heap[k];
	}
	sim.heap[i] = last;
	sim.now = first.when;
	return first;
}

static double seconds(void)
{
	return (double)sim.now * 1e-9;
}

/* ---- what carriers do ---- */

/* Only branches are large. */
static uint64_t transfer(const char *text)
{
	uint64_t branches = 0;
	if (strncmp(text, "work", 4) != 0)
		return 0;
	for (const char *p = text; *p; p++)
		branches += *p == '\t';
	return branches > 3 ? (uint64_t)((double)(branches - 3) * BRANCH / model.bytes) : 0;
}

static void send_message(void *self, int to, char *text)
{
	const struct checker *c = self;
	uint64_t from = c->free_at > sim.now ? c->free_at : sim.now;
	sim.messages++;
	schedule(from + model.latency + transfer(text), ARRIVAL, c->rank, to, text);
}

static void tell(void *self, const char *line)
{
	const struct checker *c = self;
	uint64_t from = c->free_at > sim.now ? c->free_at : sim.now;
	schedule(from, LINE_DOWN, c->rank, c->rank, evr_strdup(line));
}

static bool write_part(void *self, unsigned long long epoch, const char *text)
{
	(void)self, (void)epoch, (void)text;
	return true;
}

static bool epoch_complete(void *self, unsigned long long epoch)
{
	(void)self, (void)epoch;
	return true;
}

static void ended(void *self)
{
	(void)self;
}

static const char *host(void *self)
{
	(void)self;
	return "";
}

static const struct evr_rank_ops operations = { send_message, tell, write_part, epoch_complete, ended, host };

/* ---- checkers, of one worker each ---- */

static void say(struct checker *c, char *line)
{
	schedule(sim.now + model.wake, LINE_UP, c->rank, c->rank, line);
}

static void run(struct checker *c, uint32_t node, uint32_t restoring, uint64_t before)
{
	c->running = node;
	c->restoring = restoring;
	schedule(sim.now + before + (uint64_t)((double)tree.nodes[node].cost * model.times), EXECUTED, c->rank, c->rank,
		 NULL);
}

static void begin_branch(struct checker *c)
{
	if (c->busy || !c->queued)
		return;
	struct frame f = c->queue[--c->queued];
	c->busy = true;
	c->base = c->len = 0;
	sim.restored++;
	sim.idle += sim.now - c->since;
	sim.again += (uint64_t)((double)tree.nodes[f.node].cost * model.times);
	sim.empty += f.next == NONE;
	run(c, f.node, f.next, model.restore);
}

static void tell_state(struct checker *c)
{
	int state = c->busy ? 0 : 2;
	if (state != c->told)
		say(c, evr_format("state\t1\t%llu\t%d", c->taken, state));
	c->told = state;
}

static void take(struct checker *c, const char *text)
{
	while (*text == '\t') {
		char *end;
		struct frame f = { (uint32_t)strtoul(text + 1, &end, 10), 0 };
		f.next = (uint32_t)strtoul(end + 1, &end, 10);
		c->queue = grow(c->queue, sizeof(*c->queue), c->queued, &c->queue_capacity);
		c->queue[c->queued++] = f;
		text = end;
	}
	c->taken++;
	c->told = -1;
	begin_branch(c);
	tell_state(c);
}

static void give(struct checker *c, struct frame *from, size_t n)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	evr_strbuf_puts(&b, "given\t1");
	for (size_t i = 0; i < n; i++)
		evr_strbuf_printf(&b, "\t%u:%u", from[i].node, from[i].next);
	say(c, evr_strbuf_take(&b));
	c->asked = 0;
}

/* Of the queue at once, or of the worker's stack when its execution is over. */
static void look_after_asked(struct checker *c)
{
	size_t n = (c->queued + 1) / 2;
	if (!c->asked)
		return;
	if (!n) {
		if (!c->busy)
			give(c, NULL, 0);
		return;
	}
	give(c, c->queue, n);
	memmove(c->queue, c->queue + n, (c->queued - n) * sizeof(*c->queue));
	c->queued -= n;
	tell_state(c);
}

/* The next execution, or NONE: the branch is explored. */
static uint32_t advance(struct checker *c)
{
	while (c->len > c->base) {
		struct frame *f = &c->frames[c->len - 1];
		uint32_t child = f->next;
		if (child == NONE) {
			c->len--;
			continue;
		}
		f->next = tree.nodes[child].sibling;
		if (tree.nodes[child].cost)
			return child;
		c->frames = grow(c->frames, sizeof(*c->frames), c->len, &c->capacity);
		c->frames[c->len++] = (struct frame){ child, tree.nodes[child].child };
	}
	return NONE;
}

static void executed(struct checker *c)
{
	c->frames = grow(c->frames, sizeof(*c->frames), c->len, &c->capacity);
	c->frames[c->len++] = (struct frame){ c->running, c->restoring };
	uint32_t next = advance(c);
	uint64_t late = 0;
	if (next == NONE) {
		c->busy = false;
		c->since = sim.now;
		begin_branch(c);
		look_after_asked(c);
		tell_state(c);
		return;
	}
	size_t open = c->len - c->base, n = (open + 15) / 16;
	n = n > c->asked ? n : c->asked < open ? c->asked : open;
	if (c->asked) {
		give(c, c->frames + c->base, n);
		c->base += n;
		late = model.restore;
		sim.gave++;
	}
	run(c, next, tree.nodes[next].child, late);
}

static void obey(struct checker *c, const char *line)
{
	if (!strncmp(line, "take\t", 5)) {
		take(c, line + 4);
	} else if (!strncmp(line, "ask\t", 4)) {
		c->asked = strtoul(line + 4, NULL, 10);
		look_after_asked(c);
	} else if (!strcmp(line, "over")) {
		sim.over |= !c->rank;
	} else if (!strncmp(line, "begin\t", 6)) {
		c->told = -1;
		tell_state(c);
	}
}

/* ---- the simulation ---- */

/* It is called again when it says so; a later call that was planned does no harm. */
static void tick(int rank)
{
	struct checker *c = &sim.checker[rank];
	double next = evr_rank_tick(&sim.rank[rank], seconds());
	uint64_t when = (uint64_t)(next * 1e9) + model.nap / 2;
	if (next < seconds() + 0.5 && (c->tick <= sim.now || when < c->tick)) {
		c->tick = when > sim.now ? when : sim.now + model.nap;
		schedule(c->tick, TICK, rank, rank, NULL);
	}
}

/* A message waits for the next look; how soon that is, the real code says. */
static void arrive(struct event *e, struct checker *c)
{
	uint64_t nap = evr_rank_is_eager(&sim.rank[e->to], seconds()) ? model.nap : model.long_nap;
	if (c->look < sim.now)
		c->look = sim.now + nap / 2;
	schedule(c->look, MESSAGE, e->from, e->to, e->text);
}

static void happen(struct event *e)
{
	struct checker *c = &sim.checker[e->to];
	if (e->kind == ARRIVAL) {
		arrive(e, c);
		return;
	}
	/* A carrier does one thing after the other. */
	if ((e->kind == MESSAGE || e->kind == LINE_UP) && c->free_at > sim.now) {
		schedule(c->free_at, e->kind, e->from, e->to, e->text);
		return;
	}
	if (e->kind == MESSAGE || e->kind == LINE_UP)
		c->free_at = sim.now + model.message;
	if (e->kind == MESSAGE)
		evr_rank_hear(&sim.rank[e->to], e->from, e->text, seconds());
	else if (e->kind == LINE_UP)
		evr_rank_line(&sim.rank[e->to], e->text, seconds());
	else if (e->kind == LINE_DOWN)
		obey(c, e->text);
	else if (e->kind == EXECUTED)
		executed(c);
	if (e->kind != EXECUTED && e->kind != LINE_DOWN)
		tick(e->to);
	free(e->text);
}

static void simulate(int ranks)
{
	sim.ranks = ranks;
	sim.now = sim.messages = sim.restored = sim.number = sim.gave = sim.idle = sim.empty = sim.again = 0;
	sim.over = false;
	sim.rank = calloc((size_t)ranks, sizeof(*sim.rank));
	sim.checker = calloc((size_t)ranks, sizeof(*sim.checker));
	for (int i = 0; i < ranks; i++) {
		sim.checker[i].rank = i;
		evr_rank_init(&sim.rank[i], &operations, &sim.checker[i], i, ranks);
		say(&sim.checker[i], evr_strdup("ready\tsc\t1\t2"));
	}
	say(&sim.checker[0], evr_strdup("known\t;;"));
	struct frame whole = { 0, tree.nodes[0].child };
	sim.checker[0].queue = grow(NULL, sizeof(whole), 0, &sim.checker[0].queue_capacity);
	sim.checker[0].queue[sim.checker[0].queued++] = whole;
	begin_branch(&sim.checker[0]);
	while (!sim.over && sim.events) {
		struct event e = next_event();
		happen(&e);
	}
	unsigned long long steals = 0, tried = 0;
	for (int i = 0; i < ranks; i++) {
		if (sim.checker[i].busy || sim.checker[i].queued || !sim.over)
			die("the protocol has ended the search too early", NULL);
		steals += sim.rank[i].steals;
		tried += sim.rank[i].tried;
		evr_rank_release(&sim.rank[i]);
		sim.idle += sim.now - sim.checker[i].since;
		free(sim.checker[i].frames);
		free(sim.checker[i].queue);
	}
	while (sim.events)
		free(next_event().text);
	free(sim.rank);
	free(sim.checker);
}

static double number(const char *text)
{
	char *end;
	double value = strtod(text, &end);
	if (*end || end == text || value < 0)
		die("not a number:", text);
	return value;
}

static void report(int ranks)
{
	simulate(ranks);
	double took = seconds(), work = (double)tree.work * 1e-9 * model.times;
	double all = took * ranks, lost = (double)model.restore * 1e-9;
	printf("%7d %10.3f %10.1f %10.3f %10" PRIu64 " %10" PRIu64 " %7.3f %7.3f %7.3f %7.3f %10" PRIu64 "\n", ranks,
	       took, work / took, work / all, sim.restored - 1, sim.messages, (double)sim.idle * 1e-9 / all,
	       (double)sim.restored * lost / all, (double)sim.gave * lost / all, (double)sim.again * 1e-9 / all,
	       sim.empty);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	size_t every = 0;
	const char *counts = "1,2,4,8,16,32,64,128,256,512,1024,2048,4096";
	for (int c; (c = getopt(argc, argv, "l:b:n:N:m:s:t:r:x:")) != -1;) {
		switch (c) {
		case 'l':
			model.latency = (uint64_t)(number(optarg) * 1000);
			break;
		case 'b':
			model.bytes = number(optarg) / 1000;
			break;
		case 'n':
			model.nap = (uint64_t)(number(optarg) * 1000);
			break;
		case 'm':
			model.message = (uint64_t)(number(optarg) * 1000);
			break;
		case 's':
			model.restore = (uint64_t)(number(optarg) * 1000);
			break;
		case 't':
			model.times = number(optarg);
			break;
		case 'N':
			model.long_nap = (uint64_t)(number(optarg) * 1000);
			break;
		case 'x':
			every = (size_t)number(optarg);
			break;
		case 'r':
			counts = optarg;
			break;
		default:
			return 2;
		}
	}
	if (optind + 1 != argc)
		die("needs one recorded tree", NULL);
	read_tree(argv[optind], every);
	printf("%" PRIu64 " executions, %.2f s of work; latency %.0f us\n", tree.executions,
	       (double)tree.work * 1e-9 * model.times, (double)model.latency / 1000);
	puts("  ranks    seconds    speedup efficiency   branches   messages    idle  taking  giving   again      empty");
	for (const char *p = counts; *p;) {
		char *end;
		unsigned long n = strtoul(p, &end, 10);
		if (end == p || n < 1 || n > 1000000 || (*end && *end != ','))
			die("not a list of numbers of ranks:", counts);
		report((int)n);
		p = *end ? end + 1 : end;
	}
	return 0;
}
