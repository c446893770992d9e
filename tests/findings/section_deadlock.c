// A thread waits in a section for a mutex that main holds while it waits for the thread.
// executions: sc/none:1 sc/rf:1 tso/rf:1
// finding: deadlock under sc tso
#include <everett.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t1(void *p)
{
	everett_atomic_begin();
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	everett_atomic_end();
	return p;
}

int main(void)
{
	pthread_t a;
	pthread_mutex_lock(&m);
	pthread_create(&a, 0, t1, 0);
	pthread_join(a, 0);
	pthread_mutex_unlock(&m);
	return 0;
}
