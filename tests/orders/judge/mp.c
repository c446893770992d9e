/* Message passing: store, load. */
#include "programs.h"

static atomic_int flag;
static int data;

static void *one(void *a)
{
	data = 1;
	atomic_store_explicit(&flag, 1, ORDER(0));
	return a;
}

static void *two(void *a)
{
	if (atomic_load_explicit(&flag, ORDER(1)))
		assert(data == 1);
	return a;
}

int main(int argc, char **argv)
{
	TAKE_ORDERS(argc, argv);
	RUN(one, two);
	return 0;
}
