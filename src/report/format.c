/*
 * What the formats of a run have in common: the status, the command that replays a finding, and text that is safe to embed.
 *
 * Invariant: strings of a report may hold any bytes. evr_text_utf8() and evr_text_shown() take any and return valid UTF-8, and
 * add_quoted() makes exactly one word of a shell's command line of any string.
 */
#include "report/format.h"

#include "base/strbuf.h"

#include <errno.h>

const struct evr_format_ops evr_formats[EVR_FORMATS] = {
#define FORMAT(name, commands, help) { #name, evr_##name##_write },
#include "report/formats.def"
#undef FORMAT
};

int evr_format_finish(FILE *out)
{
	errno = 0;
	if (!fflush(out) && !ferror(out))
		return 0;
	if (!errno)
		errno = EIO; /* an earlier write, whose errno is gone */
	return -1;
}

/* ---- statuses ---- */

int evr_worse_status(int a, int b)
{
	static const int order[] = { EVR_INTERNAL, EVR_USAGE, EVR_FINDING, EVR_INCOMPLETE };
	for (size_t i = 0; i < EVR_COUNT(order); i++)
		if (a == order[i] || b == order[i])
			return order[i];
	return EVR_OK;
}

int evr_report_status(const struct evr_report *r)
{
	int status = EVR_OK;
	for (size_t i = 0; i < r->results.len; i++)
		status = evr_worse_status(status, evr_result_status(r->results.data[i]));
	return status;
}

/* ---- the command that replays ---- */

static void add_quoted(struct evr_strbuf *b, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
	evr_strbuf_putc(b, ' ');
	if (*word && strspn(word, plain) == strlen(word)) {
		evr_strbuf_puts(b, word);
		return;
	}
	evr_strbuf_putc(b, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			evr_strbuf_puts(b, "'\\''");
		else
			evr_strbuf_putc(b, *word);
	}
	evr_strbuf_putc(b, '\'');
}

void evr_text_add_words(struct evr_strbuf *b, const evr_words *w)
{
	for (size_t i = 0; i < w->len; i++)
		add_quoted(b, w->data[i]);
}

void evr_result_add_changes(const struct evr_result *r, evr_words *words)
{
	for (size_t i = 0; r->findings.len && i < r->sites.len; i++) {
		const struct evr_result_site *s = &r->sites.data[i];
		if (!s->studied || s->needed)
			continue;
		char *change = evr_result_site_change(s, "seq_cst");
		evr_words_add(words, change);
		free(change);
	}
}

static char *by_schedule(const struct evr_report *r, size_t result, size_t finding)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	/* What was drawn, or tried with other orders, is an execution of the model like any other. */
	bool other = !strcmp(r->command, "sample") || !strcmp(r->command, "orders");
	const char *command = !other ? r->command : r->checker ? "run" : "check";
	evr_words changes = { 0 };
	evr_strbuf_printf(&b, "everett %s --model %s", command, r->results.data[result]->model);
	evr_text_add_words(&b, &r->options);
	evr_result_add_changes(r->results.data[result], &changes);
	for (size_t i = 0; i < changes.len; i++) {
		evr_strbuf_puts(&b, " --order");
		add_quoted(&b, changes.data[i]);
	}
	evr_words_release(&changes);
	evr_text_add_words(&b, &r->compile);
	evr_strbuf_puts(&b, " --replay");
	add_quoted(&b, r->results.data[result]->findings.data[finding].schedule);
	evr_text_add_words(&b, &r->files);
	if (r->checker)
		add_quoted(&b, r->checker);
	if (r->args.len)
		evr_strbuf_puts(&b, " --");
	evr_text_add_words(&b, &r->args);
	return b.text;
}

char *evr_replay_command(const struct evr_report *r, const char *json, size_t result, size_t finding)
{
	if (!*r->results.data[result]->findings.data[finding].schedule)
		return NULL;
	if (!json)
		return by_schedule(r, result, finding);
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	evr_strbuf_puts(&b, "everett replay");
	size_t number = finding + 1;
	for (size_t i = 0; i < result; i++)
		number += r->results.data[i]->findings.len;
	if (number > 1)
		evr_strbuf_printf(&b, " --finding %zu", number);
	add_quoted(&b, json);
	return b.text;
}

/* ---- text ---- */

void evr_text_list(struct evr_strbuf *b, const evr_words *words)
{
	for (size_t i = 0; i < words->len; i++)
		evr_strbuf_printf(b, "%s%s", !i ? "" : i + 1 < words->len ? ", " : " and ", words->data[i]);
}

char *evr_event_text(const struct evr_result_event *e)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	evr_strbuf_puts(&b, e->kind);
	if (*e->order)
		evr_strbuf_printf(&b, " %s", e->order);
	if (*e->location)
		evr_strbuf_printf(&b, " %s", e->location);
	bool thread = !strcmp(e->kind, "create") || !strcmp(e->kind, "join");
	if (*e->value && thread)
		evr_strbuf_printf(&b, " T%s", e->value);
	else if (*e->value)
		evr_strbuf_printf(&b, *e->location ? " = %s" : " %s", e->value);
	if (e->buffered)
		evr_strbuf_puts(&b, " (buffered)");
	if (e->initial)
		evr_strbuf_puts(&b, " (initial)");
	else if (e->source_thread >= 0)
		evr_strbuf_printf(&b, " (from T%d#%d)", e->source_thread, e->source_index);
	return evr_strbuf_take(&b);
}

/* "the store to flag at mp.c:9 were release (it is relaxed)" */
static char *change_text(const struct evr_result_change *c)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	size_t n = strcspn(c->operation, " "); /* the rest is "failure" */
	evr_strbuf_printf(&b, "the %.*s", (int)n, c->operation);
	if (*c->location)
		evr_strbuf_printf(&b, " %s %s", !strcmp(c->operation, "store") ? "to" : "of", c->location);
	evr_strbuf_printf(&b, " at %s:%u were %s%s (it is %s)", c->file, c->line, c->needed,
			  c->operation[n] ? " on failure" : "", c->now);
	return evr_strbuf_take(&b);
}

char *evr_stronger_text(const struct evr_result_finding *f, const char *separator)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	bool race = !strcmp(f->kind, "race");
	if (f->stronger.len)
		evr_strbuf_puts(&b, race ? "the two accesses would be ordered in this execution if"
					 : "this execution would be impossible if");
	for (size_t i = 0; i < f->stronger.len; i++) {
		char *change = change_text(&f->stronger.data[i]);
		evr_strbuf_printf(&b, "%s%s%s", separator, i ? "and " : "", change);
		free(change);
	}
	return evr_strbuf_take(&b);
}

/* The length of the UTF-8 sequence at s, or 0 if there is none. */
static size_t sequence(const char *s)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t n = u[0] < 0x80 ? 1 : u[0] >= 0xc2 && u[0] < 0xe0 ? 2 : (u[0] & 0xf0) == 0xe0 ? 3 : 0;
	if (u[0] >= 0xf0 && u[0] <= 0xf4)
		n = 4;
	for (size_t i = 1; i < n; i++)
		if ((u[i] & 0xc0) != 0x80)
			return 0;
	bool overlong = (u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xf0 && u[1] < 0x90);
	bool surrogate = u[0] == 0xed && u[1] >= 0xa0;
	bool too_large = u[0] == 0xf4 && u[1] >= 0x90;
	return overlong || surrogate || too_large ? 0 : n;
}

char *evr_text_utf8(const char *s)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	while (s && *s) {
		size_t n = sequence(s);
		if (n)
			evr_strbuf_add(&b, s, n);
		else
			evr_strbuf_puts(&b, "\xef\xbf\xbd");
		s += n ? n : 1;
	}
	return evr_strbuf_take(&b);
}

char *evr_text_shown(const char *s)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	char *text = evr_text_utf8(s);
	for (const char *p = text; *p;) {
		unsigned char c = (unsigned char)*p;
		/* U+FFFE and U+FFFF are no characters either. */
		bool none = !strncmp(p, "\xef\xbf\xbe", 3) || !strncmp(p, "\xef\xbf\xbf", 3);
		bool control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
		for (const char *end = p + (none ? 3 : 1); p < end; p++)
			evr_strbuf_printf(&b, none || control ? "\\x%02x" : "%c", (unsigned char)*p);
	}
	free(text);
	return evr_strbuf_take(&b);
}
