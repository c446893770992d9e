#include "driver/present.h"

#include "report/coverage.h"
#include "report/sample.h"

#include <inttypes.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- colours and width ---- */

static bool use_color(FILE *out, int when)
{
	if (when != EVR_AUTO)
		return when == EVR_ALWAYS;
	const char *no = getenv("NO_COLOR"), *force = getenv("CLICOLOR_FORCE"), *term = getenv("TERM");
	if (no && *no)
		return false;
	if (force && *force && strcmp(force, "0") != 0)
		return true;
	return isatty(fileno(out)) && term && strcmp(term, "dumb") != 0;
}

static unsigned width_of(FILE *out)
{
	struct winsize size;
	if (!ioctl(fileno(out), TIOCGWINSZ, &size) && size.ws_col >= 20)
		return size.ws_col;
	const char *columns = getenv("COLUMNS");
	long n = columns ? strtol(columns, NULL, 10) : 0;
	return n >= 20 && n <= 10000 ? (unsigned)n : 100;
}

struct evr_text_options evr_text_options_for(FILE *out, int color)
{
	return (struct evr_text_options){ .color = use_color(out, color), .width = width_of(out) };
}

/* ---- what was asked for ---- */

void evr_report_fill(struct evr_report *r, const struct evr_options *o)
{
	memset(r, 0, sizeof(*r));
	r->command = evr_strdup(evr_command_name(o->command));
	if (o->command == EVR_RUN && o->files.len)
		r->checker = evr_strdup(o->files.data[0]);
	for (size_t i = 0; i < o->files.len && o->command != EVR_RUN; i++)
		evr_words_add(&r->files, o->files.data[i]);
	for (size_t i = 0; i < o->compile.len; i++)
		evr_words_add(&r->compile, o->compile.data[i]);
	for (size_t i = 0; i < o->args.len; i++)
		evr_words_add(&r->args, o->args.data[i]);
	evr_options_words(o, false, &r->options);
}

/* ---- the report ---- */

static void print_table(FILE *out, const struct evr_report *r)
{
	fprintf(out, "%-6s %-12s %-11s %12s %10s  %s\n", "model", "equivalence", "verdict", "executions", "seconds",
		"finding");
	for (size_t i = 0; i < r->results.len; i++) {
		const struct evr_result *m = r->results.data[i];
		fprintf(out, "%-6s %-12s %-11s %12" PRIu64 " %10.2f", m->model, m->equivalence, evr_result_verdict(m),
			m->executions, m->explore_seconds);
		if (m->findings.len) {
			fprintf(out, "  %s", m->findings.data[0].kind);
			if (*m->findings.data[0].file)
				fprintf(out, " at %s:%u", m->findings.data[0].file, m->findings.data[0].line);
		}
		fputc('\n', out);
	}
	fputc('\n', out);
}

static void print_cycles(FILE *out, const struct evr_report *r)
{
	for (size_t i = 0; i < r->results.len; i++)
		evr_text_cycles(out, r->results.data[i]);
	evr_text_cycle_header(out);
	for (size_t i = 0; i < r->results.len; i++)
		evr_text_cycle_row(out, r->results.data[i]);
	fputc('\n', out);
}

static void print_next(FILE *out, const struct evr_result *r, bool several)
{
	for (size_t i = 0; i < r->next.len; i++) {
		char *text = evr_text_printable(r->next.data[i].text, false);
		fprintf(out, "next%s%s: %s%s\n", several ? ", under " : "", several ? r->model : "", text,
			r->next.data[i].command ? ":" : "");
		free(text);
		text = r->next.data[i].command ? evr_text_printable(r->next.data[i].command, false) : NULL;
		if (text)
			fprintf(out, "  %s\n", text);
		free(text);
	}
	if (r->next.len)
		fputc('\n', out);
}

static void present_finding(FILE *out, const struct evr_report *r, const char *json, size_t result, size_t finding,
			    struct evr_text_options o)
{
	char *replay = evr_replay_command(r, json, result, finding), *models = evr_finding_models(r, result, finding);
	o.replay = replay;
	o.models = models;
	evr_text_finding(out, r->results.data[result], &r->results.data[result]->findings.data[finding], &o);
	free(replay);
	free(models);
}

void evr_present(FILE *out, const struct evr_report *r, const char *json, int color)
{
	struct evr_text_options o = evr_text_options_for(out, color);
	for (size_t i = 0; i < r->results.len; i++) {
		const struct evr_result *m = r->results.data[i];
		for (size_t j = 0; j < m->findings.len; j++)
			if (!evr_finding_is_repeated(r, i, j))
				present_finding(out, r, json, i, j, o);
	}
	bool prediction = r->results.len && r->results.data[0]->prediction;
	bool orders = r->results.len && r->results.data[0]->orders;
	for (size_t i = 0; orders && i < r->results.len; i++)
		evr_text_orders(out, r->results.data[i]);
	if (prediction)
		print_cycles(out, r);
	else if (r->results.len > 1)
		print_table(out, r);
	for (size_t i = 0; i < r->results.len; i++)
		evr_text_sample(out, r->results.data[i]);
	char *conclusion = orders ? evr_strdup("") : evr_conclusion(r);
	if (*conclusion)
		fprintf(out, "%s\n\n", conclusion);
	for (size_t i = 0; i < r->results.len; i++)
		print_next(out, r->results.data[i], r->results.len > 1);
	free(conclusion);
}

/* Has a model before this one said the same? */
static bool was_noted(const struct evr_report *r, size_t result, const char *note)
{
	for (size_t i = 0; i < result; i++)
		for (size_t j = 0; j < r->results.data[i]->notes.len; j++)
			if (!strcmp(r->results.data[i]->notes.data[j], note))
				return true;
	return false;
}

void evr_present_notes(const struct evr_report *r)
{
	for (size_t i = 0; i < r->results.len; i++)
		for (size_t j = r->results.data[i]->hints; j < r->results.data[i]->notes.len; j++)
			if (!was_noted(r, i, r->results.data[i]->notes.data[j]))
				evr_warn("note: %s", r->results.data[i]->notes.data[j]);
	char *coverage = evr_coverage_text(r), *shown = evr_text_printable(coverage, false);
	if (*shown)
		evr_warn("note: %s", shown);
	free(coverage);
	free(shown);
}

void evr_present_summaries(FILE *out, const struct evr_report *r)
{
	for (size_t i = 0; i < r->results.len; i++)
		evr_text_summary(out, r->results.data[i]);
}
