/*
 * The printf family. The format and the strings that %s names are read as the program would read them; the real snprintf
 * then formats one directive at a time.
 */
#define EVR_ALLOW_BANNED
#include "runtime/libc.h"
#include "runtime/wrappers.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

enum length { PLAIN, CHAR, SHORT, LONG, LONG_LONG, LONG_DOUBLE, INTMAX, SIZE, PTRDIFF };

struct directive {
	char flags[8];
	bool left, has_precision;
	int width, precision;
	enum length length;
	char conversion;
};

/* Everything of a directive but its conversion and length, as text for the real function. */
static void respell(const struct directive *d, char *to, size_t size, const char *length)
{
	int n = snprintf(to, size, "%%%s", d->flags);
	if (d->width)
		n += snprintf(to + n, size - (size_t)n, "%d", d->width);
	if (d->has_precision)
		n += snprintf(to + n, size - (size_t)n, ".%d", d->precision);
	snprintf(to + n, size - (size_t)n, "%s%c", length, d->conversion);
}

static void emit(struct evr_text *out, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	size_t room = 64;
	for (;;) {
		va_list again;
		va_copy(again, args);
		int n = vsnprintf(evr_text_reserve(out, room), room, format, again);
		va_end(again);
		if (n < 0)
			break;
		if ((size_t)n < room) {
			out->len += (size_t)n;
			break;
		}
		room = (size_t)n + 1;
	}
	va_end(args);
}

static enum length parse_length(const char **p)
{
	static const struct {
		const char *text;
		enum length length;
	} known[] = {
		{ "hh", CHAR },       { "h", SHORT },  { "ll", LONG_LONG }, { "l", LONG }, { "q", LONG_LONG },
		{ "L", LONG_DOUBLE }, { "j", INTMAX }, { "z", SIZE },       { "Z", SIZE }, { "t", PTRDIFF },
	};
	for (size_t i = 0; i < EVR_COUNT(known); i++) {
		size_t n = strlen(known[i].text);
		if (!strncmp(*p, known[i].text, n)) {
			*p += n;
			return known[i].length;
		}
	}
	return PLAIN;
}

static int parse_count(const char **p)
{
	int n = 0;
	while (isdigit((unsigned char)**p) && n < 100000000)
		n = 10 * n + (*(*p)++ - '0');
	return n;
}

/* An array in a struct, so that a function can take the next argument of its caller's list, whatever a va_list is. */
struct arguments {
	va_list list;
};

static void parse_directive(struct directive *d, const char **p, struct arguments *args, const struct evr_site *site)
{
	*d = (struct directive){ 0 };
	const char *start = *p;
	parse_count(p);
	if (**p == '$')
		evr_unsupported(site, "positions in a format ('%%%.*s$') are not modelled", (int)(*p - start), start);
	*p = start;
	for (size_t n = 0; **p && strchr("-+ #0'I", **p); ++*p)
		if (!strchr(d->flags, **p) && n + 1 < sizeof(d->flags))
			d->flags[n++] = **p;
	if (**p == '*') {
		++*p;
		d->width = va_arg(args->list, int);
	} else {
		d->width = parse_count(p);
	}
	d->left = strchr(d->flags, '-');
	if (d->width < 0) {
		if (!d->left)
			d->flags[strlen(d->flags)] = '-';
		d->left = true;
		d->width = -d->width;
	}
	if (**p == '.') {
		++*p;
		d->has_precision = true;
		if (**p == '*') {
			++*p;
			d->precision = va_arg(args->list, int);
			d->has_precision = d->precision >= 0;
		} else {
			d->precision = parse_count(p);
		}
	}
	d->length = parse_length(p);
	d->conversion = **p;
	if (**p)
		++*p;
}

static intmax_t signed_argument(enum length length, struct arguments *args)
{
	switch (length) {
	case CHAR:
		return (signed char)va_arg(args->list, int);
	case SHORT:
		return (short)va_arg(args->list, int);
	case LONG:
		return va_arg(args->list, long);
	case LONG_LONG:
	case LONG_DOUBLE:
		return va_arg(args->list, long long);
	case INTMAX:
		return va_arg(args->list, intmax_t);
	case SIZE:
		return va_arg(args->list, ssize_t);
	case PTRDIFF:
		return va_arg(args->list, ptrdiff_t);
	default:
		return va_arg(args->list, int);
	}
}

static uintmax_t unsigned_argument(enum length length, struct arguments *args)
{
	intmax_t value = signed_argument(length, args);
	switch (length) {
	case CHAR:
		return (unsigned char)value;
	case SHORT:
		return (unsigned short)value;
	case PLAIN:
		return (unsigned)value;
	default:
		return (uintmax_t)value;
	}
}

static void pad(struct evr_text *out, const struct directive *d, const char *bytes, size_t n)
{
	size_t fill = (size_t)d->width > n ? (size_t)d->width - n : 0;
	if (!d->left)
		evr_text_fill(out, ' ', fill);
	evr_text_add(out, bytes, n);
	if (d->left)
		evr_text_fill(out, ' ', fill);
}

static void put_string(struct evr_text *out, const struct directive *d, const char *s, const struct evr_site *site)
{
	struct evr_text t;
	evr_text_init(&t);
	evr_text_string(&t, s, d->has_precision ? (size_t)d->precision : SIZE_MAX, site);
	pad(out, d, t.data, t.len);
	evr_text_release(&t);
}

/* In the C locale a wide character is a byte, or cannot be printed. */
static void put_wide_string(struct evr_text *out, const struct directive *d, const wchar_t *s,
			    const struct evr_site *site)
{
	struct evr_text t;
	evr_text_init(&t);
	for (size_t i = 0; !d->has_precision || i < (size_t)d->precision; i++) {
		wchar_t c = (wchar_t)evr_access_load((uintptr_t)(s + i), sizeof(*s), site);
		if (!c)
			break;
		evr_text_fill(&t, c > 0 && c < 128 ? (char)c : '?', 1);
	}
	pad(out, d, t.data, t.len);
	evr_text_release(&t);
}

static void put(struct evr_text *out, struct directive *d, struct arguments *args, int error,
		const struct evr_site *site)
{
	char spec[64];
	switch (d->conversion) {
	case 'd':
	case 'i':
		respell(d, spec, sizeof(spec), "j");
		emit(out, spec, signed_argument(d->length, args));
		break;
	case 'u':
	case 'o':
	case 'x':
	case 'X':
		respell(d, spec, sizeof(spec), "j");
		emit(out, spec, unsigned_argument(d->length, args));
		break;
	case 'a':
	case 'A':
	case 'e':
	case 'E':
	case 'f':
	case 'F':
	case 'g':
	case 'G':
		respell(d, spec, sizeof(spec), d->length == LONG_DOUBLE ? "L" : "");
		if (d->length == LONG_DOUBLE)
			emit(out, spec, va_arg(args->list, long double));
		else
			emit(out, spec, va_arg(args->list, double));
		break;
	case 'c':
	case 'C': {
		char c = (char)va_arg(args->list, int);
		pad(out, d, &c, 1);
		break;
	}
	case 's':
		if (d->length == LONG)
			put_wide_string(out, d, va_arg(args->list, wchar_t *), site);
		else
			put_string(out, d, va_arg(args->list, char *), site);
		break;
	case 'S':
		put_wide_string(out, d, va_arg(args->list, wchar_t *), site);
		break;
	case 'p':
		respell(d, spec, sizeof(spec), "");
		emit(out, spec, va_arg(args->list, void *));
		break;
	case 'm': {
		const char *text = strerrordesc_np(error);
		pad(out, d, text ? text : "Unknown error", strlen(text ? text : "Unknown error"));
		break;
	}
	case '%':
		evr_text_fill(out, '%', 1);
		break;
	default:
		evr_unsupported(site, "the conversion '%%%c' in a format is not modelled", d->conversion);
	}
}

void evr_format_text(struct evr_text *out, const char *format, va_list list, const struct evr_site *site)
{
	int error = errno;
	struct arguments args;
	struct evr_text f;
	va_copy(args.list, list);
	evr_text_copy(&f, format, site);
	for (const char *p = f.data; *p;) {
		size_t n = strcspn(p, "%");
		evr_text_add(out, p, n);
		p += n;
		if (*p++ != '%')
			break;
		struct directive d;
		parse_directive(&d, &p, &args, site);
		put(out, &d, &args, error, site);
	}
	evr_text_release(&f);
	va_end(args.list);
	errno = error;
}

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
		evr_access_write(to, out.data, k + 1, site);
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
		evr_access_write(copy, out.data, out.len + 1, site);
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
