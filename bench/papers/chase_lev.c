/*
 * Chase_Lev_deque(N): main pushes three numbers and takes two from the same end, while N threads steal one each from the other. The
 * third number needs a larger array. The algorithm has fences where it takes and where it steals; without them, -DFENCES=0, a number
 * comes out twice. With -DJOBS=... the numbers are jobs, and main waits until all are done. When one has come out twice, the top has
 * passed the bottom, the next one that is pushed comes out never, and main waits for ever.
 */
#include "lockfree.h"

#ifndef N
#define N 2
#endif
#ifndef PUSHES
#define PUSHES 3
#endif
#ifndef TAKES
#define TAKES 2
#endif
#define NOTHING -1

struct array {
	atomic_int size, elements[4];
};

static struct array small = { .size = 2 }, large;
static struct array *_Atomic array = &small;
static atomic_int top, bottom;

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

#ifdef JOBS

static atomic_int done[JOBS];

static void work(int job)
{
	if (job != NOTHING)
		store(done[job], 1);
}

static void *thief(void *argument)
{
	(void)argument;
	work(steal());
	return NULL;
}

int main(void)
{
	pthread_t thread[N];
	int job;
	for (int i = 0; i < N; i++)
		start(&thread[i], thief, i);
	push(0);
	push(1);
	work(take());
	for (job = 2; job < JOBS; job++)
		push(job);
	while ((job = take()) != NOTHING)
		work(job);
	/* What is not done yet is in the hands of a thief. */
	for (job = 0; job < JOBS; job++)
		while (!load(done[job]))
			continue;
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

#else

static int stolen[N];

static void *thief(void *argument)
{
	stolen[number(argument)] = steal();
	return NULL;
}

int main(void)
{
	pthread_t thread[N];
	int taken[TAKES];
	for (int i = 0; i < N; i++)
		start(&thread[i], thief, i);
	for (int i = 0; i < PUSHES; i++)
		push(1 << i);
	for (int i = 0; i < TAKES; i++)
		taken[i] = take();
	for (int i = 0; i < N; i++) {
		pthread_join(thread[i], NULL);
#ifndef NO_ASSERT
		for (int j = 0; j < TAKES; j++)
			assert(stolen[i] == NOTHING || stolen[i] != taken[j]);
#endif
	}
	return 0;
}

#endif
