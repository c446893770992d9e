#include "report/format.h"

#include "base/strbuf.h"
#include "report/source.h"

#include <errno.h>
#include <jansson.h>

#ifndef EVR_VERSION
#define EVR_VERSION "0.2.0"
#endif

void evr_words_add(evr_words *w, const char *word)
{
	evr_vec_push(w, evr_strdup(word));
}

void evr_words_release(evr_words *w)
{
	for (size_t i = 0; i < w->len; i++)
		free(w->data[i]);
	evr_vec_release(w);
}

void evr_report_release(struct evr_report *r)
{
	free(r->command);
	free(r->checker);
	evr_words_release(&r->files);
	evr_words_release(&r->compile);
	evr_words_release(&r->options);
	evr_words_release(&r->args);
	for (size_t i = 0; i < r->results.len; i++)
		evr_result_free(r->results.data[i]);
	evr_vec_release(&r->results);
}

void evr_json_init(void)
{
	json_set_alloc_funcs(evr_alloc, free);
}

/* ---- writing ---- */

static json_t *string(const char *s)
{
	char *text = evr_text_utf8(s);
	json_t *j = json_string(text);
	free(text);
	return j;
}

static void put_string(json_t *o, const char *key, const char *s)
{
	json_object_set_new(o, key, string(s));
}

static void put_number(json_t *o, const char *key, uint64_t n)
{
	json_object_set_new(o, key, json_integer((json_int_t)n));
}

static void put_bool(json_t *o, const char *key, bool value)
{
	json_object_set_new(o, key, json_boolean(value));
}

static void put_words(json_t *o, const char *key, const evr_words *w)
{
	json_t *array = json_array();
	for (size_t i = 0; i < w->len; i++)
		json_array_append_new(array, string(w->data[i]));
	json_object_set_new(o, key, array);
}

/* Null if there is none. */
static json_t *event_name(int thread, int index)
{
	if (thread < 0)
		return json_null();
	json_t *o = json_object();
	put_number(o, "thread", (uint64_t)thread);
	put_number(o, "index", (uint64_t)index);
	return o;
}

static json_t *from_event(const struct evr_result_event *e)
{
	json_t *o = json_object();
	json_object_set_new(o, "thread", json_integer(e->thread));
	put_number(o, "index", e->index);
	put_string(o, "kind", e->kind);
	put_string(o, "order", e->order);
	put_string(o, "file", e->file);
	put_number(o, "line", e->line);
	put_number(o, "column", e->column);
	put_string(o, "function", e->function);
	put_string(o, "location", e->location);
	put_string(o, "object", e->object);
	put_number(o, "byte", e->byte);
	put_number(o, "size", e->size);
	put_string(o, "value", e->value);
	json_object_set_new(o, "source", event_name(e->source_thread, e->source_index));
	put_bool(o, "initial", e->initial);
	json_object_set_new(o, "after", event_name(e->after_thread, e->after_index));
	put_bool(o, "buffered", e->buffered);
	put_bool(o, "decides", e->decides);
	put_bool(o, "past", e->past);
	return o;
}

static json_t *from_finding(const struct evr_result_finding *f)
{
	json_t *o = json_object();
	put_string(o, "kind", f->kind);
	put_string(o, "message", f->message);
	put_string(o, "file", f->file);
	put_number(o, "line", f->line);
	put_number(o, "column", f->column);
	put_string(o, "function", f->function);
	json_object_set_new(o, "thread", json_integer(f->thread));
	put_number(o, "execution", f->execution);
	put_string(o, "schedule", f->schedule);
	if (f->other && *f->other)
		put_string(o, "other", f->other);
	put_string(o, "detail", f->detail);
	json_t *simplest = json_null();
	if (f->simplified) {
		simplest = json_object();
		put_number(simplest, "out_of_order", f->weak);
		put_number(simplest, "preemptions", f->preemptions);
	}
	json_object_set_new(o, "simplest", simplest);
	put_bool(o, "hopeless", f->hopeless);
	json_t *events = json_array();
	for (size_t i = 0; i < f->events.len; i++)
		json_array_append_new(events, from_event(&f->events.data[i]));
	json_object_set_new(o, "events", events);
	put_string(o, "output", f->output);
	return o;
}

static json_t *from_cycle(const struct evr_result_cycle *c)
{
	json_t *o = json_object(), *labels = json_array();
	for (size_t i = 0; i < c->labels.len; i++) {
		const struct evr_result_label *l = &c->labels.data[i];
		json_t *label = json_object();
		put_string(label, "file", l->file);
		put_number(label, "line", l->line);
		put_number(label, "column", l->column);
		put_string(label, "function", l->function);
		put_string(label, "kind", l->kind);
		json_array_append_new(labels, label);
	}
	json_object_set_new(o, "labels", labels);
	put_number(o, "trials", c->trials);
	put_number(o, "confirmed", c->confirmed);
	put_number(o, "buggy", c->buggy);
	put_string(o, "verdict", c->verdict);
	put_string(o, "reordering", c->reordering);
	put_string(o, "fence", c->fence);
	put_string(o, "finding", c->finding);
	put_string(o, "schedule", c->schedule);
	return o;
}

static void put_counts(json_t *o, const struct evr_result *r)
{
	put_number(o, "executions", r->executions);
	put_number(o, "blocked", r->blocked);
	put_number(o, "truncated", r->truncated);
	put_number(o, "redundant", r->redundant);
	put_number(o, "events", r->events);
	json_t *seconds = json_object();
	json_object_set_new(seconds, "compile", json_real(r->compile_seconds));
	json_object_set_new(seconds, "explore", json_real(r->explore_seconds));
	json_object_set_new(o, "seconds", seconds);
	put_number(o, "peak_kib", r->peak_kib);
	if (!r->complete && r->estimate > 0) {
		json_t *estimate = json_object();
		json_object_set_new(estimate, "low", json_real(r->estimate_low));
		json_object_set_new(estimate, "executions", json_real(r->estimate));
		json_object_set_new(estimate, "high", json_real(r->estimate_high));
		json_object_set_new(o, "estimate", estimate);
	}
	static const char *const kinds[] = { "traces", "rf", "rvf", "outcomes" };
	if (r->has_classes) {
		json_t *classes = json_object(), *digests = json_object();
		for (size_t i = 0; i < EVR_COUNT(kinds); i++) {
			put_number(classes, kinds[i], r->classes[i]);
			put_string(digests, kinds[i], r->class_digests[i]);
		}
		json_object_set_new(o, "classes", classes);
		json_object_set_new(o, "class_digests", digests);
	}
}

static void put_stats(json_t *o, const struct evr_result *r)
{
	json_t *stats = json_object();
	for (size_t i = 0; i < r->stats.len; i++)
		put_number(stats, r->stats.data[i].name, r->stats.data[i].count);
	json_object_set_new(o, "stats", stats);
}

static json_t *from_result(const struct evr_result *r)
{
	json_t *o = json_object();
	put_string(o, "model", r->model);
	put_string(o, "equivalence", r->equivalence);
	put_string(o, "verdict", evr_result_verdict(r));
	put_bool(o, "complete", r->complete);
	json_object_set_new(o, "unroll", r->unroll < 0 ? json_null() : json_integer(r->unroll));
	if (r->spurious >= 0)
		put_number(o, "spurious", (uint64_t)r->spurious);
	if (r->spurious_cas >= 0)
		put_number(o, "spurious_cas", (uint64_t)r->spurious_cas);
	put_counts(o, r);
	if (r->stats.len)
		put_stats(o, r);
	put_bool(o, "races_unchecked", r->races_unchecked);
	put_string(o, "stopped", r->stopped);
	if (r->error) {
		put_string(o, "error", r->error);
		put_number(o, "error_status", (uint64_t)r->error_status);
	}
	json_t *notes = json_array(), *findings = json_array();
	for (size_t i = 0; i < r->notes.len; i++)
		json_array_append_new(notes, string(r->notes.data[i]));
	json_object_set_new(o, "notes", notes);
	put_string(o, "output", r->output);
	for (size_t i = 0; i < r->findings.len; i++)
		json_array_append_new(findings, from_finding(&r->findings.data[i]));
	json_object_set_new(o, "findings", findings);
	if (r->prediction) {
		json_t *cycles = json_array();
		for (size_t i = 0; i < r->cycles.len; i++)
			json_array_append_new(cycles, from_cycle(&r->cycles.data[i]));
		json_object_set_new(o, "cycles", cycles);
	}
	return o;
}

static json_t *from_report(const struct evr_report *r)
{
	json_t *o = json_object(), *results = json_array();
	put_string(o, "everett", EVR_VERSION);
	put_string(o, "command", r->command);
	put_words(o, "files", &r->files);
	if (r->checker)
		put_string(o, "checker", r->checker);
	put_words(o, "compile", &r->compile);
	put_words(o, "options", &r->options);
	put_words(o, "args", &r->args);
	for (size_t i = 0; i < r->results.len; i++)
		json_array_append_new(results, from_result(r->results.data[i]));
	json_object_set_new(o, "results", results);
	return o;
}

int evr_json_write(FILE *out, const struct evr_report *r, const char *json)
{
	json_t *o = from_report(r);
	(void)json; /* it would be this file */
	errno = 0;
	int failed = json_dumpf(o, out, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	if (failed && !errno)
		errno = EIO;
	fputc('\n', out);
	json_decref(o);
	return failed ? -1 : evr_format_finish(out);
}

/* ---- what a page needs besides ---- */

static json_t *from_flags(const evr_flags *flags)
{
	json_t *array = json_array();
	for (size_t i = 0; i < flags->len; i++)
		json_array_append_new(array, json_boolean(flags->data[i]));
	return array;
}

char *evr_json_page(const struct evr_report *r, const struct evr_json_page *page)
{
	json_t *o = from_report(r), *sources = json_array();
	for (size_t i = 0; i < page->sources.len; i++) {
		json_t *source = json_object();
		const char *text = evr_source_text(page->sources.data[i]);
		put_string(source, "file", page->sources.data[i]);
		json_object_set_new(source, "text", text ? string(text) : json_null());
		json_array_append_new(sources, source);
	}
	json_object_set_new(o, "sources", sources);
	put_words(o, "replays", &page->replays);
	put_words(o, "models", &page->models);
	json_object_set_new(o, "repeated", from_flags(&page->repeated));
	put_string(o, "conclusion", page->conclusion);
	char *text = json_dumps(o, JSON_ENSURE_ASCII | JSON_REAL_PRECISION(9));
	json_decref(o);
	return text;
}

/* ---- reading: every field may be missing or of the wrong type, since people edit files ---- */

static void get_string(const json_t *o, const char *key, char **field)
{
	const char *s = json_string_value(json_object_get(o, key));
	evr_result_set(field, s ? s : "");
}

static json_int_t get_number(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

static bool get_bool(const json_t *o, const char *key)
{
	return json_is_true(json_object_get(o, key));
}

static void get_words(const json_t *o, const char *key, evr_words *w)
{
	const json_t *array = json_object_get(o, key);
	for (size_t i = 0; i < json_array_size(array); i++)
		if (json_is_string(json_array_get(array, i)))
			evr_words_add(w, json_string_value(json_array_get(array, i)));
}

static void to_event_name(const json_t *o, int *thread, int *index)
{
	if (!json_is_object(o))
		return;
	*thread = (int)get_number(o, "thread");
	*index = (int)get_number(o, "index");
}

static void to_event(const json_t *o, struct evr_result_event *e)
{
	e->thread = (int)get_number(o, "thread");
	e->index = (unsigned)get_number(o, "index");
	get_string(o, "kind", &e->kind);
	get_string(o, "order", &e->order);
	get_string(o, "file", &e->file);
	e->line = (unsigned)get_number(o, "line");
	e->column = (unsigned)get_number(o, "column");
	get_string(o, "function", &e->function);
	get_string(o, "location", &e->location);
	get_string(o, "object", &e->object);
	e->byte = (uint64_t)get_number(o, "byte");
	e->size = (unsigned)get_number(o, "size");
	get_string(o, "value", &e->value);
	to_event_name(json_object_get(o, "source"), &e->source_thread, &e->source_index);
	to_event_name(json_object_get(o, "after"), &e->after_thread, &e->after_index);
	e->buffered = get_bool(o, "buffered");
	e->decides = get_bool(o, "decides");
	e->initial = get_bool(o, "initial");
	e->past = get_bool(o, "past");
}

static void to_finding(const json_t *o, struct evr_result_finding *f)
{
	get_string(o, "kind", &f->kind);
	get_string(o, "message", &f->message);
	get_string(o, "file", &f->file);
	f->line = (unsigned)get_number(o, "line");
	f->column = (unsigned)get_number(o, "column");
	get_string(o, "function", &f->function);
	f->thread = (int)get_number(o, "thread");
	f->execution = (uint64_t)get_number(o, "execution");
	get_string(o, "schedule", &f->schedule);
	get_string(o, "other", &f->other);
	get_string(o, "detail", &f->detail);
	const json_t *simplest = json_object_get(o, "simplest");
	f->simplified = json_is_object(simplest);
	if (f->simplified) {
		f->weak = (unsigned)get_number(simplest, "out_of_order");
		f->preemptions = (unsigned)get_number(simplest, "preemptions");
	}
	f->hopeless = get_bool(o, "hopeless");
	get_string(o, "output", &f->output);
	const json_t *events = json_object_get(o, "events");
	for (size_t i = 0; i < json_array_size(events); i++)
		to_event(json_array_get(events, i), evr_result_add_event(f));
}

static void to_cycle(const json_t *o, struct evr_result_cycle *c)
{
	const json_t *labels = json_object_get(o, "labels");
	for (size_t i = 0; i < json_array_size(labels); i++) {
		const json_t *from = json_array_get(labels, i);
		struct evr_result_label *l = evr_result_add_label(c);
		get_string(from, "file", &l->file);
		l->line = (unsigned)get_number(from, "line");
		l->column = (unsigned)get_number(from, "column");
		get_string(from, "function", &l->function);
		get_string(from, "kind", &l->kind);
	}
	c->trials = (uint64_t)get_number(o, "trials");
	c->confirmed = (uint64_t)get_number(o, "confirmed");
	c->buggy = (uint64_t)get_number(o, "buggy");
	get_string(o, "verdict", &c->verdict);
	get_string(o, "reordering", &c->reordering);
	get_string(o, "fence", &c->fence);
	get_string(o, "finding", &c->finding);
	get_string(o, "schedule", &c->schedule);
}

static void to_counts(const json_t *o, struct evr_result *r)
{
	r->executions = (uint64_t)get_number(o, "executions");
	r->blocked = (uint64_t)get_number(o, "blocked");
	r->truncated = (uint64_t)get_number(o, "truncated");
	r->redundant = (uint64_t)get_number(o, "redundant");
	r->events = (uint64_t)get_number(o, "events");
	const json_t *seconds = json_object_get(o, "seconds");
	r->compile_seconds = json_number_value(json_object_get(seconds, "compile"));
	r->explore_seconds = json_number_value(json_object_get(seconds, "explore"));
	r->peak_kib = (uint64_t)get_number(o, "peak_kib");
	const json_t *estimate = json_object_get(o, "estimate");
	r->estimate_low = json_number_value(json_object_get(estimate, "low"));
	r->estimate = json_number_value(json_object_get(estimate, "executions"));
	r->estimate_high = json_number_value(json_object_get(estimate, "high"));
}

static void to_stats(json_t *o, struct evr_result *r)
{
	for (void *i = json_object_iter(o); i; i = json_object_iter_next(o, i))
		if (json_is_integer(json_object_iter_value(i)))
			evr_result_set_stat(r, json_object_iter_key(i),
					    (uint64_t)json_integer_value(json_object_iter_value(i)));
}

static struct evr_result *to_result(const json_t *o)
{
	struct evr_result *r = evr_result_new("", "");
	get_string(o, "model", &r->model);
	get_string(o, "equivalence", &r->equivalence);
	r->complete = get_bool(o, "complete");
	r->races_unchecked = get_bool(o, "races_unchecked");
	if (json_is_integer(json_object_get(o, "unroll")))
		r->unroll = (long)get_number(o, "unroll");
	if (json_is_integer(json_object_get(o, "spurious")))
		r->spurious = (long)get_number(o, "spurious");
	if (json_is_integer(json_object_get(o, "spurious_cas")))
		r->spurious_cas = (long)get_number(o, "spurious_cas");
	to_counts(o, r);
	to_stats(json_object_get(o, "stats"), r);
	get_string(o, "stopped", &r->stopped);
	get_string(o, "output", &r->output);
	const char *error = json_string_value(json_object_get(o, "error"));
	if (error)
		evr_result_error(r, (int)get_number(o, "error_status"), error);
	const json_t *notes = json_object_get(o, "notes"), *findings = json_object_get(o, "findings");
	for (size_t i = 0; i < json_array_size(notes); i++)
		if (json_is_string(json_array_get(notes, i)))
			evr_vec_push(&r->notes, evr_strdup(json_string_value(json_array_get(notes, i))));
	for (size_t i = 0; i < json_array_size(findings); i++)
		to_finding(json_array_get(findings, i), evr_result_add_finding(r));
	const json_t *cycles = json_object_get(o, "cycles");
	for (size_t i = 0; i < json_array_size(cycles); i++)
		to_cycle(json_array_get(cycles, i), evr_result_add_cycle(r));
	return r;
}

static void to_report(const json_t *o, struct evr_report *r)
{
	get_string(o, "command", &r->command);
	get_words(o, "files", &r->files);
	if (json_object_get(o, "checker"))
		get_string(o, "checker", &r->checker);
	get_words(o, "compile", &r->compile);
	get_words(o, "options", &r->options);
	get_words(o, "args", &r->args);
	const json_t *results = json_object_get(o, "results");
	for (size_t i = 0; i < json_array_size(results); i++) {
		evr_vec_push(&r->results, to_result(json_array_get(results, i)));
		evr_vec_last(&r->results)->robustness = !strcmp(r->command, "robust");
		evr_vec_last(&r->results)->prediction = !strcmp(r->command, "predict");
	}
}

int evr_json_read(const char *path, struct evr_report *r, char **error)
{
	memset(r, 0, sizeof(*r));
	FILE *in = fopen(path, "re");
	if (!in) {
		*error = evr_format("cannot open '%s': %s", path, strerror(errno));
		return -1;
	}
	json_error_t e;
	errno = 0;
	json_t *o = json_loadf(in, 0, &e);
	int failure = ferror(in) ? errno : 0;
	fclose(in);
	if (failure)
		*error = evr_format("cannot read '%s': %s", path, strerror(failure));
	else if (!o)
		*error = evr_format("'%s' is not valid JSON: line %d: %s", path, e.line, e.text);
	else if (!json_is_string(json_object_get(o, "everett")) || !json_is_array(json_object_get(o, "results")))
		*error = evr_format("'%s' is not an Everett report", path);
	else
		to_report(o, r);
	json_decref(o);
	return r->command ? 0 : -1;
}
