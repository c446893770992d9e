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

static void take_counts(struct fields *in, struct evr_result *r)
{
	r->executions = take_count(in);
	r->blocked = take_count(in);
	r->truncated = take_count(in);
	r->redundant = take_count(in);
	r->events = take_count(in);
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
	put_text(in, &f->kind);
	put_text(in, &f->message);
	put_text(in, &f->file);
	f->line = (unsigned)take_count(in);
	f->column = (unsigned)take_count(in);
	put_text(in, &f->function);
	f->thread = (int)take_number(in);
	f->execution = take_count(in);
	put_text(in, &f->schedule);
	put_text(in, &f->output);
	put_text(in, &f->detail);
	f->simplified = take_number(in) != 0;
	f->weak = (unsigned)take_count(in);
	f->preemptions = (unsigned)take_count(in);
	f->hopeless = take_number(in) != 0;
	if (*in->rest)
		put_text(in, &f->other);
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
	e->thread = (int)take_number(in);
	e->index = (unsigned)take_count(in);
	put_text(in, &e->kind);
	put_text(in, &e->order);
	put_text(in, &e->file);
	e->line = (unsigned)take_count(in);
	e->column = (unsigned)take_count(in);
	put_text(in, &e->function);
	put_text(in, &e->location);
	put_text(in, &e->value);
	e->source_thread = (int)take_number(in);
	e->source_index = (int)take_number(in);
	e->initial = take_number(in) != 0;
	e->past = take_number(in) != 0;
	e->after_thread = (int)take_number(in);
	e->after_index = (int)take_number(in);
	e->buffered = take_number(in) != 0;
	e->decides = take_number(in) != 0;
	put_text(in, &e->object);
	e->byte = take_count(in);
	e->size = (unsigned)take_count(in);
}

static void take_what_came_of(struct fields *in, struct evr_result_cycle *c)
{
	c->buggy = take_count(in);
	put_text(in, &c->verdict);
	put_text(in, &c->reordering);
	put_text(in, &c->fence);
	put_text(in, &c->finding);
	put_text(in, &c->schedule);
}

static void take_cycle(struct fields *in, struct evr_result *r)
{
	struct evr_result_cycle *c = evr_result_add_cycle(r);
	c->trials = take_count(in);
	c->confirmed = take_count(in);
	take_what_came_of(in, c);
}

static void take_label(struct fields *in, struct evr_result *r)
{
	if (!r->cycles.len) {
		in->bad = true;
		return;
	}
	struct evr_result_label *l = evr_result_add_label(&evr_vec_last(&r->cycles));
	put_text(in, &l->file);
	l->line = (unsigned)take_count(in);
	l->column = (unsigned)take_count(in);
	put_text(in, &l->function);
	put_text(in, &l->kind);
}

static void take_decided(struct fields *in, struct evr_result *r)
{
	uint64_t n = take_count(in);
	if (n >= r->cycles.len) {
		in->bad = true;
		return;
	}
	take_what_came_of(in, &r->cycles.data[n]);
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
	take_counts(in, r);
	r->explore_seconds = take_double(in);
	r->peak_kib = take_count(in);
}

static const struct {
	const char *name;
	void (*take)(struct fields *in, struct evr_result *r);
} records[] = {
	{ "hello", take_hello },       { "progress", take_counts }, { "finding", take_finding },
	{ "event", take_event },       { "first", take_first },     { "note", take_note },
	{ "error", take_error },       { "done", take_done },       { "classes", take_classes },
	{ "stat", take_stat },         { "cycle", take_cycle },     { "label", take_label },
	{ "decided", take_decided },   { "hint", take_hint },       { "instead", take_instead },
	{ "estimate", take_estimate }, { "asked", take_asked },     { "unchecked", take_unchecked },
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
