/*
 * A run as JUnit XML, which continuous integration shows: the program is a suite, each model a test. A test passes only
 * if everything was explored without a finding. What stopped early neither passed nor failed: it is skipped, with the reason.
 */
#include "base/strbuf.h"
#include "report/format.h"

#include <inttypes.h>

enum { TEXT_WIDTH = 100 };

static void put_escaped(FILE *out, const char *s, bool attribute)
{
	char *text = evr_text_shown(s);
	for (const char *p = text; *p; p++) {
		if (*p == '<')
			fputs("&lt;", out);
		else if (*p == '>')
			fputs("&gt;", out);
		else if (*p == '&')
			fputs("&amp;", out);
		else if (*p == '"')
			fputs("&quot;", out);
		else if (attribute && (*p == '\n' || *p == '\t'))
			fprintf(out, "&#%d;", *p); /* readers would make a blank of it */
		else
			fputc(*p, out);
	}
	free(text);
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
	fprintf(out, " %s=\"", name);
	put_escaped(out, value, true);
	fputc('"', out);
}

/* ---- properties: of the suite, since not every reader has them in a test ---- */

static void put_property(FILE *out, const char *test, const char *name, const char *value)
{
	char *full_name = *test ? evr_format("%s.%s", test, name) : evr_strdup(name);
	fputs("\t\t\t<property", out);
	put_attribute(out, "name", full_name);
	put_attribute(out, "value", value);
	fputs("/>\n", out);
	free(full_name);
}

static void put_count(FILE *out, const char *test, const char *name, uint64_t n)
{
	char *text = evr_format("%" PRIu64, n);
	put_property(out, test, name, text);
	free(text);
}

static char *join(const evr_words *w)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	for (size_t i = 0; i < w->len; i++)
		evr_strbuf_printf(&b, "%s%s", i ? " " : "", w->data[i]);
	return evr_strbuf_take(&b);
}

/* "tso/traces". */
static char *test_name(const struct evr_result *m)
{
	return evr_format("%s%s%s", m->model, *m->equivalence ? "/" : "", m->equivalence);
}

static void put_properties(FILE *out, const struct evr_report *r)
{
	char *options = join(&r->options);
	fputs("\t\t<properties>\n", out);
	put_property(out, "", "everett", EVR_VERSION);
	put_property(out, "", "command", r->command);
	put_property(out, "", "options", options);
	for (size_t i = 0; i < r->results.len; i++) {
		const struct evr_result *m = r->results.data[i];
		char *name = test_name(m);
		put_property(out, name, "verdict", evr_result_verdict(m));
		put_property(out, name, "complete", m->complete ? "true" : "false");
		put_count(out, name, "executions", m->executions);
		put_count(out, name, "blocked", m->blocked);
		put_count(out, name, "truncated", m->truncated);
		put_count(out, name, "findings", m->findings.len);
		if (m->races_unchecked)
			put_property(out, name, "races_unchecked", "true");
		free(name);
	}
	fputs("\t\t</properties>\n", out);
	free(options);
}

/* ---- tests ---- */

enum outcome { PASSED, FAILED, ERROR, SKIPPED };

static enum outcome outcome_of(const struct evr_result *m)
{
	if (m->error)
		return ERROR;
	if (m->findings.len)
		return FAILED;
	return evr_result_verified(m) ? PASSED : SKIPPED;
}

static char *headline(const struct evr_result *m)
{
	const struct evr_result_finding *f = &m->findings.data[0];
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	evr_strbuf_puts(&b, f->kind);
	if (*f->message)
		evr_strbuf_printf(&b, ": %s", f->message);
	if (*f->file)
		evr_strbuf_printf(&b, " at %s:%u", f->file, f->line);
	if (m->findings.len > 1)
		evr_strbuf_printf(&b, ", and %zu more", m->findings.len - 1);
	return evr_strbuf_take(&b);
}

static char *skip_reason(const struct evr_result *m)
{
	if (*evr_result_reason(m))
		return evr_format("incomplete, %s: nothing was verified", evr_result_reason(m));
	if (m->prediction)
		return evr_format("%zu cycle%s predicted, none led to a finding: this verifies nothing", m->cycles.len,
				  evr_plural(m->cycles.len));
	return evr_strdup("incomplete: nothing was verified");
}

/* All findings, as the text report has them: each test is read for itself. */
static void put_findings(FILE *out, const struct evr_report *r, const char *json, size_t result)
{
	const struct evr_result *m = r->results.data[result];
	char *text = NULL;
	size_t length;
	FILE *memory = open_memstream(&text, &length);
	if (!memory)
		evr_die("out of memory");
	for (size_t i = 0; i < m->findings.len; i++) {
		char *replay = evr_replay_command(r, json, result, i), *models = evr_finding_models(r, result, i);
		struct evr_text_options o = { .width = TEXT_WIDTH, .replay = replay, .models = models };
		evr_text_finding(memory, m, &m->findings.data[i], &o);
		free(replay);
		free(models);
	}
	fclose(memory);
	put_escaped(out, text, false);
	free(text);
}

/* One element for a test, however many findings there were: readers look at the first only. */
static void put_outcome(FILE *out, const struct evr_report *r, const char *json, size_t result)
{
	const struct evr_result *m = r->results.data[result];
	enum outcome outcome = outcome_of(m);
	if (outcome == SKIPPED) {
		char *reason = skip_reason(m);
		fputs("\t\t\t<skipped", out);
		put_attribute(out, "message", reason);
		fputs("/>\n", out);
		free(reason);
	} else if (outcome != PASSED) {
		const char *element = outcome == ERROR ? "error" : "failure";
		char *message = outcome == ERROR ? evr_strdup(m->error) : headline(m);
		fprintf(out, "\t\t\t<%s", element);
		put_attribute(out, "type", outcome == ERROR ? "error" : m->findings.data[0].kind);
		put_attribute(out, "message", message);
		fputc('>', out);
		put_findings(out, r, json, result);
		fprintf(out, "</%s>\n", element);
		free(message);
	}
}

static void put_test(FILE *out, const struct evr_report *r, const char *json, size_t result, const char *program)
{
	const struct evr_result *m = r->results.data[result];
	const char *printed = m->findings.len ? m->findings.data[0].output : m->output;
	char *name = test_name(m);
	fputs("\t\t<testcase", out);
	put_attribute(out, "name", name);
	put_attribute(out, "classname", program);
	fprintf(out, " time=\"%.3f\">\n", m->explore_seconds);
	put_outcome(out, r, json, result);
	if (*printed) {
		fputs("\t\t\t<system-out>", out);
		put_escaped(out, printed, false);
		fputs("</system-out>\n", out);
	}
	fputs("\t\t</testcase>\n", out);
	free(name);
}

static void put_totals(FILE *out, const struct evr_report *r, const char *program)
{
	size_t count[SKIPPED + 1] = { 0 };
	/* All models share one compilation. */
	double seconds = r->results.len ? r->results.data[0]->compile_seconds : 0;
	for (size_t i = 0; i < r->results.len; i++) {
		count[outcome_of(r->results.data[i])]++;
		seconds += r->results.data[i]->explore_seconds;
	}
	put_attribute(out, "name", program);
	fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n", r->results.len,
		count[FAILED], count[ERROR], count[SKIPPED], seconds);
}

int evr_junit_write(FILE *out, const struct evr_report *r, const char *json)
{
	char *program = r->checker ? evr_strdup(r->checker) : join(&r->files);
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
	put_totals(out, r, "everett");
	fputs("\t<testsuite", out);
	put_totals(out, r, program);
	put_properties(out, r);
	for (size_t i = 0; i < r->results.len; i++)
		put_test(out, r, json, i, program);
	fputs("\t</testsuite>\n</testsuites>\n", out);
	free(program);
	return evr_format_finish(out);
}
