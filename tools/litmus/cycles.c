/*
 * Litmus tests from cycles, in the manner of diy: litmus-cycles [COUNT] [SKIP]
 *
 * A test is a critical cycle: threads of two accesses to different locations (a po edge), joined by communication: the
 * second access of a thread and the first one of the next are to the same location, and related by reads-from (Rfe),
 * coherence (Coe), from-read (Fre), or the last two followed by a reads-from, with a third thread in between. Each po edge
 * may have a fence or something like it. The condition is that the cycle has happened. All tests are written in the
 * language of tests/litmus (tests/README.md), or COUNT of them, spread evenly, after SKIP others.
 *
 * What the condition fixes is the whole execution: every read's source and every location's coherence. So whether a model
 * allows it follows from the cycle alone, by the axioms, without the checker:
 *
 *   SC        never: po, rf, co and fr are acyclic.
 *   TSO, PSO  rf, co and fr between threads are global, and there is no other cycle in the graph: allowed exactly if the
 *             model does not preserve one of the po edges.
 *   RA        allowed if, for some order of the seq_cst fences, po, rf, this order, and the coherence and from-reads of
 *             one location are acyclic, for each location (Definition 3.1 of paper 000). Updates of one common location
 *             and sections of one mutex are ordered in the same way.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EDGES = 4, MAX_THREADS = 4, MAX_NODES = 3 * MAX_THREADS };

/* Communication from the second access of one thread to the first one of the next. */
enum com { RFE, COE, FRE, COE_RFE, FRE_RFE, COMS };
static const struct {
	const char *name;
	char from, to;
	bool middle; /* through a store of a third thread */
} coms[COMS] = {
	[RFE] = { "Rfe", 'W', 'R', false },        [COE] = { "Coe", 'W', 'W', false },
	[FRE] = { "Fre", 'R', 'W', false },        [COE_RFE] = { "Coe.Rfe", 'W', 'R', true },
	[FRE_RFE] = { "Fre.Rfe", 'R', 'R', true },
};

/* What is done about a po edge. Those with a chain are ordered with their like in other threads. */
enum mark { PO, F_SC, F_REL, F_ACQ, UPDATE, SECTION, FIRST_SC, FIRST_REL, SECOND_REL, SECOND_SC, MARKS };
static const struct {
	const char *name, *between;
	bool chain;
	char first, second; /* what the accesses must be for it; 0: anything */
	const char *first_order, *second_order;
} marks[MARKS] = {
	[PO] = { "", NULL, false, 0, 0, "", "" },
	[F_SC] = { "-sc", "fence.sc", true, 0, 0, "", "" },
	[F_REL] = { "-rel", "fence.rel", false, 0, 0, "", "" },
	[F_ACQ] = { "-acq", "fence.acq", false, 0, 0, "", "" },
	[UPDATE] = { "-rmw", "add(u,1)", true, 0, 0, "", "" },
	[SECTION] = { "-lock", "lock m; unlock m", true, 0, 0, "", "" },
	[FIRST_SC] = { "-scP", NULL, false, 'W', 0, ".sc", "" },
	[FIRST_REL] = { "-relP", NULL, false, 'W', 'W', ".rel", "" },
	[SECOND_REL] = { "-Prel", NULL, false, 0, 'W', "", ".rel" },
	[SECOND_SC] = { "-Psc", NULL, false, 0, 'W', "", ".sc" },
};

/* Thread i begins at the end of com[i - 1], at location i - 1, has mark[i], and ends at the start of com[i], location i. */
struct cycle {
	int edges;
	enum com com[MAX_EDGES];
	enum mark mark[MAX_EDGES];
};

static int before(const struct cycle *c, int i)
{
	return (i + c->edges - 1) % c->edges;
}

static char first(const struct cycle *c, int i)
{
	return coms[c->com[before(c, i)]].to;
}

static char second(const struct cycle *c, int i)
{
	return coms[c->com[i]].from;
}

static int threads(const struct cycle *c)
{
	int n = c->edges;
	for (int i = 0; i < c->edges; i++)
		n += coms[c->com[i]].middle;
	return n;
}

/* ---- verdicts ---- */

static bool tso_preserves(char a, char b, enum mark m)
{
	/* Only a load overtakes a store; nothing is buffered after a full fence, an update, a lock or a seq_cst store. */
	return !(a == 'W' && b == 'R') || m == F_SC || m == UPDATE || m == SECTION || m == FIRST_SC;
}

static bool pso_preserves(char a, char b, enum mark m)
{
	if (!(a == 'W' && b == 'W'))
		return tso_preserves(a, b, m);
	return m == F_SC || m == UPDATE || m == SECTION || m == FIRST_SC || m == SECOND_SC || m == F_REL ||
	       m == SECOND_REL;
}

static bool buffers_allow(const struct cycle *c, bool (*preserves)(char, char, enum mark))
{
	for (int i = 0; i < c->edges; i++)
		if (!preserves(first(c, i), second(c, i), c->mark[i]))
			return true;
	return false;
}

/* Nodes: thread i has 3i, 3i + 1 (what is between) and 3i + 2; the store in the middle of com[i] is 3 * edges + i. */
struct graph {
	uint32_t after[MAX_NODES + MAX_EDGES];
	int nodes;
};

static void add(struct graph *g, int a, int b)
{
	g->after[a] |= UINT32_C(1) << b;
}

static bool acyclic(struct graph g)
{
	for (int k = 0; k < g.nodes; k++)
		for (int i = 0; i < g.nodes; i++)
			if (g.after[i] >> k & 1)
				g.after[i] |= g.after[k];
	for (int i = 0; i < g.nodes; i++)
		if (g.after[i] >> i & 1)
			return false;
	return true;
}

/* Program order and reads-from, and coherence and from-reads of one location. */
static struct graph relations(const struct cycle *c, int location)
{
	struct graph g = { .nodes = 4 * c->edges };
	for (int i = 0; i < c->edges; i++) {
		int from = 3 * i + 2, to = 3 * ((i + 1) % c->edges), middle = 3 * c->edges + i;
		add(&g, 3 * i, 3 * i + 1);
		add(&g, 3 * i + 1, 3 * i + 2);
		if (coms[c->com[i]].middle)
			add(&g, middle, to);
		if (c->com[i] == RFE)
			add(&g, from, to);
		else if (i == location)
			add(&g, from, coms[c->com[i]].middle ? middle : to);
	}
	return g;
}

/* order[]: the threads, in the order of what they have in their chains. */
static bool ra_allows_order(const struct cycle *c, const int *order)
{
	for (int location = 0; location < c->edges; location++) {
		struct graph g = relations(c, location);
		for (int i = 0; i < c->edges; i++)
			for (int k = i + 1; k < c->edges; k++)
				if (c->mark[order[i]] == c->mark[order[k]] && marks[c->mark[order[i]]].chain)
					add(&g, 3 * order[i] + 1, 3 * order[k] + 1);
		if (!acyclic(g))
			return false;
	}
	return true;
}

static bool ra_allows(const struct cycle *c, int *order, int done)
{
	if (done == c->edges)
		return ra_allows_order(c, order);
	for (int t = 0; t < c->edges; t++) {
		bool used = false;
		for (int i = 0; i < done; i++)
			used = used || order[i] == t;
		order[done] = t;
		if (!used && ra_allows(c, order, done + 1))
			return true;
	}
	return false;
}

/* ---- programs ---- */

static int next_register; /* of the test being written */
static char condition[256];

static void require(const char *what, int value)
{
	size_t n = strlen(condition);
	snprintf(condition + n, sizeof(condition) - n, "%s%s=%d", n ? " " : "", what, value);
}

static void write_access(char kind, int location, int value, const char *order)
{
	const char where[] = { "xyzw"[location], '\0' };
	if (kind == 'W') {
		printf("%s%s=%d", where, order, value);
		return;
	}
	const char name[] = { (char)('a' + next_register++), '\0' };
	printf("%s=%s%s", name, where, order);
	require(name, value);
}

/* The values along a com: 0 for a from-read's load, 1 for the first store, 2 for the second; a load has its store's. */
static int value_at_start(enum com c)
{
	return coms[c].from == 'W';
}

static int value_at_middle(enum com c)
{
	return value_at_start(c) + 1;
}

static int value_at_end(enum com c)
{
	return c == RFE ? 1 : value_at_start(c) + 1;
}

static void write_thread(const struct cycle *c, int i, const char *weakest)
{
	enum mark m = c->mark[i];
	int from = before(c, i);
	write_access(first(c, i), from, value_at_end(c->com[from]),
		     *marks[m].first_order ? marks[m].first_order : weakest);
	if (marks[m].between)
		printf("; %s", marks[m].between);
	printf("; ");
	write_access(second(c, i), i, value_at_start(c->com[i]),
		     *marks[m].second_order ? marks[m].second_order : weakest);
}

static void write_test(const struct cycle *c, const char *weakest)
{
	int order[MAX_EDGES];
	next_register = 0;
	condition[0] = '\0';
	for (int i = 0; i < c->edges; i++)
		printf("%sPod%c%c%s.%s", i ? "." : "", first(c, i), second(c, i), marks[c->mark[i]].name,
		       coms[c->com[i]].name);
	printf(" : ");
	for (int i = 0; i < c->edges; i++) {
		printf("%s", i ? " || " : "");
		write_thread(c, i, weakest);
	}
	for (int i = 0; i < c->edges; i++)
		if (coms[c->com[i]].middle) {
			printf(" || ");
			write_access('W', i, value_at_middle(c->com[i]), weakest);
		}
	for (int i = 0; i < c->edges; i++)
		if (c->com[i] == COE || c->com[i] == COE_RFE)
			require((const char[]){ "xyzw"[i], '\0' }, 2);
	bool tso = buffers_allow(c, tso_preserves), pso = buffers_allow(c, pso_preserves), ra = ra_allows(c, order, 0);
	printf(" : %s :%s%s%s%s\n", condition, tso ? " tso" : "", pso ? " pso" : "", ra ? " ra" : "",
	       tso || pso || ra ? "" : " -");
}

/* ---- all of them ---- */

static struct cycle *all;
static size_t count, room;

static int step_of(const struct cycle *c, int i)
{
	return (int)c->com[i % c->edges] * MARKS + (int)c->mark[i % c->edges];
}

/* A cycle can begin at any of its threads: it is written as the rotation that comes first. */
static bool is_first_rotation(const struct cycle *c)
{
	for (int r = 1; r < c->edges; r++) {
		int i = 0;
		while (i < c->edges && step_of(c, i) == step_of(c, i + r))
			i++;
		if (i < c->edges && step_of(c, i + r) < step_of(c, i))
			return false;
	}
	return true;
}

static bool fits(const struct cycle *c, int i)
{
	enum mark m = c->mark[i];
	return (!marks[m].first || marks[m].first == first(c, i)) &&
	       (!marks[m].second || marks[m].second == second(c, i));
}

static void keep(const struct cycle *c)
{
	for (int i = 0; i < c->edges; i++)
		if (!fits(c, i))
			return;
	if (!is_first_rotation(c))
		return;
	if (count == room) {
		room = room ? 2 * room : 1024;
		all = realloc(all, room * sizeof(*all));
		if (!all)
			exit(2);
	}
	all[count++] = *c;
}

static void enumerate_marks(struct cycle *c, int i)
{
	if (i == c->edges) {
		keep(c);
		return;
	}
	/* With four threads exploring takes long; they have but the strongest mark, PSO's own, and none. */
	int last = threads(c) < MAX_THREADS || c->edges == 2 ? MARKS : F_REL + 1;
	for (int m = 0; m < last; m++) {
		c->mark[i] = (enum mark)m;
		enumerate_marks(c, i + 1);
	}
}

static void enumerate_coms(struct cycle *c, int i)
{
	if (i == c->edges) {
		if (threads(c) <= MAX_THREADS)
			enumerate_marks(c, 0);
		return;
	}
	for (int k = 0; k < COMS; k++) {
		c->com[i] = (enum com)k;
		enumerate_coms(c, i + 1);
	}
}

static size_t common_divisor(size_t a, size_t b)
{
	return b ? common_divisor(b, a % b) : a;
}

int main(int argc, char **argv)
{
	for (int edges = 2; edges <= MAX_EDGES; edges++)
		enumerate_coms(&(struct cycle){ .edges = edges }, 0);
	size_t wanted = argc > 1 ? (size_t)atol(argv[1]) : count, skip = argc > 2 ? (size_t)atol(argv[2]) : 0;
	/* The golden section spreads them; without a divisor in common with the number of tests it comes to each once. */
	size_t step = count * 89 / 144;
	while (common_divisor(step, count) != 1)
		step++;
	for (size_t i = skip; i < skip + wanted && i < count; i++) {
		size_t k = wanted == count ? i : i * step % count;
		write_test(&all[k], k % 2 ? ".rlx" : "");
	}
	free(all);
	return 0;
}
