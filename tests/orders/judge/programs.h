/*
 * What the programs of this folder share: each has some orders, ORDER(0), ORDER(1), ... As compiled for `everett orders` they are constants, all FROM or, of number i, what
 * -DORDER_i names. With -DARGUMENTS they come from the command line, so that one checker serves for all assignments.
 *
 * BEFORE(i) is where `everett orders` may add a fence. With -DARGUMENTS it has one, unless its order is relaxed; these orders come after the others, MOST from the first.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef ARGUMENTS
#define MOST 8
static memory_order orders[2 * MOST];
#define ORDER(i) orders[i]
#define BEFORE(i) (orders[MOST + i] ? atomic_thread_fence(orders[MOST + i]) : (void)0)
#define TAKE_ORDERS(argc, argv) \
	for (int i = 1; i < argc; i++) \
		orders[i - 1] = atoi(argv[i])
#else
#define ORDER(i) ORDER_##i
#define BEFORE(i) (void)0
#define TAKE_ORDERS(argc, argv) (void)argc, (void)argv
#endif

/* Accesses that are relaxed for good: in this file, which --in leaves alone. */
static inline void put(atomic_int *to, int value)
{
	atomic_store_explicit(to, value, memory_order_relaxed);
}

static inline int look(atomic_int *from)
{
	return atomic_load_explicit(from, memory_order_relaxed);
}

static pthread_t first, second;
#define RUN(one, two) \
	do { \
		pthread_create(&first, NULL, one, NULL); \
		pthread_create(&second, NULL, two, NULL); \
		pthread_join(first, NULL); \
		pthread_join(second, NULL); \
	} while (0)
