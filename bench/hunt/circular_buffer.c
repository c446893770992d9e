/* A ring for one producer and one consumer, used by two producers: both may take the same place. */
#include "hunt.h"

#define SLOTS 8

static atomic_int ring[SLOTS], head, tail, got;

static void put(int value)
{
	int h = head;
	if (h - tail == SLOTS)
		return;
	ring[h % SLOTS] = value;
	head = h + 1;
}

static void body(int number)
{
	if (number < 2) {
		for (int i = 0; i < 4; i++)
			put(1);
		return;
	}
	for (int i = 0; i < 8; i++)
		if (tail < head) {
			got += ring[tail % SLOTS];
			tail++;
		}
}

int main(void)
{
	run(3, body);
	assert(got + (head - tail) == 8);
	return 0;
}
