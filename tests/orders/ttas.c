/*
 * A test-and-test-and-set lock, with a trylock. Whoever has it counts, in a plain variable.
 */
#include "orders.h"

static atomic_bool held;
static int counter;

static void lock(void)
{
	do
		while (LOAD(lock_test, relaxed, &held))
			;
	while (EXCHANGE(lock_exchange, acquire, &held, true));
}

static bool try_lock(void)
{
	bool expected = false;
	return CAS(try_cas, acquire, try_cas_failed, relaxed, &held, &expected, true);
}

static void unlock(void)
{
	STORE(unlock_store, release, &held, false);
}

static void *work(void *unused)
{
	lock();
	counter++;
	unlock();
	return unused;
}

int main(void)
{
	int expected = 2;
	pthread_t a = start(work, NULL), b = start(work, NULL);
	if (try_lock()) {
		expected++;
		counter++;
		unlock();
	}
	finish(a);
	finish(b);
	assert(counter == expected);
	return 0;
}
