/*
 * Functions that copy or fill: memcpy() and strcpy() with their relatives.
 *
 * Invariant: what they read and write are accesses of the program at the site of the call, in the order in which a loop of the
 * program's own would make them; nothing behind a terminator is read.
 */
#define EVR_ALLOW_BANNED
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <libgen.h>
#undef basename
#include <string.h>
#include <strings.h>

EVR_REAL(dirname);
EVR_REAL(__xpg_basename);

void *evr_libc_memcpy(void *to, const void *from, size_t n)
{
	evr_copy(to, (void *)(uintptr_t)from, n, (void *)(uintptr_t)evr_call_site);
	return to;
}

void *evr_libc_memmove(void *to, const void *from, size_t n)
{
	evr_access_copy(to, from, n, evr_call_site);
	return to;
}

void *evr_libc_mempcpy(void *to, const void *from, size_t n)
{
	evr_copy(to, (void *)(uintptr_t)from, n, (void *)(uintptr_t)evr_call_site);
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
	evr_access_apart(to, from, n + terminate, site);
	evr_access_write_text(to, t.data, n + terminate, site);
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
	static const char zeros[64];
	for (size_t i = len; i < n; i += sizeof(zeros))
		evr_access_write_text(to + i, zeros, n - i < sizeof(zeros) ? n - i : sizeof(zeros), site);
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

size_t evr_libc_strlcpy(char *to, const char *from, size_t size)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text t;
	evr_text_copy(&t, from, site);
	size_t n = t.len, k = n < size ? n : size ? size - 1 : 0;
	t.data[k] = '\0';
	if (size)
		evr_access_write_text(to, t.data, k + 1, site);
	evr_text_release(&t);
	return n;
}

size_t evr_libc_strlcat(char *to, const char *from, size_t size)
{
	const struct evr_site *site = evr_call_site;
	size_t n = 0;
	while (n < size && evr_byte(to + n, site))
		n++;
	evr_call_site = site;
	return n + evr_libc_strlcpy(to + n, from, size - n);
}

void evr_libc_swab(const void *from, void *to, ssize_t n)
{
	const struct evr_site *site = evr_call_site;
	for (ssize_t i = 0; i + 1 < n; i += 2) {
		char pair[2] = { (char)evr_byte((const char *)from + i + 1, site),
				 (char)evr_byte((const char *)from + i, site) };
		evr_access_write_text((char *)to + i, pair, 2, site);
	}
}

/* The parts of a path. Which bytes the real function changes is seen on a copy. */
static char *part_of_path(char *path, char *(*real)(char *), const struct evr_site *site)
{
	struct evr_text before, after;
	if (!path)
		return real(NULL);
	evr_text_copy(&before, path, site);
	evr_text_init(&after);
	evr_text_add(&after, before.data, before.len);
	char *part = real(after.data);
	for (size_t i = 0; i < before.len; i++)
		if (before.data[i] != after.data[i])
			evr_access_store((uintptr_t)path + i, 1, (unsigned char)after.data[i], site);
	bool within = part >= after.data && part <= after.data + after.len;
	char *result = within ? path + (part - after.data) : part;
	evr_text_release(&before);
	evr_text_release(&after);
	return result;
}

char *evr_libc_dirname(char *path)
{
	return part_of_path(path, dirname, evr_call_site);
}

char *evr_libc___xpg_basename(char *path)
{
	return part_of_path(path, __xpg_basename, evr_call_site);
}

/* The one of <string.h>, which changes nothing. */
char *evr_libc_basename(const char *path)
{
	const struct evr_site *site = evr_call_site;
	const char *start = path;
	for (const char *p = path;; p++) {
		char c = (char)evr_byte(p, site);
		if (!c)
			return (char *)(uintptr_t)start;
		if (c == '/')
			start = p + 1;
	}
}

static char *duplicate(const char *s, size_t limit, const struct evr_site *site)
{
	struct evr_text t;
	evr_text_init(&t);
	evr_text_string(&t, s, limit, site);
	char *copy = evr_library_malloc(t.len + 1, site);
	if (copy)
		evr_access_write_text(copy, t.data, t.len + 1, site);
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
		evr_access_write_text(to, t.data, len < n ? len + 1 : n, site);
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

char *evr_libc___stpncpy_chk(char *to, const char *from, size_t n, size_t room)
{
	(void)room;
	return evr_libc_stpncpy(to, from, n);
}

void evr_libc___explicit_bzero_chk(void *to, size_t n, size_t room)
{
	(void)room;
	evr_libc_explicit_bzero(to, n);
}
