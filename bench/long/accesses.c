/*
 * accesses(K): two threads, each with K stores and K loads. In the last EVERY-th of the rounds they access one variable; in the others,
 * each accesses its own, which the main thread has shared by reading it: these are visible events that nobody races with.
 * EVERY=1: all accesses conflict.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 10
#endif
#ifndef EVERY
#define EVERY N
#endif

static atomic_int own[2], common;

static void *run(void *mine)
{
	for (int i = 0; i < N; i++) {
		atomic_int *at = (i + 1) % EVERY ? mine : &common;
		atomic_store(at, i);
		atomic_load(at);
	}
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, run, &own[0]);
	run(&own[1]);
	atomic_load(&own[0]);
	pthread_join(t, NULL);
	return 0;
}
