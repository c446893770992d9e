/* Functions that copy or fill: memcpy() and strcpy() with their relatives. */
#define EVR_ALLOW_BANNED
#include "runtime/libc.h"
#include "runtime/wrappers.h"

#include <string.h>
#include <strings.h>

void *evr_libc_memcpy(void *to, const void *from, size_t n)
{
	evr_access_copy(to, from, n, evr_call_site);
	return to;
}

void *evr_libc_memmove(void *to, const void *from, size_t n)
{
	evr_access_copy(to, from, n, evr_call_site);
	return to;
}

void *evr_libc_mempcpy(void *to, const void *from, size_t n)
{
	evr_access_copy(to, from, n, evr_call_site);
	return (char *)to + n;
}

void evr_libc_bcopy(const void *from, void *to, size_t n)
{
	evr_access_copy(to, from, n, evr_call_site);
}

void *evr_libc_memset(void *to, int byte, size_t n)
{
	evr_fill(to, (uint8_t)byte, n, (void *)(uintptr_t)evr_call_site);
	return to;
}

void evr_libc_bzero(void *to, size_t n)
{
	evr_fill(to, 0, n, (void *)(uintptr_t)evr_call_site);
}

void evr_libc_explicit_bzero(void *to, size_t n)
{
	evr_fill(to, 0, n, (void *)(uintptr_t)evr_call_site);
}

void *evr_libc_memccpy(void *to, const void *from, int byte, size_t n)
{
	const struct evr_site *site = evr_call_site;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = evr_byte((const char *)from + i, site);
		evr_access_store((uintptr_t)to + i, 1, c, site);
		if (c == (unsigned char)byte)
			return (char *)to + i + 1;
	}
	return NULL;
}

/* Write the string `from` of at most `limit` bytes, terminated if `terminate`; returns how many bytes it has. */
static size_t copy_string(char *to, const char *from, size_t limit, bool terminate, const struct evr_site *site)
{
	struct evr_text t;
	evr_text_init(&t);
	evr_text_string(&t, from, limit, site);
	size_t n = t.len;
	evr_access_write(to, t.data, n + terminate, site);
	evr_text_release(&t);
	return n;
}

char *evr_libc_strcpy(char *to, const char *from)
{
	copy_string(to, from, SIZE_MAX, true, evr_call_site);
	return to;
}

char *evr_libc_stpcpy(char *to, const char *from)
{
	return to + copy_string(to, from, SIZE_MAX, true, evr_call_site);
}

char *evr_libc_stpncpy(char *to, const char *from, size_t n)
{
	const struct evr_site *site = evr_call_site;
	size_t len = copy_string(to, from, n, false, site);
	evr_fill(to + len, 0, n - len, (void *)(uintptr_t)site);
	return to + len;
}

char *evr_libc_strncpy(char *to, const char *from, size_t n)
{
	evr_libc_stpncpy(to, from, n);
	return to;
}

char *evr_libc_strcat(char *to, const char *from)
{
	const struct evr_site *site = evr_call_site;
	copy_string(to + evr_access_strlen(to, site), from, SIZE_MAX, true, site);
	return to;
}

char *evr_libc_strncat(char *to, const char *from, size_t n)
{
	const struct evr_site *site = evr_call_site;
	copy_string(to + evr_access_strlen(to, site), from, n, true, site);
	return to;
}

static char *duplicate(const char *s, size_t limit, const struct evr_site *site)
{
	struct evr_text t;
	evr_text_init(&t);
	evr_text_string(&t, s, limit, site);
	char *copy = evr_library_malloc(t.len + 1, site);
	if (copy)
		evr_access_write(copy, t.data, t.len + 1, site);
	evr_text_release(&t);
	return copy;
}

char *evr_libc_strdup(const char *s)
{
	return duplicate(s, SIZE_MAX, evr_call_site);
}

char *evr_libc_strndup(const char *s, size_t n)
{
	return duplicate(s, n, evr_call_site);
}

/* In the C locale, the only one, a string is its own transformation. */
size_t evr_libc_strxfrm(char *to, const char *from, size_t n)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text t;
	evr_text_copy(&t, from, site);
	size_t len = t.len;
	if (n)
		evr_access_write(to, t.data, len < n ? len + 1 : n, site);
	evr_text_release(&t);
	return len;
}

/*
 * With _FORTIFY_SOURCE the size of the destination, as far as the compiler knows it, comes along. The shadow knows
 * better, and a finding says more than an abort.
 */
void *evr_libc___memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	(void)room;
	return evr_libc_memcpy(to, from, n);
}

void *evr_libc___memmove_chk(void *to, const void *from, size_t n, size_t room)
{
	(void)room;
	return evr_libc_memmove(to, from, n);
}

void *evr_libc___mempcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	(void)room;
	return evr_libc_mempcpy(to, from, n);
}

void *evr_libc___memset_chk(void *to, int byte, size_t n, size_t room)
{
	(void)room;
	return evr_libc_memset(to, byte, n);
}

char *evr_libc___strcpy_chk(char *to, const char *from, size_t room)
{
	(void)room;
	return evr_libc_strcpy(to, from);
}

char *evr_libc___stpcpy_chk(char *to, const char *from, size_t room)
{
	(void)room;
	return evr_libc_stpcpy(to, from);
}

char *evr_libc___strncpy_chk(char *to, const char *from, size_t n, size_t room)
{
	(void)room;
	return evr_libc_strncpy(to, from, n);
}

char *evr_libc___strcat_chk(char *to, const char *from, size_t room)
{
	(void)room;
	return evr_libc_strcat(to, from);
}

char *evr_libc___strncat_chk(char *to, const char *from, size_t n, size_t room)
{
	(void)room;
	return evr_libc_strncat(to, from, n);
}
