/*
 * From faults to findings: names, values, sources, the causal past, the schedule. Runs only when something was found.
 *
 * Invariant: the driver has heard of every finding in result->findings, once, in the execution in which it was found first.
 */
#include "event/synchronises.h"
#include "report/result.h"
#include "runtime/memory/lifetime.h"
#include "runtime/predict.h"
#include "runtime/runtime.h"
#include "runtime/turn.h"

#include <stdlib.h>
#include <string.h>

/* To be freed. */
static char *place_of(const struct evr_site *site)
{
	return evr_format("%s:%u:%u", site->file, site->line, site->column);
}

bool evr_same_finding(const struct evr_result_finding *old, const struct evr_fault *f)
{
	if (strcmp(old->kind, f->kind) != 0 || old->line != f->site->line || old->column != f->site->column ||
	    strcmp(old->file, f->site->file) != 0 || !old->other != !f->other_site)
		return false;
	char *other = f->other_site ? place_of(f->other_site) : NULL;
	bool same = !other || !strcmp(other, old->other);
	free(other);
	return same;
}

static bool known(const struct evr_result *r, const struct evr_fault *f)
{
	for (size_t i = 0; i < r->findings.len; i++)
		if (evr_same_finding(&r->findings.data[i], f))
			return true;
	return false;
}

static char *value_of(const struct evr_event *e)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	evr_name_effect(&out, e);
	return evr_strbuf_take(&out);
}

static char *location_of(const struct evr_event *e)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	evr_name_location(&out, e);
	return evr_strbuf_take(&out);
}

/* What can be waited for, as a word. */
static const char *object_of(const struct evr_event *e)
{
	if (!evr_event_is_mutex(e))
		return "";
	/* They have it together, so that nobody is its holder. */
	return e->lock == EVR_LOCK_RWLOCK_READERS ? "rwlock readers" : evr_lock_kinds[e->lock].noun;
}

/* The write before it in the order of its first byte. An update has the place that its store gets. */
static const struct evr_event *before_in_order(const struct evr_graph *g, const struct evr_event *e)
{
	const struct evr_event *events = g->trace->events.data;
	const uint64_t *known = evr_map_get(&g->byte_of, e->address);
	const struct evr_graph_byte *b = known ? &g->bytes.data[*known] : NULL;
	for (size_t i = 1; b && !evr_event_is_mutex(e) && i < b->writes.len; i++) {
		const struct evr_event *w = &events[b->writes.data[i]];
		if (w == e || (e->kind == EVR_UPDATE && w->thread == e->thread && w->index == e->index))
			return &events[b->writes.data[i - 1]];
	}
	return NULL;
}

/*
 * Bytes that are accessed, without their addresses, which differ from run to run: ranges that overlap lie in one piece, and the
 * pieces are numbered one behind the other.
 */
struct piece {
	uintptr_t start, end;
	uint64_t number; /* of its first byte */
};
typedef EVR_VEC(struct piece) pieces_vec;

static bool accesses_memory(const struct evr_event *e)
{
	return e->kind == EVR_READ || e->kind == EVR_WRITE || e->kind == EVR_RMW || e->kind == EVR_CAS ||
	       e->kind == EVR_UPDATE;
}

static int by_start(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;
	return (x->start > y->start) - (x->start < y->start);
}

static void find_pieces(const struct evr_trace *t, pieces_vec *pieces)
{
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		if (accesses_memory(e) && e->size)
			evr_vec_push(pieces, ((struct piece){ e->address, e->address + e->size, 0 }));
	}
	if (!pieces->len)
		return;
	qsort(pieces->data, pieces->len, sizeof(*pieces->data), by_start);
	size_t n = 1;
	for (size_t i = 1; i < pieces->len; i++) {
		struct piece *last = &pieces->data[n - 1], next = pieces->data[i];
		if (next.start < last->end) {
			last->end = next.end > last->end ? next.end : last->end;
			continue;
		}
		next.number = last->number + (last->end - last->start);
		pieces->data[n++] = next;
	}
	pieces->len = n;
}

static uint64_t byte_of(const pieces_vec *pieces, uintptr_t address)
{
	size_t low = 0, high = pieces->len;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		*(pieces->data[middle].start <= address ? &low : &high) = middle;
	}
	return pieces->data[low].number + (address - pieces->data[low].start);
}

/* The end of a lifetime is shown as what the program does; that others look whether it is over, is not. */
bool evr_collect_shows(const struct evr_event *e)
{
	if (evr_is_life(e->address))
		return e->kind == EVR_CAS;
	return e->kind < EVR_DRAIN && e->kind != EVR_FREE && !evr_retry_is_counter(e->address);
}

static struct evr_result_event render_free(const struct evr_event *e, bool past)
{
	struct evr_strbuf name;
	evr_strbuf_init(&name);
	evr_name_address(&name, evr_life_object(e->address), 0);
	return (struct evr_result_event){
		.thread = e->thread,
		.index = e->index,
		.kind = evr_strdup(evr_event_kind_name(EVR_FREE)),
		.order = evr_strdup(""),
		.file = evr_strdup(e->site->file),
		.line = e->site->line,
		.column = e->site->column,
		.function = evr_strdup(e->site->function),
		.location = evr_strbuf_take(&name),
		.object = evr_strdup(""),
		.value = evr_strdup(""),
		.source_thread = -1,
		.source_index = -1,
		.after_thread = -1,
		.after_index = -1,
		.past = past,
		.call = evr_strdup(""),
		.call_first = -1,
	};
}

static struct evr_result_event render(const struct evr_graph *g, const struct evr_event *e, const pieces_vec *pieces,
				      bool past)
{
	if (evr_is_life(e->address))
		return render_free(e, past);
	bool in_memory = accesses_memory(e) && e->size;
	/* Others have the site of their thread's last access, whose order is not theirs. */
	bool has_order = evr_event_is_access(e) || e->kind == EVR_FENCE;
	const struct evr_trace *t = g->trace;
	const struct evr_event *after = before_in_order(g, e);
	bool has_source = evr_event_reads(e) && e->source != EVR_NO_EVENT;
	const struct evr_event *source = has_source ? &t->events.data[e->source] : NULL;
	return (struct evr_result_event){
		.thread = e->thread,
		.index = e->index,
		.kind = evr_strdup(evr_event_name(e)),
		.order = evr_strdup(has_order ? evr_order_name(evr_event_order_taken(e)) : ""),
		.file = evr_strdup(e->site ? e->site->file : ""),
		.line = e->site ? e->site->line : 0,
		.column = e->site ? e->site->column : 0,
		.function = evr_strdup(e->site ? e->site->function : ""),
		.location = location_of(e),
		.byte = in_memory ? byte_of(pieces, e->address) : 0,
		.size = in_memory ? e->size : 0,
		.object = evr_strdup(object_of(e)),
		.value = value_of(e),
		.source_thread = source ? source->thread : -1,
		.source_index = source ? (int)source->index : -1,
		.initial = !source && (e->kind == EVR_READ || e->kind == EVR_RMW || e->kind == EVR_CAS),
		.after_thread = after ? after->thread : -1,
		.after_index = after ? (int)after->index : -1,
		.buffered = evr_event_is_buffered(e),
		.past = past,
		.call = evr_strdup(""),
		.call_first = -1,
	};
}

/* The indices of a thread's events that are not shown, in order. */
typedef EVR_VEC(uint32_t) indices;

static void renumber(const indices *hidden, int thread, int *index)
{
	int before = 0;
	while (thread >= 0 && before < (int)hidden[thread].len && (int)hidden[thread].data[before] < *index)
		before++;
	*index -= before;
}

/* Events are numbered as they are shown. */
static void number_shown(struct evr_result_finding *out, const struct evr_trace *t)
{
	indices *hidden = evr_alloc(EVR_MAX_THREADS * sizeof(*hidden));
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		if (!evr_collect_shows(e) && !evr_event_uncounted(e))
			evr_vec_push(&hidden[e->thread], e->index);
	}
	for (size_t i = 0; i < out->events.len; i++) {
		struct evr_result_event *e = &out->events.data[i];
		int index = (int)e->index;
		renumber(hidden, (int)e->thread, &index);
		e->index = (unsigned)index;
		renumber(hidden, e->source_thread, &e->source_index);
		renumber(hidden, e->after_thread, &e->after_index);
		for (size_t k = 0; k < e->synchronises.len; k++)
			renumber(hidden, e->synchronises.data[k].thread, &e->synchronises.data[k].index);
	}
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		evr_vec_release(&hidden[i]);
	free(hidden);
}

/* Who synchronises with whom, of the events that are shown. */
static void add_edges(struct evr_result_finding *out, const struct evr_graph *g, evr_event_id end)
{
	evr_sw_edges edges = { 0 };
	const struct evr_event *events = g->trace->events.data;
	size_t shown = 0, k = 0;
	evr_sw_find(g, &edges);
	for (evr_event_id i = 0; i < end; i++) {
		bool is_shown = evr_collect_shows(&events[i]);
		for (; k < edges.len && edges.data[k].from == i; k++) {
			const struct evr_event *to = &events[edges.data[k].to];
			if (is_shown && shown < out->events.len && edges.data[k].to < end && evr_collect_shows(to))
				evr_vec_push(&out->events.data[shown].synchronises,
					     (struct evr_result_name){ to->thread, (int)to->index });
		}
		shown += is_shown;
	}
	evr_vec_release(&edges);
}

static void add_events(struct evr_result_finding *out, const struct evr_fault *f)
{
	struct evr_trace *t = &evr_rt.world.trace;
	bool *past = evr_alloc(t->events.len + 1);
	struct evr_graph graph = { 0 };
	pieces_vec pieces = { 0 };
	find_pieces(t, &pieces);
	evr_graph_build(&graph, t, evr_rt.world.model->steps_name_sources);
	evr_graph_link(&graph, t);
	/* What is impossible under SC is so only as a whole; and every thread has its part in waiting for ever. */
	if (!strcmp(f->kind, "not-robust"))
		memset(past, 1, f->event + 1);
	else if (!strcmp(f->kind, "deadlock") || (!strcmp(f->kind, "no-progress") && f->detail))
		memset(past, 1, t->events.len);
	else
		evr_trace_past(t, f->event, past);
	evr_block_past(f, past);
	evr_event_id end = f->end < t->events.len ? f->end : (evr_event_id)t->events.len;
	for (evr_event_id i = 0; i < end; i++) {
		if (!evr_collect_shows(&t->events.data[i]))
			continue;
		evr_vec_push(&out->events, render(&graph, &t->events.data[i], &pieces, past[i]));
		evr_vec_last(&out->events).place = i;
	}
	add_edges(out, &graph, end);
	number_shown(out, t);
	evr_calls_describe(out, end);
	evr_block_events(out, f);
	evr_vec_release(&pieces);
	evr_graph_release(&graph);
	free(past);
}

struct evr_result_event *evr_collect_event(const struct evr_result_finding *f, evr_event_id place)
{
	size_t low = 0, high = f->events.len;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (f->events.data[middle].place < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->events.len && f->events.data[low].place == place ? &f->events.data[low] : NULL;
}

static void add_threads(struct evr_result_finding *out)
{
	for (evr_thread_id i = 0; i < evr_rt.world.threads; i++) {
		if (evr_rt.threads[i]->state == EVR_UNUSED)
			continue;
		struct evr_strbuf name;
		evr_strbuf_init(&name);
		evr_name_thread(&name, i);
		evr_vec_push(&out->threads, ((struct evr_result_thread){ i, evr_strbuf_take(&name) }));
	}
}

static char *detail_of(const struct evr_fault *f)
{
	const char *remark = evr_predict_remark(), *detail = f->detail ? f->detail : "";
	bool ended = !*detail || detail[strlen(detail) - 1] == '\n';
	return remark ? evr_format("%s%s%s", detail, ended ? "" : "\n", remark) : evr_strdup(detail);
}

static struct evr_result_finding describe(const struct evr_fault *f, uint64_t execution)
{
	struct evr_result_finding out = {
		.kind = evr_strdup(f->kind),
		.message = evr_strdup(f->message),
		.file = evr_strdup(f->site->file),
		.line = f->site->line,
		.column = f->site->column,
		.function = evr_strdup(f->site->function),
		.thread = f->thread,
		.execution = execution,
		.schedule = evr_schedule_text(),
		.output = evr_strndup(evr_execution.output.text, evr_execution.output.len),
		.other = f->other_site ? place_of(f->other_site) : NULL,
		.drawn = evr_rt.drawn ? evr_strdup(evr_rt.drawn) : NULL,
		.detail = detail_of(f),
	};
	add_events(&out, f);
	add_threads(&out);
	return out;
}

void evr_collect_replace(struct evr_result *r, size_t number, const struct evr_fault *f)
{
	struct evr_result_finding *old = &r->findings.data[number], new = describe(f, old->execution);
	evr_stronger_describe(&new, f);
	/* The simpler execution was not drawn, but is why this is reported. */
	free(new.drawn);
	new.drawn = old->drawn;
	old->drawn = NULL;
	evr_result_free_finding(old);
	*old = new;
}

static void collect(struct evr_result *r, const struct evr_fault *f)
{
	evr_turn_hold();
	evr_vec_push(&r->findings, describe(f, r->executions + r->blocked + r->truncated));
	evr_wire_finding(evr_rt.config.fd, &evr_vec_last(&r->findings));
	evr_turn_release();
	/* Who tries other orders anyway does not ask. */
	if (evr_rt.config.orders)
		return;
	/* The driver has the finding, however long this takes. */
	evr_stronger_describe(&evr_vec_last(&r->findings), f);
	evr_turn_hold();
	evr_wire_stronger(evr_rt.config.fd, &evr_vec_last(&r->findings));
	evr_turn_release();
}

void evr_collect(struct evr_result *r)
{
	for (size_t i = 0; i < evr_execution.faults.len; i++)
		if (!known(r, &evr_execution.faults.data[i]))
			collect(r, &evr_execution.faults.data[i]);
}
