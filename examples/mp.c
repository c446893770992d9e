/* Message passing: whoever sees the flag should see the data. The flag is stored with an order that is too weak for that. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int data, flag;

static void *sender(void *unused)
{
	atomic_store_explicit(&data, 1, memory_order_relaxed);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return unused;
}

static void *receiver(void *unused)
{
	if (atomic_load_explicit(&flag, memory_order_acquire))
		assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, sender, NULL);
	pthread_create(&b, NULL, receiver, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
