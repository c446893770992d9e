// Either the waiter sleeps until it is woken; or it finds the word changed, before or after the other one has looked for sleepers.
// executions: sc/rf:3 sc/traces:3 tso/traces:3 pso/traces:3 ra/rf:3 rc11/rf:3
// finding: none
#define _GNU_SOURCE
#include "run.h"
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int word;
static int slept, woken;
THREAD(wait)
{
	slept = !syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	assert(slept || errno == EAGAIN);
	return argument;
}
THREAD(wake)
{
	atomic_store(&word, 1);
	woken = (int)syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return argument;
}
int main(void)
{
	RUN(wait, wake);
	assert(slept == woken);
	return 0;
}
