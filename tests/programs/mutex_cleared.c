// A mutex in memory that was cleared as a whole, and then initialised, or not: zeros are a mutex, too. What clears the memory around it does so in other
// pieces than the mutex is accessed in.
// executions: sc/none:2 tso/traces:2 ra/none:2 sc/rvf:2
// finding: none
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct counter {
	int before, value;
	pthread_mutex_t mutex;
	int behind;
};

static void *count(void *argument)
{
	struct counter *c = argument;
	pthread_mutex_lock(&c->mutex);
	c->value++;
	pthread_mutex_unlock(&c->mutex);
	return NULL;
}

static struct counter *make(int initialise)
{
	struct counter *c = malloc(sizeof(*c));
	memset(c, 0, sizeof(*c));
	if (initialise)
		pthread_mutex_init(&c->mutex, NULL);
	return c;
}

int main(void)
{
	struct counter *first = make(1), *second = make(0);
	pthread_t a, b;
	pthread_create(&a, NULL, count, first);
	pthread_create(&b, NULL, count, first);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	count(second);
	assert(first->value == 2 && second->value == 1 && !first->before && !second->behind);
	free(first);
	free(second);
}
