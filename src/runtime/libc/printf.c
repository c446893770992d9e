/*
 * The printf family: where formatted text goes (format.c makes it).
 *
 * Invariant: the text is complete before any of it is written, and it goes to a file in one piece, which no other thread's
 * output can come into.
 */
#define EVR_ALLOW_BANNED
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <stdint.h>

int evr_libc_vsnprintf(char *to, size_t size, const char *format, va_list args)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text out;
	evr_text_init(&out);
	evr_format_text(&out, format, args, site);
	size_t n = out.len;
	if (size) {
		size_t k = n < size ? n : size - 1;
		out.data[k] = '\0';
		evr_access_write_text(to, out.data, k + 1, site);
	}
	evr_text_release(&out);
	return (int)n;
}

int evr_libc_vsprintf(char *to, const char *format, va_list args)
{
	return evr_libc_vsnprintf(to, SIZE_MAX, format, args);
}

int evr_libc_snprintf(char *to, size_t size, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = evr_libc_vsnprintf(to, size, format, args);
	va_end(args);
	return n;
}

int evr_libc_sprintf(char *to, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = evr_libc_vsnprintf(to, SIZE_MAX, format, args);
	va_end(args);
	return n;
}

int evr_libc_vasprintf(char **to, const char *format, va_list args)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text out;
	evr_text_init(&out);
	evr_format_text(&out, format, args, site);
	int n = (int)out.len;
	char *copy = evr_library_malloc(out.len + 1, site);
	if (copy)
		evr_access_write_text(copy, out.data, out.len + 1, site);
	evr_access_write(to, &copy, sizeof(copy), site);
	evr_text_release(&out);
	return copy ? n : -1;
}

int evr_libc_asprintf(char **to, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = evr_libc_vasprintf(to, format, args);
	va_end(args);
	return n;
}

int evr_libc_vfprintf(FILE *stream, const char *format, va_list args)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = evr_file_of(stream, "fprintf", site);
	struct evr_text out;
	evr_text_init(&out);
	evr_format_text(&out, format, args, site);
	evr_file_use(f, site);
	int n = evr_file_write(f, out.data, out.len) ? (int)out.len : -1;
	evr_text_release(&out);
	return n;
}

int evr_libc_vprintf(const char *format, va_list args)
{
	return evr_libc_vfprintf(stdout, format, args);
}

int evr_libc_fprintf(FILE *stream, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = evr_libc_vfprintf(stream, format, args);
	va_end(args);
	return n;
}

int evr_libc_printf(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = evr_libc_vfprintf(stdout, format, args);
	va_end(args);
	return n;
}

int evr_libc_vdprintf(int fd, const char *format, va_list args)
{
	const struct evr_site *site = evr_call_site;
	struct evr_file *f = evr_file_of_descriptor(fd);
	struct evr_text out;
	if (!f)
		return -1;
	evr_text_init(&out);
	evr_format_text(&out, format, args, site);
	evr_file_use(f, site);
	int n = evr_file_write(f, out.data, out.len) ? (int)out.len : -1;
	evr_text_release(&out);
	return n;
}

int evr_libc_dprintf(int fd, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = evr_libc_vdprintf(fd, format, args);
	va_end(args);
	return n;
}

/* With _FORTIFY_SOURCE. */

int evr_libc___vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list args)
{
	(void)flag, (void)room;
	return evr_libc_vsnprintf(to, size, format, args);
}

int evr_libc___vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args)
{
	(void)flag, (void)room;
	return evr_libc_vsnprintf(to, SIZE_MAX, format, args);
}

int evr_libc___vfprintf_chk(FILE *stream, int flag, const char *format, va_list args)
{
	(void)flag;
	return evr_libc_vfprintf(stream, format, args);
}

int evr_libc___vprintf_chk(int flag, const char *format, va_list args)
{
	(void)flag;
	return evr_libc_vfprintf(stdout, format, args);
}

int evr_libc___vasprintf_chk(char **to, int flag, const char *format, va_list args)
{
	(void)flag;
	return evr_libc_vasprintf(to, format, args);
}

int evr_libc___asprintf_chk(char **to, int flag, const char *format, ...)
{
	(void)flag;
	va_list args;
	va_start(args, format);
	int n = evr_libc_vasprintf(to, format, args);
	va_end(args);
	return n;
}

int evr_libc___snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)
{
	(void)flag, (void)room;
	va_list args;
	va_start(args, format);
	int n = evr_libc_vsnprintf(to, size, format, args);
	va_end(args);
	return n;
}

int evr_libc___sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
	(void)flag, (void)room;
	va_list args;
	va_start(args, format);
	int n = evr_libc_vsnprintf(to, SIZE_MAX, format, args);
	va_end(args);
	return n;
}

int evr_libc___fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
	(void)flag;
	va_list args;
	va_start(args, format);
	int n = evr_libc_vfprintf(stream, format, args);
	va_end(args);
	return n;
}

int evr_libc___printf_chk(int flag, const char *format, ...)
{
	(void)flag;
	va_list args;
	va_start(args, format);
	int n = evr_libc_vfprintf(stdout, format, args);
	va_end(args);
	return n;
}

int evr_libc___vdprintf_chk(int fd, int flag, const char *format, va_list args)
{
	(void)flag;
	return evr_libc_vdprintf(fd, format, args);
}

int evr_libc___dprintf_chk(int fd, int flag, const char *format, ...)
{
	(void)flag;
	va_list args;
	va_start(args, format);
	int n = evr_libc_vdprintf(fd, format, args);
	va_end(args);
	return n;
}
