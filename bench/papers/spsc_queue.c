/*
 * SPSC_queue(2): one thread puts an element into a list, another takes it, and waits for an event if there is none. Who puts looks
 * whether anybody waits without making sure that its element can be seen (signal_relaxed), so that both may miss each other.
 * -DFENCES=1: it does.
 */
#include "lockfree.h"

#define WAITED_FOR 0x80000000U

static atomic_int element;
static atomic_uint event;

static void put(int value)
{
	store(element, value);
	unsigned now = FENCES ? atomic_fetch_add(&event, 0) : load(event);
	if (!(now & WAITED_FOR))
		return;
	while (!atomic_compare_exchange_strong(&event, &now, (now + 1) & ~WAITED_FOR))
		continue;
}

static int take(void)
{
	int value = load(element);
	while (!value) {
		unsigned before = atomic_fetch_or(&event, WAITED_FOR) & ~WAITED_FOR;
		value = load(element);
		if (value)
			break;
		while ((load(event) & ~WAITED_FOR) == before)
			continue;
		value = load(element);
	}
	return value;
}

static void *body(void *argument)
{
	if (number(argument) == 0)
		put(11);
	else
		assert(take() == 11);
	return NULL;
}

int main(void)
{
	run(2, body);
	return 0;
}
