// The printf family: every conversion, and where it goes.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
// output: 42 text 1.50 x
// output: to stderr: 7
// output: line
// output: ab
// output: where: No such file or directory
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static char buffer[256];

__attribute__((format(printf, 2, 3))) static int is(const char *expected, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int n = vsnprintf(buffer, sizeof(buffer), format, args);
	va_end(args);
	char *allocated;
	int m = vasprintf(&allocated, format, again);
	va_end(again);
	int same = !strcmp(buffer, expected) && n == (int)strlen(expected) && m == n && !strcmp(allocated, expected);
	free(allocated);
	return same;
}

int main(void)
{
	assert(is("0 -1 +1  1 00042 42   |   42", "%d %i %+d % d %05d %-5d|%5d", 0, -1, 1, 1, 42, 42, 42));
	assert(is("4294967295 ff FF 0xff 17 017", "%u %x %X %#x %o %#o", UINT_MAX, 255, 255, 255, 15, 15));
	assert(is("-1 255 -1 65535", "%hhd %hhu %hd %hu", -1, 255, -1, 65535));
	assert(is("-1 1 -2 2 3 4 5", "%ld %lu %lld %llu %jd %zu %td", -1L, 1UL, -2LL, 2ULL, (intmax_t)3, (size_t)4,
		  (ptrdiff_t)5));
	assert(is("9223372036854775807 -9223372036854775808", "%ld %ld", LONG_MAX, LONG_MIN));
	assert(is("1.500000 1.5 1.50e+00 1.5 2 0x1.8p+0", "%f %.1f %.2e %g %.0f %a", 1.5, 1.5, 1.5, 1.5, 1.5, 1.5));
	assert(is("  3.14|3.14  |0003.1|inf|-nan", "%6.2f|%-6.2f|%06.1f|%f|%f", 3.14159, 3.14159, 3.14159, 1 / 0.0,
		  -__builtin_nan("")));
	assert(is("2.5 1e+20", "%Lg %Lg", 2.5L, 1e20L));
	assert(is("c|  c|c  |%|(nil)|0x10", "%c|%3c|%-3c|%%|%p|%p", 'c', 'c', 'c', NULL, (void *)16));
	assert(is("abc|  abc|abc  |ab|   ab|a", "%s|%5s|%-5s|%.2s|%5.2s|%.*s", "abc", "abc", "abc", "abc", "abc", 1,
		  "abc"));
	assert(is("   x|x   |x", "%*s|%*s|%.*s", 4, "x", -4, "x", -1, "x"));
	assert(is("wide", "%ls", L"wide"));
	errno = EACCES;
	assert(is("Permission denied", "%m"));
	/* No terminator is needed where a precision is given. */
	char *open = malloc(3);
	memcpy(open, "xyz", 3);
	assert(is("xyz", "%.3s", open));
	free(open);
	char small[4];
	assert(snprintf(small, sizeof(small), "%d", 123456) == 6 && !strcmp(small, "123"));
	assert(snprintf(NULL, 0, "%s", "twelve chars") == 12 && sprintf(buffer, "%s%d", "a", 1) == 2 &&
	       !strcmp(buffer, "a1"));
	char *long_text = malloc(5001);
	memset(long_text, 'q', 5000);
	long_text[5000] = 0;
	assert(snprintf(NULL, 0, "<%s>", long_text) == 5002);
	free(long_text);

	assert(printf("%d %s %.2f %c\n", 42, "text", 1.5, 'x') == 15);
	fprintf(stderr, "to stderr: %d\n", 7);
	assert(puts("line") >= 0 && putchar('a') == 'a' && fputc('b', stdout) == 'b' && fputs("\n", stdout) >= 0);
	errno = ENOENT;
	perror("where");
	assert(fflush(stdout) == 0 && fflush(NULL) == 0);
	return 0;
}
