// everett: -k
// executions: sc/none:13
// finding: out-of-bounds at run_of_members.c:36, uninitialised at run_of_members.c:42, out-of-bounds at run_of_members.c:54, uninitialised at run_of_members.c:58, use-after-free at run_of_members.c:72, invalid-access at run_of_members.c:72, uninitialised at run_of_members.c:75, out-of-bounds at run_of_members.c:72, invalid-access at run_of_members.c:82, crash at run_of_members.c:93, crash at run_of_members.c:99, crash at run_of_members.c:115
/*
 * What inlined checks take for granted, and must notice if it is not so: where in its word a member begins, copies of words that are known, functions
 * that were called through a pointer before, divisors that were not 0, frames that have room. All is as expected in the first rounds of a loop.
 */
#include <everett.h>
#include <stdlib.h>
#include <string.h>

struct item {
	void *next;
	int n;
	short s;
	char tag, kind;
};

static const struct item constant = { 0 };
static int sink;

static void *make(size_t size)
{
	char *p = malloc(size);
	memset(p, 1, size);
	return p;
}

/* Its last members are not there, or nobody has written the last one. */
static void members(struct item *p, int which)
{
	for (int k = 0; k < 3; k++) {
		p->next = p;
		p->n = k;
		if (which == 0 && k == 2)
			p->n += p->tag;
		if (which == 1) {
			p->s = 1;
			p->tag = 2;
			sink = p->s + p->tag + p->n;
			if (k == 2)
				sink = p->kind;
		}
	}
}

/* Not aligned as its type is to be: its end is not there, or nobody has written a member that shares a word with one that was written. */
static void misaligned(char *from, int which)
{
	for (int k = 0; k < 4; k++) {
		struct item *p = (struct item *)(from + (which == 2 && k == 3 ? 12 : 4));
		p->n = k;
		if (which == 2) {
			p->tag = 3;
			p->kind = 4;
			sink = p->n + p->tag + p->kind;
		} else if (k == 3) {
			sink = p->n + p->s;
		}
	}
}

static void copies(int which)
{
	struct item *from = which == 6 ? malloc(sizeof(*from)) : make(sizeof(*from)), *to = make(which == 7 ? 8 : sizeof(*to));
	struct item *fine = make(sizeof(*fine));
	if (which == 6)
		from->next = NULL;
	for (int k = 0; k < 3; k++) {
		if (which == 4 && k == 2)
			free(from);
		*(which == 5 && k == 2 ? (struct item *)&constant : which == 7 && k < 2 ? fine : to) = *from;
		sink = to->next != NULL;
		if (which == 6 && k == 2)
			sink = to->n;
	}
}

static void overlap(char *p)
{
	for (int k = 0; k < 3; k++)
		memcpy(p + (k == 2 ? 4 : 8), p, 8);
}

static void count(void)
{
	sink++;
}

static void call(void (*f)(void))
{
	for (int k = 0; k < 3; k++)
		(k == 2 ? f : count)();
}

static void divide(int by)
{
	for (int k = 0; k < 3; k++)
		sink = 7 / (by - k);
}

/* Its array is not used, but has its room. */
static int descend(int depth, int uses)
{
	if (uses) {
		char text[1 << 16];
		memset(text, 1, sizeof(text));
		sink += text[depth];
	}
	return depth ? descend(depth - 1, uses) + 1 : 0;
}

int main(void)
{
	int which = everett_choose(13);
	if (which < 2)
		members(which == 0 ? make(12) : malloc(sizeof(struct item)), which);
	else if (which < 4)
		misaligned(which == 2 ? make(24) : malloc(24), which);
	else if (which < 8)
		copies(which);
	else if (which == 8)
		overlap(make(16));
	else if (which == 9)
		call((void (*)(void))((char *)count + 1));
	else if (which == 10)
		divide(2);
	else if (which == 11)
		descend(300, 0);
	return 0;
}
