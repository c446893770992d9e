/*
 * fib-bench(N): two threads add each other's number to their own, N times; main looks at both, and no number may exceed the
 * Fibonacci number that strict alternation leads to.
 *
 * -DJOIN: main waits for the threads first. -DSTRICT: main claims that this Fibonacci number is not even reached, which is
 * wrong. So the programs of the verdicts are: fib_true, fib_true_join (-DJOIN), fib_false (-DSTRICT), fib_false_join (both).
 */
#include "papers.h"

#ifndef N
#define N 5
#endif

#ifdef STRICT
#define GOAL (fibonacci(2 * N + 2) - 1)
#else
#define GOAL fibonacci(2 * N + 2)
#endif

static atomic_int x[2] = { 1, 1 };

static void *body(void *argument)
{
	int self = number(argument);
	for (int i = 0; i < N; i++) {
		int own = get(x[self]);
		set(x[self], own + get(x[1 - self]));
	}
	return NULL;
}

static int fibonacci(int n)
{
	int a = 0, b = 1;
	for (; n > 0; n--) {
		int sum = a + b;
		a = b;
		b = sum;
	}
	return a;
}

int main(void)
{
	pthread_t thread[2];
	start(&thread[0], body, 0);
	start(&thread[1], body, 1);
#ifdef JOIN
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
#endif
	assert(get(x[0]) <= GOAL && get(x[1]) <= GOAL);
	return 0;
}
