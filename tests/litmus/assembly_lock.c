// A spinlock in assembly, as in the kernel's headers: it excludes, hands over what it guards, and waits without a bound.
// executions: sc/rf:2 tso/traces:2 tso/rf:2 ra/rf:2 rc11/rf:2
// finding: none
#include <assert.h>
#include <pthread.h>
static unsigned lock;
static int guarded;
static void take(void)
{
	unsigned char taken;
	do {
		unsigned expected = 0;
		__asm__ __volatile__("lock; cmpxchgl %3, %0; sete %1"
				     : "+m"(lock), "=q"(taken), "+a"(expected) : "r"(1) : "memory", "cc");
		if (!taken)
			__asm__ __volatile__("pause" : : : "memory");
	} while (!taken);
}
static void release(void)
{
	__asm__ __volatile__("movl %1, %0" : "=m"(lock) : "ir"(0) : "memory");
}
static void *adds(void *unused)
{
	take();
	guarded++;
	release();
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, adds, NULL);
	adds(NULL);
	pthread_join(t, NULL);
	assert(guarded == 2);
	return 0;
}
