// verr() prints its message, runs what atexit() was told, and ends the program.
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

__attribute__((format(printf, 2, 3), noreturn)) static void report(int status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	verr(status, format, args);
}

int main(void)
{
	atexit(at_end);
	errno = EACCES;
	report(5, "%s", "ends");
	return 0; /* not reached */
}
