/* <err.h> and <error.h>: messages with the program's name and what errno means, and perhaps the end. */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <err.h>
#include <errno.h>
#include <error.h>
#include <string.h>

static void add(struct evr_text *t, const char *s)
{
	evr_text_add(t, s, strlen(s));
}

static void add_name(struct evr_text *t, bool full_path)
{
	const char *path = evr_rt.argc ? evr_rt.argv[0] : "", *slash = strrchr(path, '/');
	add(t, full_path || !slash ? path : slash + 1);
	add(t, ": ");
}

static void add_error(struct evr_text *t, int error)
{
	char text[EVR_ERROR_TEXT];
	evr_error_text(error, text);
	add(t, text);
}

static void print(struct evr_text *t, const struct evr_site *site)
{
	add(t, "\n");
	evr_file_write(evr_file_of(stderr, "err", site), t->data, t->len);
	evr_text_release(t);
}

/* `error` < 0: errno is not of interest. */
static void warning(int error, const char *format, va_list args, const struct evr_site *site)
{
	struct evr_text t;
	evr_text_init(&t);
	add_name(&t, false);
	if (format)
		evr_format_text(&t, format, args, site);
	if (error >= 0 && format)
		add(&t, ": ");
	if (error >= 0)
		add_error(&t, error);
	print(&t, site);
}

static void leave(int status, const struct evr_site *site)
{
	evr_call_site = site;
	evr_libc_exit(status);
}

void evr_libc_vwarn(const char *format, va_list args)
{
	warning(errno, format, args, evr_call_site);
}

void evr_libc_vwarnx(const char *format, va_list args)
{
	warning(-1, format, args, evr_call_site);
}

void evr_libc_verr(int status, const char *format, va_list args)
{
	const struct evr_site *site = evr_call_site;
	warning(errno, format, args, site);
	leave(status, site);
}

void evr_libc_verrx(int status, const char *format, va_list args)
{
	const struct evr_site *site = evr_call_site;
	warning(-1, format, args, site);
	leave(status, site);
}

void evr_libc_warn(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	evr_libc_vwarn(format, args);
	va_end(args);
}

void evr_libc_warnx(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	evr_libc_vwarnx(format, args);
	va_end(args);
}

void evr_libc_err(int status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	evr_libc_verr(status, format, args);
	va_end(args);
}

void evr_libc_errx(int status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	evr_libc_verrx(status, format, args);
	va_end(args);
}

void evr_libc_error(int status, int number, const char *format, ...)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text t;
	va_list args;
	evr_text_init(&t);
	add_name(&t, true);
	va_start(args, format);
	evr_format_text(&t, format, args, site);
	va_end(args);
	if (number) {
		add(&t, ": ");
		add_error(&t, number);
	}
	print(&t, site);
	if (status)
		leave(status, site);
}
