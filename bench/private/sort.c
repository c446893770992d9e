/* qsort() of the library, and a quicksort of integers. */
#include <assert.h>
#include <stdlib.h>

enum { N = 20000 };

static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

static void quicksort(int *from, int *to)
{
	while (to - from > 1) {
		int pivot = from[(to - from) / 2], *i = from, *k = to - 1;
		while (i <= k) {
			while (*i < pivot)
				i++;
			while (*k > pivot)
				k--;
			if (i <= k) {
				int t = *i;
				*i++ = *k;
				*k-- = t;
			}
		}
		quicksort(from, k + 1);
		from = i;
	}
}

static void fill(int *a)
{
	unsigned x = 1;
	for (int i = 0; i < N; i++) {
		x = x * 1103515245 + 12345;
		a[i] = (int)(x >> 8 & 0xffff);
	}
}

int main(void)
{
	int *a = malloc(N * sizeof(*a)), *b = malloc(N * sizeof(*b));
	fill(a);
	fill(b);
	qsort(a, N, sizeof(*a), compare);
	quicksort(b, b + N);
	for (int i = 0; i < N; i++)
		assert(a[i] == b[i]);
	free(a);
	free(b);
	return 0;
}
