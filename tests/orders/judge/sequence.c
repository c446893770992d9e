/* A release sequence of two: store, read-modify-write, load. What both threads wrote has to be seen. */
#include "programs.h"

static atomic_int count;
static int x, y;

static void *one(void *a)
{
	x = 1;
	atomic_store_explicit(&count, 1, ORDER(0));
	return a;
}

static void *two(void *a)
{
	y = 1;
	atomic_fetch_add_explicit(&count, 2, ORDER(1));
	return a;
}

int main(int argc, char **argv)
{
	TAKE_ORDERS(argc, argv);
	pthread_create(&first, NULL, one, NULL);
	pthread_create(&second, NULL, two, NULL);
	if (atomic_load_explicit(&count, ORDER(2)) == 3)
		assert(x + y == 2);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	return 0;
}
