/* A string that grows. `text` is always terminated; it is NULL only after evr_strbuf_take(), until something is added. */
#ifndef EVR_STRBUF_H
#define EVR_STRBUF_H

#include "base/base.h"

struct evr_strbuf {
	char *text;
	size_t len, cap;
};

void evr_strbuf_init(struct evr_strbuf *b);
void evr_strbuf_release(struct evr_strbuf *b);
void evr_strbuf_clear(struct evr_strbuf *b);
void evr_strbuf_shorten(struct evr_strbuf *b, size_t len); /* to no more than there is */
void evr_strbuf_add(struct evr_strbuf *b, const char *bytes, size_t n);
void evr_strbuf_puts(struct evr_strbuf *b, const char *s);
void evr_strbuf_putc(struct evr_strbuf *b, char c);
void evr_strbuf_count(struct evr_strbuf *b, uint64_t n); /* its digits; much faster than with a format */
void evr_strbuf_printf(struct evr_strbuf *b, const char *format, ...) EVR_PRINTF(2, 3);
void evr_strbuf_vprintf(struct evr_strbuf *b, const char *format, va_list args) EVR_PRINTF(2, 0);
/* The text as a string of its own; the buffer is empty afterwards, and owns nothing. */
char *evr_strbuf_take(struct evr_strbuf *b);

#endif
