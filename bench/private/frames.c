/* Functions with locals whose addresses leave them. */
#include <assert.h>

struct pair {
	long low, high;
};

static void split(long n, struct pair *p)
{
	p->low = n & 0xff;
	p->high = n >> 8;
}

static void swap(int *a, int *b)
{
	int t = *a;
	*a = *b;
	*b = t;
}

static long sum(long n)
{
	struct pair p;
	split(n, &p);
	int a = (int)p.low, b = (int)p.high;
	swap(&a, &b);
	return a + b;
}

static int average(const int *numbers, int n)
{
	int total = 0;
	for (int i = 0; i < n; i++)
		total += numbers[i];
	return total / n;
}

int main(void)
{
	long total = 0;
	for (long i = 0; i < 100000; i++) {
		int numbers[8];
		for (int k = 0; k < 8; k++)
			numbers[k] = (int)i + k;
		total += sum(i) + average(numbers, 8);
	}
	assert(total == 5032473600);
	return 0;
}
