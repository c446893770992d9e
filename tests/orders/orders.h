/*
 * What the programs of this folder share. Operations of the algorithms are sites (sites.h); those of the tests around them use <stdatomic.h>.
 */
#ifndef ORDERS_H
#define ORDERS_H

#include "sites.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

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
