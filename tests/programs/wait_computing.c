// A thread that has computed for long without an event keeps few journals of its loops. That its first round at the flag was for nothing is then
// noticed one round later than otherwise: it finds the flag set at once, or has looked in vain once. It does not look any number of times.
// executions: sc/none:2 sc/traces:2 sc/rf:2
// finding: none under sc
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int cells[64];

static void step(int i)
{
	cells[i % 64] += i;
}

static void compute(void)
{
	for (int i = 0; i < 40; i++)
		for (int k = 0; k < 12; k++)
			for (int *p = cells; p < cells + 10; p++)
				step((int)(p - cells));
}

static int is_set(void)
{
	return atomic_load(&flag);
}

static void *waiter(void *unused)
{
	(void)unused;
	compute();
	while (!is_set())
		step(0), step(0), cells[0] = 0;
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, waiter, NULL);
	atomic_store(&flag, 1);
	pthread_join(t, NULL);
	return 0;
}
