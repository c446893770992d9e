/*
 * What is shown of an execution, in pieces: an event, or events of one call of the library with nothing between them that is shown, too.
 * So a wait for a condition variable is shown as the call, and as its return if others come between.
 */
#include "report/piece.h"

#include "base/strbuf.h"
#include "report/format.h"

#include <string.h>

static bool is_same_call(const struct evr_result_event *a, const struct evr_result_event *b)
{
	return *a->call && a->thread == b->thread && a->call_first == b->call_first && !strcmp(a->call, b->call);
}

void evr_pieces_of(evr_piece_vec *out, const struct evr_result_finding *f)
{
	struct evr_piece *last = NULL;
	for (size_t i = 0; i < f->events.len; i++) {
		const struct evr_result_event *e = &f->events.data[i];
		if (!e->past)
			continue;
		if (last && is_same_call(f->events.data + last->last, e)) {
			last->last = i;
			last->count++;
			continue;
		}
		evr_vec_push(out, ((struct evr_piece){ .first = i, .last = i, .count = 1 }));
		last = &evr_vec_last(out);
	}
}

const struct evr_result_event *evr_piece_event(const struct evr_result_finding *f, const struct evr_piece *p)
{
	return &f->events.data[p->first];
}

bool evr_piece_decides(const struct evr_result_finding *f, const struct evr_piece *p)
{
	for (size_t i = p->first; i <= p->last; i++)
		if (f->events.data[i].past && f->events.data[i].decides)
			return true;
	return false;
}

/* The first of its events that goes back to another thread. */
static const struct evr_result_event *origin(const struct evr_result_finding *f, const struct evr_piece *p)
{
	for (size_t i = p->first; i <= p->last; i++) {
		const struct evr_result_event *e = &f->events.data[i];
		if (e->past && e->source_thread >= 0 && e->source_thread != e->thread)
			return e;
	}
	return NULL;
}

static bool goes_on(const struct evr_result_finding *f, const struct evr_piece *p)
{
	for (size_t i = p->last + 1; i < f->events.len; i++)
		if (is_same_call(evr_piece_event(f, p), &f->events.data[i]))
			return true;
	return false;
}

char *evr_piece_text(const struct evr_result_finding *f, const struct evr_piece *p)
{
	const struct evr_result_event *e = evr_piece_event(f, p), *from = origin(f, p);
	if (!*e->call)
		return evr_event_text(e);
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	if ((int)e->index == e->call_first)
		evr_strbuf_puts(&b, e->call);
	else
		evr_strbuf_printf(&b, "%.*s %s", (int)strcspn(e->call, "("), e->call,
				  goes_on(f, p) ? "goes on" : "returns");
	if (from)
		evr_strbuf_printf(&b, " (from T%d#%d)", from->source_thread, from->source_index);
	return evr_strbuf_take(&b);
}

char *evr_piece_number(const struct evr_result_finding *f, const struct evr_piece *p)
{
	unsigned first = f->events.data[p->first].index, last = f->events.data[p->last].index;
	return first == last ? evr_format("#%u", first) : evr_format("#%u-%u", first, last);
}
