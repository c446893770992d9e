/*
 * The scanf family. The real sscanf converts one directive at a time, on a copy of the input; what it stored is written to
 * the program's memory when the input has been dealt with, so that no thread can come between.
 */
#define EVR_ALLOW_BANNED
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

EVR_REAL(sscanf);

#define MAX_RESULTS 128
#define FIRST_WINDOW 128

struct result {
	void *to;
	size_t offset, size; /* in the text of all results */
	bool text;
};

struct scan {
	struct evr_file *file; /* where the input comes from, or NULL: */
	const struct evr_text *string;
	size_t at; /* bytes consumed */
	struct evr_text values;
	struct result results[MAX_RESULTS];
	size_t result_count;
	int assigned;
	bool failed, ended; /* the input does not match; there was none */
	const struct evr_site *site;
};

struct directive {
	bool suppressed;
	size_t width; /* 0: not given */
	char length[3];
	char conversion;
	const char *set; /* of %[ : from the bracket on */
	int set_size;
};

/* Up to n bytes of what is not yet consumed. */
static size_t peek(const struct scan *s, const char **p, size_t n)
{
	if (!s->file) {
		*p = s->string->data + s->at;
		return s->string->len - s->at < n ? s->string->len - s->at : n;
	}
	size_t got = evr_file_peek(s->file, p, s->at + n);
	*p += s->at;
	return got > s->at ? got - s->at : 0;
}

static int next_byte(const struct scan *s)
{
	const char *p;
	return peek(s, &p, 1) ? (unsigned char)*p : EOF;
}

static void skip_blanks(struct scan *s)
{
	int c;
	while ((c = next_byte(s)) != EOF && isspace(c))
		s->at++;
}

static void store(struct scan *s, const struct directive *d, void *to, const void *value, size_t size)
{
	if (d->suppressed)
		return;
	if (s->result_count == MAX_RESULTS)
		evr_unsupported(s->site, "a scanf format with more than %d conversions is not supported", MAX_RESULTS);
	s->results[s->result_count++] = (struct result){ to, s->values.len, size, strchr("sc[", d->conversion) };
	evr_text_add(&s->values, value, size);
	s->assigned += d->conversion != 'n';
}

static void parse_directive(struct directive *d, const char **p)
{
	*d = (struct directive){ 0 };
	if (**p == '*') {
		d->suppressed = true;
		++*p;
	}
	while (isdigit((unsigned char)**p))
		d->width = 10 * d->width + (size_t)(*(*p)++ - '0');
	for (size_t n = 0; n < 2 && **p && strchr("hlqLjzt", **p); n++)
		d->length[n] = *(*p)++;
	d->conversion = **p;
	if (!**p)
		return;
	++*p;
	if (d->conversion != '[')
		return;
	/* The set may begin with ']' or '^]'. */
	d->set = *p - 1;
	if (**p == '^')
		++*p;
	if (**p == ']')
		++*p;
	while (**p && **p != ']')
		++*p;
	if (**p)
		++*p;
	d->set_size = (int)(*p - d->set);
}

/* The bytes of an object that the conversion stores; 0 for strings. */
static size_t size_of(const struct directive *d)
{
	bool floating = strchr("aAeEfFgG", d->conversion);
	if (d->conversion == 'p')
		return sizeof(void *);
	if (d->conversion == 's' || d->conversion == '[')
		return 0;
	switch (d->length[0]) {
	case 'h':
		return d->length[1] == 'h' ? sizeof(char) : sizeof(short);
	case 'l':
		return floating ? sizeof(double) : d->length[1] == 'l' ? sizeof(long long) : sizeof(long);
	case 'q':
	case 'L':
		return floating ? sizeof(long double) : sizeof(long long);
	case 'j':
		return sizeof(intmax_t);
	case 'z':
		return sizeof(size_t);
	case 't':
		return sizeof(ptrdiff_t);
	default:
		return floating ? sizeof(float) : sizeof(int);
	}
}

static void convert(struct scan *s, const struct directive *d, void *to)
{
	char spec[600];
	char width[24] = "";
	if (d->width)
		snprintf(width, sizeof(width), "%zu", d->width);
	if (d->set_size > 512)
		evr_unsupported(s->site, "a scanf set of %d bytes is not supported", d->set_size);
	if (d->set)
		snprintf(spec, sizeof(spec), "%%%s%.*s%%n", width, d->set_size, d->set);
	else
		snprintf(spec, sizeof(spec), "%%%s%s%c%%n", width, d->length, d->conversion);
	for (size_t window = FIRST_WINDOW;; window *= 2) {
		const char *p;
		size_t n = peek(s, &p, window);
		struct evr_text input, value;
		evr_text_init(&input);
		evr_text_init(&value);
		evr_text_add(&input, p, n);
		int used = 0;
		char *room = evr_text_reserve(&value, n + sizeof(long double));
		int got = sscanf(input.data, spec, room, &used);
		/* What ends where the window ends might go on behind it. */
		bool again = n == window && (got != 1 || (size_t)used == n);
		if (!again && got == 1) {
			store(s, d, to, room, size_of(d) ? size_of(d) : strlen(room) + 1);
			s->at += (size_t)used;
		}
		evr_text_release(&input);
		evr_text_release(&value);
		if (again)
			continue;
		s->failed = got != 1;
		s->ended = got == EOF;
		return;
	}
}

static void convert_bytes(struct scan *s, const struct directive *d, void *to)
{
	const char *p;
	size_t n = d->width ? d->width : 1;
	if (peek(s, &p, n) < n) {
		s->failed = s->ended = true;
		return;
	}
	store(s, d, to, p, n);
	s->at += n;
}

static void store_count(struct scan *s, const struct directive *d, void *to)
{
	uint64_t count = s->at; /* little end first, whatever the size */
	store(s, d, to, &count, size_of(d));
}

static void take_directive(struct scan *s, struct directive *d, void *to)
{
	if (!d->conversion || !strchr("diouxXaAeEfFgGpsc[n", d->conversion) ||
	    (d->length[0] == 'l' && strchr("sc[", d->conversion)))
		evr_unsupported(s->site, "the conversion '%%%s%c' in a scanf format is not supported", d->length,
				d->conversion);
	if (!strchr("c[n", d->conversion))
		skip_blanks(s);
	if (d->conversion == 'n')
		store_count(s, d, to);
	else if (next_byte(s) == EOF)
		s->failed = s->ended = true;
	else if (d->conversion == 'c')
		convert_bytes(s, d, to);
	else
		convert(s, d, to);
}

static void take_literal(struct scan *s, char c)
{
	int found = next_byte(s);
	if (found == (unsigned char)c) {
		s->at++;
		return;
	}
	s->failed = true;
	s->ended = found == EOF;
}

static void scan_format(struct scan *s, const char *p, va_list args)
{
	while (*p && !s->failed) {
		if (isspace((unsigned char)*p)) {
			skip_blanks(s);
			p++;
		} else if (*p != '%') {
			take_literal(s, *p++);
		} else if (p[1] == '%') {
			skip_blanks(s);
			take_literal(s, '%');
			p += 2;
		} else {
			struct directive d;
			p++;
			parse_directive(&d, &p);
			take_directive(s, &d, d.suppressed ? NULL : va_arg(args, void *));
		}
	}
}

static void write_result(const struct scan *s, const struct result *r)
{
	const char *bytes = s->values.data + r->offset;
	(r->text ? evr_access_write_text : evr_access_write)(r->to, bytes, r->size, s->site);
}

static int scan(struct scan *s, const char *format, va_list args)
{
	struct evr_text f;
	evr_text_copy(&f, format, s->site);
	evr_text_init(&s->values);
	if (s->file)
		evr_file_use(s->file, s->site);
	if (s->file && s->file->pushed_count)
		evr_unsupported(s->site, "scanf after ungetc of another byte is not supported");
	scan_format(s, f.data, args);
	if (s->file) {
		s->file->position += s->at;
		s->file->end |= s->ended;
	}
	for (size_t i = 0; i < s->result_count; i++)
		write_result(s, &s->results[i]);
	evr_text_release(&f);
	evr_text_release(&s->values);
	return s->ended && !s->assigned ? EOF : s->assigned;
}

int evr_libc_vsscanf(const char *string, const char *format, va_list args)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text t;
	evr_text_copy(&t, string, site);
	struct scan s = { .string = &t, .site = site };
	int n = scan(&s, format, args);
	evr_text_release(&t);
	return n;
}

int evr_libc_vfscanf(FILE *stream, const char *format, va_list args)
{
	const struct evr_site *site = evr_call_site;
	struct scan s = { .file = evr_file_of(stream, "fscanf", site), .site = site };
	return scan(&s, format, args);
}

int evr_libc_vscanf(const char *format, va_list args)
{
	return evr_libc_vfscanf(stdin, format, args);
}

/* The library's headers give each of them another name in C99 and C23. */
#define NAMES(prefix) \
	int evr_libc_##prefix##sscanf(const char *string, const char *format, ...) \
	{ \
		va_list args; \
		va_start(args, format); \
		int n = evr_libc_vsscanf(string, format, args); \
		va_end(args); \
		return n; \
	} \
	int evr_libc_##prefix##fscanf(FILE *stream, const char *format, ...) \
	{ \
		va_list args; \
		va_start(args, format); \
		int n = evr_libc_vfscanf(stream, format, args); \
		va_end(args); \
		return n; \
	} \
	int evr_libc_##prefix##scanf(const char *format, ...) \
	{ \
		va_list args; \
		va_start(args, format); \
		int n = evr_libc_vfscanf(stdin, format, args); \
		va_end(args); \
		return n; \
	}

#define VARIANTS(prefix) \
	int evr_libc_##prefix##vsscanf(const char *string, const char *format, va_list args) \
	{ \
		return evr_libc_vsscanf(string, format, args); \
	} \
	int evr_libc_##prefix##vfscanf(FILE *stream, const char *format, va_list args) \
	{ \
		return evr_libc_vfscanf(stream, format, args); \
	} \
	int evr_libc_##prefix##vscanf(const char *format, va_list args) \
	{ \
		return evr_libc_vscanf(format, args); \
	}

NAMES()
NAMES(__isoc99_)
NAMES(__isoc23_)
VARIANTS(__isoc99_)
VARIANTS(__isoc23_)
