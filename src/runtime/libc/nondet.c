/*
 * __VERIFIER_nondet_*(): any value of its type, of which there are too many to explore. The program's own definition is called
 * where there is one (instrument/svcomp.c); otherwise --nondet must name a range.
 */
#include "runtime/hooks.h"
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

#define MOST 65535 /* of everett_choose() */

struct range {
	const char *type; /* of that length; 0: all types that have none of their own */
	int length;
	long long low, high;
	bool used;
};

static EVR_LASTING EVR_VEC(struct range) ranges;

/* TYPE=LOW..HIGH or LOW..HIGH, of n characters. */
static void add_range(const char *text, size_t n)
{
	struct range r = { .type = text };
	const char *p = memchr(text, '=', n);
	char *end;
	if (p)
		r.length = (int)(p - text);
	p = p ? p + 1 : text;
	r.low = strtoll(p, &end, 10);
	bool fine = end > p && !strncmp(end, "..", 2);
	p = fine ? end + 2 : p;
	r.high = strtoll(p, &end, 10);
	if (!fine || end == p || end != text + n || r.low > r.high)
		evr_die("option '--nondet': '%.*s' is not a range LOW..HIGH", (int)n, text);
	if ((unsigned long long)r.high - (unsigned long long)r.low >= MOST)
		evr_die("option '--nondet': '%.*s' has more than %d values", (int)n, text, MOST);
	evr_vec_push(&ranges, r);
}

void evr_nondet_init(const char *text)
{
	for (; text && *text; text += *text == ',') {
		size_t n = strcspn(text, ",");
		add_range(text, n);
		text += n;
	}
}

static struct range *range_of(const char *type)
{
	struct range *found = NULL;
	for (size_t i = 0; i < ranges.len; i++) {
		struct range *r = &ranges.data[i];
		bool exact = r->length && !strncmp(type, r->type, (size_t)r->length) && !type[r->length];
		if (exact || (!r->length && (!found || !found->length)))
			found = r;
	}
	return found;
}

static bool is_unsigned(const char *type)
{
	return type[0] == 'u' || !strcmp(type, "size_t") || !strcmp(type, "pthread_t") || !strcmp(type, "sector_t");
}

/* Those values of the range that the type has. */
static void clip(struct range *r, const char *type, unsigned bits)
{
	bool positive = is_unsigned(type);
	long long most = bits < 64 ? (1LL << (positive ? bits : bits - 1)) - 1 : INT64_MAX;
	long long least = positive ? 0 : -most - 1;
	if (r->low < least)
		r->low = least;
	if (r->high > most)
		r->high = most;
}

uint64_t evr_nondet(void *p, uint32_t bits)
{
	const struct evr_site *site = evr_call_site;
	const char *name = p, *type = name + strlen("__VERIFIER_nondet_");
	struct range *known = range_of(type);
	if (!bits)
		evr_unsupported(site, "%s() may return anything: define it, by everett_choose() for instance", name);
	if (!known)
		evr_unsupported(site,
				"%s() may return any value: name a range, as in --nondet=0..3 or --nondet=%s=0..3, or "
				"define the function, by everett_choose() for instance",
				name, type);
	struct range r = *known;
	clip(&r, type, bits);
	if (r.low > r.high)
		evr_unsupported(site, "%s() cannot return any of %lld..%lld (--nondet)", name, known->low, known->high);
	known->used = true;
	return (uint64_t)r.low + evr_choose((unsigned)(r.high - r.low + 1), site);
}

const char *evr_nondet_note(void)
{
	static EVR_LASTING struct evr_strbuf note;
	if (!note.text)
		evr_strbuf_init(&note);
	evr_strbuf_clear(&note);
	for (size_t i = 0; i < ranges.len; i++) {
		const struct range *r = &ranges.data[i];
		if (r->used)
			evr_strbuf_printf(&note, "%s__VERIFIER_nondet_%.*s() returned %lld to %lld",
					  note.len ? ", " : "", r->length ? r->length : 1, r->length ? r->type : "*",
					  r->low, r->high);
	}
	if (!note.len)
		return NULL;
	evr_strbuf_puts(&note, " only (--nondet): the result holds for these values");
	return note.text;
}
