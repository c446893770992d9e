/*
 * Scratch memory of the library's wrappers, and the library's variables as program memory.
 *
 * Invariant: a text is in its own `small` bytes, or in a block that is on the list `blocks`. A thread that never comes back
 * leaves its blocks there, and the next execution begins with freeing them.
 */
#include "base/map.h"
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <string.h>
#include <unistd.h>

struct evr_text_block {
	struct evr_text_block *next, **at;
	char bytes[];
};

void evr_text_init(struct evr_text *t)
{
	t->data = t->small;
	t->len = 0;
	t->cap = sizeof(t->small);
	t->block = NULL;
	t->small[0] = '\0';
}

static void unlink_block(struct evr_text_block *b)
{
	*b->at = b->next;
	if (b->next)
		b->next->at = b->at;
}

static void link_block(struct evr_text_block *b)
{
	b->next = evr_execution.texts;
	b->at = &evr_execution.texts;
	if (evr_execution.texts)
		evr_execution.texts->at = &b->next;
	evr_execution.texts = b;
}

void evr_text_release(struct evr_text *t)
{
	if (!t->block)
		return;
	unlink_block(t->block);
	free(t->block);
}

static void grow(struct evr_text *t, size_t need)
{
	struct evr_text_block *old = t->block;
	while (t->cap < need)
		t->cap *= 2;
	if (old)
		unlink_block(old);
	t->block = evr_realloc(old, sizeof(*t->block) + t->cap);
	link_block(t->block);
	if (!old)
		memcpy(t->block->bytes, t->small, t->len + 1);
	t->data = t->block->bytes;
}

char *evr_text_reserve(struct evr_text *t, size_t n)
{
	if (EVR_UNLIKELY(t->len + n + 1 > t->cap))
		grow(t, t->len + n + 1);
	return t->data + t->len;
}

void evr_text_add(struct evr_text *t, const char *bytes, size_t n)
{
	memcpy(evr_text_reserve(t, n), bytes, n);
	t->len += n;
	t->data[t->len] = '\0';
}

void evr_text_fill(struct evr_text *t, char c, size_t n)
{
	memset(evr_text_reserve(t, n), c, n);
	t->len += n;
	t->data[t->len] = '\0';
}

void evr_text_string(struct evr_text *t, const char *s, size_t limit, const struct evr_site *site)
{
	for (size_t i = 0; i < limit; i++) {
		char c = (char)evr_byte(s + i, site);
		if (!c)
			break;
		if (EVR_UNLIKELY(t->len + 2 > t->cap))
			grow(t, t->len + 2);
		t->data[t->len++] = c;
	}
	t->data[t->len] = '\0';
}

void evr_text_bytes(struct evr_text *t, const void *p, size_t n, const struct evr_site *site)
{
	evr_text_reserve(t, n);
	evr_access_read_text(t->data + t->len, p, n, site);
	t->len += n;
	t->data[t->len] = '\0';
}

void evr_text_copy(struct evr_text *t, const char *s, const struct evr_site *site)
{
	evr_text_init(t);
	evr_text_string(t, s, SIZE_MAX, site);
}

const struct evr_site *evr_atomic_site(const struct evr_site *site)
{
	static EVR_LASTING struct evr_map known;
	uint64_t *found = evr_map_get(&known, (uintptr_t)site);
	if (found)
		return (const struct evr_site *)(uintptr_t)*found;
	struct evr_site *copy = evr_alloc(sizeof(*copy));
	*copy = *site;
	copy->order = EVR_SEQ_CST;
	evr_map_put(&known, (uintptr_t)site, (uintptr_t)copy);
	return copy;
}

EVR_MEMORY struct evr_library evr_library;

void evr_library_touch(uint64_t *variable, bool change, const struct evr_site *site)
{
	if (change)
		evr_access_rmw((uintptr_t)variable, sizeof(*variable), 1, EVR_RMW_ADD, evr_atomic_site(site));
	else
		evr_access_load((uintptr_t)variable, sizeof(*variable), evr_atomic_site(site));
}

/* Described like the variables of an instrumented object, and so found by name in reports. */
static const struct evr_variable variables[] = {
	{ "(file names)", NULL, &evr_library.names, sizeof(evr_library.names), 0 },
	{ "(standard input)", NULL, &evr_library.input, sizeof(evr_library.input), 0 },
	{ "(files)", NULL, evr_library.files, sizeof(evr_library.files), 0 },
	{ "(state of strtok)", NULL, &evr_library.token, sizeof(evr_library.token), 0 },
	{ "(state of getopt)", NULL, &evr_library.option, sizeof(evr_library.option), 0 },
	{ "(result of gmtime)", NULL, &evr_library.time, sizeof(evr_library.time), 0 },
	{ "(result of strerror)", NULL, evr_library.message, sizeof(evr_library.message), 0 },
	{ "(handlers of signals)", NULL, evr_library.handlers, sizeof(evr_library.handlers), 0 },
	{ "(names of threads)", NULL, evr_library.thread_names, sizeof(evr_library.thread_names), 0 },
	{ "(limits of the process)", NULL, evr_library.limits, sizeof(evr_library.limits), 0 },
	{ "(scheduling of threads)", NULL, evr_library.scheduling, sizeof(evr_library.scheduling), 0 },
	{ "(priority of the process)", NULL, &evr_library.priority, sizeof(evr_library.priority), 0 },
	{ "(result of getpwuid)", NULL, &evr_library.user, sizeof(evr_library.user), 0 },
	{ "(text of getpwuid)", NULL, evr_library.user_text, sizeof(evr_library.user_text), 0 },
	{ "(channels)", NULL, evr_library.channels, sizeof(evr_library.channels), 0 },
	{ "(polls)", NULL, evr_library.polls, sizeof(evr_library.polls), 0 },
	{ "environ", NULL, &environ, sizeof(environ), 0 },
	{ "(result of asctime)", NULL, evr_library.date, sizeof(evr_library.date), 0 },
};

static EVR_LASTING struct evr_object object = {
	.version = EVR_ABI_VERSION,
	.name = "libc",
	.variables = variables,
	.variable_count = EVR_COUNT(variables),
};

__attribute__((constructor)) static void describe(void)
{
	evr_object_register(&object);
}

void evr_texts_release(void)
{
	while (evr_execution.texts) {
		struct evr_text_block *b = evr_execution.texts;
		evr_execution.texts = b->next;
		free(b);
	}
}

void *evr_library_malloc(size_t size, const struct evr_site *site)
{
	evr_call_site = site;
	return evr_libc_malloc(size);
}

void evr_library_free(void *p, const struct evr_site *site)
{
	evr_call_site = site;
	evr_libc_free(p);
}
