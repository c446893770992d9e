/*
 * The table of sites, and changes to it.
 *
 * Invariant: while the program runs, no order is changed any more; so whatever copies a site (evr_site_as()) copies the order that counts. A keeper (keeper.h) changes them again when all is over.
 */
#include "runtime/orders.h"

#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "event/event.h"
#include "report/result.h"

#include <stdlib.h>
#include <string.h>

/* All operations of one kind at one place. */
struct place {
	const struct evr_site *site; /* of the first */
	unsigned operation;
	size_t first, count; /* in atomics */
	struct evr_site *fence; /* right before it; NULL: none has been added yet */
	uint8_t added; /* the order of that as the user has it, or EVR_PLAIN */
};

static EVR_LASTING EVR_VEC(struct evr_atomic *) atomics; /* by place */
static EVR_LASTING EVR_VEC(struct evr_site)
	compiled; /* what they have without a change; empty: none has been assigned yet */
static EVR_LASTING EVR_VEC(struct place) places;
static EVR_LASTING struct evr_map changed; /* sites */
static EVR_LASTING struct evr_map fences; /* from the site of an access to that of the fence before it */
static EVR_LASTING bool weakened;

static const char *const operation_names[] = { "load", "store", "read-modify-write", "compare_exchange", "fence" };
static const char *const operation_words[] = { "load", "store", "rmw", "cas", "fence" };

/* ---- the table ---- */

static int by_place(const void *a, const void *b)
{
	const struct evr_atomic *x = *(struct evr_atomic *const *)a, *y = *(struct evr_atomic *const *)b;
	int files = strcmp(x->site->file, y->site->file);
	if (files)
		return files;
	if (x->site->line != y->site->line)
		return x->site->line < y->site->line ? -1 : 1;
	if (x->site->column != y->site->column)
		return x->site->column < y->site->column ? -1 : 1;
	return (x->operation > y->operation) - (x->operation < y->operation);
}

void evr_orders_init(const struct evr_object *objects)
{
	for (const struct evr_object *o = objects; o; o = o->next)
		for (uint64_t i = 0; i < o->atomic_count; i++)
			evr_vec_push(&atomics, o->atomics[i]);
	if (atomics.len)
		qsort(atomics.data, atomics.len, sizeof(*atomics.data), by_place);
	for (size_t i = 0; i < atomics.len; i++) {
		const struct evr_atomic *a = atomics.data[i];
		if (!i || by_place(&atomics.data[i - 1], &atomics.data[i])) {
			struct place p = { .site = a->site, .operation = (unsigned)a->operation, .first = i };
			evr_vec_push(&places, p);
		}
		evr_vec_last(&places).count++;
	}
}

static bool is_executed(const struct place *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (atomics.data[p->first + i]->executed)
			return true;
	return false;
}

static unsigned both(unsigned a, unsigned b, bool strongest)
{
	if (a == b)
		return a;
	if (a == EVR_SEQ_CST || b == EVR_SEQ_CST)
		return strongest ? EVR_SEQ_CST : a + b - EVR_SEQ_CST;
	bool acquires = evr_order_acquires(a) + evr_order_acquires(b) > !strongest;
	bool releases = evr_order_releases(a) + evr_order_releases(b) > !strongest;
	return acquires && releases ? EVR_ACQ_REL : acquires ? EVR_ACQUIRE : releases ? EVR_RELEASE : EVR_RELAXED;
}

/*
 * The strongest or the weakest order there. Where the program passes a variable, the compiler has made an operation of each order, and those that were executed count; if none was,
 * all do. `several`: whether they have not all one order.
 */
static unsigned order_of_place(const struct place *p, bool failure, bool strongest, bool *several)
{
	bool executed = is_executed(p);
	unsigned order = EVR_PLAIN, first = EVR_PLAIN;
	for (size_t i = 0; i < p->count; i++) {
		const struct evr_atomic *a = atomics.data[p->first + i];
		unsigned own = failure ? evr_site_failure(a->site) : a->site->order;
		if (!i)
			first = own;
		*several |= own != first;
		if (a->executed || !executed)
			order = order ? both(order, own, strongest) : own;
	}
	return order;
}

enum asked_about { ACCESS, FAILURE, FENCE_BEFORE };

static void tell(int fd, const struct place *p, enum asked_about what)
{
	static const char *const formats[] = { "%s", "%s failure", EVR_ADDED_FENCE "%s" };
	bool several = false;
	unsigned most = p->added ? p->added : EVR_RELAXED, least = most;
	if (what != FENCE_BEFORE) {
		most = order_of_place(p, what == FAILURE, true, &several);
		least = order_of_place(p, what == FAILURE, false, &several);
	}
	struct evr_result_site s = { .file = (char *)(uintptr_t)p->site->file,
				     .function = (char *)(uintptr_t)p->site->function,
				     .line = p->site->line,
				     .column = p->site->column,
				     .executed = is_executed(p) };
	s.operation = evr_format(formats[what], operation_names[p->operation]);
	s.now = (char *)(uintptr_t)evr_order_name(most);
	s.least = (char *)(uintptr_t)(several ? evr_order_name(least) : "");
	evr_wire_site(fd, &s);
	free(s.operation);
}

void evr_orders_tell(int fd)
{
	for (size_t i = 0; i < places.len; i++) {
		const struct place *p = &places.data[i];
		tell(fd, p, ACCESS);
		if (p->operation == EVR_OPERATION_CAS)
			tell(fd, p, FAILURE);
	}
	for (size_t i = 0; i < places.len; i++)
		if (places.data[i].operation != EVR_OPERATION_FENCE)
			tell(fd, &places.data[i], FENCE_BEFORE);
}

/* ---- changes ---- */

bool evr_orders_weakened(void)
{
	return weakened;
}

bool evr_orders_is_changed(const struct evr_site *site)
{
	return changed.len && evr_map_get(&changed, (uintptr_t)site);
}

bool evr_orders_has(const struct evr_site *site)
{
	for (size_t i = 0; i < atomics.len; i++)
		if (atomics.data[i]->site == site)
			return true;
	for (size_t i = 0; i < places.len; i++)
		if (places.data[i].fence == site)
			return true;
	return false;
}

struct evr_site *evr_orders_fence(const struct evr_site *access)
{
	const uint64_t *fence = evr_map_get(&fences, (uintptr_t)access);
	EVR_ASSERT(fence);
	return (struct evr_site *)(uintptr_t)*fence;
}

/* All as the user and the compiler have it. */
static void restore(void)
{
	if (!compiled.len) {
		evr_vec_reserve(&compiled, atomics.len + 1);
		compiled.len = atomics.len;
		for (size_t i = 0; i < atomics.len; i++)
			compiled.data[i] = *atomics.data[i]->site;
	}
	for (size_t i = 0; i < atomics.len; i++)
		*atomics.data[i]->site = compiled.data[i];
	for (size_t i = 0; i < places.len; i++)
		if (places.data[i].fence)
			places.data[i].fence->order = places.data[i].added ? places.data[i].added : EVR_RELAXED;
}

static void set(const struct place *p, bool failure, unsigned order)
{
	for (size_t i = 0; i < p->count; i++) {
		struct evr_site *s = atomics.data[p->first + i]->site;
		if (failure)
			s->flags =
				(uint8_t)(s->flags - evr_site_failure(s) * EVR_SITE_FAILURE + order * EVR_SITE_FAILURE);
		else
			s->order = (uint8_t)order;
		evr_map_put(&changed, (uintptr_t)s, 1);
	}
	weakened |= order != EVR_SEQ_CST;
}

/* A fence that is relaxed is none, but may be asked about (keeper.h). */
static void set_fence(struct place *p, unsigned order)
{
	if (!p->fence) {
		p->fence = evr_alloc(sizeof(*p->fence));
		*p->fence = *p->site;
		p->fence->flags = 0;
	}
	p->fence->order = (uint8_t)order;
	for (size_t i = 0; i < p->count; i++) {
		struct evr_site *s = atomics.data[p->first + i]->site;
		s->flags |= EVR_SITE_FENCED;
		evr_map_put(&fences, (uintptr_t)s, (uintptr_t)p->fence);
	}
}

/* As C has it; the order of a failure is that of a load. */
static bool permits(unsigned operation, bool failure, unsigned order)
{
	if (operation == EVR_OPERATION_LOAD || failure)
		return order != EVR_RELEASE && order != EVR_ACQ_REL;
	return operation != EVR_OPERATION_STORE || (order != EVR_ACQUIRE && order != EVR_ACQ_REL);
}

static unsigned order_of_name(const char *name, size_t n)
{
	for (unsigned order = EVR_RELAXED; order <= EVR_SEQ_CST; order++)
		if (strlen(evr_order_name(order)) == n && !strncmp(evr_order_name(order), name, n))
			return order;
	evr_die("'%.*s' is not a memory order (orders: relaxed, acquire, release, acq_rel, seq_cst)", (int)n, name);
}

/* ---- what the user says ---- */

struct change {
	char *text; /* "FILE:LINE[:COLUMN[:OPERATION]]" */
	char *file;
	unsigned long line, column; /* 0: not given */
	int operation; /* -1: not given */
	bool before; /* a fence before it */
	unsigned order, failure; /* EVR_PLAIN: not given */
};

static _Noreturn void malformed(const char *text)
{
	evr_die("an order is given as FILE:LINE[:COLUMN[:OPERATION]]=ORDER[/FAILURE], not '%s'", text);
}

/* Take the last part of the text off if it is a number. */
static unsigned long take_number(char *text)
{
	char *colon = strrchr(text, ':'), *end;
	if (!colon || colon[1] < '0' || colon[1] > '9')
		return 0;
	unsigned long n = strtoul(colon + 1, &end, 10);
	if (*end)
		return 0;
	*colon = '\0';
	return n;
}

static void take_operation(struct change *c)
{
	static const char before[] = "before-";
	char *colon = strrchr(c->file, ':');
	c->operation = -1;
	c->before = colon && !strncmp(colon + 1, before, strlen(before));
	const char *word = colon ? colon + 1 + (c->before ? strlen(before) : 0) : "";
	for (int i = 0; i < (int)EVR_COUNT(operation_words); i++)
		if (!strcmp(word, operation_words[i])) {
			c->operation = i;
			*colon = '\0';
			return;
		}
}

static void parse(struct change *c, const char *text)
{
	const char *equals = strrchr(text, '='), *slash = equals ? strchr(equals, '/') : NULL;
	if (!equals)
		malformed(text);
	size_t n = slash ? (size_t)(slash - equals) - 1 : strlen(equals + 1);
	c->order = n || !slash ? order_of_name(equals + 1, n) : EVR_PLAIN;
	c->failure = slash ? order_of_name(slash + 1, strlen(slash + 1)) : EVR_PLAIN;
	c->text = evr_strndup(text, (size_t)(equals - text));
	c->file = evr_strdup(c->text);
	take_operation(c);
	c->column = take_number(c->file);
	c->line = take_number(c->file);
	if (!c->line) {
		c->line = c->column;
		c->column = 0;
	}
	if (!c->line || !*c->file || (c->operation >= 0 && !c->column) ||
	    (c->before && (c->failure || c->operation < 0 || c->operation == EVR_OPERATION_FENCE)))
		malformed(text);
}

/* By its whole name, or by the end of it that begins behind a slash. */
static bool is_file(const char *file, const char *name)
{
	while (!strncmp(name, "./", 2))
		name += 2;
	while (!strncmp(file, "./", 2))
		file += 2;
	size_t n = strlen(file), length = strlen(name);
	return n >= length && !strcmp(file + n - length, name) && (n == length || file[n - length - 1] == '/');
}

static bool is_meant(const struct change *c, const struct place *p)
{
	return p->site->line == c->line && (!c->column || p->site->column == c->column) &&
	       (c->operation < 0 || p->operation == (unsigned)c->operation) && is_file(p->site->file, c->file);
}

static _Noreturn void ambiguous(const struct change *c)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	for (size_t i = 0; i < places.len; i++) {
		const struct place *p = &places.data[i];
		if (is_meant(c, p))
			evr_strbuf_printf(&b, "%s%s:%u:%u:%s", b.len ? ", " : "", p->site->file, p->site->line,
					  p->site->column, operation_words[p->operation]);
	}
	evr_die("'%s' is ambiguous: it may be any of %s", c->text, b.text);
}

static void require(const struct place *p, const char *place, bool failure, unsigned order)
{
	if (!permits(p->operation, failure, order))
		evr_die("the order of a %s%s cannot be %s: '%s'", operation_names[p->operation],
			failure ? "'s failure" : "", evr_order_name(order), place);
}

static void change(const char *text)
{
	struct change c;
	struct place *found = NULL;
	parse(&c, text);
	for (size_t i = 0; i < places.len; i++) {
		if (!is_meant(&c, &places.data[i]))
			continue;
		if (found)
			ambiguous(&c);
		found = &places.data[i];
	}
	if (!found)
		evr_die("there is no atomic access and no fence at '%s'", c.text);
	if (c.failure && found->operation != EVR_OPERATION_CAS)
		evr_die("only a compare-exchange has an order for failure: '%s'", c.text);
	if (c.before) {
		found->added = (uint8_t)c.order;
		set_fence(found, c.order);
	} else if (c.order) {
		require(found, c.text, false, c.order);
		set(found, false, c.order);
	}
	if (c.failure) {
		require(found, c.text, true, c.failure);
		set(found, true, c.failure);
	}
	free(c.text);
	free(c.file);
}

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The next part, decoded, and `text` behind its comma. */
static char *next(const char **text)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	const char *s = *text;
	for (; *s && *s != ','; s++) {
		if (*s == '%' && hex(s[1]) >= 0 && hex(s[2]) >= 0) {
			evr_strbuf_putc(&b, (char)(16 * hex(s[1]) + hex(s[2])));
			s += 2;
		} else {
			evr_strbuf_putc(&b, *s);
		}
	}
	*text = *s ? s + 1 : s;
	return evr_strbuf_take(&b);
}

void evr_orders_change(const char *text)
{
	while (*text) {
		char *one = next(&text);
		change(one);
		free(one);
	}
}

/* The next one's order. */
static unsigned take_letter(const char **s, const char *letters)
{
	static const char known[] = ".xarbs";
	const char *letter = **s ? strchr(known, *(*s)++) : NULL;
	if (!letter)
		evr_die("'%s' does not assign an order to each site", letters);
	return (unsigned)(letter - known);
}

void evr_orders_assign(const char *letters)
{
	const char *s = letters;
	restore();
	for (size_t i = 0; i < places.len; i++)
		for (unsigned failure = 0; failure <= (places.data[i].operation == EVR_OPERATION_CAS); failure++) {
			unsigned order = take_letter(&s, letters);
			if (order)
				set(&places.data[i], failure, order);
		}
	for (size_t i = 0; *s && i < places.len; i++) {
		unsigned order = places.data[i].operation != EVR_OPERATION_FENCE ? take_letter(&s, letters) : EVR_PLAIN;
		if (order)
			set_fence(&places.data[i], order);
	}
	if (*s)
		evr_die("'%s' assigns orders to more sites than there are", letters);
}
