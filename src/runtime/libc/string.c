/*
 * Functions that look at memory and strings. They read byte after byte and stop where the answer is known, so that only
 * what the program's own loop would touch must exist. C++'s overloads of strchr() and friends are the same symbols.
 */
#define EVR_ALLOW_BANNED
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <strings.h>

EVR_REAL(memmem);
EVR_REAL(strcasestr);
EVR_REAL(strverscmp);

static char *pointer(const void *p)
{
	return (char *)(uintptr_t)p;
}

/* Both objects have n bytes (C11 7.24.4), though those behind the first difference need not be looked at. */
int evr_libc_memcmp(const void *a, const void *b, size_t n)
{
	const struct evr_site *site = evr_call_site;
	evr_access_expect(a, n, site);
	evr_access_expect(b, n, site);
	for (size_t i = 0, k; i < n; i += k) {
		char x[8], y[8];
		k = n - i < sizeof(x) ? n - i : sizeof(x);
		evr_access_look(x, (const char *)a + i, k, site);
		evr_access_look(y, (const char *)b + i, k, site);
		int order = memcmp(x, y, k);
		if (order)
			return order;
	}
	return 0;
}

int evr_libc_bcmp(const void *a, const void *b, size_t n)
{
	return evr_libc_memcmp(a, b, n);
}

void *evr_libc_memchr(const void *p, int byte, size_t n)
{
	const struct evr_site *site = evr_call_site;
	const char *s = p;
	for (size_t i = 0; i < n; i++)
		if (evr_byte(s + i, site) == (unsigned char)byte)
			return pointer(s + i);
	return NULL;
}

void *evr_libc_rawmemchr(const void *p, int byte)
{
	return evr_libc_memchr(p, byte, SIZE_MAX);
}

void *evr_libc_memrchr(const void *p, int byte, size_t n)
{
	const struct evr_site *site = evr_call_site;
	const char *s = p;
	while (n-- > 0)
		if (evr_byte(s + n, site) == (unsigned char)byte)
			return pointer(s + n);
	return NULL;
}

void *evr_libc_memmem(const void *p, size_t n, const void *wanted, size_t m)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text a, b;
	evr_text_init(&a);
	evr_text_init(&b);
	evr_access_look(evr_text_reserve(&a, n), p, n, site);
	evr_access_look(evr_text_reserve(&b, m), wanted, m, site);
	char *found = memmem(a.data, n, b.data, m);
	char *result = found ? pointer(p) + (found - a.data) : NULL;
	evr_text_release(&a);
	evr_text_release(&b);
	return result;
}

size_t evr_libc_strlen(const char *s)
{
	const struct evr_site *site = evr_call_site;
	size_t n = 0;
	while (evr_byte(s + n, site))
		n++;
	return n;
}

size_t evr_libc_strnlen(const char *s, size_t limit)
{
	const struct evr_site *site = evr_call_site;
	size_t n = 0;
	while (n < limit && evr_byte(s + n, site))
		n++;
	return n;
}

static int compare(const char *a, const char *b, size_t n, bool fold, const struct evr_site *site)
{
	for (size_t i = 0; i < n; i++) {
		int x = evr_byte(a + i, site), y = evr_byte(b + i, site);
		if (fold) {
			x = tolower(x);
			y = tolower(y);
		}
		if (x != y)
			return x - y;
		if (!x)
			break;
	}
	return 0;
}

int evr_libc_strcmp(const char *a, const char *b)
{
	return compare(a, b, SIZE_MAX, false, evr_call_site);
}

int evr_libc_strncmp(const char *a, const char *b, size_t n)
{
	return compare(a, b, n, false, evr_call_site);
}

int evr_libc_strcoll(const char *a, const char *b)
{
	return compare(a, b, SIZE_MAX, false, evr_call_site);
}

int evr_libc_strcasecmp(const char *a, const char *b)
{
	return compare(a, b, SIZE_MAX, true, evr_call_site);
}

int evr_libc_strncasecmp(const char *a, const char *b, size_t n)
{
	return compare(a, b, n, true, evr_call_site);
}

int evr_libc_strverscmp(const char *a, const char *b)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text x, y;
	evr_text_copy(&x, a, site);
	evr_text_copy(&y, b, site);
	int order = strverscmp(x.data, y.data);
	evr_text_release(&x);
	evr_text_release(&y);
	return order;
}

char *evr_libc_strchrnul(const char *s, int byte)
{
	const struct evr_site *site = evr_call_site;
	for (;; s++) {
		unsigned char c = evr_byte(s, site);
		if (!c || c == (unsigned char)byte)
			return pointer(s);
	}
}

char *evr_libc_strchr(const char *s, int byte)
{
	const struct evr_site *site = evr_call_site;
	for (;; s++) {
		unsigned char c = evr_byte(s, site);
		if (c == (unsigned char)byte)
			return pointer(s);
		if (!c)
			return NULL;
	}
}

char *evr_libc_strrchr(const char *s, int byte)
{
	const struct evr_site *site = evr_call_site;
	const char *last = NULL;
	for (;; s++) {
		unsigned char c = evr_byte(s, site);
		if (c == (unsigned char)byte)
			last = s;
		if (!c)
			return pointer(last);
	}
}

char *evr_libc_index(const char *s, int byte)
{
	return evr_libc_strchr(s, byte);
}

char *evr_libc_rindex(const char *s, int byte)
{
	return evr_libc_strrchr(s, byte);
}

/* How many bytes at the start of s are, or are not, in `set`. */
static size_t span(const char *s, const char *set, bool in, const struct evr_site *site)
{
	bool member[256] = { false };
	for (const char *p = set;; p++) {
		unsigned char c = evr_byte(p, site);
		if (!c)
			break;
		member[c] = true;
	}
	for (size_t n = 0;; n++) {
		unsigned char c = evr_byte(s + n, site);
		if (!c || member[c] != in)
			return n;
	}
}

size_t evr_libc_strspn(const char *s, const char *set)
{
	return span(s, set, true, evr_call_site);
}

size_t evr_libc_strcspn(const char *s, const char *set)
{
	return span(s, set, false, evr_call_site);
}

char *evr_libc_strpbrk(const char *s, const char *set)
{
	const struct evr_site *site = evr_call_site;
	s += span(s, set, false, site);
	return evr_byte(s, site) ? pointer(s) : NULL;
}

static char *find(const char *s, const char *wanted, char *(*search)(const char *, const char *),
		  const struct evr_site *site)
{
	struct evr_text a, b;
	evr_text_copy(&a, s, site);
	evr_text_copy(&b, wanted, site);
	char *found = search(a.data, b.data);
	char *result = found ? pointer(s) + (found - a.data) : NULL;
	evr_text_release(&a);
	evr_text_release(&b);
	return result;
}

static char *search_exact(const char *s, const char *wanted)
{
	return strstr(s, wanted);
}

static char *search_folded(const char *s, const char *wanted)
{
	return strcasestr(s, wanted);
}

char *evr_libc_strstr(const char *s, const char *wanted)
{
	return find(s, wanted, search_exact, evr_call_site);
}

char *evr_libc_strcasestr(const char *s, const char *wanted)
{
	return find(s, wanted, search_folded, evr_call_site);
}

static char *load_pointer(char *const *p, const struct evr_site *site)
{
	return (char *)(uintptr_t)evr_access_load((uintptr_t)p, sizeof(*p), site);
}

static void store_pointer(char **p, const char *value, const struct evr_site *site)
{
	evr_access_store((uintptr_t)p, sizeof(*p), (uintptr_t)value, site);
}

static char *next_token(char *s, const char *set, char **state, const struct evr_site *site)
{
	if (!s)
		s = load_pointer(state, site);
	if (!s)
		return NULL;
	s += span(s, set, true, site);
	if (!evr_byte(s, site)) {
		store_pointer(state, s, site);
		return NULL;
	}
	char *end = s + span(s, set, false, site);
	if (evr_byte(end, site))
		evr_access_store((uintptr_t)end++, 1, 0, site);
	store_pointer(state, end, site);
	return s;
}

char *evr_libc_strtok_r(char *s, const char *set, char **state)
{
	return next_token(s, set, state, evr_call_site);
}

char *evr_libc_strtok(char *s, const char *set)
{
	return next_token(s, set, &evr_library.token, evr_call_site);
}

char *evr_libc_strsep(char **state, const char *set)
{
	const struct evr_site *site = evr_call_site;
	char *s = load_pointer(state, site);
	if (!s)
		return NULL;
	char *end = s + span(s, set, false, site);
	if (evr_byte(end, site)) {
		evr_access_store((uintptr_t)end, 1, 0, site);
		store_pointer(state, end + 1, site);
	} else {
		store_pointer(state, NULL, site);
	}
	return s;
}

void evr_error_text(int number, char to[EVR_ERROR_TEXT])
{
	const char *known = strerrordesc_np(number);
	if (known)
		snprintf(to, EVR_ERROR_TEXT, "%s", known);
	else
		snprintf(to, EVR_ERROR_TEXT, "Unknown error %d", number);
}

/* Known messages are constants of the library, which the program may read. */
static char *message(const char *known, const char *unknown, int number, const struct evr_site *site)
{
	if (known)
		return pointer(known);
	char text[sizeof(evr_library.message)];
	int n = snprintf(text, sizeof(text), "%s %d", unknown, number);
	evr_access_write_text(evr_library.message, text, (size_t)n + 1, site);
	return evr_library.message;
}

char *evr_libc_strerror(int number)
{
	return message(strerrordesc_np(number), "Unknown error", number, evr_call_site);
}

char *evr_libc_strsignal(int number)
{
	return message(sigdescr_np(number), "Unknown signal", number, evr_call_site);
}

/* The GNU version, which need not use the buffer. */
char *evr_libc_strerror_r(int number, char *to, size_t size)
{
	const struct evr_site *site = evr_call_site;
	const char *known = strerrordesc_np(number);
	if (known || !size)
		return pointer(known);
	char text[64];
	size_t n = (size_t)snprintf(text, sizeof(text), "Unknown error %d", number);
	n = n < size ? n : size - 1;
	text[n] = '\0';
	evr_access_write_text(to, text, n + 1, site);
	return to;
}

int evr_libc___xpg_strerror_r(int number, char *to, size_t size)
{
	const struct evr_site *site = evr_call_site;
	char text[EVR_ERROR_TEXT];
	evr_error_text(number, text);
	size_t n = strlen(text);
	if (size) {
		size_t k = n < size ? n : size - 1;
		text[k] = '\0';
		evr_access_write_text(to, text, k + 1, site);
	}
	return n >= size ? ERANGE : strerrordesc_np(number) ? 0 : EINVAL;
}
