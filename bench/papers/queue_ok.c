/*
 * PUT threads fill an empty queue of N places, TAKE threads empty a full one, all under a mutex; whoever comes and finds it the other way
 * leaves it alone. So what happens depends on the order in which they come, and every order is another execution.
 */
#include "papers.h"

#ifndef N
#define N 12
#endif
#ifndef PUT
#define PUT 3
#endif
#ifndef TAKE
#define TAKE 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int element[N], stored[N], head, tail, amount;
static int may_put = 1, may_take;

static void put(int value)
{
	assert(amount < N);
	element[tail] = value;
	amount++;
	tail = (tail + 1) % N;
}

static int take(void)
{
	assert(amount > 0);
	int value = element[head];
	amount--;
	head = (head + 1) % N;
	return value;
}

static void fill(int value)
{
	for (int i = 0; i < N; i++) {
		value += i;
		put(value);
		stored[i] = value;
	}
	may_put = 0;
	may_take = 1;
}

static void empty(void)
{
	for (int i = 0; i < N; i++)
		assert(take() == stored[i]);
	may_take = 0;
	may_put = 1;
}

static void *body(void *argument)
{
	int self = number(argument);
	pthread_mutex_lock(&mutex);
	if (self < PUT && may_put)
		fill(self);
	else if (self >= PUT && may_take)
		empty();
	pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	run(PUT + TAKE, body);
	return 0;
}
