#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void evr_strbuf_init(struct evr_strbuf *b)
{
	b->cap = 64;
	b->len = 0;
	b->text = evr_alloc(b->cap);
}

void evr_strbuf_release(struct evr_strbuf *b)
{
	free(b->text);
	b->text = NULL;
	b->len = b->cap = 0;
}

void evr_strbuf_clear(struct evr_strbuf *b)
{
	b->len = 0;
	if (b->text)
		b->text[0] = '\0';
}

static void reserve(struct evr_strbuf *b, size_t more)
{
	if (b->len + more + 1 <= b->cap)
		return;
	if (!b->cap)
		b->cap = 64;
	while (b->cap < b->len + more + 1)
		b->cap *= 2;
	b->text = evr_realloc(b->text, b->cap);
}

void evr_strbuf_shorten(struct evr_strbuf *b, size_t len)
{
	b->len = len;
	b->text[len] = '\0';
}

void evr_strbuf_add(struct evr_strbuf *b, const char *bytes, size_t n)
{
	reserve(b, n);
	memcpy(b->text + b->len, bytes, n);
	b->len += n;
	b->text[b->len] = '\0';
}

void evr_strbuf_puts(struct evr_strbuf *b, const char *s)
{
	evr_strbuf_add(b, s, strlen(s));
}

void evr_strbuf_putc(struct evr_strbuf *b, char c)
{
	reserve(b, 1);
	b->text[b->len++] = c;
	b->text[b->len] = '\0';
}

void evr_strbuf_vprintf(struct evr_strbuf *b, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	reserve(b, 0);
	int n = vsnprintf(b->text + b->len, b->cap - b->len, format, again);
	va_end(again);
	if (n >= 0 && (size_t)n >= b->cap - b->len) {
		reserve(b, (size_t)n);
		vsnprintf(b->text + b->len, (size_t)n + 1, format, args);
	}
	b->len += n > 0 ? (size_t)n : 0;
	b->text[b->len] = '\0';
}

void evr_strbuf_count(struct evr_strbuf *b, uint64_t n)
{
	char digits[20];
	size_t first = sizeof(digits);
	do
		digits[--first] = (char)('0' + n % 10);
	while (n /= 10);
	evr_strbuf_add(b, digits + first, sizeof(digits) - first);
}

void evr_strbuf_printf(struct evr_strbuf *b, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	evr_strbuf_vprintf(b, format, args);
	va_end(args);
}

char *evr_strbuf_take(struct evr_strbuf *b)
{
	char *text = b->text ? b->text : evr_strdup("");
	b->text = NULL;
	b->len = b->cap = 0;
	return text;
}
