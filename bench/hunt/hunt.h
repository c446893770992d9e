/* What the programs of this folder share: run(n, body) runs body(0), ..., body(n - 1) side by side and waits for them. */
#ifndef BENCH_HUNT_H
#define BENCH_HUNT_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void (*hunt_body)(int number);

static void *hunt_thread(void *number)
{
	hunt_body((int)(size_t)number);
	return NULL;
}

static inline void run(int n, void (*body)(int number))
{
	pthread_t *threads = malloc((size_t)n * sizeof(*threads));
	hunt_body = body;
	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, hunt_thread, (void *)(size_t)i);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}

#endif
