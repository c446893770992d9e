/*
 * A site is the place of a call: atomic_load_explicit(), a builtin of the compiler, or a macro that is told the order. Among its arguments the order is found by its name; where
 * there is none, since the call is atomic_load() or the like, it becomes the explicit function. An operator has no place for an order.
 *
 * Invariant: lines are changed, and none is added or removed; so line n is line n in both files.
 */
#include "driver/patch.h"

#include "base/strbuf.h"
#include "driver/output.h"
#include "driver/trial.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

enum { CONTEXT = 3 };

struct file {
	const char *name;
	char *text; /* NULL: it cannot be read */
	EVR_VEC(size_t) lines; /* where each begins */
	EVR_VEC(struct edit) edits;
};

/* Of the text: bytes that are replaced. */
struct edit {
	size_t at, length;
	char *with;
};

struct argument {
	size_t at, length; /* without blanks around it */
};

struct call {
	size_t name, name_length, end; /* of its name, and its closing parenthesis */
	EVR_VEC(struct argument) arguments;
};

/* ---- reading C, as far as it takes ---- */

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Behind the string, character or comment that begins here; the next character if there is none. */
static size_t skip(const char *s, size_t at)
{
	if (s[at] == '/' && s[at + 1] == '*') {
		const char *end = strstr(s + at + 2, "*/");
		return end ? (size_t)(end - s) + 2 : strlen(s);
	}
	if (s[at] == '/' && s[at + 1] == '/')
		return at + strcspn(s + at, "\n");
	if (s[at] != '"' && s[at] != '\'')
		return at + 1;
	size_t i = at + 1;
	while (s[i] && s[i] != s[at])
		i += s[i] == '\\' && s[i + 1] ? 2 : 1;
	return s[i] ? i + 1 : i;
}

static void add_argument(struct call *c, const char *s, size_t from, size_t to)
{
	while (from < to && isspace((unsigned char)s[from]))
		from++;
	while (to > from && isspace((unsigned char)s[to - 1]))
		to--;
	if (to > from)
		evr_vec_push(&c->arguments, ((struct argument){ from, to - from }));
}

/* The call that begins at the place. False: none does. */
static bool read_call(const char *s, size_t at, struct call *c)
{
	size_t depth = 0, i = at;
	while (is_name(s[i]))
		i++;
	*c = (struct call){ .name = at, .name_length = i - at };
	while (isspace((unsigned char)s[i]))
		i++;
	if (!c->name_length || s[i] != '(')
		return false;
	for (size_t from = ++i; s[i]; i = skip(s, i)) {
		if (strchr("([{", s[i]))
			depth++;
		else if (strchr(")]}", s[i]) && depth)
			depth--;
		else if (s[i] == ')' || (s[i] == ',' && !depth)) {
			add_argument(c, s, from, i);
			from = i + 1;
			c->end = i;
			if (s[i] == ')')
				return true;
		}
	}
	return false;
}

/* ---- orders in it ---- */

static const struct {
	const char *prefix;
	bool capitals;
} spellings[] = { { "memory_order_", false }, { "__ATOMIC_", true }, { "", false } };

static bool same_word(const char *s, const char *word, bool capitals)
{
	for (; *word; s++, word++)
		if (*s != (capitals ? toupper((unsigned char)*word) : *word))
			return false;
	return true;
}

/* The order that the argument names, and how much of it stands before the name; EVR_PLAIN: none. */
static unsigned order_in(const char *s, const struct argument *a, size_t *spelling)
{
	for (size_t i = 0; i < EVR_COUNT(spellings); i++) {
		size_t n = strlen(spellings[i].prefix);
		if (a->length <= n || strncmp(s + a->at, spellings[i].prefix, n) != 0)
			continue;
		for (unsigned order = EVR_RELAXED; order <= EVR_SEQ_CST; order++) {
			const char *word = evr_order_text(order);
			*spelling = i;
			if (a->length - n == strlen(word) && same_word(s + a->at + n, word, spellings[i].capitals))
				return order;
		}
		if (a->length - n == 7 && same_word(s + a->at + n, "consume", spellings[i].capitals))
			return EVR_ACQUIRE;
	}
	return EVR_PLAIN;
}

static bool is_changed(struct file *f, size_t at)
{
	for (size_t i = 0; i < f->edits.len; i++)
		if (f->edits.data[i].at == at)
			return true;
	return false;
}

static bool add_edit(struct file *f, size_t at, size_t length, char *with)
{
	if (is_changed(f, at)) {
		free(with);
		return false;
	}
	evr_vec_push(&f->edits, ((struct edit){ at, length, with }));
	return true;
}

/* The order of this number among those that the call names, if it is what it should be. */
static bool replace_order(struct file *f, const struct call *c, unsigned number, unsigned now, unsigned needed)
{
	size_t spelling = 0;
	for (size_t i = 0; i < c->arguments.len; i++) {
		const struct argument *a = &c->arguments.data[i];
		unsigned order = order_in(f->text, a, &spelling);
		if (!order || number--)
			continue;
		if (order != now)
			return false;
		char *with = evr_format("%s%s", spellings[spelling].prefix, evr_order_text(needed));
		for (char *p = with + strlen(spellings[spelling].prefix); spellings[spelling].capitals && *p; p++)
			*p = (char)toupper((unsigned char)*p);
		return add_edit(f, a->at, a->length, with);
	}
	return false;
}

/* Functions of <stdatomic.h> that have an explicit twin. */
static bool is_implicit(const struct file *f, const struct call *c)
{
	static const char *const names[] = { "atomic_load",
					     "atomic_store",
					     "atomic_exchange",
					     "atomic_compare_exchange_strong",
					     "atomic_compare_exchange_weak",
					     "atomic_fetch_add",
					     "atomic_fetch_sub",
					     "atomic_fetch_or",
					     "atomic_fetch_xor",
					     "atomic_fetch_and",
					     "atomic_flag_test_and_set",
					     "atomic_flag_clear" };
	for (size_t i = 0; i < EVR_COUNT(names); i++)
		if (strlen(names[i]) == c->name_length && !strncmp(f->text + c->name, names[i], c->name_length))
			return true;
	return false;
}

static bool make_explicit(struct file *f, const struct call *c, unsigned needed, unsigned failure)
{
	char *orders = failure ? evr_format(", memory_order_%s, memory_order_%s", evr_order_text(needed),
					    evr_order_text(failure))
			       : evr_format(", memory_order_%s", evr_order_text(needed));
	return add_edit(f, c->end, 0, orders) && add_edit(f, c->name + c->name_length, 0, evr_strdup("_explicit"));
}

/* ---- sites ---- */

static unsigned order_of(const char *name)
{
	for (unsigned order = EVR_RELAXED; name && order <= EVR_SEQ_CST; order++)
		if (!strcmp(evr_order_text(order), name))
			return order;
	return EVR_PLAIN;
}

/* What all models together need. */
static unsigned needed_by_all(const struct evr_report *r, size_t site)
{
	unsigned needed = EVR_PLAIN;
	for (size_t i = 0; i < r->results.len; i++) {
		const struct evr_result *m = r->results.data[i];
		unsigned order = site < m->sites.len && evr_result_status(m) == EVR_OK
					 ? order_of(m->sites.data[site].needed)
					 : EVR_PLAIN;
		if (!order)
			return EVR_PLAIN;
		if (!needed || evr_order_within(needed, order))
			needed = order;
		else if (!evr_order_within(order, needed))
			needed = EVR_ACQ_REL;
	}
	return needed;
}

static void by_hand(const struct evr_report *r, const struct evr_result_site *s, unsigned needed)
{
	char *note = evr_format("%s:%u:%u: cannot rewrite the %s: the source names no order there; it should be %s",
				s->file, s->line, s->column, s->operation, evr_order_text(needed));
	evr_vec_push(&r->results.data[0]->notes, note);
}

/* The failure's site comes right behind its compare-exchange. */
static bool change(struct file *f, const struct evr_report *r, size_t site, unsigned needed)
{
	const struct evr_result_site *s = &r->results.data[0]->sites.data[site];
	bool failure = strstr(s->operation, " failure"), cas = !strcmp(s->operation, "compare_exchange");
	struct call c = { 0 };
	if (!f->text || !s->line || s->line > f->lines.len || !s->column)
		return false;
	size_t at = f->lines.data[s->line - 1] + s->column - 1;
	bool done = at < strlen(f->text) && read_call(f->text, at, &c);
	if (done && is_implicit(f, &c)) {
		size_t first = failure ? site - 1 : site;
		unsigned other = cas || failure ? needed_by_all(r, first + 1) : EVR_PLAIN;
		/* Both orders of a compare-exchange are written at once. */
		done = (failure && is_changed(f, c.end)) || make_explicit(f, &c, needed_by_all(r, first), other);
	} else if (done) {
		done = replace_order(f, &c, failure, order_of(s->now), needed);
	}
	evr_vec_release(&c.arguments);
	return done;
}

static char *read_file(const char *path)
{
	struct evr_strbuf b;
	char block[65536];
	FILE *in = fopen(path, "re");
	if (!in)
		return NULL;
	evr_strbuf_init(&b);
	for (size_t n; (n = fread(block, 1, sizeof(block), in)) > 0;)
		evr_strbuf_add(&b, block, n);
	fclose(in);
	return evr_strbuf_take(&b);
}

static void open_file(struct file *f, const char *name)
{
	*f = (struct file){ .name = name, .text = read_file(name) };
	for (size_t i = 0; f->text && f->text[i]; i++)
		if (!i || f->text[i - 1] == '\n')
			evr_vec_push(&f->lines, i);
}

static void close_file(struct file *f)
{
	free(f->text);
	for (size_t i = 0; i < f->edits.len; i++)
		free(f->edits.data[i].with);
	evr_vecs_release(&f->lines, &f->edits);
}

/* ---- the patch ---- */

static size_t end_of_line(const struct file *f, size_t line)
{
	return line + 1 < f->lines.len ? f->lines.data[line + 1] : strlen(f->text);
}

static bool has_edit(const struct file *f, size_t line)
{
	for (size_t i = 0; i < f->edits.len; i++)
		if (f->edits.data[i].at >= f->lines.data[line] && f->edits.data[i].at < end_of_line(f, line))
			return true;
	return false;
}

static void put_line(FILE *out, const struct file *f, size_t line, char sign)
{
	size_t end = end_of_line(f, line);
	fputc(sign, out);
	for (size_t at = f->lines.data[line]; at < end;) {
		size_t skipped = 0;
		for (size_t i = 0; sign == '+' && i < f->edits.len; i++)
			if (f->edits.data[i].at == at) {
				fputs(f->edits.data[i].with, out);
				skipped = f->edits.data[i].length;
			}
		at += skipped;
		if (!skipped && at < end)
			fputc(f->text[at++], out);
	}
	if (f->text[end - 1] != '\n')
		fputs("\n\\ No newline at end of file\n", out);
}

static void put_hunk(FILE *out, const struct file *f, size_t first, size_t end)
{
	fprintf(out, "@@ -%zu,%zu +%zu,%zu @@\n", first + 1, end - first, first + 1, end - first);
	for (size_t i = first; i < end;) {
		size_t k = i;
		while (k < end && has_edit(f, k))
			k++;
		for (size_t n = i; n < k; n++)
			put_line(out, f, n, '-');
		for (size_t n = i; n < k; n++)
			put_line(out, f, n, '+');
		if (k == i)
			put_line(out, f, k++, ' ');
		i = k;
	}
}

static void put_file(FILE *out, const struct file *f)
{
	size_t n = f->lines.len;
	if (!f->edits.len)
		return;
	const char *name = f->name + strspn(f->name, "/");
	fprintf(out, "--- a/%s\n+++ b/%s\n", name, name);
	for (size_t i = 0; i < n; i++) {
		if (!has_edit(f, i))
			continue;
		size_t first = i > CONTEXT ? i - CONTEXT : 0, last = i;
		for (size_t k = i; k < n && k <= last + 2 * CONTEXT; k++)
			if (has_edit(f, k))
				last = k;
		size_t end = last + CONTEXT + 1 < n ? last + CONTEXT + 1 : n;
		put_hunk(out, f, first, end);
		i = end - 1;
	}
}

/* Sites come by file, line and column. */
static void put_patch(FILE *out, const struct evr_report *r)
{
	const struct evr_result *m = r->results.data[0];
	struct file f = { 0 };
	for (size_t i = 0; i < m->sites.len; i++) {
		const struct evr_result_site *s = &m->sites.data[i];
		unsigned needed = needed_by_all(r, i);
		if (!f.name || strcmp(f.name, s->file) != 0) {
			if (f.name)
				put_file(out, &f);
			close_file(&f);
			open_file(&f, s->file);
		}
		if (needed && strcmp(evr_order_text(needed), s->now) != 0 && !change(&f, r, i, needed))
			by_hand(r, s, needed);
	}
	if (f.name)
		put_file(out, &f);
	close_file(&f);
}

int evr_patch_write(const struct evr_options *o, const struct evr_report *r)
{
	if (!o->diff || !r->results.len)
		return EVR_OK;
	struct evr_output *file = evr_output_open(o->diff);
	FILE *out = evr_output_start(file);
	int failed = out ? 0 : errno;
	if (out)
		put_patch(out, r);
	int status = evr_output_finish(file, out, failed);
	evr_output_free(file);
	return status;
}
