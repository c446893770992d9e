// One thread reads the environment while another changes it.
// everett: --races
// executions: sc/rf:1 sc/traces:1 tso/traces:1
// finding: race
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static void *reader(void *unused)
{
	(void)getenv("EVR_A");
	return unused;
}

int main(void)
{
	pthread_t thread;
	clearenv();
	pthread_create(&thread, NULL, reader, NULL);
	setenv("EVR_A", "new", 1);
	pthread_join(thread, NULL);
	return 0;
}
