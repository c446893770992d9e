/*
 * How well would a search scale? Replays the recorded tree of a search (README.md) with W workers that share the work as src/runtime/workers.c does, and prints
 * the efficiency: work / (W * makespan).
 *
 *   simulate [-s STEAL] [-p POLL] [-c COORDINATOR] [-g PART] [-o newest|oldest] [-w W[,W...]] TREE
 *
 * Times are in microseconds. STEAL: what it costs to give branches away, and what it costs to begin with one, without the execution that restores it.
 * POLL: how often the coordinator looks for rich workers if no message comes. COORDINATOR: how long it is busy with each branch that it hands out; no other one is
 * handed out meanwhile.
 *
 * What is modelled:
 *
 *   - A worker has a stack of frames, one for each execution whose successors are not all explored yet. An execution takes as long as it did when it was recorded,
 *     with the search for the next one.
 *   - An idle worker takes a branch from the queue: the one that came last. If the queue is empty, the busy worker with the most frames is asked, unless it has been
 *     asked already. At the end of its execution it gives away its oldest frames, one in PART, each as a branch of its own.
 *   - A branch begins with the execution that restores its frame, which counts as overhead.
 *   - A frame stays on the stack until its last successor has been explored, because the engine does not know that it is the last. It is given away like any other.
 *
 * What is not: memory bandwidth, caches, and the interference of workers in general.
 */
#include "tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- workers ---- */

struct worker {
	struct frame *frames; /* from `base` on */
	size_t base, len, capacity;
	uint32_t running; /* the execution */
	uint32_t restoring; /* NONE, or: it is one that was run before, and this is where the frame goes on */
	bool busy, asked;
	uint32_t open; /* how many frames there were when the execution began */
	uint32_t before, after; /* among the busy ones that have as many and were not asked */
};

static struct {
	uint64_t steal, poll, coordinator;
	size_t part;
	bool oldest;
} policy = { .steal = 20000, .poll = 1000000, .part = 16 };

static struct {
	struct worker *workers;
	uint32_t count;
	uint32_t *rich; /* rich[n]: the first of those that have n frames */
	uint32_t richest;
	struct frame *queue;
	size_t head, queued, queue_capacity;
	uint32_t *idle, idlers, asked;
	uint64_t *when; /* of the next event of each worker; a heap of workers is ordered by it */
	uint32_t *heap, events;
	uint64_t now, end, free_at; /* the coordinator is busy until then */
	uint64_t next_poll;
	uint64_t steals, restored;
} sim;

/* ---- the heap of events ---- */

static void swap(uint32_t i, uint32_t k)
{
	uint32_t w = sim.heap[i];
	sim.heap[i] = sim.heap[k];
	sim.heap[k] = w;
}

static bool is_earlier(uint32_t i, uint32_t k)
{
	return sim.when[sim.heap[i]] < sim.when[sim.heap[k]];
}

static void schedule(uint32_t w, uint64_t when)
{
	uint32_t i = sim.events++;
	sim.when[w] = when;
	for (sim.heap[i] = w; i && is_earlier(i, (i - 1) / 2); i = (i - 1) / 2)
		swap(i, (i - 1) / 2);
}

static uint32_t next_event(void)
{
	uint32_t w = sim.heap[0];
	sim.heap[0] = sim.heap[--sim.events];
	for (uint32_t i = 0, k; (k = 2 * i + 1) < sim.events; i = k) {
		if (k + 1 < sim.events && is_earlier(k + 1, k))
			k++;
		if (!is_earlier(k, i))
			break;
		swap(i, k);
	}
	sim.now = sim.when[w];
	return w;
}

/* ---- who is rich? ---- */

static void enlist(uint32_t id)
{
	struct worker *w = &sim.workers[id];
	w->before = NONE;
	w->after = sim.rich[w->open];
	if (w->after != NONE)
		sim.workers[w->after].before = id;
	sim.rich[w->open] = id;
	if (w->open > sim.richest)
		sim.richest = w->open;
}

static void delist(uint32_t id)
{
	struct worker *w = &sim.workers[id];
	if (w->before == NONE)
		sim.rich[w->open] = w->after;
	else
		sim.workers[w->before].after = w->after;
	if (w->after != NONE)
		sim.workers[w->after].before = w->before;
}

static void set_open(uint32_t id)
{
	struct worker *w = &sim.workers[id];
	uint32_t open = (uint32_t)(w->len - w->base);
	if (w->asked || open == w->open) {
		w->open = open;
		return;
	}
	delist(id);
	w->open = open;
	enlist(id);
}

/* ---- what the coordinator does ---- */

static void enqueue(struct frame f)
{
	sim.queue = grow(sim.queue, sizeof(*sim.queue), sim.queued, &sim.queue_capacity);
	sim.queue[sim.queued++] = f;
}

static void run(uint32_t id, uint32_t node, uint32_t restoring, uint64_t from)
{
	struct worker *w = &sim.workers[id];
	w->running = node;
	w->restoring = restoring;
	schedule(id, from + tree.nodes[node].cost);
}

/* The queue is a stack, unless the oldest go first. */
static struct frame dequeue(void)
{
	struct frame f = policy.oldest ? sim.queue[sim.head++] : sim.queue[--sim.queued];
	if (sim.head == sim.queued)
		sim.head = sim.queued = 0;
	return f;
}

static void hand_out(uint32_t id)
{
	struct worker *w = &sim.workers[id];
	struct frame f = dequeue();
	uint64_t from = sim.now > sim.free_at ? sim.now : sim.free_at;
	sim.free_at = from + policy.coordinator;
	w->busy = true;
	w->base = w->len = 0;
	w->open = 0;
	enlist(id);
	sim.restored++;
	run(id, f.node, f.next, from + policy.coordinator + policy.steal);
}

static void ask(void)
{
	while (sim.idlers > sim.asked) {
		while (sim.richest && sim.rich[sim.richest] == NONE)
			sim.richest--;
		if (!sim.richest)
			return;
		uint32_t id = sim.rich[sim.richest];
		delist(id);
		sim.workers[id].asked = true;
		sim.asked++;
	}
}

static void dispatch(void)
{
	while (sim.idlers && sim.queued > sim.head)
		hand_out(sim.idle[--sim.idlers]);
	if (sim.idlers)
		ask();
	sim.next_poll = sim.now + policy.poll;
}

/* ---- what a worker does between two executions ---- */

/* The next execution, or NONE: the branch is explored. */
static uint32_t advance(struct worker *w)
{
	while (w->len > w->base) {
		struct frame *f = &w->frames[w->len - 1];
		uint32_t child = f->next;
		if (child == NONE) {
			w->len--;
			continue;
		}
		f->next = tree.nodes[child].sibling;
		if (tree.nodes[child].cost)
			return child;
		w->frames = grow(w->frames, sizeof(*w->frames), w->len, &w->capacity);
		w->frames[w->len++] = (struct frame){ child, tree.nodes[child].child };
	}
	return NONE;
}

static void no_longer_asked(uint32_t id)
{
	struct worker *w = &sim.workers[id];
	w->asked = false;
	sim.asked--;
	enlist(id);
}

static void give(uint32_t id)
{
	struct worker *w = &sim.workers[id];
	size_t open = w->len - w->base, n = (open + policy.part - 1) / policy.part;
	for (; n > 0; n--)
		enqueue(w->frames[w->base++]);
	sim.steals += open > 0;
	no_longer_asked(id);
}

static void end_branch(uint32_t id)
{
	struct worker *w = &sim.workers[id];
	if (w->asked)
		no_longer_asked(id);
	delist(id);
	w->busy = false;
	sim.end = sim.now;
	sim.idle[sim.idlers++] = id;
	dispatch();
}

static void end_execution(uint32_t id)
{
	struct worker *w = &sim.workers[id];
	uint32_t from = w->restoring;
	w->frames = grow(w->frames, sizeof(*w->frames), w->len, &w->capacity);
	w->frames[w->len++] = (struct frame){ w->running, from };
	uint32_t next = advance(w);
	if (next == NONE) {
		end_branch(id);
		return;
	}
	bool gave = w->asked;
	if (gave)
		give(id);
	set_open(id);
	run(id, next, tree.nodes[next].child, sim.now + (gave ? policy.steal : 0));
	if (gave || (sim.idlers && sim.now >= sim.next_poll))
		dispatch();
}

/* ---- the simulation ---- */

static void *array(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);
	if (!p)
		die("out of memory", NULL);
	return p;
}

static void prepare(uint32_t count)
{
	memset(&sim, 0, sizeof(sim));
	sim.count = count;
	sim.workers = array(count, sizeof(*sim.workers));
	sim.rich = array(tree.deepest + 2, sizeof(*sim.rich));
	memset(sim.rich, 0xff, (tree.deepest + 2) * sizeof(*sim.rich));
	sim.idle = array(count, sizeof(*sim.idle));
	sim.when = array(count, sizeof(*sim.when));
	sim.heap = array(count + 1, sizeof(*sim.heap));
	for (uint32_t i = count; i-- > 0;)
		sim.idle[sim.idlers++] = i;
}

static void release(void)
{
	for (uint32_t i = 0; i < sim.count; i++)
		free(sim.workers[i].frames);
	free(sim.workers);
	free(sim.rich);
	free(sim.idle);
	free(sim.when);
	free(sim.heap);
	free(sim.queue);
}

static void simulate(uint32_t count)
{
	prepare(count);
	enqueue((struct frame){ 0, tree.nodes[0].child });
	dispatch();
	while (sim.events)
		end_execution(next_event());
	double seconds = (double)sim.end * 1e-9, efficiency = (double)tree.work / ((double)count * (double)sim.end);
	printf("%7u %10.3f %10.1f %10.3f %10" PRIu64 " %10" PRIu64 "\n", count, seconds, efficiency * count, efficiency,
	       sim.steals, sim.restored - 1);
	release();
}

static uint64_t microseconds(const char *text)
{
	char *end;
	double value = strtod(text, &end);
	if (*end || end == text || value < 0)
		die("not a time in microseconds:", text);
	return (uint64_t)(value * 1000);
}

static bool choose(const char *text, const char *no, const char *yes)
{
	if (strcmp(text, no) != 0 && strcmp(text, yes) != 0)
		die("unknown policy:", text);
	return !strcmp(text, yes);
}

int main(int argc, char **argv)
{
	const char *counts = "1,2,4,8,16,32,64,128,256,512,1024,2048,4096";
	for (int c; (c = getopt(argc, argv, "s:p:c:g:o:w:")) != -1;) {
		switch (c) {
		case 's':
			policy.steal = microseconds(optarg);
			break;
		case 'p':
			policy.poll = microseconds(optarg);
			break;
		case 'c':
			policy.coordinator = microseconds(optarg);
			break;
		case 'g':
			policy.part = strtoul(optarg, NULL, 10);
			if (!policy.part)
				die("not a number of parts:", optarg);
			break;
		case 'o':
			policy.oldest = choose(optarg, "newest", "oldest");
			break;
		case 'w':
			counts = optarg;
			break;
		default:
			return 2;
		}
	}
	if (optind + 1 != argc)
		die("needs one recorded tree", NULL);
	read_tree(argv[optind], 0);
	printf("%" PRIu64 " executions, %.2f s of work, at most %zu frames; a steal costs %.0f us\n", tree.executions,
	       (double)tree.work * 1e-9, tree.deepest, (double)policy.steal / 1000);
	puts("workers    seconds    speedup efficiency     steals   restored");
	for (const char *p = counts; *p;) {
		char *end;
		unsigned long n = strtoul(p, &end, 10);
		if (end == p || n < 1 || n > 1000000 || (*end && *end != ','))
			die("not a list of numbers of workers:", counts);
		simulate((uint32_t)n);
		p = *end ? end + 1 : end;
	}
	return 0;
}
