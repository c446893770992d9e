// errx() prints its message, runs what atexit() was told, and ends the program.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: exit
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void at_end(void)
{
	fputs("at exit\n", stderr);
}

int main(void)
{
	atexit(at_end);
	errx(4, "%s", "ends");
	return 0; /* not reached */
}
