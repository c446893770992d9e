// Sections that have nothing in common do not exclude each other: two orders on x, two on y.
// executions: sc/traces:4 sc/rf:4 tso/traces:4 pso/rf:4 ra/rf:4
// finding: none under sc tso pso ra
// everett: --no-races
#include <pthread.h>

static int x[2], y[2];

/* The same function, called with one array only. */
static void __VERIFIER_atomic_x(void) { x[0]++; x[1]++; }
static void __VERIFIER_atomic_y(void) { y[0]++; y[1]++; }

static void *tx(void *p) { __VERIFIER_atomic_x(); return p; }
static void *ty(void *p) { __VERIFIER_atomic_y(); return p; }

int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], 0, i < 2 ? tx : ty, 0);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	return 0;
}
