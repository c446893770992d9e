/*
 * Wide characters, and between them and bytes. The locale is "C": a character is a byte, and the real functions, which
 * know which bytes those are, work on copies.
 */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

EVR_REAL(mbrtowc);
EVR_REAL(wcrtomb);
EVR_REAL(wctype);
EVR_REAL(wctrans);
EVR_REAL(wcstol);
EVR_REAL(wcstoul);
EVR_REAL(wcstoll);
EVR_REAL(wcstoull);
EVR_REAL(wcstod);
EVR_REAL(wcstof);
EVR_REAL(wcstold);

static wchar_t get(const wchar_t *s, const struct evr_site *site)
{
	return (wchar_t)evr_access_load((uintptr_t)s, sizeof(*s), site);
}

static void put(wchar_t *to, wchar_t c, const struct evr_site *site)
{
	evr_access_store((uintptr_t)to, sizeof(*to), (uint32_t)c, site);
}

static wchar_t *pointer(const wchar_t *s)
{
	return (wchar_t *)(uintptr_t)s;
}

static size_t length(const wchar_t *s, size_t limit, const struct evr_site *site)
{
	size_t n = 0;
	while (n < limit && get(s + n, site))
		n++;
	return n;
}

/* Looking. */

size_t evr_libc_wcslen(const wchar_t *s)
{
	return length(s, SIZE_MAX, evr_call_site);
}

size_t evr_libc_wcsnlen(const wchar_t *s, size_t limit)
{
	return length(s, limit, evr_call_site);
}

/* `end`: stop behind a terminator. */
static int compare(const wchar_t *a, const wchar_t *b, size_t n, bool end, const struct evr_site *site)
{
	for (size_t i = 0; i < n; i++) {
		wchar_t x = get(a + i, site), y = get(b + i, site);
		if (x != y)
			return x < y ? -1 : 1;
		if (!x && end)
			break;
	}
	return 0;
}

int evr_libc_wcscmp(const wchar_t *a, const wchar_t *b)
{
	return compare(a, b, SIZE_MAX, true, evr_call_site);
}

int evr_libc_wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
	return compare(a, b, n, true, evr_call_site);
}

int evr_libc_wcscoll(const wchar_t *a, const wchar_t *b)
{
	return compare(a, b, SIZE_MAX, true, evr_call_site);
}

int evr_libc_wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
	evr_access_expect(a, n * sizeof(*a), evr_call_site);
	evr_access_expect(b, n * sizeof(*b), evr_call_site);
	return compare(a, b, n, false, evr_call_site);
}

wchar_t *evr_libc_wmemchr(const wchar_t *s, wchar_t wanted, size_t n)
{
	const struct evr_site *site = evr_call_site;
	for (size_t i = 0; i < n; i++)
		if (get(s + i, site) == wanted)
			return pointer(s + i);
	return NULL;
}

wchar_t *evr_libc_wcschr(const wchar_t *s, wchar_t wanted)
{
	const struct evr_site *site = evr_call_site;
	for (;; s++) {
		wchar_t c = get(s, site);
		if (c == wanted)
			return pointer(s);
		if (!c)
			return NULL;
	}
}

wchar_t *evr_libc_wcsrchr(const wchar_t *s, wchar_t wanted)
{
	const struct evr_site *site = evr_call_site;
	const wchar_t *last = NULL;
	for (;; s++) {
		wchar_t c = get(s, site);
		if (c == wanted)
			last = s;
		if (!c)
			return pointer(last);
	}
}

static bool member(const wchar_t *set, wchar_t c, const struct evr_site *site)
{
	for (wchar_t m; (m = get(set, site)); set++)
		if (m == c)
			return true;
	return false;
}

static size_t span(const wchar_t *s, const wchar_t *set, bool in, const struct evr_site *site)
{
	size_t n = 0;
	for (wchar_t c; (c = get(s + n, site)) && member(set, c, site) == in;)
		n++;
	return n;
}

size_t evr_libc_wcsspn(const wchar_t *s, const wchar_t *set)
{
	return span(s, set, true, evr_call_site);
}

size_t evr_libc_wcscspn(const wchar_t *s, const wchar_t *set)
{
	return span(s, set, false, evr_call_site);
}

wchar_t *evr_libc_wcspbrk(const wchar_t *s, const wchar_t *set)
{
	const struct evr_site *site = evr_call_site;
	s += span(s, set, false, site);
	return get(s, site) ? pointer(s) : NULL;
}

wchar_t *evr_libc_wcsstr(const wchar_t *s, const wchar_t *wanted)
{
	const struct evr_site *site = evr_call_site;
	for (;; s++) {
		size_t n = 0;
		wchar_t w;
		while ((w = get(wanted + n, site)) && get(s + n, site) == w)
			n++;
		if (!w)
			return pointer(s);
		if (!get(s, site))
			return NULL;
	}
}

/* Copying. */

wchar_t *evr_libc_wmemcpy(wchar_t *to, const wchar_t *from, size_t n)
{
	evr_access_copy(to, from, n * sizeof(*to), evr_call_site);
	return to;
}

wchar_t *evr_libc_wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
	return evr_libc_wmemcpy(to, from, n);
}

wchar_t *evr_libc_wmempcpy(wchar_t *to, const wchar_t *from, size_t n)
{
	return evr_libc_wmemcpy(to, from, n) + n;
}

wchar_t *evr_libc_wmemset(wchar_t *to, wchar_t c, size_t n)
{
	const struct evr_site *site = evr_call_site;
	for (size_t i = 0; i < n; i++)
		put(to + i, c, site);
	return to;
}

/* At most `limit` characters, and a terminator; returns where that is. */
static wchar_t *copy(wchar_t *to, const wchar_t *from, size_t limit, const struct evr_site *site)
{
	for (wchar_t c; limit-- && (c = get(from++, site));)
		put(to++, c, site);
	put(to, 0, site);
	return to;
}

wchar_t *evr_libc_wcscpy(wchar_t *to, const wchar_t *from)
{
	copy(to, from, SIZE_MAX, evr_call_site);
	return to;
}

wchar_t *evr_libc_wcpcpy(wchar_t *to, const wchar_t *from)
{
	return copy(to, from, SIZE_MAX, evr_call_site);
}

wchar_t *evr_libc_wcscat(wchar_t *to, const wchar_t *from)
{
	const struct evr_site *site = evr_call_site;
	copy(to + length(to, SIZE_MAX, site), from, SIZE_MAX, site);
	return to;
}

wchar_t *evr_libc_wcsncat(wchar_t *to, const wchar_t *from, size_t n)
{
	const struct evr_site *site = evr_call_site;
	copy(to + length(to, SIZE_MAX, site), from, n, site);
	return to;
}

wchar_t *evr_libc_wcsncpy(wchar_t *to, const wchar_t *from, size_t n)
{
	const struct evr_site *site = evr_call_site;
	bool over = false;
	for (size_t i = 0; i < n; i++) {
		wchar_t c = over ? 0 : get(from + i, site);
		over = over || !c;
		put(to + i, c, site);
	}
	return to;
}

wchar_t *evr_libc_wcsdup(const wchar_t *s)
{
	const struct evr_site *site = evr_call_site;
	size_t n = length(s, SIZE_MAX, site);
	wchar_t *fresh = evr_library_malloc((n + 1) * sizeof(*s), site);
	if (fresh)
		copy(fresh, s, n, site);
	return fresh;
}

/* Numbers: what could be one is copied, with the character behind it. */

static bool in_number(wchar_t c, bool blank)
{
	return c > 0 && c < 128 && (blank ? isspace((int)c) : isalnum((int)c) || strchr("+-.()_", (int)c));
}

static void read_number(struct evr_text *t, const wchar_t *s, const struct evr_site *site)
{
	evr_text_init(t);
	for (bool blank = true;; s++) {
		wchar_t c = get(s, site);
		blank = blank && in_number(c, true);
		if (!blank && !in_number(c, false))
			c = 0;
		evr_text_add(t, (const char *)&c, sizeof(c));
		if (!c)
			return;
	}
}

static void set_end(wchar_t **end, const wchar_t *s, size_t n, const struct evr_site *site)
{
	wchar_t *value = pointer(s) + n;
	if (end)
		evr_access_write(end, &value, sizeof(value), site);
}

#define NUMBER(name, type, parameters, arguments) \
	type evr_libc_##name parameters \
	{ \
		const struct evr_site *site = evr_call_site; \
		struct evr_text t; \
		wchar_t *stop; \
		read_number(&t, s, site); \
		const wchar_t *text = (const wchar_t *)(const void *)t.data; \
		type value = name arguments; \
		set_end(end, s, (size_t)(stop - text), site); \
		evr_text_release(&t); \
		return value; \
	}

NUMBER(wcstol, long, (const wchar_t *s, wchar_t **end, int base), (text, &stop, base))
NUMBER(wcstoul, unsigned long, (const wchar_t *s, wchar_t **end, int base), (text, &stop, base))
NUMBER(wcstoll, long long, (const wchar_t *s, wchar_t **end, int base), (text, &stop, base))
NUMBER(wcstoull, unsigned long long, (const wchar_t *s, wchar_t **end, int base), (text, &stop, base))
NUMBER(wcstod, double, (const wchar_t *s, wchar_t **end), (text, &stop))
NUMBER(wcstof, float, (const wchar_t *s, wchar_t **end), (text, &stop))
NUMBER(wcstold, long double, (const wchar_t *s, wchar_t **end), (text, &stop))

/* Bytes and characters. One byte is one character, so that there is no state. */

/* The character that the byte is, in *c; 0 for the terminator, 1, or -1 with errno. */
static int to_wide(char byte, wchar_t *c)
{
	mbstate_t state;
	memset(&state, 0, sizeof(state));
	size_t n = mbrtowc(c, &byte, 1, &state);
	return n == (size_t)-1 || n == (size_t)-2 ? -1 : (int)n;
}

static int to_byte(wchar_t c, char *byte)
{
	char bytes[16] = ""; /* MB_LEN_MAX */
	mbstate_t state;
	memset(&state, 0, sizeof(state));
	size_t n = wcrtomb(bytes, c, &state);
	*byte = bytes[0];
	return n == (size_t)-1 ? -1 : 1;
}

int evr_libc_mbtowc(wchar_t *to, const char *s, size_t n)
{
	const struct evr_site *site = evr_call_site;
	wchar_t c = 0;
	if (!s)
		return 0;
	int result = n ? to_wide((char)evr_byte(s, site), &c) : -1;
	if (to && result >= 0)
		put(to, c, site);
	return result;
}

int evr_libc_mblen(const char *s, size_t n)
{
	return evr_libc_mbtowc(NULL, s, n);
}

int evr_libc_wctomb(char *to, wchar_t c)
{
	char byte = 0;
	if (!to)
		return 0;
	int result = to_byte(c, &byte);
	if (result > 0)
		evr_access_store((uintptr_t)to, 1, (unsigned char)byte, evr_call_site);
	return result;
}

size_t evr_libc_mbrtowc(wchar_t *to, const char *s, size_t n, mbstate_t *state)
{
	(void)state;
	if (!n && s)
		return (size_t)-2;
	return (size_t)evr_libc_mbtowc(to, s, n);
}

size_t evr_libc_wcrtomb(char *to, wchar_t c, mbstate_t *state)
{
	(void)state;
	return to ? (size_t)evr_libc_wctomb(to, c) : 1;
}

size_t evr_libc_mbrlen(const char *s, size_t n, mbstate_t *state)
{
	return evr_libc_mbrtowc(NULL, s, n, state);
}

int evr_libc_mbsinit(const mbstate_t *state)
{
	(void)state;
	return 1;
}

size_t evr_libc_mbstowcs(wchar_t *to, const char *s, size_t n)
{
	const struct evr_site *site = evr_call_site;
	for (size_t i = 0; !to || i < n; i++) {
		wchar_t c = 0;
		int result = to_wide((char)evr_byte(s + i, site), &c);
		if (result < 0)
			return (size_t)-1;
		if (to)
			put(to + i, c, site);
		if (!result)
			return i;
	}
	return n;
}

size_t evr_libc_wcstombs(char *to, const wchar_t *s, size_t n)
{
	const struct evr_site *site = evr_call_site;
	for (size_t i = 0; !to || i < n; i++) {
		wchar_t c = get(s + i, site);
		char byte = 0;
		if (to_byte(c, &byte) < 0)
			return (size_t)-1;
		if (to)
			evr_access_store((uintptr_t)to + i, 1, (unsigned char)byte, site);
		if (!c)
			return i;
	}
	return n;
}

/* Kinds of characters by name. */

wctype_t evr_libc_wctype(const char *name)
{
	struct evr_text t;
	evr_text_copy(&t, name, evr_call_site);
	wctype_t kind = wctype(t.data);
	evr_text_release(&t);
	return kind;
}

wctrans_t evr_libc_wctrans(const char *name)
{
	struct evr_text t;
	evr_text_copy(&t, name, evr_call_site);
	wctrans_t kind = wctrans(t.data);
	evr_text_release(&t);
	return kind;
}
