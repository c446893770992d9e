// VLAs in loops, alloca, compound literals, designated initialisers, statement expressions, recursion with escaping locals:
// all of them private. One execution.
// everett: -Wno-gnu-statement-expression
// executions: sc/none:1
// finding: none
#include "run.h"
#include <alloca.h>
static int sum(const int *p, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += p[i];
	return s;
}
static int vla(int n)
{
	int total = 0;
	for (int i = 1; i <= n; i++) {
		int a[i], b[i][2];
		for (int k = 0; k < i; k++) {
			a[k] = k;
			b[k][0] = b[k][1] = 1;
		}
		total += sum(a, i) + sum(&b[0][0], 2 * i);
		if (i == 7)
			continue;
		if (i == 9)
			break;
	}
	return total;
}
static int vla_parameter(int n, int a[n][n])
{
	return a[n - 1][n - 1] + (int)(sizeof(a[0]) / sizeof(int));
}
static int alloca_loop(int n)
{
	int *kept[8];
	for (int i = 0; i < n; i++) {
		kept[i] = alloca((size_t)(i + 1) * sizeof(int));
		for (int k = 0; k <= i; k++)
			kept[i][k] = i;
	}
	int s = 0;
	for (int i = 0; i < n; i++)
		s += sum(kept[i], i + 1);
	return s;
}
struct node {
	int value;
	struct node *next;
};
static int recurse(struct node *list, int depth)
{
	struct node here = { .next = list, .value = depth };
	if (depth)
		return recurse(&here, depth - 1);
	int s = 0;
	for (struct node *n = &here; n; n = n->next)
		s += n->value;
	return s;
}
static int goto_loop(int n)
{
	int i = 0, *p = &i;
again:
	if (*p >= n)
		goto out;
	(*p)++;
	goto again;
out:
	return i;
}
static int computed(int n)
{
	static void *const table[] = { &&zero, &&one, &&two, &&end };
	int result = 0;
	goto *table[n];
zero:
	result += 1;
one:
	result += 10;
two:
	result += 100;
end:
	return result;
}
static int old_style(a, b)
int a;
char b;
{
	return a + b;
}
static int sw(int n)
{
	switch (n) {
	case 1 ... 3:
		n += 10;
		/* fall through */
	case 50:
		n += 100;
		break;
	default:
		n = 0;
	}
	return n;
}
THREAD(work)
{
	assert(vla(9) == 0 + 1 + 3 + 6 + 10 + 15 + 21 + 28 + 36 + 2 * 45);
	int square[3][3] = { [2] = { [2] = 40 } };
	assert(vla_parameter(3, square) == 43);
	assert(alloca_loop(4) == 0 + 2 + 6 + 12);
	assert(recurse(NULL, 10) == 55);
	assert(goto_loop(5000) == 5000);
	assert(computed(0) == 111 && computed(1) == 110 && computed(3) == 0);
	assert(old_style(1, 2) == 3);
	assert(sw(2) == 112 && sw(50) == 150 && sw(9) == 0);
	assert(sum((int[]){ 1, 2, 3 }, 3) == 6);
	int designated[10] = { [3] = 1, [7] = 2, 5 };
	assert(sum(designated, 10) == 8 && designated[8] == 5);
	assert(({ int t = 4; int *p = &t; *p * 2; }) == 8);
	return argument;
}
int main(void)
{
	RUN(work, work);
	return 0;
}
