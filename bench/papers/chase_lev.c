/*
 * Chase_Lev_deque(2): main pushes three numbers and takes two from the same end, while a thread steals one from the other. The
 * algorithm has a fence where it takes and where it steals; without them, -DFENCES=0, a number comes out twice.
 */
#include "lockfree.h"

#define SIZE 4
#define NOTHING -1

static atomic_int top, bottom, elements[SIZE];
static int stolen;

static void push(int value)
{
	int end = load(bottom);
	assert(end - load(top) < SIZE);
	store(elements[end % SIZE], value);
	store(bottom, end + 1);
}

static int take(void)
{
	int end = load(bottom) - 1, value = NOTHING;
	store(bottom, end);
	fence_tso();
	int start = load(top);
	if (start < end)
		return load(elements[end % SIZE]);
	if (start == end) {
		value = load(elements[end % SIZE]);
		if (!atomic_compare_exchange_strong(&top, &start, start + 1))
			value = NOTHING;
	}
	store(bottom, end + 1);
	return value;
}

static int steal(void)
{
	int start = load(top);
	fence_tso();
	int end = load(bottom);
	if (start >= end)
		return NOTHING;
	int value = load(elements[start % SIZE]);
	if (!atomic_compare_exchange_strong(&top, &start, start + 1))
		return NOTHING;
	return value;
}

static void *thief(void *argument)
{
	(void)argument;
	stolen = steal();
	return NULL;
}

int main(void)
{
	pthread_t thread;
	start(&thread, thief, 0);
	push(1);
	push(2);
	push(4);
	int one = take(), two = take();
	pthread_join(thread, NULL);
#ifndef NO_ASSERT
	assert(one != two && one != stolen && two != stolen);
#endif
	(void)one, (void)two;
	return 0;
}
