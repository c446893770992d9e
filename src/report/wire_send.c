/*
 * The checker's end of the wire; result.h lists the records.
 *
 * Invariant: each record is put together in memory and written with its newline in one go, a finding together with its
 * events, so a checker that dies leaves at most one incomplete line, the last.
 */
#include "base/strbuf.h"
#include "report/result.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static struct evr_strbuf record(const char *name)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	evr_strbuf_puts(&b, name);
	return b;
}

static void text(struct evr_strbuf *b, const char *s)
{
	evr_strbuf_putc(b, '\t');
	for (; s && *s; s++) {
		size_t plain = strcspn(s, "\\\t\n");
		evr_strbuf_add(b, s, plain);
		s += plain;
		switch (*s) {
		case '\0':
			return;
		case '\\':
			evr_strbuf_puts(b, "\\\\");
			break;
		case '\t':
			evr_strbuf_puts(b, "\\t");
			break;
		case '\n':
			evr_strbuf_puts(b, "\\n");
			break;
		}
	}
}

static void count(struct evr_strbuf *b, uint64_t n)
{
	evr_strbuf_putc(b, '\t');
	evr_strbuf_count(b, n);
}

static void number(struct evr_strbuf *b, int64_t n)
{
	if (n < 0)
		evr_strbuf_printf(b, "\t%" PRId64, n);
	else
		count(b, (uint64_t)n);
}

/* By the types of records.def. */
#define SEND_TEXT(b, field) text(b, field)
#define SEND_OPTIONAL(b, field) text(b, field)
#define SEND_NUMBER(b, field) number(b, field)
#define SEND_COUNT(b, field) count(b, field)
#define SEND_FLAG(b, field) number(b, field)

/* Nobody to tell when the driver is gone: the checker gets SIGPIPE, or goes on unheard. */
static void send(int fd, const struct evr_strbuf *b)
{
	for (size_t done = 0; done < b->len;) {
		ssize_t n = write(fd, b->text + done, b->len - done);
		if (n > 0)
			done += (size_t)n;
		else if (n == 0 || (errno != EINTR && errno != EAGAIN))
			return;
	}
}

static void finish(int fd, struct evr_strbuf *b)
{
	evr_strbuf_putc(b, '\n');
	send(fd, b);
	evr_strbuf_release(b);
}

void evr_wire_hello(int fd, const char *model, const char *equivalence)
{
	struct evr_strbuf b = record("hello");
	text(&b, model);
	text(&b, equivalence);
	finish(fd, &b);
}

static void totals(struct evr_strbuf *b, const struct evr_result *r)
{
#define TOTAL(type, field) SEND_##type(b, r->field);
#include "report/records.def"
}

void evr_wire_progress(int fd, const struct evr_result *r)
{
	struct evr_strbuf b = record("progress");
	totals(&b, r);
	finish(fd, &b);
}

void evr_wire_estimate(int fd, const struct evr_result *r)
{
	struct evr_strbuf b = record("estimate");
	evr_strbuf_printf(&b, "\t%.9g\t%.9g\t%.9g", r->estimate_low, r->estimate, r->estimate_high);
	finish(fd, &b);
}

void evr_wire_finished(int fd, const struct evr_result *r)
{
	struct evr_strbuf b = record("finished");
	number(&b, r->finished_preemptions);
	count(&b, r->finished_executions);
	finish(fd, &b);
}

void evr_wire_topic(int fd, unsigned share, const char *location, const char *places)
{
	struct evr_strbuf b = record("topic");
	count(&b, share);
	text(&b, location);
	text(&b, places);
	finish(fd, &b);
}

void evr_wire_cut(int fd, double rest, const char *what)
{
	struct evr_strbuf b = record("cut");
	evr_strbuf_printf(&b, "\t%.9g", rest);
	text(&b, what);
	finish(fd, &b);
}

void evr_wire_rest(int fd, const struct evr_result_rest *rest)
{
	struct evr_strbuf b = record("rest");
	text(&b, rest->program);
	text(&b, rest->known);
#define TOTAL(type, field) SEND_##type(&b, rest->field);
#include "report/records.def"
	for (size_t i = 0; i < rest->branches.len; i++)
		text(&b, rest->branches.data[i]);
	finish(fd, &b);
}

void evr_wire_sample(int fd, const struct evr_result_sample *s)
{
	struct evr_strbuf b = record("sample");
#define SAMPLE(type, field) SEND_##type(&b, s->field);
#include "report/records.def"
	finish(fd, &b);
}

void evr_wire_asked(int fd)
{
	struct evr_strbuf b = record("asked");
	finish(fd, &b);
}

static void event(struct evr_strbuf *b, const struct evr_result_event *e)
{
	evr_strbuf_puts(b, "event");
#define EVENT(type, field) SEND_##type(b, e->field);
#include "report/records.def"
	evr_strbuf_putc(b, '\n');
	evr_strbuf_printf(b, "place\t%llu\n", (unsigned long long)e->place);
	if (*e->call) {
		evr_strbuf_puts(b, "call");
		number(b, e->call_first);
		text(b, e->call);
		evr_strbuf_putc(b, '\n');
	}
	for (size_t i = 0; i < e->synchronises.len; i++)
		evr_strbuf_printf(b, "sync\t%d\t%d\n", e->synchronises.data[i].thread, e->synchronises.data[i].index);
}

static void threads(struct evr_strbuf *b, const struct evr_result_finding *f)
{
	for (size_t i = 0; i < f->threads.len; i++) {
		const struct evr_result_thread *t = &f->threads.data[i];
		evr_strbuf_puts(b, "thread");
#define THREAD(type, field) SEND_##type(b, t->field);
#include "report/records.def"
		evr_strbuf_putc(b, '\n');
	}
}

static void changes(struct evr_strbuf *b, const struct evr_result_finding *f)
{
	for (size_t i = 0; i < f->stronger.len; i++) {
		const struct evr_result_change *c = &f->stronger.data[i];
		evr_strbuf_puts(b, "stronger");
#define CHANGE(type, field) SEND_##type(b, c->field);
#include "report/records.def"
		evr_strbuf_putc(b, '\n');
	}
}

void evr_wire_finding(int fd, const struct evr_result_finding *f)
{
	struct evr_strbuf b = record("finding");
#define FINDING(type, field) SEND_##type(&b, f->field);
#include "report/records.def"
	evr_strbuf_putc(&b, '\n');
	for (size_t i = 0; i < f->events.len; i++)
		event(&b, &f->events.data[i]);
	threads(&b, f);
	changes(&b, f);
	send(fd, &b);
	evr_strbuf_release(&b);
}

void evr_wire_stronger(int fd, const struct evr_result_finding *f)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	changes(&b, f);
	send(fd, &b);
	evr_strbuf_release(&b);
}

void evr_wire_instead(int fd, size_t where, const struct evr_result_finding *f)
{
	evr_wire_finding(fd, f);
	struct evr_strbuf b = record("instead");
	count(&b, where);
	finish(fd, &b);
}

static void one_text(int fd, const char *name, const char *s)
{
	struct evr_strbuf b = record(name);
	text(&b, s);
	finish(fd, &b);
}

static void outcome(struct evr_strbuf *b, const struct evr_result_cycle *c)
{
#define OUTCOME(type, field) SEND_##type(b, c->field);
#include "report/records.def"
}

void evr_wire_cycle(int fd, const struct evr_result_cycle *c)
{
	struct evr_strbuf b = record("cycle");
#define CYCLE(type, field) SEND_##type(&b, c->field);
#include "report/records.def"
	outcome(&b, c);
	evr_strbuf_putc(&b, '\n');
	for (size_t i = 0; i < c->labels.len; i++) {
		const struct evr_result_label *l = &c->labels.data[i];
		evr_strbuf_puts(&b, "label");
#define LABEL(type, field) SEND_##type(&b, l->field);
#include "report/records.def"
		evr_strbuf_putc(&b, '\n');
	}
	send(fd, &b);
	evr_strbuf_release(&b);
}

void evr_wire_site(int fd, const struct evr_result_site *s)
{
	struct evr_strbuf b = record("site");
#define SITE(type, field) SEND_##type(&b, s->field);
#include "report/records.def"
	finish(fd, &b);
}

void evr_wire_coverage(int fd, const struct evr_result_point *points, size_t n)
{
	struct evr_strbuf b = record("coverage");
	for (size_t i = 0; i < n; i++) {
		const struct evr_result_point *p = &points[i];
		evr_strbuf_puts(&b, "\npoint");
#define POINT(type, field) SEND_##type(&b, p->field);
#include "report/records.def"
	}
	finish(fd, &b);
}

void evr_wire_decided(int fd, size_t number_of, const struct evr_result_cycle *c)
{
	struct evr_strbuf b = record("decided");
	count(&b, number_of);
	outcome(&b, c);
	finish(fd, &b);
}

void evr_wire_first(int fd, const char *output)
{
	one_text(fd, "first", output);
}

void evr_wire_unchecked(int fd)
{
	struct evr_strbuf b = record("unchecked");
	finish(fd, &b);
}

void evr_wire_note(int fd, const char *note)
{
	one_text(fd, "note", note);
}

void evr_wire_hint(int fd, const char *hint)
{
	one_text(fd, "hint", hint);
}

void evr_wire_error(int fd, int status, const char *message)
{
	struct evr_strbuf b = record("error");
	number(&b, status);
	text(&b, message);
	finish(fd, &b);
}

void evr_wire_add_stat(struct evr_strbuf *to, const char *name, uint64_t n)
{
	evr_strbuf_puts(to, "stat");
	text(to, name);
	count(to, n);
	evr_strbuf_putc(to, '\n');
}

void evr_wire_stat(int fd, const char *name, uint64_t n)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	evr_wire_add_stat(&b, name, n);
	send(fd, &b);
	evr_strbuf_release(&b);
}

void evr_wire_classes(int fd, const struct evr_result *r)
{
	struct evr_strbuf b = record("classes");
	for (size_t i = 0; i < EVR_COUNT(r->classes); i++)
		count(&b, r->classes[i]);
	for (size_t i = 0; i < EVR_COUNT(r->classes); i++)
		text(&b, r->class_digests[i]);
	finish(fd, &b);
}

void evr_wire_done(int fd, const struct evr_result *r)
{
	struct evr_strbuf b = record("done");
	number(&b, r->complete);
	text(&b, r->stopped);
	totals(&b, r);
	evr_strbuf_printf(&b, "\t%.9f", r->explore_seconds);
	count(&b, r->peak_kib);
	finish(fd, &b);
}
