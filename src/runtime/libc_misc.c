/* Sorting and searching, the environment, the locale, signals: what is left of the C library. */
#define EVR_ALLOW_BANNED
#include "runtime/hooks.h"
#include "runtime/libc.h"
#include "runtime/wrappers.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

EVR_REAL(setlocale);
EVR_REAL(sigemptyset);
EVR_REAL(sigfillset);
EVR_REAL(sigaddset);
EVR_REAL(sigdelset);
EVR_REAL(sigismember);

extern char **environ;

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
		evr_unsupported(s->site, "there is no memory to sort %zu elements of %zu bytes", n, s->size);
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

/* The environment. */

char *evr_library_variable(const char *name)
{
	size_t n = strlen(name);
	for (char **e = environ; n && *e; e++)
		if (!strncmp(*e, name, n) && (*e)[n] == '=')
			return *e + n + 1;
	return NULL;
}

char *evr_libc_getenv(const char *name)
{
	struct evr_text t;
	evr_text_copy(&t, name, evr_call_site);
	char *value = evr_library_variable(t.data);
	evr_text_release(&t);
	return value;
}

char *evr_libc_secure_getenv(const char *name)
{
	return evr_libc_getenv(name);
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
	evr_unsupported(evr_call_site, "the function 'system' is not modelled: it starts another process");
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

/* Signals: none arrives but those that end the program, so that handlers are never called. */

void (*evr_libc_signal(int number, void (*handler)(int)))(int)
{
	(void)number, (void)handler;
	return SIG_DFL;
}

int evr_libc_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	const struct evr_site *site = evr_call_site;
	struct sigaction none = { .sa_handler = SIG_DFL };
	(void)number;
	if (action) {
		struct sigaction wanted;
		evr_access_read(&wanted, action, sizeof(wanted), site);
	}
	if (old)
		evr_access_write(old, &none, sizeof(none), site);
	return 0;
}

static int no_mask(const sigset_t *set, sigset_t *old, const struct evr_site *site)
{
	sigset_t none;
	if (set)
		evr_access_read(&none, set, sizeof(none), site);
	sigemptyset(&none);
	if (old)
		evr_access_write(old, &none, sizeof(none), site);
	return 0;
}

int evr_libc_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	(void)how;
	return no_mask(set, old, evr_call_site);
}

int evr_libc_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	(void)how;
	return no_mask(set, old, evr_call_site);
}

int evr_libc_sigemptyset(sigset_t *set)
{
	sigset_t value;
	sigemptyset(&value);
	evr_access_write(set, &value, sizeof(value), evr_call_site);
	return 0;
}

int evr_libc_sigfillset(sigset_t *set)
{
	sigset_t value;
	sigfillset(&value);
	evr_access_write(set, &value, sizeof(value), evr_call_site);
	return 0;
}

static int change_set(sigset_t *set, int number, int (*change)(sigset_t *, int), const struct evr_site *site)
{
	sigset_t value;
	evr_access_read(&value, set, sizeof(value), site);
	int result = change(&value, number);
	evr_access_write(set, &value, sizeof(value), site);
	return result;
}

int evr_libc_sigaddset(sigset_t *set, int number)
{
	return change_set(set, number, sigaddset, evr_call_site);
}

int evr_libc_sigdelset(sigset_t *set, int number)
{
	return change_set(set, number, sigdelset, evr_call_site);
}

int evr_libc_sigismember(const sigset_t *set, int number)
{
	sigset_t value;
	evr_access_read(&value, set, sizeof(value), evr_call_site);
	return sigismember(&value, number);
}

int evr_libc_raise(int number)
{
	const struct evr_site *site = evr_call_site;
	switch (number) {
	case SIGABRT:
		evr_fail("abort", site, "raise(SIGABRT) was called");
	case SIGSEGV:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
		evr_fail("crash", site, "raise: %s", sigdescr_np(number));
	default:
		evr_unsupported(site, "raise(%d) is not modelled", number);
	}
}

/* With _FORTIFY_SOURCE. */
void evr_libc___longjmp_chk(struct __jmp_buf_tag *buffer, int value)
{
	evr_libc__longjmp(buffer, value);
}
