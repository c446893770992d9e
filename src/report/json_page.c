/* What the web page of html.c shows, as one JSON document: the report, and what a browser cannot find out by itself. */
#include "report/json_value.h"
#include "report/source.h"

static json_t *from_flags(const evr_flags *flags)
{
	json_t *array = json_array();
	for (size_t i = 0; i < flags->len; i++)
		json_array_append_new(array, json_boolean(flags->data[i]));
	return array;
}

char *evr_json_page(const struct evr_report *r, const struct evr_json_page *page)
{
	json_t *o = evr_json_report(r), *sources = json_array();
	for (size_t i = 0; i < page->sources.len; i++) {
		json_t *source = json_object();
		const char *text = evr_source_text(page->sources.data[i]);
		put_string(source, "file", page->sources.data[i]);
		put(source, "text", text ? text_value(text) : json_null());
		json_array_append_new(sources, source);
	}
	put(o, "sources", sources);
	put_words(o, "replays", &page->replays);
	put_words(o, "models", &page->models);
	put(o, "repeated", from_flags(&page->repeated));
	put_string(o, "conclusion", page->conclusion);
	char *text = json_dumps(o, JSON_ENSURE_ASCII | JSON_REAL_PRECISION(9));
	json_decref(o);
	return text;
}
