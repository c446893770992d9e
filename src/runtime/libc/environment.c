/*
 * The environment. `environ` and what it points to is program memory, which these functions read and write like the
 * program's own code could: none of them may run while another thread calls one that changes it.
 */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static char **list(const struct evr_site *site)
{
	return (char **)(uintptr_t)evr_access_load((uintptr_t)&environ, sizeof(environ), site);
}

static char *entry(char *const *all, size_t i, const struct evr_site *site)
{
	return (char *)(uintptr_t)evr_access_load((uintptr_t)&all[i], sizeof(*all), site);
}

static void set_entry(char **all, size_t i, const char *value, const struct evr_site *site)
{
	evr_access_store((uintptr_t)&all[i], sizeof(*all), (uintptr_t)value, site);
}

/* The value, if the entry is "NAME=value" of this name. */
static char *value_of(char *s, const char *name, const struct evr_site *site)
{
	size_t i = 0;
	for (; name[i]; i++)
		if (evr_byte(s + i, site) != (unsigned char)name[i])
			return NULL;
	return evr_byte(s + i, site) == '=' ? s + i + 1 : NULL;
}

/* The value of the variable, or NULL; *at is its entry, or where the list ends. */
static char *find(const char *name, size_t *at, const struct evr_site *site)
{
	char **all = list(site);
	*at = 0;
	for (char *e; all && (e = entry(all, *at, site)); ++*at) {
		char *value = value_of(e, name, site);
		if (value)
			return value;
	}
	return NULL;
}

char *evr_library_variable(const char *name, const struct evr_site *site)
{
	size_t at;
	return *name && !strchr(name, '=') ? find(name, &at, site) : NULL;
}

char *evr_libc_getenv(const char *name)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text t;
	evr_text_copy(&t, name, site);
	char *value = evr_library_variable(t.data, site);
	evr_text_release(&t);
	return value;
}

char *evr_libc_secure_getenv(const char *name)
{
	return evr_libc_getenv(name);
}

/* Put `definition`, which is "NAME=value" in program memory, in place of the entry `at`, or behind all others. */
static int define(char *definition, bool there, size_t at, const struct evr_site *site)
{
	char **all = list(site);
	if (there) {
		set_entry(all, at, definition, site);
		return 0;
	}
	char **longer = evr_heap_keep((at + 2) * sizeof(*longer), site);
	if (!longer)
		return -1;
	for (size_t i = 0; i < at; i++)
		set_entry(longer, i, entry(all, i, site), site);
	set_entry(longer, at, definition, site);
	set_entry(longer, at + 1, NULL, site);
	evr_access_store((uintptr_t)&environ, sizeof(environ), (uintptr_t)longer, site);
	return 0;
}

static int set_variable(const char *name, const char *value, bool overwrite, const struct evr_site *site)
{
	size_t at;
	bool there = find(name, &at, site);
	if (there && !overwrite)
		return 0;
	struct evr_text t;
	evr_text_init(&t);
	evr_text_add(&t, name, strlen(name));
	evr_text_add(&t, "=", 1);
	evr_text_string(&t, value, SIZE_MAX, site);
	char *definition = evr_heap_keep(t.len + 1, site);
	if (definition)
		evr_access_write_text(definition, t.data, t.len + 1, site);
	evr_text_release(&t);
	return definition ? define(definition, there, at, site) : -1;
}

int evr_libc_setenv(const char *name, const char *value, int overwrite)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text t;
	int result = -1;
	evr_text_copy(&t, name, site);
	if (!t.len || strchr(t.data, '='))
		errno = EINVAL;
	else
		result = set_variable(t.data, value, overwrite, site);
	evr_text_release(&t);
	return result;
}

static int remove_variable(const char *name, const struct evr_site *site)
{
	size_t at;
	while (find(name, &at, site)) {
		char **all = list(site), *next;
		do {
			next = entry(all, at + 1, site);
			set_entry(all, at++, next, site);
		} while (next);
	}
	return 0;
}

int evr_libc_unsetenv(const char *name)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text t;
	int result = -1;
	evr_text_copy(&t, name, site);
	if (!t.len || strchr(t.data, '='))
		errno = EINVAL;
	else
		result = remove_variable(t.data, site);
	evr_text_release(&t);
	return result;
}

/* The string itself becomes part of the environment; without a '=' it names a variable to be removed. */
int evr_libc_putenv(char *definition)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text t;
	size_t at;
	evr_text_copy(&t, definition, site);
	char *equals = strchr(t.data, '=');
	if (equals)
		*equals = '\0';
	int result = 0;
	if (equals) {
		bool there = find(t.data, &at, site);
		result = define(definition, there, at, site);
	} else if (t.len) {
		remove_variable(t.data, site);
	}
	evr_text_release(&t);
	return result;
}

int evr_libc_clearenv(void)
{
	evr_access_store((uintptr_t)&environ, sizeof(environ), 0, evr_call_site);
	return 0;
}
