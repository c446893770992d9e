// A pointer to a local that is gone, used by another thread after it has synchronised with the end of the function: there is another local by
// then, which was written before, and all that is ordered. The locals are large, since the memory of small ones is not used again anyway.
// everett: -k
// executions: rc11/rf:3
// finding: use-after-free at local_used_after_return.c:33 under rc11
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static int *_Atomic shown;
static atomic_int gone;

static __attribute__((noinline)) void show(void)
{
	int local[40000];
	local[39000] = 1;
	atomic_store_explicit(&shown, &local[39000], memory_order_release);
}

static __attribute__((noinline)) void use_again(pthread_t thread)
{
	int other[40000];
	memset(other, 0, sizeof(other));
	atomic_store_explicit(&gone, other[39000] + 1, memory_order_release);
	pthread_join(thread, NULL);
}

static void *other(void *unused)
{
	int *p = atomic_load_explicit(&shown, memory_order_acquire);
	if (!p || !atomic_load_explicit(&gone, memory_order_acquire))
		return unused;
	*p = 2;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, other, NULL);
	show();
	use_again(thread);
	return 0;
}
