/*
 * Places in files, as SARIF wants them: URIs, artifacts, lines and columns.
 *
 * Invariant: each file is one artifact, however its path is spelled; the compiler counts columns in bytes, SARIF in characters.
 */
#include "base/strbuf.h"
#include "report/sarif.h"
#include "report/source.h"

#include <ctype.h>

/* In a message, a brace begins a placeholder unless it is doubled. */
json_t *sarif_message(const char *text)
{
	json_t *o = json_object();
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	for (; *text; text++) {
		evr_strbuf_putc(&b, *text);
		if (*text == '{' || *text == '}')
			evr_strbuf_putc(&b, *text);
	}
	put_string(o, "text", b.text);
	evr_strbuf_release(&b);
	return o;
}

static bool is_plain(unsigned char c)
{
	return isascii(c) && (isalnum(c) || strchr("-._~/", c));
}

static char *uri_of(const char *file)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	if (*file == '/')
		evr_strbuf_puts(&b, "file://");
	while (!strncmp(file, "./", 2))
		file += 2;
	char *text = evr_text_utf8(file);
	for (const char *p = text; *p; p++)
		if (is_plain((unsigned char)*p))
			evr_strbuf_putc(&b, *p);
		else
			evr_strbuf_printf(&b, "%%%02X", (unsigned char)*p);
	free(text);
	return evr_strbuf_take(&b);
}

static json_t *artifact_location(const char *file)
{
	json_t *o = json_object();
	char *uri = uri_of(file);
	put_string(o, "uri", uri);
	if (*file != '/')
		put_string(o, "uriBaseId", SARIF_ROOT);
	free(uri);
	return o;
}

size_t sarif_index(const evr_words *words, const char *word)
{
	size_t i = 0;
	while (i < words->len && strcmp(words->data[i], word) != 0)
		i++;
	return i;
}

/* "./a.c" and "a.c" are one. */
size_t sarif_artifact(struct sarif_log *l, const char *file)
{
	char *uri = uri_of(file);
	size_t i = sarif_index(&l->uris, uri);
	if (i == l->uris.len) {
		json_t *o = json_object();
		put(o, "location", artifact_location(file));
		json_array_append_new(l->artifacts, o);
		evr_words_add(&l->uris, uri);
	}
	free(uri);
	return i;
}

static bool is_ascii(const char *s)
{
	while (isascii((unsigned char)*s) && *s)
		s++;
	return !*s;
}

/* The compiler counts bytes, SARIF characters. Without the source they are taken to be the same. */
static unsigned characters(const char *file, unsigned line, unsigned column)
{
	const char *inner = evr_source_line(file, line), *s = evr_source_text(file);
	/* Nearly always; and lines are looked for from the first. */
	if (!inner || is_ascii(inner))
		return column;
	for (unsigned i = 1; s && i < line; i++) {
		s = strchr(s, '\n');
		s = s ? s + 1 : NULL;
	}
	unsigned count = column;
	for (unsigned i = 0; s && s[i] && s[i] != '\n' && i + 1 < column; i++)
		count -= ((unsigned char)s[i] & 0xc0) == 0x80;
	return count;
}

/* Whatever is not known is left out. */
json_t *sarif_location(struct sarif_log *l, const char *file, unsigned line, unsigned column, const char *function)
{
	json_t *o = json_object();
	if (*file) {
		json_t *physical = json_object(), *where = artifact_location(file), *region = json_object();
		put(where, "index", json_integer((json_int_t)sarif_artifact(l, file)));
		put(physical, "artifactLocation", where);
		if (line)
			put(region, "startLine", json_integer(line));
		if (line && column)
			put(region, "startColumn", json_integer(characters(file, line, column)));
		if (line)
			json_object_set(physical, "region", region);
		json_decref(region);
		put(o, "physicalLocation", physical);
	}
	if (*function) {
		json_t *logical = json_object(), *all = json_array();
		put_string(logical, "name", function);
		put_string(logical, "kind", "function");
		json_array_append_new(all, logical);
		put(o, "logicalLocations", all);
	}
	return o;
}
