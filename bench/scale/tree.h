/* What the simulators share: the recorded tree of a search (README.md). */
#ifndef BENCH_SCALE_TREE_H
#define BENCH_SCALE_TREE_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NONE UINT32_MAX

static void die(const char *what, const char *which)
{
	fprintf(stderr, "simulate: %s%s%s\n", what, which ? " " : "", which ? which : "");
	exit(2);
}

static void *grow(void *p, size_t size, size_t len, size_t *capacity)
{
	if (len < *capacity)
		return p;
	*capacity = *capacity ? 2 * *capacity : 64;
	p = realloc(p, *capacity * size);
	if (!p)
		die("out of memory", NULL);
	return p;
}

/* ---- the tree ---- */

struct node {
	uint64_t cost; /* nanoseconds; 0: a frame without an execution */
	uint32_t child, last, sibling; /* the first and the last successor, and the next one of the same frame */
};

static struct {
	struct node *nodes;
	size_t len, capacity;
	uint32_t *stack;
	size_t depth, stack_capacity, deepest;
	uint64_t work, executions;
} tree;

/* On top of the stack, as the next successor of what was there. */
static void push_node(uint64_t cost)
{
	uint32_t id = (uint32_t)tree.len;
	tree.nodes = grow(tree.nodes, sizeof(*tree.nodes), tree.len, &tree.capacity);
	tree.nodes[tree.len++] = (struct node){ cost, NONE, NONE, NONE };
	if (tree.depth) {
		struct node *parent = &tree.nodes[tree.stack[tree.depth - 1]];
		if (parent->last == NONE)
			parent->child = id;
		else
			tree.nodes[parent->last].sibling = id;
		parent->last = id;
	}
	tree.stack = grow(tree.stack, sizeof(*tree.stack), tree.depth, &tree.stack_capacity);
	tree.stack[tree.depth++] = id;
	if (tree.depth > tree.deepest)
		tree.deepest = tree.depth;
}

struct line {
	size_t depth;
	uint64_t cost;
};

static void push_line(size_t depth, uint64_t cost)
{
	if (depth < tree.depth)
		tree.depth = depth;
	while (tree.depth < depth)
		push_node(0);
	push_node(cost ? cost : 1);
	tree.work += cost;
	tree.executions++;
}

/* every: not 0: a larger tree, in which every so many leaves of this one the whole of it follows once more. */
static void read_tree(const char *path, size_t every)
{
	FILE *in = fopen(path, "r");
	struct line *lines = NULL, l;
	size_t n = 0, capacity = 0, leaves = 0;
	if (!in)
		die("cannot open", path);
	while (fscanf(in, "%zu %" SCNu64, &l.depth, &l.cost) == 2) {
		if (!l.depth && n)
			die("more than one tree in", path);
		lines = grow(lines, sizeof(*lines), n, &capacity);
		lines[n++] = l;
	}
	fclose(in);
	if (!n)
		die("no tree in", path);
	for (size_t i = 0; i < n; i++) {
		bool leaf = i + 1 == n || lines[i + 1].depth <= lines[i].depth;
		push_line(lines[i].depth, lines[i].cost);
		if (every && leaf && ++leaves % every == 0)
			for (size_t k = 0; k < n; k++)
				push_line(lines[i].depth + 1 + lines[k].depth, lines[k].cost);
	}
	free(lines);
}

struct frame {
	uint32_t node, next; /* the next successor to be explored */
};

#endif
