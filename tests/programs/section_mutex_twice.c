// A section looks at a mutex twice, while another thread locks and unlocks it. The section comes before, in between or after these two; the
// three ways in which it would see a change are given up. With two mutexes there are the first three as well, and no others.
// executions: sc/traces:6 sc/rf:6 tso/traces:6 ra/rf:6
// blocked: sc/traces:3 sc/rf:3 tso/traces:3 ra/rf:3
// finding: none under sc tso ra
#include <assert.h>
#include <everett.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *t1(void *p)
{
	everett_atomic_begin();
	if (p) {
		int first = pthread_mutex_trylock(&m);
		if (!first)
			pthread_mutex_unlock(&m);
		int second = pthread_mutex_trylock(&m);
		if (!second)
			pthread_mutex_unlock(&m);
		assert(!first == !second);
	} else {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
		/* Somebody else may hold this one. */
		if (!pthread_mutex_trylock(&n))
			pthread_mutex_unlock(&n);
	}
	everett_atomic_end();
	return p;
}

static void *t2(void *p)
{
	pthread_mutex_lock(p ? &m : &n);
	pthread_mutex_unlock(p ? &m : &n);
	return p;
}

int main(void)
{
	void *which = everett_choose(2) ? &m : 0;
	pthread_t a, b;
	pthread_create(&a, 0, t1, which);
	pthread_create(&b, 0, t2, which);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
