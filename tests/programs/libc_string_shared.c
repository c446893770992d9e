// A string that another thread writes is read byte by byte: strlen() sees either length, or both bytes.
// executions: sc/none:3
// finding: none
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[4] = "a";

static void *writer(void *unused)
{
	text[1] = 'b';
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, writer, NULL);
	size_t n = strlen(text);
	assert(n == 1 || n == 2);
	char c = text[1];
	assert(n == 1 || c == 'b');
	pthread_join(thread, NULL);
	return 0;
}
