/*
 * The printf family. The format and the strings that %s names are read as the program would read them; the real snprintf
 * then formats one directive at a time.
 */
#define EVR_ALLOW_BANNED
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

enum length { PLAIN, CHAR, SHORT, LONG, LONG_LONG, LONG_DOUBLE, INTMAX, SIZE, PTRDIFF };

/* How an argument is passed. */
enum kind { NOTHING, INTEGER, REAL, LONG_REAL, POINTER };

struct argument {
	/* One of these; no union, which compilers do not agree on how to return. */
	long double long_real;
	intmax_t integer;
	double real;
	void *pointer;
	enum kind kind;
	enum length length;
};

struct directive {
	unsigned position; /* of its argument; 0: the next */
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

#define POSITIONS 64

/* An array in a struct, so that a function can take the next argument of its caller's list, whatever a va_list is. */
struct arguments {
	va_list list;
	/* Where directives say which argument they mean ("%2$d"): how each is passed, and then what it is. */
	struct argument *numbered;
	unsigned count;
	bool collecting; /* find out how they are passed */
};

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

static struct argument next_argument(enum kind kind, enum length length, struct arguments *args)
{
	struct argument a = { .kind = kind, .length = length };
	switch (kind) {
	case NOTHING:
		break;
	case INTEGER:
		a.integer = signed_argument(length, args);
		break;
	case REAL:
		a.real = va_arg(args->list, double);
		break;
	case LONG_REAL:
		a.long_real = va_arg(args->list, long double);
		break;
	case POINTER:
		a.pointer = va_arg(args->list, void *);
		break;
	}
	return a;
}

static struct argument take(unsigned position, enum kind kind, enum length length, struct arguments *args,
			    const struct evr_site *site)
{
	if (!position || kind == NOTHING)
		return args->collecting ? (struct argument){ 0 } : next_argument(kind, length, args);
	if (position > POSITIONS)
		evr_unsupported(site, "a format with an argument '%%%u$' is not supported", position);
	struct argument *a = &args->numbered[position - 1];
	if (args->collecting) {
		a->kind = kind;
		a->length = length;
		args->count = position > args->count ? position : args->count;
	}
	return *a;
}

static unsigned parse_position(const char **p)
{
	const char *start = *p;
	int n = parse_count(p);
	if (n > 0 && **p == '$') {
		++*p;
		return (unsigned)n;
	}
	*p = start;
	return 0;
}

/* A width or a precision: a number, or '*' and an argument. */
static int parse_size(const char **p, struct arguments *args, const struct evr_site *site)
{
	if (**p != '*')
		return parse_count(p);
	++*p;
	unsigned position = parse_position(p);
	return (int)take(position, INTEGER, PLAIN, args, site).integer;
}

static void parse_directive(struct directive *d, const char **p, struct arguments *args, const struct evr_site *site)
{
	*d = (struct directive){ .position = parse_position(p) };
	for (size_t n = 0; **p && strchr("-+ #0'I", **p); ++*p)
		if (!strchr(d->flags, **p) && n + 1 < sizeof(d->flags))
			d->flags[n++] = **p;
	d->width = parse_size(p, args, site);
	d->left = strchr(d->flags, '-');
	if (d->width < 0) {
		if (!d->left)
			d->flags[strlen(d->flags)] = '-';
		d->left = true;
		d->width = -d->width;
	}
	if (**p == '.') {
		++*p;
		d->precision = parse_size(p, args, site);
		d->has_precision = d->precision >= 0;
	}
	d->length = parse_length(p);
	d->conversion = **p;
	if (**p)
		++*p;
}

static struct argument argument_of(const struct directive *d, struct arguments *args, const struct evr_site *site)
{
	enum kind kind = NOTHING;
	enum length length = d->length;
	if (strchr("diouxX", d->conversion)) {
		kind = INTEGER;
	} else if (strchr("cC", d->conversion)) {
		kind = INTEGER;
		length = PLAIN;
	} else if (strchr("aAeEfFgG", d->conversion)) {
		kind = length == LONG_DOUBLE ? LONG_REAL : REAL;
	} else if (strchr("sSpn", d->conversion)) {
		kind = POINTER;
	}
	return take(d->position, d->conversion ? kind : NOTHING, length, args, site);
}

static uintmax_t as_unsigned(const struct argument *a)
{
	switch (a->length) {
	case CHAR:
		return (unsigned char)a->integer;
	case SHORT:
		return (unsigned short)a->integer;
	case PLAIN:
		return (unsigned)a->integer;
	default:
		return (uintmax_t)a->integer;
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

/* %n: how many bytes there are so far. */
static void put_count(const struct argument *a, size_t count, const struct evr_site *site)
{
	static const size_t sizes[] = { [PLAIN] = sizeof(int), [CHAR] = sizeof(char), [SHORT] = sizeof(short) };
	size_t size = a->length < EVR_COUNT(sizes) ? sizes[a->length] : sizeof(long);
	evr_access_store((uintptr_t)a->pointer, size, count & (size < sizeof(long) ? (1UL << 8 * size) - 1 : ~0UL),
			 site);
}

static void put_number(struct evr_text *out, const struct directive *d, const struct argument *a)
{
	char spec[64];
	switch (a->kind) {
	case INTEGER:
		respell(d, spec, sizeof(spec), "j");
		if (d->conversion == 'd' || d->conversion == 'i')
			emit(out, spec, a->integer);
		else
			emit(out, spec, as_unsigned(a));
		break;
	case REAL:
		respell(d, spec, sizeof(spec), "");
		emit(out, spec, a->real);
		break;
	case LONG_REAL:
		respell(d, spec, sizeof(spec), "L");
		emit(out, spec, a->long_real);
		break;
	default:
		respell(d, spec, sizeof(spec), "");
		emit(out, spec, a->pointer);
	}
}

/* `start`: where in `out` the whole text begins; `error`: errno when it began. */
static void put(struct evr_text *out, const struct directive *d, const struct argument *a, size_t start, int error,
		const struct evr_site *site)
{
	char text[EVR_ERROR_TEXT];
	switch (d->conversion) {
	case 'c':
	case 'C': {
		char c = (char)a->integer;
		pad(out, d, &c, 1);
		break;
	}
	case 's':
	case 'S':
		if (d->length == LONG || d->conversion == 'S')
			put_wide_string(out, d, a->pointer, site);
		else
			put_string(out, d, a->pointer, site);
		break;
	case 'n':
		put_count(a, out->len - start, site);
		break;
	case 'm':
		evr_error_text(error, text);
		pad(out, d, text, strlen(text));
		break;
	case '%':
		evr_text_fill(out, '%', 1);
		break;
	default:
		if (a->kind == NOTHING)
			evr_unsupported(site, "the conversion '%%%c' in a format is not supported", d->conversion);
		put_number(out, d, a);
	}
}

/* Arguments that are numbered must all be known before the first is used: only so can they be passed over. */
static void collect(const char *format, struct arguments *args, const struct evr_site *site)
{
	args->collecting = true;
	for (const char *p = format; (p = strchr(p, '%'));) {
		struct directive d;
		p++;
		parse_directive(&d, &p, args, site);
		argument_of(&d, args, site);
	}
	args->collecting = false;
	for (unsigned i = 0; i < args->count; i++) {
		struct argument *a = &args->numbered[i];
		*a = next_argument(a->kind == NOTHING ? INTEGER : a->kind, a->length, args);
	}
}

void evr_format_text(struct evr_text *out, const char *format, va_list list, const struct evr_site *site)
{
	int error = errno;
	size_t start = out->len;
	struct argument numbered[POSITIONS] = { 0 };
	struct arguments args = { .numbered = numbered };
	struct evr_text f;
	va_copy(args.list, list);
	evr_text_copy(&f, format, site);
	if (strchr(f.data, '$'))
		collect(f.data, &args, site);
	for (const char *p = f.data; *p;) {
		size_t n = strcspn(p, "%");
		evr_text_add(out, p, n);
		p += n;
		if (*p++ != '%')
			break;
		struct directive d;
		parse_directive(&d, &p, &args, site);
		struct argument a = argument_of(&d, &args, site);
		put(out, &d, &a, start, error, site);
	}
	evr_text_release(&f);
	va_end(args.list);
	errno = error;
}
