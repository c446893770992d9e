// A lock made of assumptions: two orders, and two executions in which a thread comes too early.
// executions: sc/traces:2 sc/rf:2 tso/traces:2 pso/rf:2 ra/rf:2
// blocked: sc/traces:2 sc/rf:2 tso/traces:2 pso/rf:2 ra/rf:2
// finding: none under sc tso pso ra
// everett: --no-races
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static int m, c;

static void __VERIFIER_atomic_acquire(void)
{
	__VERIFIER_assume(m == 0);
	m = 1;
}

static void *t(void *p)
{
	__VERIFIER_atomic_acquire();
	c++;
	assert(c == 1);
	c--;
	m = 0;
	return p;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, t, 0);
	pthread_create(&b, 0, t, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
