// Large frames, structures by value, deep recursion, arrays of variable length, alloca() and variable arguments.
// executions: tso/traces:30 rc11/rf:60
// finding: none
#include "run.h"
#include <alloca.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
struct large {
	int at[2000];
};
static atomic_int x, y;
static int seen[3];
static int read_now(atomic_int *from)
{
	return atomic_load_explicit(from, memory_order_relaxed);
}
static struct large filled(int from)
{
	struct large l;
	for (int i = 0; i < 2000; i++)
		l.at[i] = from + i;
	return l;
}
static int ends(struct large l, int i)
{
	return l.at[i] + l.at[1999 - i];
}
static int down(int n, int from)
{
	int frame[16];
	for (int i = 0; i < 16; i++)
		frame[i] = from + i;
	if (!n)
		return frame[from & 15] + read_now(&y);
	return down(n - 1, frame[1]) + frame[2];
}
static int sum(const char *kinds, ...)
{
	va_list list;
	double all = 0;
	va_start(list, kinds);
	for (; *kinds; kinds++) {
		int more = read_now(&x);
		all += *kinds == 'd' ? va_arg(list, double) : va_arg(list, int) + more;
	}
	va_end(list);
	return (int)all;
}
THREAD(copies)
{
	struct large a = filled(read_now(&x));
	int between = read_now(&y);
	struct large b = a;
	b.at[3] = read_now(&x);
	seen[0] = ends(a, 3) * 100 + ends(b, 3) * 10 + between;
	return argument;
}
THREAD(writes)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	struct large l = filled(7);
	atomic_store_explicit(&y, ends(l, 9) & 3, memory_order_relaxed);
	seen[1] = down(40, read_now(&x));
	return argument;
}
THREAD(sums)
{
	int n = 3 + read_now(&y), list[n];
	for (int i = 0; i < n; i++)
		list[i] = i;
	char *bytes = alloca((size_t)n);
	memset(bytes, read_now(&x), (size_t)n);
	seen[2] = sum("idi", list[n - 1], 2.5, bytes[n - 1]);
	return argument;
}
int main(void)
{
	RUN(copies, writes, sums);
	printf("%d %d %d\n", seen[0], seen[1], seen[2]);
	return 0;
}
