/*
 * Sorting and searching, the process's number, the locale: what is left of the C library.
 *
 * Invariant: the program's comparison is called as the GNU library would call it, with the same elements in the same order,
 * and may be switched away from or never return.
 */
#define EVR_ALLOW_BANNED
#include "runtime/hooks.h"
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <locale.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

EVR_REAL(setlocale);

/*
 * A merge sort, as the GNU library's: the same comparisons in the same order, and stable. The program's comparison gets
 * pointers into its own memory, the second half of which is allocated like malloc() does.
 */
struct sort {
	size_t size;
	char *space;
	int (*compare)(const void *, const void *);
	int (*compare_with)(const void *, const void *, void *);
	void *argument;
	const struct evr_site *site;
};

static int order(const struct sort *s, const void *a, const void *b)
{
	return s->compare ? s->compare(a, b) : s->compare_with(a, b, s->argument);
}

static void merge_sort(const struct sort *s, char *base, size_t n)
{
	if (n <= 1)
		return;
	size_t left = n / 2, right = n - left;
	char *a = base, *b = base + left * s->size, *to = s->space;
	merge_sort(s, a, left);
	merge_sort(s, b, right);
	for (; left && right; to += s->size)
		if (order(s, a, b) <= 0) {
			evr_access_copy(to, a, s->size, s->site);
			a += s->size;
			left--;
		} else {
			evr_access_copy(to, b, s->size, s->site);
			b += s->size;
			right--;
		}
	if (left)
		evr_access_copy(to, a, left * s->size, s->site);
	evr_access_copy(base, s->space, (n - right) * s->size, s->site);
}

static void sort(struct sort *s, void *base, size_t n)
{
	if (n < 2 || !s->size)
		return;
	evr_call_pointer(s->compare ? (void *)(uintptr_t)s->compare : (void *)(uintptr_t)s->compare_with,
			 (void *)(uintptr_t)s->site);
	s->space = evr_library_malloc(n * s->size, s->site);
	if (!s->space)
		evr_unsupported(s->site, "there is not enough memory to sort %zu elements of %zu bytes", n, s->size);
	merge_sort(s, base, n);
	evr_library_free(s->space, s->site);
}

void evr_libc_qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	struct sort s = { .size = size, .compare = compare, .site = evr_call_site };
	sort(&s, base, n);
}

void evr_libc_qsort_r(void *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
		      void *argument)
{
	struct sort s = { .size = size, .compare_with = compare, .argument = argument, .site = evr_call_site };
	sort(&s, base, n);
}

void *evr_libc_bsearch(const void *key, const void *base, size_t n, size_t size,
		       int (*compare)(const void *, const void *))
{
	size_t low = 0, high = n;
	if (n)
		evr_call_pointer((void *)(uintptr_t)compare, (void *)(uintptr_t)evr_call_site);
	while (low < high) {
		size_t middle = (low + high) / 2;
		const char *p = (const char *)base + middle * size;
		int found = compare(key, p);
		if (found == 0)
			return (void *)(uintptr_t)p;
		if (found < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

void *evr_libc_lfind(const void *key, const void *base, size_t *n, size_t size,
		     int (*compare)(const void *, const void *))
{
	const struct evr_site *site = evr_call_site;
	size_t count = (size_t)evr_access_load((uintptr_t)n, sizeof(*n), site);
	for (size_t i = 0; i < count; i++)
		if (!compare(key, (const char *)base + i * size))
			return (char *)(uintptr_t)base + i * size;
	return NULL;
}

void *evr_libc_lsearch(const void *key, void *base, size_t *n, size_t size, int (*compare)(const void *, const void *))
{
	const struct evr_site *site = evr_call_site;
	void *found = evr_libc_lfind(key, base, n, size, compare);
	if (found)
		return found;
	size_t count = (size_t)evr_access_load((uintptr_t)n, sizeof(*n), site);
	evr_access_copy((char *)base + count * size, key, size, site);
	evr_access_store((uintptr_t)n, sizeof(*n), count + 1, site);
	return (char *)base + count * size;
}

pid_t evr_libc_getpid(void)
{
	return 4711;
}

pid_t evr_libc_getppid(void)
{
	return 4710;
}

pid_t evr_libc_gettid(void)
{
	return 4711 + evr_current->id;
}

int evr_libc_system(const char *command)
{
	if (!command)
		return 1;
	evr_unsupported(evr_call_site, "the function 'system' is not supported: it starts another process");
}

/* The locale is "C" and stays so. The names are constants of the library, which the program may read. */
char *evr_libc_setlocale(int category, const char *name)
{
	bool known = true;
	if (name) {
		struct evr_text t;
		evr_text_copy(&t, name, evr_call_site);
		known = !t.len || !strcmp(t.data, "C") || !strcmp(t.data, "POSIX");
		evr_text_release(&t);
	}
	return known ? setlocale(category, NULL) : NULL;
}
