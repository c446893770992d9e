/* Store buffering, and fences that the program does not have: store, load, store, load. */
#include "programs.h"

static atomic_int x, y;
static int a, b;

static void *one(void *argument)
{
	BEFORE(0), atomic_store_explicit(&x, 1, ORDER(0));
	a = (BEFORE(1), atomic_load_explicit(&y, ORDER(1)));
	return argument;
}

static void *two(void *argument)
{
	BEFORE(2), atomic_store_explicit(&y, 1, ORDER(2));
	b = (BEFORE(3), atomic_load_explicit(&x, ORDER(3)));
	return argument;
}

int main(int argc, char **argv)
{
	TAKE_ORDERS(argc, argv);
	RUN(one, two);
	assert(a || b);
	return 0;
}
