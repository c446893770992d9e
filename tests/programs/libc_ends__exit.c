// _exit() ends the program without what atexit() was told.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: exit
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void)
{
	fputs("never\n", stderr);
}

int main(void)
{
	atexit(never);
	fputs("ends\n", stderr);
	_exit(3);
}
