// Nobody sees an atomic section half done, by accesses outside of sections either. One section comes before, between or after two reads.
// executions: sc/none:3 sc/traces:3 sc/rf:3 sc/rvf:3 tso/traces:3 tso/rf:3 pso/traces:3 pso/rf:3 ra/none:3 ra/rf:3
// finding: none under sc tso pso ra
// everett: --no-races
#include <assert.h>
#include <everett.h>
#include <pthread.h>

static int x, y;

static void *t1(void *p)
{
	everett_atomic_begin();
	x = 1;
	everett_atomic_begin();
	y = 1;
	everett_atomic_end();
	x = 2;
	everett_atomic_end();
	return p;
}

static void *t2(void *p)
{
	int r = x, s = y;
	assert(r == 0 || (r == 2 && s == 1));
	return p;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, t1, 0);
	pthread_create(&b, 0, t2, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
