/* twostage: a value and what is computed from it are set in two critical sections; a reader may come in between. N threads. */
#include "hunt.h"

#ifndef N
#define N 100
#endif

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void set(void)
{
	pthread_mutex_lock(&first_lock);
	first = 1;
	pthread_mutex_unlock(&first_lock);
	pthread_mutex_lock(&second_lock);
	second = first + 1;
	pthread_mutex_unlock(&second_lock);
}

static void look(void)
{
	pthread_mutex_lock(&first_lock);
	int a = first;
	pthread_mutex_unlock(&first_lock);
	if (!a)
		return;
	pthread_mutex_lock(&second_lock);
	int b = second;
	pthread_mutex_unlock(&second_lock);
	assert(b == a + 1);
}

static void body(int number)
{
	number < N - 1 ? set() : look();
}

int main(void)
{
	run(N, body);
	return 0;
}
