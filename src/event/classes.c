/*
 * Texts of classes, byte by byte from the graph of an execution.
 *
 * Invariant: what a text says of an event depends on the event, its thread's earlier events and its sources alone, and threads and
 * events come in the order of their names. So it does not tell in which order independent events were executed.
 */
#include "event/classes.h"

#include "event/location.h"

#include <stdlib.h>
#include <string.h>

const char *const evr_class_names[EVR_CLASS_KINDS] = { "trace", "rf", "rvf", "outcome" };

struct evr_key evr_class_key(const char *text)
{
	size_t n = strlen(text);
	struct evr_key k = { evr_hash_bytes(text, n), 0 };
	for (size_t i = 0; i < n; i++)
		k.two = (k.two ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3) + (k.two >> 47);
	return k;
}

/* Is it part of an iteration of a loop that has changed nothing? */
static bool is_erased(const struct evr_trace *t, size_t i)
{
	const struct evr_event *e = &t->events.data[i];
	return EVR_UNLIKELY(t->erases) && e->index >= t->erased[e->thread] && e->kind != EVR_UPDATE;
}

/* Is the event listed in classes? A FAULT is, too: it tells executions apart that agree on all else. */
static bool is_listed(const struct evr_trace *t, size_t i)
{
	const struct evr_event *e = &t->events.data[i];
	return e->kind != EVR_UPDATE && !is_erased(t, i) &&
	       (evr_event_reads(e) || evr_event_writes(e) || e->kind == EVR_CHOOSE || e->kind == EVR_FAULT);
}

struct writer {
	struct evr_strbuf *out;
	enum evr_class_kind kind;
	const struct evr_graph *g;
	char *const *names;
	uint32_t *position; /* of each event among the listed events of its thread */
	unsigned order[EVR_MAX_THREADS], threads; /* in the order of their names */
};

static void number_events(struct writer *w)
{
	uint32_t next[EVR_MAX_THREADS] = { 0 };
	bool present[EVR_MAX_THREADS] = { false };
	const struct evr_trace *t = w->g->trace;
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		present[e->thread] = true;
		w->position[i] = is_listed(t, i) ? next[e->thread]++ : 0;
	}
	for (unsigned k = 0; k < EVR_MAX_THREADS; k++) {
		if (!present[k])
			continue;
		unsigned i = w->threads++;
		for (; i > 0 && strcmp(w->names[w->order[i - 1]], w->names[k]) > 0; i--)
			w->order[i] = w->order[i - 1];
		w->order[i] = k;
	}
}

static void write_id(struct writer *w, struct evr_strbuf *out, evr_event_id id)
{
	if (id == EVR_NO_EVENT) {
		evr_strbuf_puts(out, "init");
		return;
	}
	evr_strbuf_printf(out, "%s#%u", w->names[w->g->trace->events.data[id].thread], w->position[id]);
}

static bool has_value(const struct evr_event *e)
{
	return e->kind == EVR_READ || e->kind == EVR_RMW || e->kind == EVR_CAS || e->kind == EVR_TRYLOCK ||
	       e->kind == EVR_TIMEDLOCK;
}

static void write_value(struct evr_strbuf *out, evr_value v)
{
	if (v >> 64)
		evr_strbuf_printf(out, "=%llx%016llx", (unsigned long long)(v >> 64), (unsigned long long)v);
	else
		evr_strbuf_printf(out, "=%llx", (unsigned long long)v);
}

/* An event that is left out has left what it found: its source stands for it. */
static evr_event_id source_of(const struct evr_graph *g, size_t read)
{
	evr_event_id source = g->reads.data[read].source;
	for (size_t i = 0; source != EVR_NO_EVENT && is_erased(g->trace, source) && i < g->reads.len; i++)
		if (g->reads.data[i].read == source && g->reads.data[i].byte == g->reads.data[read].byte) {
			source = g->reads.data[i].source;
			i = SIZE_MAX;
		}
	return source;
}

/* The sources of a read's bytes: one if they agree, as they nearly always do. */
static void write_sources(struct writer *w, struct evr_strbuf *out, size_t *next, evr_event_id id)
{
	const struct evr_graph *g = w->g;
	while (*next < g->reads.len && g->reads.data[*next].read < id)
		(*next)++;
	evr_event_id last = EVR_NO_EVENT - 1;
	for (; *next < g->reads.len && g->reads.data[*next].read == id; (*next)++) {
		evr_event_id source = source_of(g, *next);
		if (source == last)
			continue;
		last = source;
		evr_strbuf_puts(out, "<");
		write_id(w, out, last);
	}
}

static void write_event(struct writer *w, evr_event_id id, size_t *next)
{
	const struct evr_event *e = &w->g->trace->events.data[id];
	const struct evr_trace *t = w->g->trace;
	if (w->kind == EVR_CLASS_OUTCOME && e->address - t->hidden < t->hidden_end - t->hidden)
		return;
	if (w->kind != EVR_CLASS_OUTCOME)
		evr_strbuf_printf(w->out, " %s@%zx", evr_event_kind_name(e->kind), (size_t)e->address);
	bool values = w->kind == EVR_CLASS_RVF || w->kind == EVR_CLASS_OUTCOME;
	if (e->kind == EVR_CHOOSE)
		write_value(w->out, e->chosen);
	else if (values && has_value(e))
		write_value(w->out, e->read);
	else if (w->kind == EVR_CLASS_RVF && e->kind == EVR_WRITE)
		write_value(w->out, e->written);
	else if (!values && evr_event_reads(e))
		write_sources(w, w->out, next, id);
}

static void write_thread(struct writer *w, unsigned thread)
{
	size_t next = 0;
	evr_strbuf_printf(w->out, "%s:", w->names[thread]);
	for (size_t i = 0; i < w->g->trace->events.len; i++) {
		const struct evr_event *e = &w->g->trace->events.data[i];
		if (e->thread == thread && is_listed(w->g->trace, i))
			write_event(w, (evr_event_id)i, &next);
	}
	evr_strbuf_putc(w->out, ';');
}

typedef EVR_VEC(char *) text_lines;

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void write_sorted(struct evr_strbuf *out, char **lines, size_t n)
{
	if (n)
		qsort(lines, n, sizeof(*lines), by_text);
	for (size_t i = 0; i < n; i++) {
		if (!i || strcmp(lines[i], lines[i - 1]) != 0)
			evr_strbuf_printf(out, " %s", lines[i]);
	}
	for (size_t i = 0; i < n; i++)
		free(lines[i]);
}

static bool is_gone(const struct evr_trace *t, const struct evr_event *update)
{
	for (size_t i = 0; &t->events.data[i] != update; i++) {
		const struct evr_event *e = &t->events.data[i];
		if (e->kind == EVR_FREE && evr_overlap(e->address, e->size, update->address, update->size))
			return true;
	}
	return false;
}

/* The stores that took effect when their memory was gone. */
static void add_updates_after_free(struct writer *w, text_lines *lines)
{
	const struct evr_trace *t = w->g->trace;
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *update = &t->events.data[i];
		if (update->kind != EVR_UPDATE || !is_gone(t, update))
			continue;
		size_t store = i;
		while (t->events.data[store].thread != update->thread || t->events.data[store].kind != EVR_WRITE ||
		       t->events.data[store].index != update->index)
			store--;
		struct evr_strbuf line;
		evr_strbuf_init(&line);
		write_id(w, &line, (evr_event_id)store);
		evr_strbuf_puts(&line, "!");
		evr_vec_push(lines, evr_strbuf_take(&line));
	}
}

/* Does somebody read the byte whom the classes speak of? */
static bool is_read(const struct evr_graph *g, size_t byte)
{
	for (size_t i = 0; i < g->reads.len; i++)
		if (g->reads.data[i].byte == byte && is_listed(g->trace, g->reads.data[i].read))
			return true;
	return false;
}

/* The bytes of one variable have the same writes in the same order: such lines are written once. */
static void write_coherence(struct writer *w)
{
	text_lines lines = { 0 };
	for (size_t i = 0; i < w->g->bytes.len; i++) {
		const struct evr_graph_byte *b = &w->g->bytes.data[i];
		struct evr_strbuf line;
		evr_strbuf_init(&line);
		for (size_t k = 0; k < b->writes.len; k++) {
			if (!is_listed(w->g->trace, b->writes.data[k]))
				continue;
			evr_strbuf_puts(&line, line.len ? ">" : "");
			write_id(w, &line, b->writes.data[k]);
		}
		if (line.len || is_read(w->g, i))
			evr_vec_push(&lines, evr_strbuf_take(&line));
		else
			evr_strbuf_release(&line);
	}
	add_updates_after_free(w, &lines);
	write_sorted(w->out, lines.data, lines.len);
	evr_vec_release(&lines);
}

/* Which reads causally precede which, through po and rf; within a thread that is known. */
static void write_causality(struct writer *w)
{
	const struct evr_trace *t = w->g->trace;
	struct evr_relation r = { 0 };
	text_lines lines = { 0 };
	evr_relation_clear(&r, t->events.len);
	evr_graph_add_po(w->g, &r, NULL);
	evr_graph_add_rf(w->g, &r, false);
	evr_relation_close(&r);
	for (size_t i = 0; i < t->events.len; i++) {
		for (size_t j = 0; j < t->events.len; j++) {
			const struct evr_event *a = &t->events.data[i], *b = &t->events.data[j];
			if (a->thread == b->thread || !evr_event_reads(a) || !evr_event_reads(b) || is_erased(t, i) ||
			    is_erased(t, j) || !evr_relation_has(&r, (evr_event_id)i, (evr_event_id)j))
				continue;
			struct evr_strbuf line;
			evr_strbuf_init(&line);
			write_id(w, &line, (evr_event_id)i);
			evr_strbuf_puts(&line, "<<");
			write_id(w, &line, (evr_event_id)j);
			evr_vec_push(&lines, evr_strbuf_take(&line));
		}
	}
	write_sorted(w->out, lines.data, lines.len);
	evr_vec_release(&lines);
	evr_relation_release(&r);
}

void evr_class_text(struct evr_strbuf *out, enum evr_class_kind kind, const struct evr_graph *g, char *const *names,
		    const char *ending)
{
	struct writer w = { .out = out, .kind = kind, .g = g, .names = names };
	w.position = evr_alloc((g->trace->events.len + 1) * sizeof(*w.position));
	evr_strbuf_clear(out);
	number_events(&w);
	for (unsigned i = 0; i < w.threads; i++)
		write_thread(&w, w.order[i]);
	if (kind == EVR_CLASS_TRACE)
		write_coherence(&w);
	else if (kind == EVR_CLASS_RVF)
		write_causality(&w);
	else if (kind == EVR_CLASS_OUTCOME)
		evr_strbuf_printf(out, " %s", ending);
	free(w.position);
}
