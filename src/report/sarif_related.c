/*
 * What a finding says of other places, in its message and its detail: "allocated at FILE:LINE by thread 0", "between FILE:LINE and
 * FILE:LINE". Only there do the two sides of a race, the life of a block and the places of fences stand. And the operations whose orders
 * would have to be stronger.
 */
#include "report/sarif.h"

#include <ctype.h>
#include <limits.h>

struct scan {
	struct sarif_log *log;
	json_t *found;
	evr_words seen; /* "FILE:LINE" */
};

/* "FILE:LINE" in a text. */
struct source_ref {
	const char *text;
	size_t length, file; /* of all of it, and of the name alone */
	unsigned line;
};

/* File names have blanks, but not the characters between the parts of sentences. */
static bool find_source_ref(const char *s, struct source_ref *p)
{
	for (size_t i = 0; s[i] && !strchr("\n,()", s[i]); i++) {
		if (s[i] != ':' || !isdigit((unsigned char)s[i + 1]) || !i)
			continue;
		char *end;
		unsigned long line = strtoul(s + i + 1, &end, 10);
		*p = (struct source_ref){ s, (size_t)(end - s), i, line <= INT_MAX ? (unsigned)line : 0 };
		return true;
	}
	return false;
}

static void add_location(struct scan *s, json_t *where, const char *text)
{
	put(where, "id", json_integer((json_int_t)json_array_size(s->found) + 1));
	put(where, "message", sarif_message(text));
	json_array_append_new(s->found, where);
}

static void add_source_ref(struct scan *s, const struct source_ref *p, const char *part, size_t part_length)
{
	char *name = evr_strndup(p->text, p->length);
	if (p->line && sarif_index(&s->seen, name) == s->seen.len) {
		char *file = evr_strndup(p->text, p->file), *text = evr_strndup(part, part_length);
		add_location(s, sarif_location(s->log, file, p->line, 0, ""), text);
		evr_words_add(&s->seen, name);
		free(file);
		free(text);
	}
	free(name);
}

static void scan_part(struct scan *s, const char *part, size_t n)
{
	enum { AT, BETWEEN, AND };
	static const char *const words[] = { "at ", "between ", "and " };
	bool between = false;
	for (size_t i = 0; i < n; i++) {
		size_t w = 0;
		while (w < EVR_COUNT(words) && strncmp(part + i, words[w], strlen(words[w])) != 0)
			w++;
		if ((i && part[i - 1] != ' ') || w == EVR_COUNT(words) || (w == AND && !between))
			continue;
		struct source_ref p;
		size_t skip = strlen(words[w]);
		if (!find_source_ref(part + i + skip, &p) || i + skip + p.length > n)
			continue;
		between = w == BETWEEN;
		add_source_ref(s, &p, part, n);
		i += skip + p.length - 1;
	}
}

/* A part ends at one of the `ends`; it is what is said of the places in it. */
static void scan_text(struct scan *s, const char *text, const char *ends)
{
	while (*text) {
		text += strspn(text, ends);
		text += strspn(text, " ");
		size_t n = strcspn(text, ends);
		scan_part(s, text, n);
		text += n;
	}
}

static void add_stronger(struct scan *s, const struct evr_result_finding *f)
{
	char *text = evr_stronger_text(f, " ");
	for (size_t i = 0; i < f->stronger.len; i++) {
		const struct evr_result_change *c = &f->stronger.data[i];
		add_location(s, sarif_location(s->log, c->file, c->line, c->column, c->function), text);
	}
	free(text);
}

json_t *sarif_related(struct sarif_log *l, const struct evr_result_finding *f)
{
	struct scan s = { .log = l, .found = json_array() };
	char *itself = evr_format("%s:%u", f->file, f->line);
	evr_words_add(&s.seen, itself);
	free(itself);
	scan_text(&s, f->detail, "\n");
	/* The condition of an assertion is the program's text, not ours. */
	if (strcmp(f->kind, "assertion") != 0)
		scan_text(&s, f->message, "\n,()");
	add_stronger(&s, f);
	evr_words_release(&s.seen);
	return s.found;
}
