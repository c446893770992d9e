/*
 * A site is the place of a call: atomic_load_explicit(), a builtin of the compiler, or a macro that is told the order. Among its arguments the order is found by its name; where
 * there is none, since the call is atomic_load() or the like, it becomes the explicit function. An operator has no place for an order. Where a macro is around the call, the place is that
 * of the macro.
 *
 * A fence that is added gets a line of its own where the access is the first thing that a statement does. Elsewhere it becomes part of the expression: (fence, access).
 *
 * Invariant: lines are changed or added, and none is removed.
 */
#include "driver/patch.h"

#include "base/strbuf.h"
#include "driver/output.h"
#include "driver/process.h"
#include "driver/trial.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

enum { CONTEXT = 3 };

struct file {
	const char *name;
	char *text; /* NULL: it cannot be read */
	EVR_VEC(size_t) lines; /* where each begins */
	size_t added; /* lines, in the hunks that are written */
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

/* ---- fences ---- */

/* What the fence is called: as the file calls other operations. */
static char *fence_text(const struct file *f, unsigned order)
{
	static const char *const words[] = { "stdatomic.h", "memory_order_", "atomic_" };
	bool standard = false;
	for (size_t i = 0; i < EVR_COUNT(words); i++)
		for (const char *p = f->text; !standard && (p = strstr(p, words[i])); p++)
			standard = p == f->text || !is_name(p[-1]);
	char *text =
		evr_format(standard ? "atomic_thread_fence(memory_order_%s)" : "__atomic_thread_fence(__ATOMIC_%s)",
			   evr_order_text(order));
	for (char *p = standard ? text + strlen(text) : strstr(text, "__ATOMIC_"); *p; p++)
		*p = (char)toupper((unsigned char)*p);
	return text;
}

/* Blanks, directives and comments aside, the last character before the place: is it one that a statement comes after? */
static bool statement_comes_after(const char *s, size_t place)
{
	char last = ';';
	for (size_t i = 0; i < place; i = skip(s, i)) {
		bool comment = s[i] == '/' && (s[i + 1] == '*' || s[i + 1] == '/');
		if (!comment && !isspace((unsigned char)s[i]))
			last = s[i];
	}
	return last == ';' || last == '{' || last == '}';
}

static bool is_word(const char *s, size_t at, const char *word)
{
	return !strncmp(s + at, word, strlen(word)) && !is_name(s[at + strlen(word)]);
}

static size_t back_over_names(const char *s, size_t line, size_t at)
{
	while (at > line && (is_name(s[at - 1]) || isblank((unsigned char)s[at - 1]) || s[at - 1] == '*'))
		at--;
	return at;
}

/* Does a statement begin in this line, and nothing before the access do anything? The access is all of it, or its value is returned or becomes that of a variable. */
static bool begins_statement(const char *s, size_t line, const struct call *c)
{
	size_t first = line + strspn(s + line, " \t"), i = back_over_names(s, line, c->name), end = c->end + 1;
	bool assigned = i > line + 1 && s[i - 1] == '=' && !ispunct((unsigned char)s[i - 2]);
	if (assigned)
		i = back_over_names(s, line, i - 1);
	end += strspn(s + end, " \t\n");
	bool whole = first == c->name && s[end] == ';';
	bool value =
		is_word(s, first, "return") || (assigned && !is_word(s, first, "else") && !is_word(s, first, "do"));
	return i == line && (whole || value) && statement_comes_after(s, line);
}

/* Does anything take place when the arguments are evaluated, which the fence would have to come after? */
static bool has_busy_arguments(const struct file *f, const struct call *c, const struct evr_result *m)
{
	for (size_t i = c->name + c->name_length + 1; i < c->end; i++)
		if (f->text[i] == '(' && is_name(f->text[i - 1]))
			return true;
	for (size_t i = 0; i < m->sites.len; i++) {
		const struct evr_result_site *s = &m->sites.data[i];
		if (strcmp(s->file, f->name) != 0 || !s->line || s->line > f->lines.len || !s->column)
			continue;
		size_t at = f->lines.data[s->line - 1] + s->column - 1;
		if (at > c->name && at < c->end)
			return true;
	}
	return false;
}

static bool add_fence(struct file *f, size_t line, const struct call *c, unsigned order)
{
	char *fence = fence_text(f, order);
	bool done;
	if (begins_statement(f->text, line, c)) {
		int indent = (int)strspn(f->text + line, " \t");
		done = add_edit(f, line, 0, evr_format("%.*s%s;\n", indent, f->text + line, fence));
	} else {
		done = !is_changed(f, c->end + 1) && add_edit(f, c->name, 0, evr_format("(%s, ", fence)) &&
		       add_edit(f, c->end + 1, 0, evr_strdup(")"));
	}
	free(fence);
	return done;
}

/* ---- sites ---- */

static unsigned order_of(const char *name)
{
	for (unsigned order = EVR_RELAXED; name && order <= EVR_SEQ_CST; order++)
		if (!strcmp(evr_order_text(order), name))
			return order;
	return EVR_PLAIN;
}

static const struct evr_result_site *same_site(const struct evr_result *m, const struct evr_result_site *s)
{
	for (size_t i = 0; i < m->sites.len; i++) {
		const struct evr_result_site *other = &m->sites.data[i];
		if (other->line == s->line && other->column == s->column && !strcmp(other->operation, s->operation) &&
		    !strcmp(other->file, s->file))
			return other;
	}
	return NULL;
}

/* Of one model; a fence that is not added needs no order. */
static unsigned needed_by(const struct evr_result *m, const struct evr_result_site *s)
{
	const struct evr_result_site *own = same_site(m, s);
	if (evr_result_status(m) != EVR_OK)
		return EVR_PLAIN;
	return own ? order_of(own->needed) : evr_result_site_added(s) ? EVR_RELAXED : EVR_PLAIN;
}

/* What all models together need. */
static unsigned needed_by_all(const struct evr_report *r, const struct evr_result_site *s)
{
	unsigned needed = EVR_PLAIN;
	for (size_t i = 0; i < r->results.len; i++) {
		unsigned order = needed_by(r->results.data[i], s);
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
	const char *format =
		evr_result_site_added(s)
			? "%s:%u:%u: cannot write the %s there; it should be %s"
			: "%s:%u:%u: cannot rewrite the %s: the source names no order there; it should be %s";
	char *note = evr_format(format, s->file, s->line, s->column, s->operation, evr_order_text(needed));
	evr_vec_push(&r->results.data[0]->notes, note);
}

/* A failure's site comes right behind that of its compare-exchange. */
static bool change_order(struct file *f, const struct call *c, const struct evr_report *r,
			 const struct evr_result_site *s, unsigned needed)
{
	bool failure = strstr(s->operation, " failure"), cas = !strcmp(s->operation, "compare_exchange");
	if (!is_implicit(f, c))
		return replace_order(f, c, failure, order_of(s->now), needed);
	const struct evr_result_site *first = failure ? s - 1 : s;
	unsigned other = cas || failure ? needed_by_all(r, first + 1) : EVR_PLAIN;
	/* Both orders of a compare-exchange are written at once. */
	return (failure && is_changed(f, c->end)) || make_explicit(f, c, needed_by_all(r, first), other);
}

/* What a function of this name does, as a site calls it; NULL: it is none that is known. */
static const char *operation_of(const struct file *f, const struct call *c)
{
	static const char *const parts[][2] = { { "compare_exchange", "compare_exchange" },
						{ "_load", "load" },
						{ "_store", "store" },
						{ "_clear", "store" },
						{ "_fence", "fence" },
						{ "_exchange", "read-modify-write" },
						{ "fetch_", "read-modify-write" },
						{ "test_and_set", "read-modify-write" } };
	char *name = evr_strndup(f->text + c->name, c->name_length);
	const char *operation = NULL;
	for (size_t i = 0; !operation && strstr(name, "atomic_") && i < EVR_COUNT(parts); i++)
		if (strstr(name, parts[i][0]))
			operation = parts[i][1];
	free(name);
	return operation;
}

/* A macro around operations, as in assert(atomic_load(&x)): all of one kind are one site, at the place of the macro. */
static bool change_within(struct file *f, const struct call *macro, const struct evr_report *r,
			  const struct evr_result_site *s, unsigned needed)
{
	bool changed = false, failed = false;
	for (size_t i = macro->name + macro->name_length + 1; i < macro->end && !failed;) {
		struct call c = { 0 };
		const char *operation = read_call(f->text, i, &c) ? operation_of(f, &c) : NULL;
		if (operation && !strncmp(s->operation, operation, strlen(operation))) {
			failed = !change_order(f, &c, r, s, needed);
			changed |= !failed;
		}
		i = c.name_length ? i + c.name_length : skip(f->text, i);
		evr_vec_release(&c.arguments);
	}
	return changed && !failed;
}

/* The site is one of the model's. */
static bool change(struct file *f, const struct evr_report *r, const struct evr_result *m,
		   const struct evr_result_site *s, unsigned needed)
{
	struct call c = { 0 };
	if (!f->text || !s->line || s->line > f->lines.len || !s->column)
		return false;
	size_t line = f->lines.data[s->line - 1], at = line + s->column - 1;
	bool done = at < strlen(f->text) && read_call(f->text, at, &c);
	if (done && evr_result_site_added(s))
		done = !has_busy_arguments(f, &c, m) && add_fence(f, line, &c, needed);
	else if (done)
		done = change_order(f, &c, r, s, needed) ||
		       (!operation_of(f, &c) && change_within(f, &c, r, s, needed));
	evr_vec_release(&c.arguments);
	return done;
}

static void open_file(struct file *f, const char *name)
{
	*f = (struct file){ .name = name, .text = evr_read_file(name) };
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

/* Such an edit is right before a line. */
static bool adds_line(const struct edit *e)
{
	return strchr(e->with, '\n');
}

static size_t added_lines(const struct file *f, size_t first, size_t end)
{
	size_t n = 0;
	for (size_t i = 0; i < f->edits.len; i++)
		n += adds_line(&f->edits.data[i]) && f->edits.data[i].at >= f->lines.data[first] &&
		     f->edits.data[i].at < end_of_line(f, end - 1);
	return n;
}

static void put_line(FILE *out, const struct file *f, size_t line, char sign)
{
	size_t end = end_of_line(f, line);
	fputc(sign, out);
	for (size_t at = f->lines.data[line]; at < end;) {
		size_t skipped = 0;
		for (size_t i = 0; sign == '+' && i < f->edits.len; i++)
			if (f->edits.data[i].at == at && !adds_line(&f->edits.data[i])) {
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

static bool is_rewritten(const struct file *f, size_t line)
{
	for (size_t i = 0; i < f->edits.len; i++)
		if (f->edits.data[i].at >= f->lines.data[line] && f->edits.data[i].at < end_of_line(f, line) &&
		    !adds_line(&f->edits.data[i]))
			return true;
	return false;
}

static void put_added(FILE *out, const struct file *f, size_t line)
{
	for (size_t i = 0; i < f->edits.len; i++)
		if (f->edits.data[i].at == f->lines.data[line] && adds_line(&f->edits.data[i]))
			fprintf(out, "+%s", f->edits.data[i].with);
}

static void put_hunk(FILE *out, struct file *f, size_t first, size_t end)
{
	size_t added = added_lines(f, first, end), n = end - first;
	fprintf(out, "@@ -%zu,%zu +%zu,%zu @@\n", first + 1, n, first + 1 + f->added, n + added);
	f->added += added;
	for (size_t i = first; i < end;) {
		size_t k = i;
		put_added(out, f, i);
		while (k < end && is_rewritten(f, k) && (k == i || !added_lines(f, k, k + 1)))
			k++;
		for (size_t l = i; l < k; l++)
			put_line(out, f, l, '-');
		for (size_t l = i; l < k; l++)
			put_line(out, f, l, '+');
		if (k == i)
			put_line(out, f, k++, ' ');
		i = k;
	}
}

static void put_file(FILE *out, struct file *f)
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

/* Is it a fence that an earlier model has, too? */
static bool was_seen(const struct evr_report *r, size_t model, const struct evr_result_site *s)
{
	for (size_t i = 0; i < model; i++)
		if (same_site(r->results.data[i], s))
			return true;
	return false;
}

/* All changes of the file, of every model; the first has all sites but for fences that others add. */
static void edit(struct file *f, const struct evr_report *r)
{
	for (size_t k = 0; k < r->results.len; k++) {
		const struct evr_result *m = r->results.data[k];
		for (size_t i = 0; i < m->sites.len; i++) {
			const struct evr_result_site *s = &m->sites.data[i];
			if (strcmp(s->file, f->name) != 0 || was_seen(r, k, s))
				continue;
			unsigned needed = needed_by_all(r, s);
			if (needed && strcmp(evr_order_text(needed), s->now) != 0 && !change(f, r, m, s, needed))
				by_hand(r, s, needed);
		}
	}
}

/* Sites come by file. */
static void put_patch(FILE *out, const struct evr_report *r)
{
	const struct evr_result *m = r->results.data[0];
	for (size_t i = 0; i < m->sites.len; i++) {
		struct file f;
		if (i && !strcmp(m->sites.data[i].file, m->sites.data[i - 1].file))
			continue;
		open_file(&f, m->sites.data[i].file);
		edit(&f, r);
		put_file(out, &f);
		close_file(&f);
	}
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
