/*
 * A report as JSON: docs/report.schema.json describes every property.
 *
 * Invariant: properties come in the order in which they are put here, and json_read.c reads back all that rendering and
 * replaying need; who writes one more adds it there and to the schema.
 */
#include "report/coverage.h"
#include "report/json_value.h"
#include "report/sample.h"

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
	put(o, "thread", json_integer(e->thread));
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
	put(o, "source", event_name(e->source_thread, e->source_index));
	put_bool(o, "initial", e->initial);
	put(o, "after", event_name(e->after_thread, e->after_index));
	put_bool(o, "buffered", e->buffered);
	put_bool(o, "decides", e->decides);
	put_bool(o, "past", e->past);
	json_t *call = json_null();
	if (*e->call && e->call_first >= 0) {
		call = json_object();
		put_string(call, "text", e->call);
		put_number(call, "first", (uint64_t)e->call_first);
	}
	put(o, "call", call);
	json_t *with = json_array();
	for (size_t i = 0; i < e->synchronises.len; i++)
		json_array_append_new(with, event_name(e->synchronises.data[i].thread, e->synchronises.data[i].index));
	put(o, "synchronises", with);
	return o;
}

static json_t *from_change(const struct evr_result_change *c)
{
	json_t *o = json_object();
	put_string(o, "file", c->file);
	put_number(o, "line", c->line);
	put_number(o, "column", c->column);
	put_string(o, "function", c->function);
	put_string(o, "operation", c->operation);
	put_string(o, "location", c->location);
	put_string(o, "now", c->now);
	put_string(o, "needed", c->needed);
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
	put(o, "thread", json_integer(f->thread));
	put_number(o, "execution", f->execution);
	put_string(o, "schedule", f->schedule);
	if (f->other && *f->other)
		put_string(o, "other", f->other);
	if (f->drawn && *f->drawn)
		put_string(o, "drawn", f->drawn);
	put_string(o, "detail", f->detail);
	json_t *simplest = json_null();
	if (f->simplified) {
		simplest = json_object();
		put_number(simplest, "out_of_order", f->weak);
		put_number(simplest, "preemptions", f->preemptions);
	}
	put(o, "simplest", simplest);
	put_bool(o, "hopeless", f->hopeless);
	json_t *events = json_array();
	for (size_t i = 0; i < f->events.len; i++)
		json_array_append_new(events, from_event(&f->events.data[i]));
	put(o, "events", events);
	json_t *threads = json_array();
	for (size_t i = 0; i < f->threads.len; i++) {
		json_t *t = json_object();
		put(t, "thread", json_integer(f->threads.data[i].number));
		put_string(t, "name", f->threads.data[i].name);
		json_array_append_new(threads, t);
	}
	put(o, "threads", threads);
	json_t *stronger = json_array();
	for (size_t i = 0; i < f->stronger.len; i++)
		json_array_append_new(stronger, from_change(&f->stronger.data[i]));
	put(o, "stronger", stronger);
	put_string(o, "output", f->output);
	if (f->locals)
		put(o, "locals", json_loads(f->locals, 0, NULL));
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
	put(o, "labels", labels);
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

static json_t *from_site(const struct evr_result_site *s)
{
	json_t *o = json_object(), *because = json_null();
	put_string(o, "file", s->file);
	put_number(o, "line", s->line);
	put_number(o, "column", s->column);
	put_string(o, "function", s->function);
	put_string(o, "operation", s->operation);
	put_string(o, "now", s->now);
	put(o, "needed", s->needed ? text_value(s->needed) : json_null());
	put_bool(o, "executed", s->executed);
	put_bool(o, "asked", s->studied);
	if (s->because) {
		json_t *orders = json_array();
		because = from_finding(s->because);
		put_string(because, "with", s->tried);
		for (size_t i = 0; i < s->orders.len; i++)
			json_array_append_new(orders, text_value(s->orders.data[i]));
		put(because, "orders", orders);
	}
	put(o, "because", because);
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
	put(seconds, "compile", json_real(r->compile_seconds));
	put(seconds, "explore", json_real(r->explore_seconds));
	put(o, "seconds", seconds);
	put_number(o, "peak_kib", r->peak_kib);
	if (!r->complete && r->estimate > 0) {
		json_t *estimate = json_object();
		put(estimate, "low", json_real(r->estimate_low));
		put(estimate, "executions", json_real(r->estimate));
		put(estimate, "high", json_real(r->estimate_high));
		put(o, "estimate", estimate);
	}
	static const char *const kinds[] = { "traces", "rf", "rvf", "outcomes" };
	if (r->has_classes) {
		json_t *classes = json_object(), *digests = json_object();
		for (size_t i = 0; i < EVR_COUNT(kinds); i++) {
			put_number(classes, kinds[i], r->classes[i]);
			put_string(digests, kinds[i], r->class_digests[i]);
		}
		put(o, "classes", classes);
		put(o, "class_digests", digests);
	}
}

static void put_stats(json_t *o, const struct evr_result *r)
{
	json_t *stats = json_object();
	for (size_t i = 0; i < r->stats.len; i++)
		put_number(stats, r->stats.data[i].name, r->stats.data[i].count);
	put(o, "stats", stats);
}

static json_t *from_rest(const struct evr_result_rest *rest)
{
	json_t *o = json_object(), *branches = json_array();
	put_string(o, "program", rest->program);
	put_string(o, "known", rest->known);
#define TOTAL(type, field) put_number(o, #field, rest->field);
#include "report/records.def"
	for (size_t i = 0; i < rest->branches.len; i++)
		json_array_append_new(branches, text_value(rest->branches.data[i]));
	put(o, "branches", branches);
	char *digest = evr_format("%016llx", (unsigned long long)evr_rest_digest(rest));
	put_string(o, "digest", digest);
	free(digest);
	return o;
}

/* What is told of it, and behind that the counts from which it follows. */
static json_t *from_sample(const struct evr_result_sample *s)
{
	json_t *o = json_object();
	put_number(o, "executions", s->draws);
	put_number(o, "classes", s->classes);
	put(o, "estimated_classes", json_real(evr_sample_classes(s)));
	put_number(o, "pairs", s->pairs);
	put(o, "bound", json_real(evr_sample_bound(s)));
	put(o, "unseen", json_real(evr_sample_unseen(s)));
	put(o, "confidence", json_real(EVR_CONFIDENCE));
	put_number(o, "draws", s->draws);
	put_number(o, "drawn_classes", s->drawn_classes);
	put_number(o, "once", s->once);
	put_number(o, "twice", s->twice);
	put_number(o, "failing", s->failing);
	put_number(o, "later", s->later);
	put_number(o, "later_new", s->later_new);
	put_number(o, "later_failing", s->later_failing);
	return o;
}

static json_t *from_next(const struct evr_result *r)
{
	json_t *next = json_array();
	for (size_t i = 0; i < r->next.len; i++) {
		json_t *o = json_object();
		put_string(o, "text", r->next.data[i].text);
		if (r->next.data[i].command)
			put_string(o, "command", r->next.data[i].command);
		json_array_append_new(next, o);
	}
	return next;
}

static json_t *from_count(struct evr_point_count n)
{
	json_t *o = json_object();
	put_number(o, "all", n.all);
	put_number(o, "executed", n.executed);
	return o;
}

/* The first n points are of one file. */
static json_t *from_points(const struct evr_result_point *points, size_t n)
{
	json_t *o = json_object(), *functions = json_array(), *branches = json_array(), *lines = json_object();
	json_t *executed = json_array(), *others = json_array();
	put_string(o, "file", points->file);
	for (size_t i = 0; i < n; i++) {
		const struct evr_result_point *p = &points[i];
		if (!strcmp(p->kind, "line")) {
			json_array_append_new(p->executed ? executed : others, json_integer(p->line));
			continue;
		}
		bool branch = !strcmp(p->kind, "branch");
		json_t *point = json_object();
		put_number(point, "line", p->line);
		if (branch)
			put_number(point, "column", p->column);
		put_string(point, "function", p->function);
		if (branch)
			put_number(point, "number", p->number);
		if (branch)
			put_string(point, "edge", p->edge);
		put_bool(point, "executed", p->executed);
		json_array_append_new(branch ? branches : functions, point);
	}
	put(o, "functions", functions);
	put(lines, "executed", executed);
	put(lines, "not_executed", others);
	put(o, "lines", lines);
	put(o, "branches", branches);
	return o;
}

static json_t *from_coverage(const struct evr_result *r)
{
	json_t *o = json_object(), *files = json_array();
	put(o, "functions", from_count(evr_points_count(r, "function")));
	put(o, "lines", from_count(evr_points_count(r, "line")));
	put(o, "branches", from_count(evr_points_count(r, "branch")));
	for (size_t i = 0, n; i < r->points.len; i += n) {
		n = 1;
		while (i + n < r->points.len && !strcmp(r->points.data[i].file, r->points.data[i + n].file))
			n++;
		json_array_append_new(files, from_points(&r->points.data[i], n));
	}
	put(o, "files", files);
	return o;
}

static json_t *from_result(const struct evr_result *r, bool checkpoint)
{
	json_t *o = json_object();
	put_string(o, "model", r->model);
	put_string(o, "equivalence", r->equivalence);
	put_string(o, "verdict", evr_result_verdict(r));
	put_bool(o, "complete", r->complete);
	put(o, "unroll", r->unroll < 0 ? json_null() : json_integer(r->unroll));
	if (r->preemptions >= 0)
		put_number(o, "preemptions", (uint64_t)r->preemptions);
	if (r->spurious >= 0)
		put_number(o, "spurious", (uint64_t)r->spurious);
	if (r->spurious_cas >= 0)
		put_number(o, "spurious_cas", (uint64_t)r->spurious_cas);
	if (r->finished_preemptions >= 0 && !r->complete) {
		put_number(o, "finished_preemptions", (uint64_t)r->finished_preemptions);
		put_number(o, "finished_executions", r->finished_executions);
	}
	put_counts(o, r);
	if (r->stats.len)
		put_stats(o, r);
	if (r->shard)
		put_string(o, "shard", r->shard);
	if (checkpoint && r->rest.there)
		put(o, "rest", from_rest(&r->rest));
	put_bool(o, "races_unchecked", r->races_unchecked);
	put_string(o, "stopped", r->stopped);
	if (r->error) {
		put_string(o, "error", r->error);
		put_number(o, "error_status", (uint64_t)r->error_status);
	}
	json_t *notes = json_array(), *findings = json_array();
	for (size_t i = 0; i < r->notes.len; i++)
		json_array_append_new(notes, text_value(r->notes.data[i]));
	put(o, "notes", notes);
	if (r->next.len)
		put(o, "next", from_next(r));
	put_string(o, "output", r->output);
	for (size_t i = 0; i < r->findings.len; i++)
		json_array_append_new(findings, from_finding(&r->findings.data[i]));
	put(o, "findings", findings);
	if (r->orders) {
		json_t *sites = json_array();
		for (size_t i = 0; i < r->sites.len; i++)
			json_array_append_new(sites, from_site(&r->sites.data[i]));
		put_bool(o, "repaired", r->repaired);
		put(o, "sites", sites);
	}
	if (r->sample.there)
		put(o, "sample", from_sample(&r->sample));
	if (r->points.len)
		put(o, "coverage", from_coverage(r));
	if (r->prediction) {
		json_t *cycles = json_array();
		for (size_t i = 0; i < r->cycles.len; i++)
			json_array_append_new(cycles, from_cycle(&r->cycles.data[i]));
		put(o, "cycles", cycles);
	}
	return o;
}

json_t *evr_json_report(const struct evr_report *r)
{
	json_t *o = json_object(), *results = json_array();
	put_string(o, "everett", EVR_VERSION);
	if (r->checkpoint)
		put_bool(o, "checkpoint", true);
	put_string(o, "command", r->command);
	put_words(o, "files", &r->files);
	if (r->checker)
		put_string(o, "checker", r->checker);
	put_words(o, "compile", &r->compile);
	put_words(o, "options", &r->options);
	put_words(o, "args", &r->args);
	for (size_t i = 0; i < r->results.len; i++)
		json_array_append_new(results, from_result(r->results.data[i], r->checkpoint));
	put(o, "results", results);
	return o;
}

int evr_json_write(FILE *out, const struct evr_report *r, const char *json)
{
	(void)json; /* it would be this file */
	return evr_json_dump(out, evr_json_report(r), JSON_REAL_PRECISION(9));
}
