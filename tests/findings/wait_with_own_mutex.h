/* The loop can only end up with having found 1, in vain: one execution. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *waits(void *argument)
{
	int found;

	do {
		pthread_mutex_lock(&m);
		found = LOOK(&x);
		pthread_mutex_unlock(&m);
	} while (found != 2);
	return argument;
}

static void *writes(void *argument)
{
	atomic_store(&x, 1);
	return argument;
}

int main(void)
{
	pthread_t s, t;

	pthread_create(&s, NULL, waits, NULL);
	pthread_create(&t, NULL, writes, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return 0;
}
