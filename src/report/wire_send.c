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
#include <unistd.h>

static void begin(struct evr_strbuf *b, const char *record)
{
	evr_strbuf_init(b);
	evr_strbuf_puts(b, record);
}

static void text(struct evr_strbuf *b, const char *s)
{
	evr_strbuf_putc(b, '\t');
	for (; s && *s; s++) {
		switch (*s) {
		case '\\':
			evr_strbuf_puts(b, "\\\\");
			break;
		case '\t':
			evr_strbuf_puts(b, "\\t");
			break;
		case '\n':
			evr_strbuf_puts(b, "\\n");
			break;
		default:
			evr_strbuf_putc(b, *s);
		}
	}
}

static void number(struct evr_strbuf *b, int64_t n)
{
	evr_strbuf_printf(b, "\t%" PRId64, n);
}

static void count(struct evr_strbuf *b, uint64_t n)
{
	evr_strbuf_printf(b, "\t%" PRIu64, n);
}

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
	struct evr_strbuf b;
	begin(&b, "hello");
	text(&b, model);
	text(&b, equivalence);
	finish(fd, &b);
}

static void counts(struct evr_strbuf *b, const struct evr_result *r)
{
	count(b, r->executions);
	count(b, r->blocked);
	count(b, r->truncated);
	count(b, r->redundant);
	count(b, r->events);
}

void evr_wire_progress(int fd, const struct evr_result *r)
{
	struct evr_strbuf b;
	begin(&b, "progress");
	counts(&b, r);
	finish(fd, &b);
}

void evr_wire_estimate(int fd, const struct evr_result *r)
{
	struct evr_strbuf b;
	begin(&b, "estimate");
	evr_strbuf_printf(&b, "\t%.9g\t%.9g\t%.9g", r->estimate_low, r->estimate, r->estimate_high);
	finish(fd, &b);
}

void evr_wire_asked(int fd)
{
	struct evr_strbuf b;
	begin(&b, "asked");
	finish(fd, &b);
}

static void event(struct evr_strbuf *b, const struct evr_result_event *e)
{
	evr_strbuf_puts(b, "event");
	number(b, e->thread);
	number(b, e->index);
	text(b, e->kind);
	text(b, e->order);
	text(b, e->file);
	number(b, e->line);
	number(b, e->column);
	text(b, e->function);
	text(b, e->location);
	text(b, e->value);
	number(b, e->source_thread);
	number(b, e->source_index);
	number(b, e->initial);
	number(b, e->past);
	number(b, e->after_thread);
	number(b, e->after_index);
	number(b, e->buffered);
	number(b, e->decides);
	text(b, e->object);
	count(b, e->byte);
	count(b, e->size);
	evr_strbuf_putc(b, '\n');
}

void evr_wire_finding(int fd, const struct evr_result_finding *f)
{
	struct evr_strbuf b;
	begin(&b, "finding");
	text(&b, f->kind);
	text(&b, f->message);
	text(&b, f->file);
	number(&b, f->line);
	number(&b, f->column);
	text(&b, f->function);
	number(&b, f->thread);
	count(&b, f->execution);
	text(&b, f->schedule);
	text(&b, f->output);
	text(&b, f->detail);
	number(&b, f->simplified);
	number(&b, f->weak);
	number(&b, f->preemptions);
	number(&b, f->hopeless);
	text(&b, f->other);
	evr_strbuf_putc(&b, '\n');
	for (size_t i = 0; i < f->events.len; i++)
		event(&b, &f->events.data[i]);
	send(fd, &b);
	evr_strbuf_release(&b);
}

void evr_wire_instead(int fd, size_t where, const struct evr_result_finding *f)
{
	struct evr_strbuf b;
	evr_wire_finding(fd, f);
	begin(&b, "instead");
	count(&b, where);
	finish(fd, &b);
}

static void one_text(int fd, const char *record, const char *s)
{
	struct evr_strbuf b;
	begin(&b, record);
	text(&b, s);
	finish(fd, &b);
}

static void what_came_of(struct evr_strbuf *b, const struct evr_result_cycle *c)
{
	count(b, c->buggy);
	text(b, c->verdict);
	text(b, c->reordering);
	text(b, c->fence);
	text(b, c->finding);
	text(b, c->schedule);
}

void evr_wire_cycle(int fd, const struct evr_result_cycle *c)
{
	struct evr_strbuf b;
	begin(&b, "cycle");
	count(&b, c->trials);
	count(&b, c->confirmed);
	what_came_of(&b, c);
	evr_strbuf_putc(&b, '\n');
	for (size_t i = 0; i < c->labels.len; i++) {
		const struct evr_result_label *l = &c->labels.data[i];
		evr_strbuf_puts(&b, "label");
		text(&b, l->file);
		number(&b, l->line);
		number(&b, l->column);
		text(&b, l->function);
		text(&b, l->kind);
		evr_strbuf_putc(&b, '\n');
	}
	send(fd, &b);
	evr_strbuf_release(&b);
}

void evr_wire_decided(int fd, size_t number_of, const struct evr_result_cycle *c)
{
	struct evr_strbuf b;
	begin(&b, "decided");
	count(&b, number_of);
	what_came_of(&b, c);
	finish(fd, &b);
}

void evr_wire_first(int fd, const char *output)
{
	one_text(fd, "first", output);
}

void evr_wire_unchecked(int fd)
{
	struct evr_strbuf b;
	begin(&b, "unchecked");
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
	struct evr_strbuf b;
	begin(&b, "error");
	number(&b, status);
	text(&b, message);
	finish(fd, &b);
}

void evr_wire_stat(int fd, const char *name, uint64_t n)
{
	struct evr_strbuf b;
	begin(&b, "stat");
	text(&b, name);
	count(&b, n);
	finish(fd, &b);
}

void evr_wire_classes(int fd, const struct evr_result *r)
{
	struct evr_strbuf b;
	begin(&b, "classes");
	for (size_t i = 0; i < EVR_COUNT(r->classes); i++)
		count(&b, r->classes[i]);
	for (size_t i = 0; i < EVR_COUNT(r->classes); i++)
		text(&b, r->class_digests[i]);
	finish(fd, &b);
}

void evr_wire_done(int fd, const struct evr_result *r)
{
	struct evr_strbuf b;
	begin(&b, "done");
	number(&b, r->complete);
	text(&b, r->stopped);
	counts(&b, r);
	evr_strbuf_printf(&b, "\t%.9f", r->explore_seconds);
	count(&b, r->peak_kib);
	finish(fd, &b);
}
