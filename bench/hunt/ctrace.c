/* A tracing library: the table of threads is guarded, its length is not, so two threads that register at the same time get one entry. */
#include "hunt.h"

#define N 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int length, owner[N], level[N];

static int register_thread(int number)
{
	int place = length;
	pthread_mutex_lock(&lock);
	owner[place] = number;
	level[place] = 0;
	length = place + 1;
	pthread_mutex_unlock(&lock);
	return place;
}

static void body(int number)
{
	int place = register_thread(number);
	for (int i = 0; i < 3; i++)
		level[place]++;
	assert(owner[place] == number && level[place] == 3);
}

int main(void)
{
	run(N, body);
	return 0;
}
