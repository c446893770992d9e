/*
 * The execution that shows a finding, as a code flow: a thread flow for each thread that has events in the finding's past.
 *
 * Invariant: executionOrder numbers the events of all threads together, from 1 in the order of the execution; the failure
 * comes last, in its own thread's flow.
 */
#include "base/strbuf.h"
#include "report/sarif.h"

#include <inttypes.h>

/* SARIF's words for what happens at a location, as far as it has some. */
static const char *const *sarif_kinds_of(const char *kind)
{
	static const struct {
		const char *kind, *sarif[3];
	} all[] = {
		{ "lock", { "acquire", "lock" } },   { "unlock", { "release", "lock" } },
		{ "free", { "release", "memory" } }, { "start", { "enter", "function" } },
		{ "exit", { "exit", "function" } },
	};
	for (size_t i = 0; i < EVR_COUNT(all); i++)
		if (!strcmp(all[i].kind, kind))
			return all[i].sarif;
	return NULL;
}

static json_t *step(json_t *where, const char *text, size_t order, const char *importance)
{
	json_t *o = json_object();
	put(where, "message", sarif_message(text));
	put(o, "location", where);
	put(o, "executionOrder", json_integer((json_int_t)order));
	put(o, "nestingLevel", json_integer(0));
	put_string(o, "importance", importance);
	return o;
}

static json_t *event_step(struct sarif_log *l, const struct evr_result_event *e, size_t order)
{
	char *what = evr_event_text(e), *text = evr_format("T%d#%u %s", e->thread, e->index, what);
	json_t *o = step(sarif_location(l, e->file, e->line, e->column, e->function), text, order,
			 e->decides ? "essential" : "important");
	const char *const *kinds = sarif_kinds_of(e->kind);
	if (kinds) {
		json_t *list = json_array();
		for (; *kinds; kinds++)
			json_array_append_new(list, json_string(*kinds));
		put(o, "kinds", list);
	}
	free(what);
	free(text);
	return o;
}

char *sarif_headline(const struct evr_result_finding *f)
{
	const char *kind = *f->kind ? f->kind : "finding"; /* people edit files */
	return *f->message ? evr_format("%s: %s", kind, f->message) : evr_strdup(kind);
}

static json_t *failure_step(struct sarif_log *l, const struct evr_result_finding *f)
{
	char *text = sarif_headline(f);
	json_t *o =
		step(sarif_location(l, f->file, f->line, f->column, f->function), text, f->events.len + 1, "essential");
	json_t *list = json_array();
	json_array_append_new(list, json_string("danger"));
	put(o, "kinds", list);
	free(text);
	return o;
}

/* The events of a thread; the failure is the last thing that its thread did. */
static json_t *thread_flow(struct sarif_log *l, const struct evr_result_finding *f, int thread)
{
	json_t *o = json_object(), *locations = json_array();
	for (size_t i = 0; i < f->events.len; i++)
		if (f->events.data[i].past && f->events.data[i].thread == thread)
			json_array_append_new(locations, event_step(l, &f->events.data[i], i + 1));
	if (f->thread == thread)
		json_array_append_new(locations, failure_step(l, f));
	char *name = evr_format("T%d", thread);
	put_string(o, "id", name);
	put(o, "locations", locations);
	free(name);
	return o;
}

static json_t *thread_flows(struct sarif_log *l, const struct evr_result_finding *f)
{
	json_t *flows = json_array();
	EVR_VEC(int) threads = { 0 };
	for (size_t i = 0; i <= f->events.len; i++) {
		bool last = i == f->events.len;
		int thread = last ? f->thread : f->events.data[i].thread;
		bool known = last ? thread < 0 : !f->events.data[i].past;
		for (size_t k = 0; k < threads.len; k++)
			known |= threads.data[k] == thread;
		if (known)
			continue;
		evr_vec_push(&threads, thread);
		json_array_append_new(flows, thread_flow(l, f, thread));
	}
	evr_vec_release(&threads);
	return flows;
}

json_t *sarif_code_flows(struct sarif_log *l, const struct evr_result *r, const struct evr_result_finding *f)
{
	json_t *o = json_object(), *all = json_array(), *flows = thread_flows(l, f);
	if (json_array_size(flows)) {
		char *text = evr_format("execution %" PRIu64 " under %s, up to the failure", f->execution, r->model);
		put(o, "message", sarif_message(text));
		json_object_set(o, "threadFlows", flows);
		json_array_append(all, o);
		free(text);
	}
	json_decref(flows);
	json_decref(o);
	return all;
}
