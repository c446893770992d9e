/*
 * Store buffering with two stores on one side, where one fence is cheaper than two stores that are seq_cst: store, store, load, store, load, load.
 */
#include "programs.h"

static atomic_int x, y, z;
static int a, b, c;

static void *one(void *argument)
{
	BEFORE(0), atomic_store_explicit(&x, 1, ORDER(0));
	BEFORE(1), atomic_store_explicit(&y, 1, ORDER(1));
	a = (BEFORE(2), atomic_load_explicit(&z, ORDER(2)));
	return argument;
}

static void *two(void *argument)
{
	BEFORE(3), atomic_store_explicit(&z, 1, ORDER(3));
	b = (BEFORE(4), atomic_load_explicit(&x, ORDER(4)));
	c = (BEFORE(5), atomic_load_explicit(&y, ORDER(5)));
	return argument;
}

int main(int argc, char **argv)
{
	TAKE_ORDERS(argc, argv);
	RUN(one, two);
	assert(a || (b && c));
	return 0;
}
