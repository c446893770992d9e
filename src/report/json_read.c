/*
 * A saved report, read back for `everett replay` and `everett report`.
 *
 * Invariant: people edit files, so every property may be missing or of the wrong type; what is missing is empty, 0 or false,
 * and the report can be rendered and released whatever was in the file.
 */
#include "base/strbuf.h"
#include "report/coverage.h"
#include "report/json.h"

#include <errno.h>
#include <jansson.h>

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
	const json_t *call = json_object_get(o, "call");
	get_string(call, "text", &e->call);
	e->call_first = json_is_object(call) ? (int)get_number(call, "first") : -1;
	const json_t *with = json_object_get(o, "synchronises");
	for (size_t i = 0; i < json_array_size(with); i++) {
		struct evr_result_name name = { -1, -1 };
		to_event_name(json_array_get(with, i), &name.thread, &name.index);
		if (name.thread >= 0)
			evr_vec_push(&e->synchronises, name);
	}
}

static void to_change(const json_t *o, struct evr_result_change *c)
{
	get_string(o, "file", &c->file);
	c->line = (unsigned)get_number(o, "line");
	c->column = (unsigned)get_number(o, "column");
	get_string(o, "function", &c->function);
	get_string(o, "operation", &c->operation);
	get_string(o, "location", &c->location);
	get_string(o, "now", &c->now);
	get_string(o, "needed", &c->needed);
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
	get_string(o, "drawn", &f->drawn);
	get_string(o, "detail", &f->detail);
	const json_t *simplest = json_object_get(o, "simplest");
	f->simplified = json_is_object(simplest);
	if (f->simplified) {
		f->weak = (unsigned)get_number(simplest, "out_of_order");
		f->preemptions = (unsigned)get_number(simplest, "preemptions");
	}
	f->hopeless = get_bool(o, "hopeless");
	get_string(o, "output", &f->output);
	const json_t *locals = json_object_get(o, "locals");
	if (json_is_object(locals))
		f->locals = json_dumps(locals, JSON_COMPACT);
	const json_t *events = json_object_get(o, "events");
	for (size_t i = 0; i < json_array_size(events); i++)
		to_event(json_array_get(events, i), evr_result_add_event(f));
	const json_t *threads = json_object_get(o, "threads");
	for (size_t i = 0; i < json_array_size(threads); i++) {
		struct evr_result_thread *t = evr_result_add_thread(f);
		t->number = (int)get_number(json_array_get(threads, i), "thread");
		get_string(json_array_get(threads, i), "name", &t->name);
	}
	const json_t *stronger = json_object_get(o, "stronger");
	for (size_t i = 0; i < json_array_size(stronger); i++)
		to_change(json_array_get(stronger, i), evr_result_add_change(f));
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

/* Not every file that is damaged is no JSON any more. */
static void to_rest(const json_t *o, struct evr_result_rest *rest)
{
	char *digest = NULL;
	get_string(o, "program", &rest->program);
	get_string(o, "known", &rest->known);
#define TOTAL(type, field) rest->field = (uint64_t)get_number(o, #field);
#include "report/records.def"
	const json_t *branches = json_object_get(o, "branches");
	for (size_t i = 0; i < json_array_size(branches); i++)
		if (json_is_string(json_array_get(branches, i)))
			evr_vec_push(&rest->branches, evr_strdup(json_string_value(json_array_get(branches, i))));
	get_string(o, "digest", &digest);
	rest->there = strtoull(digest, NULL, 16) == evr_rest_digest(rest);
	free(digest);
}

static void to_site(const json_t *o, struct evr_result_site *s)
{
	const json_t *because = json_object_get(o, "because"), *orders = json_object_get(because, "orders");
	get_string(o, "file", &s->file);
	s->line = (unsigned)get_number(o, "line");
	s->column = (unsigned)get_number(o, "column");
	get_string(o, "function", &s->function);
	get_string(o, "operation", &s->operation);
	get_string(o, "now", &s->now);
	if (json_is_string(json_object_get(o, "needed")))
		get_string(o, "needed", &s->needed);
	s->executed = get_bool(o, "executed");
	s->studied = get_bool(o, "asked");
	if (!json_is_object(because))
		return;
	struct evr_result found = { 0 };
	to_finding(because, evr_result_add_finding(&found));
	s->because = &found.findings.data[0];
	get_string(because, "with", &s->tried);
	for (size_t i = 0; i < json_array_size(orders); i++)
		if (json_is_string(json_array_get(orders, i)))
			evr_vec_push(&s->orders, evr_strdup(json_string_value(json_array_get(orders, i))));
}

static void to_sample(const json_t *o, struct evr_result_sample *s)
{
#define SAMPLE(type, field) s->field = (uint64_t)get_number(o, #field);
#include "report/records.def"
	s->there = true;
}

static void to_next(const json_t *a, struct evr_result *r)
{
	for (size_t i = 0; i < json_array_size(a); i++) {
		struct evr_result_next n = { 0 };
		get_string(json_array_get(a, i), "text", &n.text);
		if (json_is_string(json_object_get(json_array_get(a, i), "command")))
			get_string(json_array_get(a, i), "command", &n.command);
		evr_vec_push(&r->next, n);
	}
}

static struct evr_result_point *add_point(struct evr_result *r, const char *file, const char *kind)
{
	struct evr_result_point *p = evr_result_add_point(r);
	evr_result_set(&p->file, file);
	evr_result_set(&p->kind, kind);
	return p;
}

static void to_lines(const json_t *lines, const char *file, bool executed, struct evr_result *r)
{
	for (size_t i = 0; i < json_array_size(lines); i++) {
		struct evr_result_point *p = add_point(r, file, "line");
		p->line = (unsigned)json_integer_value(json_array_get(lines, i));
		p->executed = executed;
	}
}

static void to_points(const json_t *points, const char *file, const char *kind, struct evr_result *r)
{
	for (size_t i = 0; i < json_array_size(points); i++) {
		const json_t *o = json_array_get(points, i);
		struct evr_result_point *p = add_point(r, file, kind);
		p->line = (unsigned)get_number(o, "line");
		p->column = (unsigned)get_number(o, "column");
		get_string(o, "function", &p->function);
		p->number = (unsigned)get_number(o, "number");
		get_string(o, "edge", &p->edge);
		p->executed = get_bool(o, "executed");
	}
}

static void to_coverage(const json_t *o, struct evr_result *r)
{
	const json_t *files = json_object_get(o, "files");
	struct evr_result *read = evr_result_new("", "");
	for (size_t i = 0; i < json_array_size(files); i++) {
		const json_t *of = json_array_get(files, i), *lines = json_object_get(of, "lines");
		char *file = NULL;
		get_string(of, "file", &file);
		to_points(json_object_get(of, "functions"), file, "function", read);
		to_lines(json_object_get(lines, "executed"), file, true, read);
		to_lines(json_object_get(lines, "not_executed"), file, false, read);
		to_points(json_object_get(of, "branches"), file, "branch", read);
		free(file);
	}
	evr_points_add(r, read);
	evr_result_free(read);
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
	if (json_is_integer(json_object_get(o, "preemptions")))
		r->preemptions = (long)get_number(o, "preemptions");
	if (json_is_integer(json_object_get(o, "finished_preemptions")))
		r->finished_preemptions = (long)get_number(o, "finished_preemptions");
	r->finished_executions = (uint64_t)get_number(o, "finished_executions");
	if (json_is_integer(json_object_get(o, "spurious")))
		r->spurious = (long)get_number(o, "spurious");
	if (json_is_integer(json_object_get(o, "spurious_cas")))
		r->spurious_cas = (long)get_number(o, "spurious_cas");
	to_counts(o, r);
	to_stats(json_object_get(o, "stats"), r);
	if (json_is_string(json_object_get(o, "shard")))
		get_string(o, "shard", &r->shard);
	if (json_is_object(json_object_get(o, "rest")))
		to_rest(json_object_get(o, "rest"), &r->rest);
	if (json_is_object(json_object_get(o, "sample")))
		to_sample(json_object_get(o, "sample"), &r->sample);
	if (json_is_object(json_object_get(o, "coverage")))
		to_coverage(json_object_get(o, "coverage"), r);
	get_string(o, "stopped", &r->stopped);
	get_string(o, "output", &r->output);
	const char *error = json_string_value(json_object_get(o, "error"));
	if (error)
		evr_result_error(r, (int)get_number(o, "error_status"), error);
	const json_t *notes = json_object_get(o, "notes"), *findings = json_object_get(o, "findings");
	for (size_t i = 0; i < json_array_size(notes); i++)
		if (json_is_string(json_array_get(notes, i)))
			evr_vec_push(&r->notes, evr_strdup(json_string_value(json_array_get(notes, i))));
	to_next(json_object_get(o, "next"), r);
	for (size_t i = 0; i < json_array_size(findings); i++)
		to_finding(json_array_get(findings, i), evr_result_add_finding(r));
	const json_t *cycles = json_object_get(o, "cycles");
	for (size_t i = 0; i < json_array_size(cycles); i++)
		to_cycle(json_array_get(cycles, i), evr_result_add_cycle(r));
	const json_t *sites = json_object_get(o, "sites");
	for (size_t i = 0; i < json_array_size(sites); i++)
		to_site(json_array_get(sites, i), evr_result_add_site(r));
	r->repaired = get_bool(o, "repaired");
	return r;
}

static void to_report(const json_t *o, struct evr_report *r)
{
	get_string(o, "command", &r->command);
	r->checkpoint = get_bool(o, "checkpoint");
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
		evr_vec_last(&r->results)->orders = !strcmp(r->command, "orders");
		evr_vec_last(&r->results)->sampling = !strcmp(r->command, "sample");
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
