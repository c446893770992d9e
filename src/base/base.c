#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

EVR_LASTING void (*evr_die_hook)(const char *message);

void evr_die(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *message = evr_vformat(format, args);
	va_end(args);
	if (evr_die_hook)
		evr_die_hook(message);
	fprintf(stderr, "everett: %s\n", message);
	exit(EVR_USAGE);
}

void evr_bug(const char *format, ...)
{
	va_list args;
	fprintf(stderr, "everett: internal error: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\neverett: please report this with the command line and the program\n");
	abort();
}

void evr_warn(const char *format, ...)
{
	va_list args;
	fprintf(stderr, "everett: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n");
}

/* evr_die() and its hook need memory themselves: there may be some for them, but not for a second message. */
static _Noreturn void out_of_memory(size_t size)
{
	static EVR_LASTING bool again;
	if (!again) {
		again = true;
		evr_die("out of memory (%zu bytes)", size);
	}
	fputs("everett: out of memory\n", stderr);
	exit(EVR_USAGE);
}

void *evr_alloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);
	if (!p)
		out_of_memory(size);
	return p;
}

void *evr_realloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);
	if (!p)
		out_of_memory(size);
	return p;
}

char *evr_strndup(const char *s, size_t n)
{
	char *copy = evr_alloc(n + 1);
	memcpy(copy, s, n);
	return copy;
}

char *evr_strdup(const char *s)
{
	return evr_strndup(s, strlen(s));
}

char *evr_vformat(const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	char *text = evr_alloc((size_t)(n < 0 ? 0 : n) + 1);
	if (n > 0)
		vsnprintf(text, (size_t)n + 1, format, args);
	return text;
}

char *evr_format(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = evr_vformat(format, args);
	va_end(args);
	return text;
}

bool evr_starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

const char *evr_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}
