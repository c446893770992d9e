/* RUN(f, g, ...): one thread for each function, created in this order and joined in this order. */
#ifndef RUN_H
#define RUN_H

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static inline void run_all(unsigned n, void *(*const *functions)(void *), pthread_t *threads)
{
	for (unsigned i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, functions[i], (void *)(size_t)i);
	for (unsigned i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

#define RUN(...) \
	do { \
		void *(*const functions[])(void *) = { __VA_ARGS__ }; \
		pthread_t threads[sizeof(functions) / sizeof(functions[0])]; \
		run_all(sizeof(functions) / sizeof(functions[0]), functions, threads); \
	} while (0)

#define THREAD(name) static void *name(void *argument)

#endif
