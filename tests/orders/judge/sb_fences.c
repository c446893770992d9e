/* Store buffering with fences: fence, fence. */
#include "programs.h"

static atomic_int x, y;
static int a, b;

static void *one(void *argument)
{
	put(&x, 1);
	atomic_thread_fence(ORDER(0));
	a = look(&y);
	return argument;
}

static void *two(void *argument)
{
	put(&y, 1);
	atomic_thread_fence(ORDER(1));
	b = look(&x);
	return argument;
}

int main(int argc, char **argv)
{
	TAKE_ORDERS(argc, argv);
	RUN(one, two);
	assert(a || b);
	return 0;
}
