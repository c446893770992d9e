// everett: -k
// executions: sc/none:9
// finding: out-of-bounds at run_of_accesses.c:38, uninitialised at run_of_accesses.c:39, use-after-free at run_of_accesses.c:40, out-of-bounds at run_of_accesses.c:52, uninitialised at run_of_accesses.c:56, invalid-access at run_of_accesses.c:65, out-of-bounds at run_of_accesses.c:76, uninitialised at run_of_accesses.c:88
/*
 * Accesses that follow one another are checked together. In each execution all accesses of a run but one are of bytes that the thread has accessed in
 * this way before: the check must notice the other one, wherever it is in the run, by whatever it differs.
 */
#include <everett.h>
#include <stdlib.h>

struct pair {
	long a, b;
	int i, j;
	char c, d;
};

static const int constant = 1;
static int sink;

/* Of an object that ends behind `size` bytes. */
static struct pair *make(size_t size)
{
	char *p = malloc(size);
	for (size_t k = 0; k < size; k++)
		p[k] = 1;
	return (struct pair *)p;
}

static void words(int which)
{
	struct pair *p = make(which == 0 ? 8 : sizeof(*p)), *q = make(sizeof(*p)), *uninitialised = malloc(sizeof(*p));
	uninitialised->a = 1;
	if (which == 2)
		free(q);
	for (int k = 0; k < 3; k++) {
		p->a += k; /* by now own */
		if (k == 2 && which == 0)
			p->a += p->b;
		sink += (int)(which == 1 && k == 2 ? uninitialised->a + uninitialised->b : 0);
		sink += (int)(which == 2 && k == 2 ? p->a + q->a : 0);
	}
}

/* The second word of a pair whose first is own, by pointers that are no constants of each other, and parts of one word. */
static void parts(int which)
{
	struct pair *p = make(which == 3 ? 24 : sizeof(*p)), *u = malloc(sizeof(*p));
	for (int k = 0; k < 3; k++) {
		u->i = p->i = k;
		if (which == 3 && k == 2) {
			p->i = k;
			p->c = p->i;
		}
		if (which == 4 && k == 2) {
			sink = u->i;
			sink = u->i + u->j;
		}
	}
}

static void store_to_constant(int *to, int *constant_one)
{
	for (int k = 0; k < 3; k++) {
		to[0] = k;
		*(k == 2 ? constant_one : to) = k;
	}
}

/* Unaligned: the last byte is not there. */
static void unaligned(char *p)
{
	for (int k = 0; k < 3; k++) {
		p[0] = k;
		if (k == 2) {
			p[0] = 1;
			*(int *)(p + 5) = 1;
		}
	}
}

static void single_bytes(void)
{
	char *p = malloc(8);
	for (int k = 0; k < 3; k++) {
		p[0] = k;
		p[2] = k;
		if (k == 2)
			sink = p[0] + p[2] + p[3];
	}
}

int main(void)
{
	int which = everett_choose(9);
	if (which < 3)
		words(which);
	else if (which < 5)
		parts(which);
	else if (which == 5)
		store_to_constant(&sink, (int *)&constant);
	else if (which == 6)
		unaligned((char *)make(8));
	else if (which == 7)
		single_bytes();
	return 0;
}
