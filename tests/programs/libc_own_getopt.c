// A program may bring its own version of functions that Everett wraps.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <stddef.h>

char *optarg;
int optind = 1, opterr, optopt;

int getopt(int argc, char *const *argv, const char *options)
{
	(void)argc, (void)argv, (void)options;
	optind++;
	return -1;
}

void *memmem(const void *p, size_t n, const void *wanted, size_t m)
{
	(void)n, (void)wanted, (void)m;
	return (char *)p + 1;
}

int main(int argc, char **argv)
{
	char text[] = "text";
	return getopt(argc, argv, "") != -1 || optind != 2 || memmem(text, 4, "x", 1) != text + 1;
}
