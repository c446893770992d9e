/*
 * The block of the heap that a fault is about: where it was allocated, where it was given back, and how whoever did that had got the
 * pointer. An allocation is no event, nor is a free that nobody else could notice; the report shows them where they took place.
 */
#include "report/result.h"
#include "runtime/memory/lifetime.h"
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

static const struct evr_block *block_of(const struct evr_fault *f, evr_thread_id *owner)
{
	size_t number;
	return f->gone ? evr_heap_find(f->gone, owner, &number) : NULL;
}

/* The last event before the fault that the thread made before its event of that index; EVR_NO_EVENT if there is none. */
static evr_event_id last_before(const struct evr_fault *f, evr_thread_id thread, uint32_t index)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	for (evr_event_id i = (evr_event_id)t->events.len; i-- > 0;) {
		const struct evr_event *e = &t->events.data[i];
		if (i < f->end && e->thread == thread && !evr_event_uncounted(e) && e->index < index)
			return i;
	}
	return EVR_NO_EVENT;
}

static void add_past(const struct evr_fault *f, evr_thread_id thread, uint32_t index, bool *past)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	evr_event_id last = last_before(f, thread, index);
	bool *more = evr_alloc(t->events.len + 1);
	if (last != EVR_NO_EVENT)
		evr_trace_past(t, last, more);
	for (size_t i = 0; i < t->events.len; i++)
		past[i] |= more[i];
	free(more);
}

/* The end of its lifetime, if it is an event: who has to look whether it is over has perhaps looked before. */
static bool is_end(const struct evr_event *e, const struct evr_block *b)
{
	return evr_is_life(e->address) && e->kind == EVR_CAS && evr_life_object(e->address) == b->address;
}

void evr_block_past(const struct evr_fault *f, bool *past)
{
	evr_thread_id owner;
	const struct evr_block *b = block_of(f, &owner);
	if (!b)
		return;
	add_past(f, owner, b->allocated_at, past);
	/* The event of the free comes before its index, or there is none. */
	if (b->freed)
		add_past(f, b->freed_by, b->freed_at, past);
}

static bool has_end(const struct evr_fault *f, const struct evr_block *b)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	for (size_t i = 0; i < t->events.len && i < f->end; i++)
		if (is_end(&t->events.data[i], b))
			return true;
	return false;
}

static void shift(int thread, int *index, int where, unsigned at)
{
	*index += thread == where && *index >= (int)at;
}

/* All events of the thread from that index on have one more. */
static void make_room(struct evr_result_finding *out, int thread, unsigned index)
{
	for (size_t i = 0; i < out->events.len; i++) {
		struct evr_result_event *e = &out->events.data[i];
		e->index += e->thread == thread && e->index >= index;
		shift(e->source_thread, &e->source_index, thread, index);
		shift(e->after_thread, &e->after_index, thread, index);
		shift(e->thread, &e->call_first, thread, index);
		for (size_t k = 0; k < e->synchronises.len; k++)
			shift(e->synchronises.data[k].thread, &e->synchronises.data[k].index, thread, index);
	}
}

/* Right behind the thread's last event that is shown before that one of the trace; a thread begins with its start. */
static void insert(struct evr_result_finding *out, const char *kind, const struct evr_block *b, evr_thread_id thread,
		   const struct evr_site *site, evr_event_id behind)
{
	size_t at = 0;
	unsigned index = 0;
	for (size_t i = 0; behind != EVR_NO_EVENT && i < out->events.len; i++) {
		const struct evr_result_event *e = &out->events.data[i];
		if (e->thread != thread || e->place > behind || !strcmp(e->kind, evr_event_kind_name(EVR_UPDATE)))
			continue;
		at = i + 1;
		index = e->index + 1;
	}
	struct evr_strbuf name;
	evr_strbuf_init(&name);
	evr_name_address(&name, b->address, 0);
	make_room(out, thread, index);
	evr_vec_push(&out->events, ((struct evr_result_event){ 0 }));
	memmove(&out->events.data[at + 1], &out->events.data[at],
		(out->events.len - 1 - at) * sizeof(*out->events.data));
	out->events.data[at] = (struct evr_result_event){
		.thread = thread,
		.index = index,
		.kind = evr_strdup(kind),
		.order = evr_strdup(""),
		.file = evr_strdup(site->file),
		.line = site->line,
		.column = site->column,
		.function = evr_strdup(site->function),
		.location = evr_strbuf_take(&name),
		.object = evr_strdup(""),
		.value = evr_strdup(""),
		.source_thread = -1,
		.source_index = -1,
		.after_thread = -1,
		.after_index = -1,
		.past = true,
		.call = evr_strdup(""),
		.call_first = -1,
		.place = at ? out->events.data[at - 1].place : 0,
	};
}

void evr_block_events(struct evr_result_finding *out, const struct evr_fault *f)
{
	evr_thread_id owner;
	const struct evr_block *b = block_of(f, &owner);
	if (!b)
		return;
	/* In this order: what was shown before is behind both. */
	insert(out, "allocate", b, owner, b->allocated, last_before(f, owner, b->allocated_at));
	if (b->freed && !has_end(f, b))
		insert(out, evr_event_kind_name(EVR_FREE), b, b->freed_by, b->freed,
		       last_before(f, b->freed_by, b->freed_at));
}
