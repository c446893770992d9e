// One thread reads the string that the other frees.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: use-after-free at libc_string_race.c:12
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *text;

static void *reader(void *unused)
{
	(void)strcmp(text, "a");
	return unused;
}

int main(void)
{
	pthread_t thread;
	text = strdup("b");
	pthread_create(&thread, NULL, reader, NULL);
	free(text);
	pthread_join(thread, NULL);
	return 0;
}
