#include "driver/agree.h"

#include "base/strbuf.h"
#include "driver/explore.h"
#include "driver/interrupt.h"

#include <string.h>

/* Of the brute force. Not a time: whether there is a comparison must not depend on the machine. */
#define MOST_EXECUTIONS 2000

/*
 * A data race is reported at one of its two accesses, the one that comes later in the execution that was explored: another execution of
 * the same class may name the other.
 */
static bool is_compared(const struct evr_result_finding *f)
{
	return strcmp(f->kind, "race") != 0;
}

/* "KIND at FILE:LINE, ..." of those that a has and b does not have; empty if there are none. To be freed. */
static char *missing(const struct evr_result *a, const struct evr_result *b)
{
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	for (size_t i = 0; i < a->findings.len; i++) {
		const struct evr_result_finding *f = &a->findings.data[i];
		bool found = !is_compared(f);
		for (size_t k = 0; k < b->findings.len && !found; k++)
			found = evr_finding_is_same(f, &b->findings.data[k]);
		if (!found)
			evr_strbuf_printf(&out, "%s%s at %s:%u", out.len ? ", " : "", f->kind, f->file, f->line);
	}
	return evr_strbuf_take(&out);
}

static bool has_kind(const struct evr_result *r, const char *kind, const char *message)
{
	for (size_t i = 0; i < r->findings.len; i++)
		if (!strcmp(r->findings.data[i].kind, kind) && strstr(r->findings.data[i].message, message))
			return true;
	return false;
}

/* An execution that is stuck takes seconds, and brute force may have many of them. */
static bool is_wanted(const struct evr_options *o, const struct evr_result *r)
{
	return o->check && o->keep_going && !o->replay && o->preemptions < 0 && r->complete && !r->error &&
	       strcmp(r->equivalence, "none") != 0 && !has_kind(r, "no-progress", "without a visible event") &&
	       !evr_interrupted();
}

static void compare(struct evr_result *r, const struct evr_result *none)
{
	char *lost = missing(none, r), *extra = missing(r, none);
	if (*lost || *extra) {
		char *message = evr_format("self-check: the findings of %s/%s are not those of %s/none%s%s%s%s",
					   r->model, r->equivalence, r->model, *lost ? "; not found: " : "", lost,
					   *extra ? "; found only here: " : "", extra);
		evr_result_error(r, EVR_INTERNAL, message);
		free(message);
	}
	free(lost);
	free(extra);
}

void evr_agree(const struct evr_options *o, const char *checker, struct evr_result *r)
{
	if (!is_wanted(o, r))
		return;
	char engine[] = "none";
	struct evr_options brute = *o;
	brute.equivalence = engine;
	brute.default_model = false;
	brute.max_executions = MOST_EXECUTIONS;
	brute.check = brute.simplify = brute.verbose = 0;
	brute.quiet = 1;
	brute.timeout = 0;
	brute.repeat = -1;
	brute.classes = NULL;
	struct evr_result *none = evr_explore(&brute, checker, r->model);
	uint64_t all = none->executions + none->blocked + none->truncated;
	/* A program that is not deterministic may do anything. */
	bool comparable = none->complete && !none->error && !has_kind(none, "nondeterminism", "");
	if (comparable)
		compare(r, none);
	if (o->verbose && comparable)
		evr_warn("%s: the findings were compared with those of all %llu interleavings", r->model,
			 (unsigned long long)all);
	else if (o->verbose)
		evr_warn("%s: the findings were not compared: there are more than %d interleavings", r->model,
			 MOST_EXECUTIONS);
	evr_result_free(none);
}
