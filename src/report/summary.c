/*
 * The line that ends every run. Scripts match it, so its wording is a contract. And the engine's statistics, which look like it.
 */
#include "base/strbuf.h"
#include "report/result.h"

#include <inttypes.h>

static void add_count(struct evr_strbuf *b, uint64_t n, const char *what, const char *separator)
{
	if (n)
		evr_strbuf_printf(b, "%s%" PRIu64 " %s", separator, n, what);
}

/* "time limit" -> "stopped at the time limit"; whatever else stopped it speaks for itself. */
static void add_reason(struct evr_strbuf *b, const char *stopped)
{
	size_t n = strlen(stopped);
	bool limit = n > 6 && !strcmp(stopped + n - 6, " limit");
	if (n)
		evr_strbuf_printf(b, limit ? ", stopped at the %s" : ", %s", stopped);
}

/* How many there would have been, if that is known. */
static void add_estimate(struct evr_strbuf *b, const struct evr_result *r)
{
	double done = (double)(r->executions + r->blocked + r->truncated);
	if (r->complete || r->estimate <= done)
		return;
	evr_strbuf_puts(b, ", about ");
	evr_text_about(b, r->estimate);
	evr_strbuf_puts(b, " in all");
	evr_text_spread(b, r->estimate_low > done ? r->estimate_low : done, r->estimate_high);
}

/* A bound on preemptions also bounds accesses out of order: their sum. Under SC there are none. */
static void add_preemptions(struct evr_strbuf *b, const char *model, long most)
{
	evr_strbuf_printf(b, "%ld preemption%s", most, evr_plural((uint64_t)most));
	if (strcmp(model, "sc"))
		evr_strbuf_puts(b, most == 1 ? " or access out of order" : " or accesses out of order");
}

static void add_bound(struct evr_strbuf *b, const struct evr_result *r)
{
	const char *word = "within";
	if (r->unroll >= 0 && r->truncated) {
		evr_strbuf_printf(b, " within bound %ld", r->unroll);
		word = "and";
	}
	if (r->preemptions >= 0) {
		evr_strbuf_printf(b, " %s ", word);
		add_preemptions(b, r->model, r->preemptions);
		word = "and";
	}
	if (r->spurious >= 0) {
		evr_strbuf_printf(b, " %s %ld spurious wake-up%s per thread", word, r->spurious,
				  evr_plural((uint64_t)r->spurious));
		word = "and";
	}
	if (r->spurious_cas >= 0)
		evr_strbuf_printf(b, " %s %ld spurious failure%s per thread", word, r->spurious_cas,
				  evr_plural((uint64_t)r->spurious_cas));
}

/* What an incomplete search has finished all the same. */
static void add_finished(struct evr_strbuf *b, const struct evr_result *r)
{
	if (r->complete || r->finished_preemptions < 0)
		return;
	evr_strbuf_puts(b, "; every execution with at most ");
	add_preemptions(b, r->model, r->finished_preemptions);
	evr_strbuf_puts(b, ": ok");
}

static void add_finding(struct evr_strbuf *b, const struct evr_result *r)
{
	const struct evr_result_finding *f = &r->findings.data[0];
	evr_strbuf_printf(b, "FINDING %s", f->kind);
	if (*f->file)
		evr_strbuf_printf(b, " at %s:%u", f->file, f->line);
	/* A random execution may be over before the search has finished its first. */
	uint64_t executions = r->executions ? r->executions : f->execution;
	evr_strbuf_printf(b, " after %" PRIu64 " execution%s (complete: %s", executions, evr_plural(executions),
			  r->complete ? "yes" : "no");
	if (r->complete)
		add_bound(b, r);
	add_reason(b, r->stopped);
	if (r->findings.len > 1)
		add_count(b, r->findings.len, "findings", "; ");
	add_count(b, r->blocked, "blocked", "; ");
	add_count(b, r->truncated, "truncated", "; ");
	evr_strbuf_puts(b, "; ");
}

static void add_search(struct evr_strbuf *b, const struct evr_result *r)
{
	bool verified = evr_result_verified(r);
	evr_strbuf_printf(b, "%s, %" PRIu64 " execution%s",
			  r->robustness && verified ? "robust" : evr_result_verdict(r), r->executions,
			  evr_plural(r->executions));
	add_count(b, r->blocked, "blocked", ", ");
	add_count(b, r->truncated, "truncated", ", ");
	if (verified) {
		evr_strbuf_puts(b, ", complete");
		add_bound(b, r);
	} else {
		add_reason(b, evr_result_reason(r));
		if (r->complete)
			evr_strbuf_puts(b, ": nothing was verified");
		add_estimate(b, r);
		add_finished(b, r);
	}
	evr_strbuf_puts(b, " (");
}

static void init_line(struct evr_strbuf *b, const struct evr_result *r)
{
	evr_strbuf_init(b);
	evr_strbuf_printf(b, "everett: %s", r->model);
	if (*r->equivalence)
		evr_strbuf_printf(b, "/%s", r->equivalence);
	evr_strbuf_puts(b, ": ");
}

static void finish(FILE *out, struct evr_strbuf *b)
{
	/* One line, whatever the files are called. */
	char *line = evr_text_printable(b->text, false);
	fprintf(out, "%s\n", line);
	free(line);
	evr_strbuf_release(b);
}

/* A checker of another version may count what we have no words for. */
static const char *stat_text(const char *name)
{
	static const struct {
		const char *word, *text;
	} stats[] = {
#define STAT(name, word, text) { word, text },
#include "explore/stats.def"
#undef STAT
	};
	for (size_t i = 0; i < EVR_COUNT(stats); i++)
		if (!strcmp(stats[i].word, name))
			return stats[i].text;
	return name;
}

void evr_text_stats(FILE *out, const struct evr_result *r)
{
	if (!r->stats.len)
		return;
	struct evr_strbuf b;
	init_line(&b, r);
	for (size_t i = 0; i < r->stats.len; i++)
		evr_strbuf_printf(&b, "%s%" PRIu64 " %s", i ? ", " : "", r->stats.data[i].count,
				  stat_text(r->stats.data[i].name));
	finish(out, &b);
}

/* Of a prediction, what came of the cycles; "verifies nothing" is part of the contract. */
static void add_prediction(struct evr_strbuf *b, const struct evr_result *r)
{
	uint64_t confirmed = 0, buggy = 0;
	for (size_t i = 0; i < r->cycles.len; i++) {
		confirmed += r->cycles.data[i].confirmed > 0;
		buggy += r->cycles.data[i].buggy > 0;
	}
	if (r->findings.len)
		evr_strbuf_printf(b, "FINDING %s at %s:%u, ", r->findings.data[0].kind, r->findings.data[0].file,
				  r->findings.data[0].line);
	evr_strbuf_printf(b, "%zu cycle%s predicted, %" PRIu64 " confirmed, %" PRIu64 " buggy, %" PRIu64 " execution%s",
			  r->cycles.len, evr_plural(r->cycles.len), confirmed, buggy, r->executions,
			  evr_plural(r->executions));
	add_count(b, r->truncated, "truncated", ", ");
	add_reason(b, r->stopped);
	evr_strbuf_puts(b, r->findings.len ? " (" : "; this verifies nothing (");
}

/* Of a sample: what it has covered is in the report. */
static void add_sample(struct evr_strbuf *b, const struct evr_result *r)
{
	if (r->findings.len)
		evr_strbuf_printf(b, "FINDING %s at %s:%u, ", r->findings.data[0].kind, r->findings.data[0].file,
				  r->findings.data[0].line);
	evr_strbuf_printf(b, "%" PRIu64 " execution%s drawn at random, %" PRIu64 " class%s", r->executions,
			  evr_plural(r->executions), r->sample.classes, r->sample.classes == 1 ? "" : "es");
	add_count(b, r->blocked, "blocked", ", ");
	add_count(b, r->truncated, "truncated", ", ");
	add_reason(b, r->stopped);
	add_estimate(b, r);
	evr_strbuf_puts(b, r->findings.len ? " (" : "; this verifies nothing (");
}

void evr_text_summary(FILE *out, const struct evr_result *r)
{
	struct evr_strbuf b;
	init_line(&b, r);
	if (r->error) {
		evr_strbuf_printf(&b, "error: %s", r->error);
		add_count(&b, r->findings.len, r->findings.len == 1 ? "finding before it" : "findings before it", " (");
		if (r->findings.len)
			evr_strbuf_putc(&b, ')');
	} else {
		if (r->prediction)
			add_prediction(&b, r);
		else if (r->sampling)
			add_sample(&b, r);
		else if (r->findings.len)
			add_finding(&b, r);
		else
			add_search(&b, r);
		evr_strbuf_printf(&b, "%.2f s compile, %.2f s explore)", r->compile_seconds, r->explore_seconds);
		/* Behind all that scripts match. */
		if (r->shard)
			evr_strbuf_printf(&b, "; part %.*s of the search: 'everett merge' has the verdict",
					  (int)strcspn(r->shard, " "), r->shard);
		if (r->races_unchecked && evr_result_verified(r))
			evr_strbuf_puts(&b, "; data races were not looked for (--races)");
	}
	finish(out, &b);
}
