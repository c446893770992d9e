// An overlapping memmove takes along, byte for byte, what is known to be initialised. Another thread looks, because a
// thread's own writes need no check.
// executions: sc/none:1
// finding: none
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *p;

static void *reader(void *unused)
{
	for (int i = 2; i < 17; i++)
		assert(p[i] == i - 1);
	for (int i = 30; i < 45; i++)
		assert(p[i] == i - 29);
	for (int i = 48; i < 63; i++)
		assert(p[i] == i - 47);
	return unused;
}

int main(void)
{
	pthread_t thread;
	p = malloc(64);
	for (int i = 1; i < 16; i++)
		p[i] = p[21 + i] = p[48 + i] = (char)i;
	memmove(p + 1, p, 16);
	memmove(p + 29, p + 21, 16);
	memmove(p + 47, p + 48, 16);
	pthread_create(&thread, NULL, reader, NULL);
	pthread_join(thread, NULL);
	free(p);
	return 0;
}
