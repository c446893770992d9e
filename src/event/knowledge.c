/*
 * Learning, and knowledge as text.
 *
 * Invariant: whatever adds something to the knowledge raises its version, and what is known already does not. What is written as text
 * and read again is the same knowledge.
 */
#include "event/knowledge.h"

#include <string.h>

void evr_learn_shared(struct evr_knowledge *k, uintptr_t address, size_t size)
{
	size_t n = k->shared.len;
	if (n && k->shared.data[n - 1].address + k->shared.data[n - 1].size == address)
		k->shared.data[n - 1].size += size;
	else
		evr_vec_push(&k->shared, (struct evr_range){ address, size });
	evr_learn(k);
}

void evr_learn_contended(struct evr_knowledge *k, uintptr_t object, size_t size)
{
	evr_vec_push(&k->contended, (struct evr_range){ object, size });
	evr_learn(k);
}

void evr_learn_cut(struct evr_knowledge *k, uintptr_t address)
{
	for (size_t i = 0; i < k->cuts.len; i++)
		if (k->cuts.data[i] == address)
			return;
	evr_vec_push(&k->cuts, address);
	evr_learn(k);
}

void evr_learn_mixed(struct evr_knowledge *k, uintptr_t address, size_t size)
{
	for (size_t i = 0; i < k->mixed.len; i++)
		if (k->mixed.data[i].address == address && k->mixed.data[i].size == size)
			return;
	evr_vec_push(&k->mixed, (struct evr_range){ address, size });
	evr_learn(k);
}

bool evr_is_await(const struct evr_knowledge *k, uintptr_t site)
{
	for (size_t i = 0; i < k->awaits.len; i++)
		if (k->awaits.data[i] == site)
			return true;
	return false;
}

void evr_learn_await(struct evr_knowledge *k, uintptr_t site)
{
	if (evr_is_await(k, site))
		return;
	evr_vec_push(&k->awaits, site);
	evr_learn(k);
}

size_t evr_find_tried(const struct evr_knowledge *k, uintptr_t lock)
{
	for (size_t i = 0; i < k->tried.len; i++)
		if (k->tried.data[i].lock == lock)
			return i;
	return SIZE_MAX;
}

void evr_learn_tried(struct evr_knowledge *k, uintptr_t lock, bool matters)
{
	size_t i = evr_find_tried(k, lock);
	if (i == SIZE_MAX) {
		i = k->tried.len;
		evr_vec_push(&k->tried, (struct evr_tried){ .lock = lock });
		evr_learn(k);
	}
	if (matters && !k->tried.data[i].matters) {
		k->tried.data[i].matters = k->tries_matter = true;
		evr_learn(k);
	}
}

/* ---- groups: a union-find forest ---- */

static uint32_t root_of(struct evr_knowledge *k, uint32_t i)
{
	struct evr_section_member *m = k->members.data;
	while (m[i].parent != i)
		i = m[i].parent = m[m[i].parent].parent;
	return i;
}

uint32_t evr_find_group(struct evr_knowledge *k, uintptr_t what)
{
	const uint64_t *known = evr_map_get(&k->member_of, what);
	return known ? root_of(k, (uint32_t)*known) : EVR_NO_GROUP;
}

uint32_t evr_learn_member(struct evr_knowledge *k, uintptr_t what, bool is_byte)
{
	uint32_t i = evr_find_group(k, what);
	if (i != EVR_NO_GROUP)
		return i;
	i = (uint32_t)k->members.len;
	evr_vec_push(&k->members, (struct evr_section_member){ what, is_byte, i, is_byte ? what : 0 });
	evr_map_put(&k->member_of, what, i);
	evr_learn(k);
	return i;
}

/* The older root stays: what a group is called does not depend on who joins it. */
void evr_learn_same_group(struct evr_knowledge *k, uint32_t a, uint32_t b)
{
	struct evr_section_member *to = &k->members.data[a < b ? a : b], *from = &k->members.data[a < b ? b : a];
	if (to == from)
		return;
	from->parent = to->parent;
	if (!to->lowest || (from->lowest && from->lowest < to->lowest))
		to->lowest = from->lowest;
	evr_learn(k);
}

void evr_knowledge_release(struct evr_knowledge *k)
{
	evr_vecs_release(&k->shared, &k->contended, &k->cuts, &k->mixed, &k->members, &k->tried, &k->awaits);
	evr_map_release(&k->member_of);
	*k = (struct evr_knowledge){ 0 };
}

/* ---- as text ---- */

static void write_range(const struct evr_addresses *a, struct evr_strbuf *out, uintptr_t address, size_t size)
{
	a->write(out, address);
	evr_strbuf_printf(out, ":%zx,", size);
}

void evr_knowledge_write(const struct evr_knowledge *k, const struct evr_addresses *a, bool all, struct evr_strbuf *out)
{
	size_t before = out->len;
	for (size_t i = 0; i < k->shared.len; i++)
		write_range(a, out, k->shared.data[i].address, k->shared.data[i].size);
	for (size_t i = 0; i < k->contended.len; i++)
		evr_strbuf_printf(out, "c%llx:%zx,",
				  (unsigned long long)(k->contended.data[i].address - a->arena.address),
				  k->contended.data[i].size);
	for (size_t i = 0; i < k->cuts.len; i++)
		write_range(a, out, k->cuts.data[i], 0);
	for (uint32_t i = 0; i < k->members.len; i++) {
		const struct evr_section_member *m = &k->members.data[i];
		uint32_t root = i;
		while (k->members.data[root].parent != root)
			root = k->members.data[root].parent;
		evr_strbuf_printf(out, "%c%x.", m->is_byte ? 's' : 'b', root);
		write_range(a, out, m->what, 1);
	}
	for (size_t i = 0; i < k->tried.len; i++)
		if (k->tried.data[i].matters || all) {
			evr_strbuf_putc(out, 't');
			write_range(a, out, k->tried.data[i].lock, k->tried.data[i].matters);
		}
	for (size_t i = 0; i < k->mixed.len && all; i++) {
		evr_strbuf_putc(out, 'o');
		write_range(a, out, k->mixed.data[i].address, k->mixed.data[i].size);
	}
	for (size_t i = 0; i < k->awaits.len && all; i++) {
		evr_strbuf_putc(out, 'y');
		write_range(a, out, k->awaits.data[i], 1);
	}
	if (all && k->waits)
		evr_strbuf_puts(out, "w,");
	if (all && k->writes_matter)
		evr_strbuf_puts(out, "v,");
	/* The comma behind the last one. */
	if (out->len > before)
		evr_strbuf_shorten(out, out->len - 1);
}

bool evr_read_number(const char **p, unsigned base, unsigned long long *value)
{
	const char *digits = "0123456789abcdef", *start = *p, *digit;
	*value = 0;
	for (; **p && (digit = strchr(digits, **p)) && digit < digits + base; (*p)++)
		if (__builtin_mul_overflow(*value, base, value) ||
		    __builtin_add_overflow(*value, (unsigned)(digit - digits), value))
			return false;
	return *p != start;
}

/* More than any search comes to: beyond it somebody has made the text up, and memory would run out. */
#define MOST_SHARED ((size_t)128 << 20)

struct reader {
	struct evr_knowledge *k;
	const struct evr_addresses *a;
	struct evr_map first; /* number of a group -> the member that came first */
	unsigned long long all; /* bytes */
};

bool evr_read_char(const char **p, char c)
{
	if (**p != c)
		return false;
	(*p)++;
	return true;
}

static bool read_size(struct reader *r, const char **p, size_t *size)
{
	unsigned long long n;
	if (!evr_read_char(p, ':') || !evr_read_number(p, 16, &n) || n > MOST_SHARED || (r->all += n) > MOST_SHARED)
		return false;
	*size = n;
	return true;
}

static bool read_range(struct reader *r, const char **p, struct evr_range *range)
{
	return r->a->read(p, &range->address) && read_size(r, p, &range->size);
}

static bool read_contended(struct reader *r, const char **p)
{
	unsigned long long offset;
	size_t size;
	if (!evr_read_number(p, 16, &offset) || offset >= r->a->arena.size || !read_size(r, p, &size))
		return false;
	evr_learn_contended(r->k, r->a->arena.address + offset, size);
	return true;
}

static bool read_member(struct reader *r, const char **p, bool is_byte)
{
	unsigned long long group;
	struct evr_range range;
	if (!evr_read_number(p, 16, &group) || !evr_read_char(p, '.') || !read_range(r, p, &range) || range.size != 1)
		return false;
	uint32_t root = evr_learn_member(r->k, range.address, is_byte);
	const uint64_t *first = evr_map_get(&r->first, group);
	if (first)
		evr_learn_same_group(r->k, root_of(r->k, (uint32_t)*first), root);
	else
		evr_map_put(&r->first, group, root);
	return true;
}

static bool read_item(struct reader *r, const char **p)
{
	struct evr_range range;
	if (evr_read_char(p, 'w')) {
		r->k->waits = true;
		return true;
	}
	if (evr_read_char(p, 'v')) {
		r->k->writes_matter = true;
		return true;
	}
	if (evr_read_char(p, 'c'))
		return read_contended(r, p);
	if (**p == 's' || **p == 'b')
		return read_member(r, p, *(*p)++ == 's');
	bool tried = evr_read_char(p, 't'), mixed = !tried && evr_read_char(p, 'o');
	bool await = !tried && !mixed && evr_read_char(p, 'y');
	if (!read_range(r, p, &range))
		return false;
	if (await)
		evr_learn_await(r->k, range.address);
	else if (mixed)
		evr_learn_mixed(r->k, range.address, range.size);
	else if (tried)
		evr_learn_tried(r->k, range.address, range.size);
	else if (range.size)
		evr_learn_shared(r->k, range.address, range.size);
	else
		evr_learn_cut(r->k, range.address);
	return true;
}

bool evr_knowledge_read(struct evr_knowledge *k, const struct evr_addresses *a, const char **p)
{
	struct reader r = { .k = k, .a = a };
	bool fine;
	do
		fine = read_item(&r, p);
	while (fine && evr_read_char(p, ','));
	evr_map_release(&r.first);
	return fine;
}
