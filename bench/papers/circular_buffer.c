/*
 * circular-buffer(N): a sender and a receiver take turns at a buffer of ten, by two flags under a mutex; each looks N times
 * whether it is its turn.
 */
#include "papers.h"

#ifndef N
#define N 7
#endif
#define PLACES 10

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int buffer[PLACES];
static unsigned in, out;
static int may_send = 1, may_receive;
static int sent;

static void send(int value)
{
	assert(in < PLACES);
	buffer[in] = value;
	in = (in + 1) % PLACES;
	sent = value;
}

static int receive(void)
{
	return in > 0 && out < PLACES ? buffer[out++] : -1;
}

static void *body(void *argument)
{
	int sender = number(argument) == 0;
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&mutex);
		if (sender && may_send) {
			send(i);
			may_send = 0;
			may_receive = 1;
		} else if (!sender && may_receive) {
			assert(receive() == sent);
			may_receive = 0;
			may_send = 1;
		}
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
