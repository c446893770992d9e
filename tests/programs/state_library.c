// What the library keeps: random numbers, the environment, where strtok() is, errno, rounding, signals, callbacks of qsort(), and what was printed.
// everett: -lm
// executions: tso/traces:10 rc11/rf:10
// finding: none
#include "run.h"
#include <errno.h>
#include <fenv.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static atomic_int x, y;
static int seen[6];
static volatile sig_atomic_t signals;
static int read_now(atomic_int *from)
{
	return atomic_load_explicit(from, memory_order_relaxed);
}
static int compare(const void *a, const void *b)
{
	return (*(const int *)a - *(const int *)b) * (read_now(&x) ? -1 : 1);
}
static void handler(int number)
{
	signals = signals * 10 + (number == SIGUSR1) + read_now(&y);
}
static int rounded_up(void)
{
	volatile double one = 1, three = 3, third = one / three;
	return third > 1.0 / 3;
}
THREAD(first)
{
	char text[] = "a,b,c";
	int list[3] = { 2, 3, 1 };
	errno = 3;
	srand(3);
	strtok(text, ",");
	qsort(list, 3, sizeof(*list), compare);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	seen[0] = list[0] * 100 + errno * 10 + rounded_up();
	raise(SIGUSR1);
	seen[1] = *strtok(NULL, ",") - 'a' + 10 * (rand() % 10);
	printf("first %d\n", read_now(&x));
	return argument;
}
THREAD(second)
{
	errno = 4;
	fesetround(FE_UPWARD);
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	seen[2] = rounded_up() * 10 + errno;
	seen[3] = read_now(&y);
	fesetround(FE_TONEAREST);
	seen[4] = rounded_up() * 10 + errno;
	if (seen[3])
		printf("second\n");
	return argument;
}
int main(void)
{
	signal(SIGUSR1, handler);
	setenv("NAME", "value", 1);
	RUN(first, second);
	assert(seen[0] % 100 == 30 && seen[2] == 14 && seen[4] == 4 && seen[1] % 10 == 1);
	assert(!strcmp(getenv("NAME"), "value") && rounded_up() == 0);
	seen[5] = signals;
	return 0;
}
