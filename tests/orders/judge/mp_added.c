/* Message passing without data races, and fences that the program does not have: store, store, load, load. */
#include "programs.h"

static atomic_int data, flag;

static void *one(void *argument)
{
	BEFORE(0), atomic_store_explicit(&data, 1, ORDER(0));
	BEFORE(1), atomic_store_explicit(&flag, 1, ORDER(1));
	return argument;
}

static void *two(void *argument)
{
	if ((BEFORE(2), atomic_load_explicit(&flag, ORDER(2))))
		assert((BEFORE(3), atomic_load_explicit(&data, ORDER(3))) == 1);
	return argument;
}

int main(int argc, char **argv)
{
	TAKE_ORDERS(argc, argv);
	RUN(one, two);
	return 0;
}
