/* Message passing by fences, or by accesses, whichever is cheaper: fence, store, load, fence. */
#include "programs.h"

static atomic_int flag, data;

static void *one(void *a)
{
	put(&data, 1);
	atomic_thread_fence(ORDER(0));
	atomic_store_explicit(&flag, 1, ORDER(1));
	return a;
}

static void *two(void *a)
{
	if (atomic_load_explicit(&flag, ORDER(2))) {
		atomic_thread_fence(ORDER(3));
		assert(look(&data) == 1);
	}
	return a;
}

int main(int argc, char **argv)
{
	TAKE_ORDERS(argc, argv);
	RUN(one, two);
	return 0;
}
