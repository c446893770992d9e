// Nothing says that there was a wake-up before somebody waits.
// everett: -I../programs
// executions: sc/rf:2
// finding: deadlock at futex_lost.c:27
#define _GNU_SOURCE
#include "run.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
static int word;
THREAD(wait)
{
	syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
	return argument;
}
THREAD(wake)
{
	syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
	return argument;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, wait, NULL);
	pthread_create(&b, NULL, wake, NULL);
	pthread_join(b, NULL);
	pthread_join(a, NULL);
	return 0;
}
