/* Calls, direct and through pointers, of functions that do little. */
#include <assert.h>

static long count;

static long fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void up(long by)
{
	count += by;
}

static void down(long by)
{
	count -= by;
}

int main(void)
{
	static void (*const functions[])(long) = { up, up, down };
	assert(fibonacci(22) == 17711);
	for (int i = 0; i < 300000; i++)
		functions[i % 3](1);
	assert(count == 100000);
	return 0;
}
