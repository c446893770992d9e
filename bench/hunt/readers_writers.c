/* A lock for readers and a writer whose first reader counts itself before it looks for a writer: both may be inside. */
#include "hunt.h"

static atomic_int readers, writing, inside;

static void read_once(void)
{
	if (readers++ == 0 && writing) {
		readers--;
		return;
	}
	assert(!inside);
	readers--;
}

static void write_once(void)
{
	if (readers)
		return;
	writing = 1;
	inside = 1;
	inside = 0;
	writing = 0;
}

static void body(int number)
{
	for (int i = 0; i < 3; i++)
		number ? read_once() : write_once();
}

int main(void)
{
	run(3, body);
	return 0;
}
