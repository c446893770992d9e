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
	uint8_t order, failure; /* as compiled; the strongest, where the program passes a variable */
};

static EVR_LASTING EVR_VEC(struct evr_atomic *) atomics; /* by place */
static EVR_LASTING EVR_VEC(struct evr_site)
	compiled; /* what they have without a change; empty: none has been assigned yet */
static EVR_LASTING EVR_VEC(struct place) places;
static EVR_LASTING struct evr_map changed; /* sites */
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

static uint8_t stronger(unsigned a, unsigned b)
{
	if (a == b)
		return (uint8_t)a;
	bool acquires = evr_order_acquires(a) || evr_order_acquires(b);
	bool releases = evr_order_releases(a) || evr_order_releases(b);
	if (a == EVR_SEQ_CST || b == EVR_SEQ_CST)
		return EVR_SEQ_CST;
	return acquires && releases ? EVR_ACQ_REL : acquires ? EVR_ACQUIRE : EVR_RELEASE;
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
		uint8_t failure = (uint8_t)evr_site_failure(a->site);
		if (!i || by_place(&atomics.data[i - 1], &atomics.data[i])) {
			struct place p = { a->site, (unsigned)a->operation, i, 1, a->site->order, failure };
			evr_vec_push(&places, p);
			continue;
		}
		struct place *p = &evr_vec_last(&places);
		p->count++;
		p->order = stronger(p->order, a->site->order);
		p->failure = stronger(p->failure, failure);
	}
}

static void tell(int fd, const struct place *p, bool failure, bool executed)
{
	struct evr_result_site s = { .file = (char *)(uintptr_t)p->site->file,
				     .function = (char *)(uintptr_t)p->site->function,
				     .line = p->site->line,
				     .column = p->site->column,
				     .executed = executed };
	s.operation = failure ? evr_format("%s failure", operation_names[p->operation])
			      : evr_strdup(operation_names[p->operation]);
	s.now = (char *)(uintptr_t)evr_order_name(failure ? p->failure : p->order);
	evr_wire_site(fd, &s);
	free(s.operation);
}

void evr_orders_tell(int fd)
{
	for (size_t i = 0; i < places.len; i++) {
		const struct place *p = &places.data[i];
		bool executed = false;
		for (size_t k = 0; k < p->count; k++)
			executed |= atomics.data[p->first + k]->executed != 0;
		tell(fd, p, false, executed);
		if (p->operation == EVR_OPERATION_CAS)
			tell(fd, p, true, executed);
	}
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
	return false;
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
}

static void set(const struct place *p, bool failure, unsigned order)
{
	for (size_t i = 0; i < p->count; i++) {
		struct evr_site *s = atomics.data[p->first + i]->site;
		if (failure)
			s->flags = (uint8_t)((s->flags & (EVR_SITE_FAILURE - 1)) | order * EVR_SITE_FAILURE);
		else
			s->order = (uint8_t)order;
		evr_map_put(&changed, (uintptr_t)s, 1);
	}
	weakened |= order != EVR_SEQ_CST;
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

static int take_operation(char *text)
{
	char *colon = strrchr(text, ':');
	for (int i = 0; colon && i < (int)EVR_COUNT(operation_words); i++)
		if (!strcmp(colon + 1, operation_words[i])) {
			*colon = '\0';
			return i;
		}
	return -1;
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
	c->operation = take_operation(c->file);
	c->column = take_number(c->file);
	c->line = take_number(c->file);
	if (!c->line) {
		c->line = c->column;
		c->column = 0;
	}
	if (!c->line || !*c->file || (c->operation >= 0 && !c->column))
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
	const struct place *found = NULL;
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
	if (c.order) {
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

void evr_orders_assign(const char *letters)
{
	static const char known[] = ".xarbs";
	const char *s = letters;
	restore();
	for (size_t i = 0; i < places.len; i++)
		for (unsigned failure = 0; failure <= (places.data[i].operation == EVR_OPERATION_CAS); failure++) {
			const char *letter = *s ? strchr(known, *s++) : NULL;
			if (!letter)
				evr_die("'%s' does not assign an order to each site", letters);
			unsigned order = (unsigned)(letter - known);
			if (order)
				set(&places.data[i], failure, order);
		}
	if (*s)
		evr_die("'%s' assigns orders to more sites than there are", letters);
}
