// A section that fails is never seen half done, and what comes before or after it is seen as ever.
// Of the 14 interleavings, 13 have the section behind the read of x; y is read before it, in it or after it.
// executions: sc/none:14 sc/traces:3 sc/rf:3 tso/rf:3 ra/rf:3
// finding: assertion at section_half_done.c:17, assertion at section_half_done.c:26 under sc tso ra
// everett: --no-races -k
#include <assert.h>
#include <everett.h>
#include <pthread.h>

static int x, y;

static void *t1(void *p)
{
	y = 1;
	everett_atomic_begin();
	x = 1;
	assert(!p);
	everett_atomic_end();
	return p;
}

static void *t2(void *p)
{
	int r = x;
	assert(r == 0);
	assert(y == 0);
	return p;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, t1, &x);
	pthread_create(&b, 0, t2, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
