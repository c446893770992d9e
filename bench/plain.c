/*
 * plain(N): each of N threads counts itself by an atomic update, makes PLAIN plain accesses to a row of its own, and hands the row over by an atomic
 * flag; main looks at the rows that it finds handed over. Race-free; there are N! orders of the updates times 2^N choices of rows, whatever PLAIN is.
 *
 * With -DNATIVE=n it is the same work without Everett: the threads' bodies are called in turn, n times.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif
#ifndef PLAIN
#define PLAIN 1000
#endif
/* A round is a read of one cell and a write of another. */
#define CELLS 32
#define ROUNDS (PLAIN / 2)

static int row[N][CELLS];
static atomic_int count, ready[N];

static void *body(void *argument)
{
	int me = (int)(intptr_t)argument;
	atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
	for (int i = 0; i < ROUNDS; i++)
		row[me][(i + 1) % CELLS] = row[me][i % CELLS] + 1;
	atomic_store_explicit(&ready[me], 1, memory_order_release);
	return NULL;
}

static void collect(void)
{
	for (int i = 0; i < N; i++) {
		if (!atomic_load_explicit(&ready[i], memory_order_acquire))
			continue;
		int most = 0;
		for (int j = 0; j < CELLS && j < PLAIN; j++)
			most = row[i][j] > most ? row[i][j] : most;
		assert(most == ROUNDS);
	}
}

int main(void)
{
#ifdef NATIVE
	for (int n = 0; n < NATIVE; n++) {
		for (int i = 0; i < N; i++) {
			row[i][0] = 0;
			body((void *)(intptr_t)i);
		}
		collect();
	}
#else
	pthread_t thread[N];
	for (int i = 0; i < N; i++)
		pthread_create(&thread[i], NULL, body, (void *)(intptr_t)i);
	collect();
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], NULL);
#endif
	return 0;
}
