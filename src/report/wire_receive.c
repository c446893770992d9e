/*
 * The driver's end of the wire; result.h lists the records.
 *
 * Invariant: whatever the line holds, the result stays well-formed: it owns every string in it, and an event or a label
 * is added only to a finding or a cycle that is there. A line that is not understood is refused, though some of its fields
 * may already have been taken.
 */
#include "base/strbuf.h"
#include "report/result.h"

#include <errno.h>

/* The fields of a line that are still to be taken. `bad` stays set once something did not fit. */
struct fields {
	const char *rest;
	bool bad;
};

static char *take_text(struct fields *in)
{
	if (*in->rest != '\t') {
		in->bad = true;
		return evr_strdup("");
	}
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	const char *s = in->rest + 1;
	for (; *s && *s != '\t'; s++) {
		if (*s != '\\') {
			evr_strbuf_putc(&b, *s);
			continue;
		}
		s++;
		if (*s == 't')
			evr_strbuf_putc(&b, '\t');
		else if (*s == 'n')
			evr_strbuf_putc(&b, '\n');
		else if (*s == '\\')
			evr_strbuf_putc(&b, '\\');
		else if (*s == '0')
			evr_strbuf_puts(&b, "\\0");
		else {
			in->bad = true;
			break;
		}
	}
	in->rest = s;
	return b.text;
}

static void put_text(struct fields *in, char **field)
{
	char *s = take_text(in);
	free(*field);
	*field = s;
}

static double take_double(struct fields *in)
{
	char *s = take_text(in), *end;
	double value = strtod(s, &end);
	if (!*s || *end)
		in->bad = true;
	free(s);
	return value;
}

static uint64_t take_count(struct fields *in)
{
	char *s = take_text(in), *end;
	errno = 0;
	uint64_t value = strtoull(s, &end, 10);
	if (*s < '0' || *s > '9' || *end || errno)
		in->bad = true;
	free(s);
	return value;
}

static long take_number(struct fields *in)
{
	char *s = take_text(in), *end;
	errno = 0;
	long value = strtol(s, &end, 10);
	if (!*s || *end || errno)
		in->bad = true;
	free(s);
	return value;
}

static void take_optional(struct fields *in, char **field)
{
	if (*in->rest)
		put_text(in, field);
}

/* By the types of records.def. */
#define TAKE_TEXT(in, field) put_text(in, &(field))
#define TAKE_OPTIONAL(in, field) take_optional(in, &(field))
#define TAKE_NUMBER(in, field) ((field) = (__typeof__(field))take_number(in))
#define TAKE_COUNT(in, field) ((field) = (__typeof__(field))take_count(in))
#define TAKE_FLAG(in, field) ((field) = take_number(in) != 0)

static void take_totals(struct fields *in, struct evr_result *r)
{
#define TOTAL(type, field) TAKE_##type(in, r->field);
#include "report/records.def"
}

static void take_estimate(struct fields *in, struct evr_result *r)
{
	double low = take_double(in), size = take_double(in), high = take_double(in);
	if (!(low >= 0 && low <= size && size <= high))
		in->bad = true;
	if (in->bad)
		return;
	r->estimate_low = low;
	r->estimate = size;
	r->estimate_high = high;
}

static void take_finished(struct fields *in, struct evr_result *r)
{
	r->finished_preemptions = (long)take_number(in);
	r->finished_executions = take_count(in);
}

static void take_topic(struct fields *in, struct evr_result *r)
{
	struct evr_result_topic t = { .share = (unsigned)take_count(in) };
	t.location = take_text(in);
	t.places = take_text(in);
	evr_vec_push(&r->topics, t);
}

static void take_cut(struct fields *in, struct evr_result *r)
{
	struct evr_result_cut c = { .rest = take_double(in) };
	if (!(c.rest >= 0 && c.rest <= 1))
		in->bad = true;
	c.what = take_text(in);
	evr_vec_push(&r->cuts, c);
}

static void take_asked(struct fields *in, struct evr_result *r)
{
	(void)in;
	r->asked++;
}

static void take_unchecked(struct fields *in, struct evr_result *r)
{
	(void)in;
	r->races_unchecked = true;
}

static void take_hello(struct fields *in, struct evr_result *r)
{
	put_text(in, &r->model);
	put_text(in, &r->equivalence);
	r->hello = true;
}

static void take_finding(struct fields *in, struct evr_result *r)
{
	struct evr_result_finding *f = evr_result_add_finding(r);
#define FINDING(type, field) TAKE_##type(in, f->field);
#include "report/records.def"
}

static void take_instead(struct fields *in, struct evr_result *r)
{
	uint64_t where = take_count(in);
	if (where + 1 >= r->findings.len) {
		in->bad = true;
		return;
	}
	evr_result_free_finding(&r->findings.data[where]);
	r->findings.data[where] = evr_vec_last(&r->findings);
	r->findings.len--;
}

static void take_event(struct fields *in, struct evr_result *r)
{
	if (!r->findings.len) {
		in->bad = true;
		return;
	}
	struct evr_result_event *e = evr_result_add_event(&evr_vec_last(&r->findings));
#define EVENT(type, field) TAKE_##type(in, e->field);
#include "report/records.def"
}

static void take_sync(struct fields *in, struct evr_result *r)
{
	struct evr_result_finding *f = r->findings.len ? &evr_vec_last(&r->findings) : NULL;
	if (!f || !f->events.len) {
		in->bad = true;
		return;
	}
	struct evr_result_name name = { 0 };
	TAKE_NUMBER(in, name.thread);
	TAKE_NUMBER(in, name.index);
	evr_vec_push(&evr_vec_last(&f->events).synchronises, name);
}

static void take_place(struct fields *in, struct evr_result *r)
{
	struct evr_result_finding *f = r->findings.len ? &evr_vec_last(&r->findings) : NULL;
	if (!f || !f->events.len) {
		in->bad = true;
		return;
	}
	TAKE_COUNT(in, evr_vec_last(&f->events).place);
}

static void take_call(struct fields *in, struct evr_result *r)
{
	struct evr_result_finding *f = r->findings.len ? &evr_vec_last(&r->findings) : NULL;
	if (!f || !f->events.len) {
		in->bad = true;
		return;
	}
	struct evr_result_event *e = &evr_vec_last(&f->events);
	TAKE_NUMBER(in, e->call_first);
	put_text(in, &e->call);
}

static void take_thread(struct fields *in, struct evr_result *r)
{
	if (!r->findings.len) {
		in->bad = true;
		return;
	}
	struct evr_result_thread *t = evr_result_add_thread(&evr_vec_last(&r->findings));
#define THREAD(type, field) TAKE_##type(in, t->field);
#include "report/records.def"
}

static void take_stronger(struct fields *in, struct evr_result *r)
{
	if (!r->findings.len) {
		in->bad = true;
		return;
	}
	struct evr_result_change *c = evr_result_add_change(&evr_vec_last(&r->findings));
#define CHANGE(type, field) TAKE_##type(in, c->field);
#include "report/records.def"
}

static void take_outcome(struct fields *in, struct evr_result_cycle *c)
{
#define OUTCOME(type, field) TAKE_##type(in, c->field);
#include "report/records.def"
}

static void take_cycle(struct fields *in, struct evr_result *r)
{
	struct evr_result_cycle *c = evr_result_add_cycle(r);
#define CYCLE(type, field) TAKE_##type(in, c->field);
#include "report/records.def"
	take_outcome(in, c);
}

static void take_label(struct fields *in, struct evr_result *r)
{
	if (!r->cycles.len) {
		in->bad = true;
		return;
	}
	struct evr_result_label *l = evr_result_add_label(&evr_vec_last(&r->cycles));
#define LABEL(type, field) TAKE_##type(in, l->field);
#include "report/records.def"
}

static void take_site(struct fields *in, struct evr_result *r)
{
	struct evr_result_site *s = evr_result_add_site(r);
#define SITE(type, field) TAKE_##type(in, s->field);
#include "report/records.def"
}

static void take_coverage(struct fields *in, struct evr_result *r)
{
	(void)in;
	evr_result_clear_points(r);
}

static void take_point(struct fields *in, struct evr_result *r)
{
	struct evr_result_point *p = evr_result_add_point(r);
#define POINT(type, field) TAKE_##type(in, p->field);
#include "report/records.def"
}

static void take_decided(struct fields *in, struct evr_result *r)
{
	uint64_t n = take_count(in);
	if (n >= r->cycles.len) {
		in->bad = true;
		return;
	}
	take_outcome(in, &r->cycles.data[n]);
}

static void take_first(struct fields *in, struct evr_result *r)
{
	put_text(in, &r->output);
}

static void take_note(struct fields *in, struct evr_result *r)
{
	evr_vec_push(&r->notes, take_text(in));
}

static void take_hint(struct fields *in, struct evr_result *r)
{
	take_note(in, r);
	r->hints = r->notes.len;
}

static void take_classes(struct fields *in, struct evr_result *r)
{
	r->has_classes = true;
	for (size_t i = 0; i < EVR_COUNT(r->classes); i++)
		r->classes[i] = take_count(in);
	for (size_t i = 0; i < EVR_COUNT(r->classes); i++)
		put_text(in, &r->class_digests[i]);
}

static void take_stat(struct fields *in, struct evr_result *r)
{
	char *name = take_text(in);
	uint64_t n = take_count(in);
	if (!in->bad)
		evr_result_set_stat(r, name, n);
	free(name);
}

static void take_rest(struct fields *in, struct evr_result *r)
{
	struct evr_result_rest *rest = &r->rest;
	evr_rest_clear(rest);
	put_text(in, &rest->program);
	put_text(in, &rest->known);
#define TOTAL(type, field) TAKE_##type(in, rest->field);
#include "report/records.def"
	while (*in->rest == '\t' && !in->bad)
		evr_vec_push(&rest->branches, take_text(in));
	rest->there = true;
	rest->version++;
}

static void take_sample(struct fields *in, struct evr_result *r)
{
	struct evr_result_sample *s = &r->sample;
#define SAMPLE(type, field) TAKE_##type(in, s->field);
#include "report/records.def"
	s->there = true;
}

static void take_error(struct fields *in, struct evr_result *r)
{
	int status = (int)take_number(in);
	char *message = take_text(in);
	evr_result_error(r, status, message);
	free(message);
}

static void take_done(struct fields *in, struct evr_result *r)
{
	r->complete = take_number(in) != 0;
	put_text(in, &r->stopped);
	take_totals(in, r);
	r->explore_seconds = take_double(in);
	r->peak_kib = take_count(in);
}

static const struct {
	const char *name;
	void (*take)(struct fields *in, struct evr_result *r);
} records[] = {
	{ "hello", take_hello },       { "progress", take_totals },   { "finding", take_finding },
	{ "event", take_event },       { "first", take_first },       { "note", take_note },
	{ "error", take_error },       { "done", take_done },         { "classes", take_classes },
	{ "stat", take_stat },         { "cycle", take_cycle },       { "label", take_label },
	{ "decided", take_decided },   { "hint", take_hint },         { "instead", take_instead },
	{ "estimate", take_estimate }, { "asked", take_asked },       { "unchecked", take_unchecked },
	{ "sync", take_sync },         { "stronger", take_stronger }, { "rest", take_rest },
	{ "site", take_site },         { "sample", take_sample },     { "finished", take_finished },
	{ "topic", take_topic },       { "cut", take_cut },           { "thread", take_thread },
	{ "call", take_call },         { "coverage", take_coverage }, { "point", take_point },
	{ "place", take_place },
};

int evr_wire_line(struct evr_result *r, const char *line)
{
	size_t n = strcspn(line, "\t");
	for (size_t i = 0; i < EVR_COUNT(records); i++) {
		if (strlen(records[i].name) != n || strncmp(records[i].name, line, n) != 0)
			continue;
		struct fields in = { .rest = line + n };
		records[i].take(&in, r);
		if (in.bad || *in.rest)
			return -1;
		return records[i].take == take_done;
	}
	return -1;
}
