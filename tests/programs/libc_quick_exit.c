// quick_exit() runs what at_quick_exit() was told, last first, and nothing else.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#include <stdio.h>
#include <stdlib.h>

int __cxa_at_quick_exit(void (*)(void *), void *);

static void first(void)
{
	puts("first");
}

static void second(void *unused)
{
	(void)unused;
	puts("second");
	fflush(stdout);
}

static void never(void)
{
	puts("never");
}

int main(void)
{
	atexit(never);
	at_quick_exit(first);
	__cxa_at_quick_exit(second, NULL);
	puts("main");
	setbuf(stdout, NULL);
	quick_exit(0);
}
