/*
 * Results: made, filled, released, and what they mean.
 *
 * Invariant: a record that evr_result_add_*() returns has all its strings set, and stays where it is until the next one is
 * added. The verdict is computed from what is in the result and is never stored.
 */
#include "report/result.h"

#include "base/map.h"

struct evr_result *evr_result_new(const char *model, const char *equivalence)
{
	struct evr_result *r = evr_alloc(sizeof(*r));
	r->model = evr_strdup(model);
	r->equivalence = evr_strdup(equivalence);
	r->stopped = evr_strdup("");
	r->output = evr_strdup("");
	r->unroll = r->preemptions = r->finished_preemptions = r->spurious = r->spurious_cas = -1;
	return r;
}

/* By the types of records.def: what is owned is freed, and a new record has empty strings. */
#define FREE_TEXT(field) free(field);
#define FREE_OPTIONAL(field) free(field);
#define FREE_NUMBER(field)
#define FREE_COUNT(field)
#define FREE_FLAG(field)
#define NEW_TEXT(field) .field = evr_strdup(""),
#define NEW_OPTIONAL(field)
#define NEW_NUMBER(field)
#define NEW_COUNT(field)
#define NEW_FLAG(field)

static void free_event(struct evr_result_event *e)
{
#define EVENT(type, field) FREE_##type(e->field)
#include "report/records.def"
	free(e->call);
	evr_vec_release(&e->synchronises);
}

static void free_thread(struct evr_result_thread *t)
{
#define THREAD(type, field) FREE_##type(t->field)
#include "report/records.def"
}

static void free_change(struct evr_result_change *c)
{
#define CHANGE(type, field) FREE_##type(c->field)
#include "report/records.def"
}

void evr_result_free_finding(struct evr_result_finding *f)
{
#define FINDING(type, field) FREE_##type(f->field)
#include "report/records.def"
	for (size_t i = 0; i < f->events.len; i++)
		free_event(&f->events.data[i]);
	evr_vec_release(&f->events);
	free(f->locals);
	for (size_t i = 0; i < f->threads.len; i++)
		free_thread(&f->threads.data[i]);
	evr_vec_release(&f->threads);
	for (size_t i = 0; i < f->stronger.len; i++)
		free_change(&f->stronger.data[i]);
	evr_vec_release(&f->stronger);
}

static void free_label(struct evr_result_label *l)
{
#define LABEL(type, field) FREE_##type(l->field)
#include "report/records.def"
}

static void free_cycle(struct evr_result_cycle *c)
{
	for (size_t i = 0; i < c->labels.len; i++)
		free_label(&c->labels.data[i]);
	evr_vec_release(&c->labels);
#define CYCLE(type, field) FREE_##type(c->field)
#define OUTCOME(type, field) FREE_##type(c->field)
#include "report/records.def"
}

void evr_result_free_site(struct evr_result_site *s)
{
#define SITE(type, field) FREE_##type(s->field)
#include "report/records.def"
	free(s->needed);
	free(s->tried);
	if (s->because)
		evr_result_free_finding(s->because);
	free(s->because);
	for (size_t i = 0; i < s->orders.len; i++)
		free(s->orders.data[i]);
	evr_vec_release(&s->orders);
}

void evr_result_clear_points(struct evr_result *r)
{
	for (size_t i = 0; i < r->points.len; i++) {
		struct evr_result_point *p = &r->points.data[i];
#define POINT(type, field) FREE_##type(p->field)
#include "report/records.def"
	}
	evr_vec_clear(&r->points);
}

void evr_rest_clear(struct evr_result_rest *rest)
{
	free(rest->program);
	free(rest->known);
	for (size_t i = 0; i < rest->branches.len; i++)
		free(rest->branches.data[i]);
	evr_vec_release(&rest->branches);
	*rest = (struct evr_result_rest){ .version = rest->version };
}

static uint64_t digest(uint64_t sum, const char *text)
{
	return evr_hash64(sum ^ evr_hash_bytes(text, strlen(text)));
}

uint64_t evr_rest_digest(const struct evr_result_rest *rest)
{
	uint64_t sum = digest(digest(1, rest->program), rest->known);
#define TOTAL(type, field) sum = evr_hash64(sum ^ rest->field);
#include "report/records.def"
	for (size_t i = 0; i < rest->branches.len; i++)
		sum = digest(sum, rest->branches.data[i]);
	return sum;
}

void evr_result_free(struct evr_result *r)
{
	if (!r)
		return;
	evr_rest_clear(&r->rest);
	free(r->shard);
	free(r->model);
	free(r->equivalence);
	free(r->error);
	free(r->stopped);
	free(r->output);
	for (size_t i = 0; i < EVR_COUNT(r->class_digests); i++)
		free(r->class_digests[i]);
	for (size_t i = 0; i < r->stats.len; i++)
		free(r->stats.data[i].name);
	evr_vec_release(&r->stats);
	for (size_t i = 0; i < r->notes.len; i++)
		free(r->notes.data[i]);
	evr_vec_release(&r->notes);
	for (size_t i = 0; i < r->topics.len; i++) {
		free(r->topics.data[i].location);
		free(r->topics.data[i].places);
	}
	evr_vec_release(&r->topics);
	for (size_t i = 0; i < r->cuts.len; i++)
		free(r->cuts.data[i].what);
	evr_vec_release(&r->cuts);
	for (size_t i = 0; i < r->next.len; i++) {
		free(r->next.data[i].text);
		free(r->next.data[i].command);
	}
	evr_vec_release(&r->next);
	for (size_t i = 0; i < r->findings.len; i++)
		evr_result_free_finding(&r->findings.data[i]);
	evr_vec_release(&r->findings);
	for (size_t i = 0; i < r->cycles.len; i++)
		free_cycle(&r->cycles.data[i]);
	evr_vec_release(&r->cycles);
	for (size_t i = 0; i < r->sites.len; i++)
		evr_result_free_site(&r->sites.data[i]);
	evr_vec_release(&r->sites);
	evr_result_clear_points(r);
	evr_vec_release(&r->points);
	free(r);
}

void evr_result_set(char **field, const char *text)
{
	char *copy = evr_strdup(text);
	free(*field);
	*field = copy;
}

struct evr_result_finding *evr_result_add_finding(struct evr_result *r)
{
	struct evr_result_finding f = {
#define FINDING(type, field) NEW_##type(field)
#include "report/records.def"
	};
	evr_vec_push(&r->findings, f);
	return &evr_vec_last(&r->findings);
}

struct evr_result_event *evr_result_add_event(struct evr_result_finding *f)
{
	struct evr_result_event e = {
#define EVENT(type, field) NEW_##type(field)
#include "report/records.def"
		.source_thread = -1,
		.after_thread = -1,
		.source_index = -1,
		.call = evr_strdup(""),
		.call_first = -1,
	};
	evr_vec_push(&f->events, e);
	return &evr_vec_last(&f->events);
}

struct evr_result_change *evr_result_add_change(struct evr_result_finding *f)
{
	struct evr_result_change c = {
#define CHANGE(type, field) NEW_##type(field)
#include "report/records.def"
	};
	evr_vec_push(&f->stronger, c);
	return &evr_vec_last(&f->stronger);
}

struct evr_result_thread *evr_result_add_thread(struct evr_result_finding *f)
{
	struct evr_result_thread t = {
#define THREAD(type, field) NEW_##type(field)
#include "report/records.def"
	};
	evr_vec_push(&f->threads, t);
	return &evr_vec_last(&f->threads);
}

const char *evr_result_thread_name(const struct evr_result_finding *f, int number)
{
	for (size_t i = 0; i < f->threads.len; i++)
		if (f->threads.data[i].number == number)
			return f->threads.data[i].name;
	return "";
}

struct evr_result_cycle *evr_result_add_cycle(struct evr_result *r)
{
	struct evr_result_cycle c = {
#define CYCLE(type, field) NEW_##type(field)
#define OUTCOME(type, field) NEW_##type(field)
#include "report/records.def"
	};
	evr_vec_push(&r->cycles, c);
	return &evr_vec_last(&r->cycles);
}

struct evr_result_site *evr_result_add_site(struct evr_result *r)
{
	struct evr_result_site s = {
#define SITE(type, field) NEW_##type(field)
#include "report/records.def"
	};
	evr_vec_push(&r->sites, s);
	return &evr_vec_last(&r->sites);
}

struct evr_result_point *evr_result_add_point(struct evr_result *r)
{
	struct evr_result_point p = {
#define POINT(type, field) NEW_##type(field)
#include "report/records.def"
	};
	evr_vec_push(&r->points, p);
	return &evr_vec_last(&r->points);
}

struct evr_result_label *evr_result_add_label(struct evr_result_cycle *c)
{
	struct evr_result_label l = {
#define LABEL(type, field) NEW_##type(field)
#include "report/records.def"
	};
	evr_vec_push(&c->labels, l);
	return &evr_vec_last(&c->labels);
}

void evr_result_set_stat(struct evr_result *r, const char *name, uint64_t count)
{
	for (size_t i = 0; i < r->stats.len; i++) {
		if (!strcmp(r->stats.data[i].name, name)) {
			r->stats.data[i].count = count;
			return;
		}
	}
	evr_vec_push(&r->stats, (struct evr_result_stat){ evr_strdup(name), count });
}

void evr_result_error(struct evr_result *r, int status, const char *message)
{
	if (r->error)
		return;
	r->error = evr_strdup(message);
	/* Whatever a file or a checker says: an error is not a success. */
	r->error_status = status == EVR_USAGE ? EVR_USAGE : EVR_INTERNAL;
}

bool evr_result_verified(const struct evr_result *r)
{
	/* A part of a search may be empty. */
	return r->complete && (r->executions || r->shard) && !r->findings.len && !r->error;
}

const char *evr_result_reason(const struct evr_result *r)
{
	if (*r->stopped)
		return r->stopped;
	if (!r->complete || r->executions || r->shard || r->findings.len || r->error)
		return "";
	if (r->blocked && r->truncated)
		return "every execution was blocked or cut by the loop bound";
	if (r->blocked || r->truncated)
		return r->blocked ? "every execution was blocked" : "every execution was cut by the loop bound";
	return "no execution ran to its end";
}

static bool same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

/* Of kind and place; of a race both places. */
static bool is_same(const struct evr_result_finding *a, const struct evr_result_finding *b)
{
	return !strcmp(a->kind, b->kind) && !strcmp(a->file, b->file) && a->line == b->line && a->column == b->column &&
	       same_text(a->other, b->other);
}

const struct evr_result_finding *evr_finding_under(const struct evr_result *m, const struct evr_result_finding *f)
{
	for (size_t i = 0; i < m->findings.len; i++)
		if (is_same(&m->findings.data[i], f))
			return &m->findings.data[i];
	return NULL;
}

const char *evr_result_verdict(const struct evr_result *r)
{
	if (r->error)
		return "error";
	if (r->findings.len)
		return "finding";
	return evr_result_verified(r) ? "ok" : "incomplete";
}

int evr_result_status(const struct evr_result *r)
{
	if (r->error)
		return r->error_status;
	if (r->findings.len)
		return EVR_FINDING;
	if (r->prediction && !*r->stopped)
		return EVR_OK;
	return evr_result_verified(r) ? EVR_OK : EVR_INCOMPLETE;
}

bool evr_result_site_added(const struct evr_result_site *s)
{
	return !strncmp(s->operation, EVR_ADDED_FENCE, strlen(EVR_ADDED_FENCE));
}

bool evr_result_site_differs(const struct evr_result_site *s)
{
	return s->needed && strcmp(s->needed, s->now) != 0;
}

/* What it does to the order of other accesses: what comes after it, what comes before it, and more. */
static unsigned strength(const char *order)
{
	static const struct {
		const char *order;
		unsigned strength;
	} known[] = { { "relaxed", 0 }, { "consume", 1 }, { "acquire", 1 }, { "release", 2 }, { "acq_rel", 3 } };
	for (size_t i = 0; i < EVR_COUNT(known); i++)
		if (!strcmp(known[i].order, order))
			return known[i].strength;
	return 7;
}

bool evr_result_site_weakens(const struct evr_result_site *s)
{
	return evr_result_site_differs(s) && !(strength(s->needed) & ~strength(s->now));
}

static const char *operation_word(const char *operation)
{
	static const char *const words[][2] = {
		{ "load", "load" }, { "store", "store" }, { "read-modify-write", "rmw" }, { "fence", "fence" }
	};
	for (size_t i = 0; i < EVR_COUNT(words); i++)
		if (!strcmp(operation, words[i][0]))
			return words[i][1];
	return "cas";
}

char *evr_result_site_change(const struct evr_result_site *s, const char *order)
{
	bool added = evr_result_site_added(s);
	const char *operation = s->operation + (added ? strlen(EVR_ADDED_FENCE) : 0);
	return evr_format("%s:%u:%u:%s%s=%s%s", s->file, s->line, s->column, added ? "before-" : "",
			  operation_word(operation), strstr(operation, " failure") ? "/" : "", order);
}
