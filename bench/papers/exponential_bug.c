/*
 * exponential-bug(N): one thread sets x and then y, y N times, in two critical sections; one resets x in two critical sections
 * and, where it finds x set again behind them, counts y up and sets x to 2; one waits for x to be 2 and looks at y.
 */
#include "papers.h"

#ifndef N
#define N 3
#endif

static atomic_int x, y;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void setter(void)
{
	pthread_mutex_lock(&mutex);
	set(x, 1);
	for (int i = 0; i < N; i++)
		set(y, 1);
	pthread_mutex_unlock(&mutex);
}

static void counter(void)
{
	pthread_mutex_lock(&mutex);
	set(x, 0);
	pthread_mutex_unlock(&mutex);
	if (get(x) > 0) {
		set(y, get(y) + 1);
		set(x, 2);
	}
}

static void *body(void *argument)
{
	for (int i = 0; i < 2; i++) {
		if (number(argument) == 0) {
			setter();
		} else if (number(argument) == 1) {
			counter();
		} else if (get(x) > 1) {
			if (get(y) == 3)
				break;
			set(y, 2);
		}
	}
	return NULL;
}

int main(void)
{
	run(3, body);
	return 0;
}
