/*
 * Chase_Lev_deque(N): main pushes three numbers and takes two from the same end, while N threads steal one each from the other. The
 * third number needs a larger array. The algorithm has fences where it takes and where it steals; without them, -DFENCES=0, a number
 * comes out twice.
 */
#include "lockfree.h"

#ifndef N
#define N 2
#endif
#define NOTHING -1

struct array {
	atomic_int size, elements[4];
};

static struct array small = { .size = 2 }, large;
static struct array *_Atomic array = &small;
static atomic_int top, bottom;
static int stolen[N];

static atomic_int *place(struct array *of, int index)
{
	return &of->elements[index % load(of->size)];
}

static void grow(void)
{
	struct array *old = load(array);
	int from = load(top), to = load(bottom);
	store(large.size, 2 * load(old->size));
	for (int i = from; i < to; i++)
		store(*place(&large, i), load(*place(old, i)));
	store(array, &large);
}

static void push(int value)
{
	int end = load(bottom), start = load(top);
	if (end - start >= load(load(array)->size))
		grow();
	store(*place(load(array), end), value);
	store(bottom, end + 1);
}

static int take(void)
{
	int end = load(bottom) - 1, value = NOTHING;
	struct array *from = load(array);
	store(bottom, end);
	fence_tso();
	int start = load(top);
	if (start <= end)
		value = load(*place(from, end));
	if (start < end)
		return value;
	if (start == end && !atomic_compare_exchange_strong(&top, &start, start + 1))
		value = NOTHING;
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
	int value = load(*place(load(array), start));
	if (!atomic_compare_exchange_strong(&top, &start, start + 1))
		return NOTHING;
	return value;
}

static void *thief(void *argument)
{
	stolen[number(argument)] = steal();
	return NULL;
}

int main(void)
{
	pthread_t thread[N];
	int taken[2];
	for (int i = 0; i < N; i++)
		start(&thread[i], thief, i);
	push(1);
	push(2);
	push(4);
	taken[0] = take();
	taken[1] = take();
	for (int i = 0; i < N; i++) {
		pthread_join(thread[i], NULL);
#ifndef NO_ASSERT
		assert(stolen[i] == NOTHING || (stolen[i] != taken[0] && stolen[i] != taken[1]));
#endif
	}
	return 0;
}
