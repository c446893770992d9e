/*
 * ck_spinlock: threads count under a lock, LOCK of fas, cas, dec, ticket, mcs, clh, hclh (threads in CLUSTERS), anderson; none of the counts
 * is lost. EB, with fas, cas, dec: they wait with exponential back-off. PB, with ticket: in proportion to those before them.
 * WRONG, with fas, cas, dec, ticket: trylock's result is ignored. With mcs: threads share a node. With clh: a thread keeps its node,
 * where it should take the one that unlock has left. With anderson: there are fewer slots than threads.
 */
#include "real.h"

#include <ck_spinlock.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef TIMES
#define TIMES 2
#endif

#ifndef CLUSTERS
#define CLUSTERS 1
#endif

#define GLUE(a, b, c) a##b##c
#define CALL(name, suffix) GLUE(ck_spinlock_, name, suffix)
#define IS_mcs 1
#define IS_clh 2
#define IS_anderson 3
#define IS_hclh 4
#define KIND(name) GLUE(IS_, name, )
#define TYPE(name) GLUE(ck_spinlock_, name, _t)

static int counter;

#if KIND(LOCK) == IS_mcs
static ck_spinlock_mcs_t lock;
static ck_spinlock_mcs_context_t nodes[THREADS];

static void count(int me)
{
	ck_spinlock_mcs_context_t *node = &nodes[WRONG ? 0 : me];
	ck_spinlock_mcs_lock(&lock, node);
	counter++;
	ck_spinlock_mcs_unlock(&lock, node);
}

static void initialise(void)
{
	ck_spinlock_mcs_init(&lock);
}
#elif KIND(LOCK) == IS_clh
static ck_spinlock_clh_t *lock, nodes[THREADS], unowned, *mine[THREADS];

static void count(int me)
{
	ck_spinlock_clh_t *node = WRONG || !mine[me] ? &nodes[me] : mine[me];
	ck_spinlock_clh_lock(&lock, node);
	counter++;
	ck_spinlock_clh_unlock(&node);
	mine[me] = node;
}

static void initialise(void)
{
	ck_spinlock_clh_init(&lock, &unowned);
}
#elif KIND(LOCK) == IS_hclh
static ck_spinlock_hclh_t *lock, unowned, *cluster[CLUSTERS], unowned_in[CLUSTERS], nodes[THREADS], *mine[THREADS];

static void count(int me)
{
	ck_spinlock_hclh_t *node = mine[me] ? mine[me] : &nodes[me];
	ck_spinlock_hclh_lock(&lock, &cluster[me % CLUSTERS], node);
	counter++;
	ck_spinlock_hclh_unlock(&node);
	mine[me] = node;
}

static void initialise(void)
{
	ck_spinlock_hclh_init(&lock, &unowned, -1);
	for (int i = 0; i < CLUSTERS; i++)
		ck_spinlock_hclh_init(&cluster[i], &unowned_in[i], i);
}
#elif KIND(LOCK) == IS_anderson
static ck_spinlock_anderson_t lock;
static ck_spinlock_anderson_thread_t slots[THREADS];

static void count(int me)
{
	(void)me;
	ck_spinlock_anderson_thread_t *slot;
	ck_spinlock_anderson_lock(&lock, &slot);
	counter++;
	ck_spinlock_anderson_unlock(&lock, slot);
}

static void initialise(void)
{
	ck_spinlock_anderson_init(&lock, slots, WRONG ? THREADS - 1 : THREADS);
}
#else
static TYPE(LOCK) lock;

static void count(int me)
{
	(void)me;
#if WRONG
	CALL(LOCK, _trylock)(&lock);
#elif defined EB
	CALL(LOCK, _lock_eb)(&lock);
#elif defined PB
	CALL(LOCK, _lock_pb)(&lock, 1);
#else
	CALL(LOCK, _lock)(&lock);
#endif
	counter++;
	CALL(LOCK, _unlock)(&lock);
}

static void initialise(void)
{
	CALL(LOCK, _init)(&lock);
}
#endif

static void *worker(void *me)
{
	for (int i = 0; i < TIMES; i++)
		count((int)(intptr_t)me);
	return NULL;
}

int main(void)
{
	initialise();
	pthread_t thread[THREADS];
	for (int i = 1; i < THREADS; i++)
		thread[i] = start(worker, (void *)(intptr_t)i);
	worker((void *)0);
	for (int i = 1; i < THREADS; i++)
		finish(thread[i]);
	assert(counter == THREADS * TIMES);
	return 0;
}
