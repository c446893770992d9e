/*
 * A thread pushes N numbers, another pops N times, all under a mutex (stack_safe). With -DUNSAFE the second one does not ask whether
 * the stack is empty but only whether anything was ever pushed (stack_unsafe).
 */
#include "papers.h"

#ifndef N
#define N 5
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int element[N], height, pushed;

static void push(int value)
{
	assert(height < N);
	element[height++] = value;
	pushed = 1;
}

static void pop(void)
{
#ifdef UNSAFE
	if (!pushed)
		return;
#else
	if (height == 0)
		return;
#endif
	assert(height > 0);
	height--;
	(void)element[height];
}

static void *body(void *argument)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&mutex);
		if (number(argument) == 0)
			push(i);
		else
			pop();
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
