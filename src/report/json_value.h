/*
 * What the writers of JSON (json_write.c, json_page.c, sarif*.c) make their documents of.
 *
 * Strings of a report may hold any bytes: they get into a document only through text_value() and put_string(), which make
 * UTF-8 of them. What is put into an object belongs to the object.
 */
#ifndef EVR_JSON_VALUE_H
#define EVR_JSON_VALUE_H

#include "report/format.h"

#include <jansson.h>

static inline json_t *text_value(const char *s)
{
	char *text = evr_text_utf8(s);
	json_t *j = json_string(text);
	free(text);
	return j;
}

static inline void put(json_t *o, const char *key, json_t *value)
{
	json_object_set_new(o, key, value);
}

static inline void put_string(json_t *o, const char *key, const char *s)
{
	put(o, key, text_value(s));
}

static inline void put_number(json_t *o, const char *key, uint64_t n)
{
	put(o, key, json_integer((json_int_t)n));
}

static inline void put_bool(json_t *o, const char *key, bool value)
{
	put(o, key, json_boolean(value));
}

static inline void put_words(json_t *o, const char *key, const evr_words *w)
{
	json_t *array = json_array();
	for (size_t i = 0; i < w->len; i++)
		json_array_append_new(array, text_value(w->data[i]));
	put(o, key, array);
}

/* A report as `check --json` saves it. */
json_t *evr_json_report(const struct evr_report *r);
/* Write the document, indented, and drop it. Returns 0, or -1 with errno set. */
int evr_json_dump(FILE *out, json_t *o, size_t flags);

#endif
