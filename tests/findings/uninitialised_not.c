// No fault: padding, a struct copied before it is complete, bit-fields one by one, a struct passed by value in part
// initialised, a union, calloc, realloc.
// everett: -I../programs
// executions: sc/none:1
// finding: none
#include <assert.h>
#include <stdlib.h>
struct padded {
	char c;
	long l;
	short s;
};
struct bits {
	unsigned a : 3, b : 7, c : 20;
	unsigned long d : 50;
};
struct partial {
	int a, b;
};
struct partial_big {
	long a, b, c, d;
};
union u {
	long l;
	char c;
};
static int by_value(struct partial p)
{
	return p.a;
}
static long by_value_big(struct partial_big p)
{
	return p.a;
}
static struct partial give(int n)
{
	struct partial p;
	p.a = n;
	return p;
}
int main(void)
{
	struct padded *p = malloc(sizeof(*p)), q;
	p->c = 1, p->l = 2, p->s = 3;
	q = *p;
	*p = q;
	assert(p->c + p->l + p->s == 6);
	struct bits *b = malloc(sizeof(*b));
	b->b = 5;
	b->d = 9;
	assert(b->b == 5 && b->d == 9);
	b->a = 1;
	assert(b->a == 1);
	struct bits bc = *b;
	bc.c = 3;
	assert(bc.c == 3 && bc.b == 5);
	struct partial *h = malloc(sizeof(*h)), s;
	h->a = 4;
	assert(by_value(*h) == 4);
	s.a = 5;
	assert(by_value(s) == 5);
	struct partial_big *g = malloc(sizeof(*g));
	g->a = 6;
	assert(by_value_big(*g) == 6);
	*h = give(7);
	assert(h->a == 7);
	union u *u = malloc(sizeof(*u)), v;
	u->c = 1;
	v = *u;
	assert(v.c == 1);
	int *z = calloc(4, sizeof(int));
	z = realloc(z, 8 * sizeof(int));
	z[4] = z[3];
	assert(z[4] == 0);
	return 0;
}
