/* A lock that is tried once: compare_exchange, its failure, store; and who fails looks at what the owner wrote before: store. */
#include "programs.h"

static atomic_int lock;
static int data, hint;

static void *one(void *a)
{
	int no = 0;
	if (!atomic_compare_exchange_strong_explicit(&lock, &no, 1, ORDER(0), ORDER(1))) {
		if (no == 2)
			assert(hint == 1);
		return a;
	}
	data++;
	if (a) {
		atomic_store_explicit(&lock, 0, ORDER(2));
	} else {
		hint = 1;
		atomic_store_explicit(&lock, 2, ORDER(3));
	}
	return a;
}

int main(int argc, char **argv)
{
	TAKE_ORDERS(argc, argv);
	pthread_create(&first, NULL, one, &first);
	pthread_create(&second, NULL, one, NULL);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	return 0;
}
