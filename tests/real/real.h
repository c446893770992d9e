/* What the harnesses share. WRONG: the wrong use of the library that each file describes, for Everett to find. */
#ifndef REAL_H
#define REAL_H

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef WRONG
#define WRONG 0
#endif

static inline pthread_t start(void *(*function)(void *), void *argument)
{
	pthread_t thread;
	int failed = pthread_create(&thread, NULL, function, argument);
	assert(!failed);
	return thread;
}

static inline void finish(pthread_t thread)
{
	int failed = pthread_join(thread, NULL);
	assert(!failed);
}

#endif
