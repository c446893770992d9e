// Assignment of a struct of 24 bytes is three accesses of eight, of which the first is shared with the other thread's one
// write. The copy's destination is private. 2 orders. Before that, values of all sizes pass through parameters and results.
// executions: sc/none:2
// finding: none
#include "run.h"
#define SIZE(n) \
	struct s##n { \
		unsigned char c[n]; \
	}; \
	static struct s##n pass##n(int before, struct s##n s, int after) \
	{ \
		assert(before == 1 && after == 2); \
		s.c[0]++; \
		s.c[n - 1]++; \
		return s; \
	} \
	static void try##n(void) \
	{ \
		struct s##n a, b; \
		for (int i = 0; i < n; i++) \
			a.c[i] = (unsigned char)i; \
		struct s##n (*volatile f)(int, struct s##n, int) = pass##n; \
		b = f(1, a, 2); \
		assert(a.c[0] == 0 && a.c[n - 1] == (unsigned char)(n - 1)); \
		assert(b.c[0] == 1 + (n == 1) && b.c[n - 1] == (unsigned char)(n + (n == 1))); \
		for (int i = 1; i < n - 1; i++) \
			assert(b.c[i] == (unsigned char)i); \
	}
SIZE(1) SIZE(2) SIZE(3) SIZE(4) SIZE(5) SIZE(7) SIZE(8) SIZE(9) SIZE(12) SIZE(16) SIZE(17) SIZE(24) SIZE(100) SIZE(5000)
struct mixed {
	char c;
	double d;
	float f;
};
struct floats {
	float x, y, z;
};
static struct mixed swap(struct mixed m, struct floats f, long double l)
{
	return (struct mixed){ m.c + 1, f.z + (double)l, f.x };
}
struct three {
	long a, b, c;
};
static struct three shared = { 1, 2, 3 };
THREAD(copier)
{
	struct three copy = shared;
	assert((copy.a == 1 || copy.a == 10) && copy.b == 2 && copy.c == 3);
	return argument;
}
THREAD(writer)
{
	shared.a = 10;
	return argument;
}
int main(void)
{
	try1(), try2(), try3(), try4(), try5(), try7(), try8(), try9(), try12(), try16(), try17(), try24(), try100(), try5000();
	struct mixed m = swap((struct mixed){ 'a', 1, 2 }, (struct floats){ 3, 4, 5 }, 6.0L);
	assert(m.c == 'b' && m.d == 11 && m.f == 3);
	RUN(copier, writer);
	return 0;
}
