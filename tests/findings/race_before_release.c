// Store buffering, and then a plain access in each thread: a race, although each thread releases something behind it. What a release ends is known to
// those who acquire it, and to nobody else.
// everett: --keep-going
// executions: rc11/none:30 rc11/rf:10
// finding: race at race_before_release.c:17 under rc11
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2];
static int counter;

static void go(int me)
{
	atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
	if (!atomic_load_explicit(&wants[1 - me], memory_order_acquire))
		counter++;
	atomic_store_explicit(&wants[me], 0, memory_order_release);
}

static void *work(void *unused)
{
	go(1);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	go(0);
	pthread_join(thread, NULL);
	return 0;
}
