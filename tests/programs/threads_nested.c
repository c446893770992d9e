// Threads created by threads: each of two creates one, which writes x; then it joins it and writes x itself. Two writes
// in each branch, one after the other: 4!/(2!2!) = 6. Whoever is created first, the numbers stay.
// executions: sc/none:6
// finding: none
#include "run.h"
static int x;
static pthread_t ids[2];
THREAD(leaf)
{
	x = (int)(size_t)argument;
	return (char *)argument + 1;
}
THREAD(branch)
{
	size_t me = (size_t)argument;
	pthread_t child;
	void *result = NULL;
	pthread_create(&child, NULL, leaf, (void *)(me * 10));
	pthread_join(child, &result);
	assert((size_t)result == me * 10 + 1);
	ids[me] = child;
	x = (int)me;
	return NULL;
}
int main(void)
{
	RUN(branch, branch);
	assert(!pthread_equal(ids[0], ids[1]));
	return 0;
}
