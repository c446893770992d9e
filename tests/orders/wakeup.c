/*
 * Sleeping and waking without a lock: a sleeper announces itself, looks once more whether there is work, and sleeps; whoever has work publishes it
 * and looks whether somebody sleeps. Of the two one must see the other, or the wake-up is lost. Sleeping is a loop that only a wake-up ends.
 */
#include "orders.h"

static atomic_bool work, sleeps, woken;
static int payload;

static void sleeper(void)
{
	STORE(sleeper_announce, relaxed, &sleeps, true);
	FENCE(sleeper_fence, seq_cst);
	if (LOAD(sleeper_check, acquire, &work))
		return;
	while (!LOAD(sleeper_sleep, acquire, &woken))
		;
}

static void *waker(void *unused)
{
	payload = 1;
	STORE(waker_publish, release, &work, true);
	FENCE(waker_fence, seq_cst);
	if (LOAD(waker_check, relaxed, &sleeps))
		STORE(waker_wake, release, &woken, true);
	return unused;
}

int main(void)
{
	pthread_t thread = start(waker, NULL);
	sleeper();
	assert(payload == 1);
	finish(thread);
	return 0;
}
