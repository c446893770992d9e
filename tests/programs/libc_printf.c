// Formats with positions and %n; every function that prints one; messages of <err.h> and <error.h>.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void formats(void)
{
	char text[128];
	int n = -1;
	signed char c = -1;
	short s = -1;
	long l = -1;
	size_t z = 1;
	printf("%2$s %1$d %2$.3s|%3$*4$d|%3$-*4$d|%5$.*6$f\n", 42, "second", 7, 5, 3.14159, 2);
	printf("%1$s %1$s %2$Lg %3$c %4$p\n", "twice", 2.5L, 'c', NULL);
	printf("%3$lld %1$hhd %2$zu\n", 300, (size_t)9, -5LL);
	printf("abc%nde%hhn%hnf%ln%zn\n", &n, &c, &s, &l, &z);
	printf("%d %d %d %ld %zu\n", n, c, s, l, z);
	printf("%d\n", snprintf(text, 4, "%s%n!", "longer", &n));
	printf("%s %d\n", text, n);
	errno = 12345;
	printf("%m|%30m|\n");
	printf("%'d % 5d %+d %#x %#o %#.3g %08.3f %-8s| %5%|%c\n", 1234, 5, 6, 255, 8, 1.0, 3.14159, "left", 'x');
	printf("%.0f %.10e %G %a %.*s %hhu %hd\n", 2.5, 1e10, 1e-10, 1.0, 3, "abcdef", (unsigned char)300,
	       (short)70000);
}

__attribute__((format(printf, 2, 3))) static void each(int which, const char *format, ...)
{
	char text[64], *fresh;
	va_list args;
	va_start(args, format);
	switch (which) {
	case 0:
		vprintf(format, args);
		break;
	case 1:
		vfprintf(stdout, format, args);
		break;
	case 2:
		fflush(stdout);
		vdprintf(1, format, args);
		break;
	case 3:
		printf("%d ", vsprintf(text, format, args));
		fputs(text, stdout);
		break;
	case 4:
		printf("%d ", vasprintf(&fresh, format, args));
		fputs(fresh, stdout);
		free(fresh);
		break;
	case 5:
		printf("%d ", vsnprintf(text, sizeof(text), format, args));
		fputs(text, stdout);
		break;
	case 6:
		vwarn(format, args);
		break;
	default:
		vwarnx(format, args);
	}
	va_end(args);
}

int main(void)
{
	char *fresh, text[32];
	setbuf(stdout, NULL);
	formats();
	for (int i = 0; i < 6; i++)
		each(i, "%d %s %g\n", i, "text", i / 2.0);
	errno = ENOENT;
	each(6, "%s", "with errno");
	each(7, "%s", "without");
	errno = EINVAL;
	warn("%s %d", "warn", 1);
	warn(NULL);
	warnx("warnx");
	printf("%d ", asprintf(&fresh, "%d-%s", 1, "a"));
	puts(fresh);
	free(fresh);
	printf("%d\n", sprintf(text, "%05d", 42));
	dprintf(1, "%s to a descriptor\n", text);
	fprintf(stderr, "to stderr\n");
	program_invocation_name = (char *)"program";
	errno = 0;
	perror("perror");
	errno = 54321;
	perror(NULL);
	return 0;
}
