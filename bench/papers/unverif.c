/*
 * 13_unverif(N): N threads count themselves; one that is alone so far counts N steps, and claims that nobody else does.
 */
#include "papers.h"

#ifndef N
#define N 3
#endif

static atomic_int threads, steps;

static void *body(void *unused)
{
	atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed);
	if (get(threads) == 1) {
		for (int i = 1; i <= N; i++) {
			set(steps, get(steps) + 1);
			assert(get(steps) == i);
		}
	}
	return unused;
}

int main(void)
{
	run(N, body);
	return 0;
}
