/* A work-stealing deque whose owner takes the last item without asking the thieves: an item may be done twice. */
#include "hunt.h"

#define ITEMS 8

static atomic_int top, bottom, items[ITEMS], done[ITEMS];

static void work(int item)
{
	assert(atomic_fetch_add(&done[item], 1) == 0);
}

static void own(void)
{
	for (int i = 0; i < ITEMS; i++) {
		items[i] = i;
		bottom = i + 1;
	}
	for (;;) {
		int b = bottom - 1;
		bottom = b;
		if (b < top)
			return;
		work(items[b]);
	}
}

static void steal(void)
{
	for (int i = 0; i < 4; i++) {
		int t = top;
		if (t < bottom && atomic_compare_exchange_strong(&top, &t, t + 1))
			work(items[t]);
	}
}

static void body(int number)
{
	number ? steal() : own();
}

int main(void)
{
	run(3, body);
	return 0;
}
