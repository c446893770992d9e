// A mutex in a section. The section comes before or after the other thread's; it cannot begin while that holds the mutex, which is
// noticed before its read and before its write. A trylock never finds the mutex held by the section: that comes before or after.
// Under RA the mutex makes the accesses to x quiet: they are no events, and nothing is noticed before them.
// executions: sc/traces:4 sc/rf:4 sc/rvf:4 tso/traces:4 pso/rf:4 ra/rf:4
// blocked: sc/traces:2 sc/rf:2 sc/rvf:2 tso/traces:2 pso/rf:2
// finding: none under sc tso pso ra
// everett: --no-races
#include <assert.h>
#include <everett.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x, choice;

static void *t1(void *p)
{
	everett_atomic_begin();
	pthread_mutex_lock(choice ? &n : &m);
	x++;
	pthread_mutex_unlock(choice ? &n : &m);
	everett_atomic_end();
	return p;
}

static void *t2(void *p)
{
	if (choice) {
		int failed = pthread_mutex_trylock(&n);
		assert(!failed);
		pthread_mutex_unlock(&n);
		return p;
	}
	pthread_mutex_lock(&m);
	x++;
	pthread_mutex_unlock(&m);
	return p;
}

int main(void)
{
	pthread_t a, b;
	choice = (int)everett_choose(2);
	pthread_create(&a, 0, t1, 0);
	pthread_create(&b, 0, t2, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(x == 2 || choice);
	return 0;
}
