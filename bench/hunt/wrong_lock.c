/* N threads add to a counter under a lock, one of them under another lock. */
#include "hunt.h"

#define N 8

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, wrong = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void body(int number)
{
	pthread_mutex_t *mine = number ? &lock : &wrong;
	pthread_mutex_lock(mine);
	int c = counter;
	counter = c + 1;
	pthread_mutex_unlock(mine);
}

int main(void)
{
	run(N, body);
	assert(counter == N);
	return 0;
}
