#include "driver/present.h"

#include "base/strbuf.h"
#include "report/html.h"

#include <errno.h>
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
	evr_options_words(o, &r->options);
}

/* ---- the command that replays ---- */

static void add_quoted(struct evr_strbuf *b, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
	evr_strbuf_putc(b, ' ');
	if (*word && strspn(word, plain) == strlen(word)) {
		evr_strbuf_puts(b, word);
		return;
	}
	evr_strbuf_putc(b, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			evr_strbuf_puts(b, "'\\''");
		else
			evr_strbuf_putc(b, *word);
	}
	evr_strbuf_putc(b, '\'');
}

static void add_all(struct evr_strbuf *b, const evr_words *w)
{
	for (size_t i = 0; i < w->len; i++)
		add_quoted(b, w->data[i]);
}

static char *by_schedule(const struct evr_report *r, size_t result, size_t finding)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	evr_strbuf_printf(&b, "everett %s --model %s", r->command, r->results.data[result]->model);
	add_all(&b, &r->options);
	add_all(&b, &r->compile);
	evr_strbuf_puts(&b, " --replay");
	add_quoted(&b, r->results.data[result]->findings.data[finding].schedule);
	add_all(&b, &r->files);
	if (r->checker)
		add_quoted(&b, r->checker);
	if (r->args.len)
		evr_strbuf_puts(&b, " --");
	add_all(&b, &r->args);
	return b.text;
}

char *evr_replay_command(const struct evr_report *r, const char *json, size_t result, size_t finding)
{
	if (!json)
		return by_schedule(r, result, finding);
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	evr_strbuf_puts(&b, "everett replay");
	size_t number = finding + 1;
	for (size_t i = 0; i < result; i++)
		number += r->results.data[i]->findings.len;
	if (number > 1)
		evr_strbuf_printf(&b, " --finding %zu", number);
	add_quoted(&b, json);
	return b.text;
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

/* Does `b` allow all that `a` does? PSO and RA are incomparable. */
static bool is_weaker(const char *b, const char *a)
{
	static const char *const pairs[][2] = {
		{ "tso", "sc" }, { "pso", "sc" }, { "ra", "sc" }, { "pso", "tso" }, { "ra", "tso" }
	};
	for (size_t i = 0; i < EVR_COUNT(pairs); i++)
		if (!strcmp(pairs[i][0], b) && !strcmp(pairs[i][1], a))
			return true;
	return false;
}

static bool is_safe(const struct evr_result *m)
{
	return !strcmp(evr_result_verdict(m), "ok");
}

static bool is_weakest(const struct evr_report *r, const struct evr_result *m)
{
	for (size_t i = 0; i < r->results.len; i++)
		if (is_safe(r->results.data[i]) && is_weaker(r->results.data[i]->model, m->model))
			return false;
	return is_safe(m);
}

/* One sentence on what the table means. */
static void print_conclusion(FILE *out, const struct evr_report *r)
{
	const char *before = "The weakest model under which the program is safe: ";
	size_t safe = 0, weakest = 0;
	for (size_t i = 0; i < r->results.len; i++) {
		safe += is_safe(r->results.data[i]);
		weakest += is_weakest(r, r->results.data[i]);
	}
	if (!safe || safe == r->results.len) {
		fputs(safe ? "The program is safe under all of these models.\n\n"
			   : "The program is safe under none of these models.\n\n",
		      out);
		return;
	}
	if (weakest > 1)
		before = "The weakest models under which the program is safe: ";
	for (size_t i = 0; i < r->results.len; i++)
		if (is_weakest(r, r->results.data[i])) {
			fprintf(out, "%s%s", before, r->results.data[i]->model);
			before = " and ";
		}
	fputs(".\n\n", out);
}

/* Several answers to one question that has a weakest model. */
static bool has_conclusion(const struct evr_report *r)
{
	return r->results.len > 1 && !r->results.data[0]->prediction && !r->results.data[0]->robustness;
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

void evr_present(FILE *out, const struct evr_report *r, const char *json, int color)
{
	struct evr_text_options o = evr_text_options_for(out, color);
	for (size_t i = 0; i < r->results.len; i++) {
		const struct evr_result *m = r->results.data[i];
		for (size_t j = 0; j < m->findings.len; j++) {
			char *replay = *m->findings.data[j].schedule ? evr_replay_command(r, json, i, j) : NULL;
			o.replay = replay;
			evr_text_finding(out, m, &m->findings.data[j], &o);
			free(replay);
		}
	}
	if (r->results.len && r->results.data[0]->prediction)
		print_cycles(out, r);
	else if (r->results.len > 1)
		print_table(out, r);
	if (has_conclusion(r))
		print_conclusion(out, r);
}

int evr_present_html(FILE *out, const struct evr_report *r, const char *json)
{
	struct evr_json_page page = { 0 };
	size_t n = 0;
	FILE *conclusion = open_memstream(&page.conclusion, &n);
	if (!conclusion)
		return errno;
	if (has_conclusion(r))
		print_conclusion(conclusion, r);
	fclose(conclusion);
	for (size_t i = 0; i < r->results.len; i++) {
		const struct evr_result *m = r->results.data[i];
		for (size_t j = 0; j < m->findings.len; j++) {
			char *replay = *m->findings.data[j].schedule ? evr_replay_command(r, json, i, j) : NULL;
			evr_words_add(&page.replays, replay ? replay : "");
			free(replay);
		}
	}
	int failed = evr_html_write(out, r, &page) ? errno : 0;
	evr_words_release(&page.replays);
	evr_words_release(&page.sources);
	free(page.conclusion);
	return failed;
}

void evr_present_summaries(FILE *out, const struct evr_report *r)
{
	for (size_t i = 0; i < r->results.len; i++)
		evr_text_summary(out, r->results.data[i]);
}

/* ---- statuses ---- */

int evr_worse_status(int a, int b)
{
	static const int order[] = { EVR_INTERNAL, EVR_USAGE, EVR_FINDING, EVR_INCOMPLETE };
	for (size_t i = 0; i < EVR_COUNT(order); i++)
		if (a == order[i] || b == order[i])
			return order[i];
	return EVR_OK;
}

int evr_report_status(const struct evr_report *r)
{
	int status = EVR_OK;
	for (size_t i = 0; i < r->results.len; i++)
		status = evr_worse_status(status, evr_result_status(r->results.data[i]));
	return status;
}

/* ---- files ---- */

FILE *evr_output_open(const char *path)
{
	FILE *out = strcmp(path, "-") ? fopen(path, "we") : stdout;
	if (!out)
		evr_die("cannot write '%s': %s", path, strerror(errno));
	return out;
}

int evr_output_close(FILE *out, const char *path, int failed)
{
	int why = failed;
	if (fflush(out) && !why)
		why = errno;
	if (ferror(out) && !why)
		why = EIO; /* an earlier write, whose errno is gone */
	if (out != stdout && fclose(out) && !why)
		why = errno;
	if (!why)
		return EVR_OK;
	clearerr(stdout);
	evr_warn("cannot write %s%s%s: %s", out == stdout ? "standard output" : "'", out == stdout ? "" : path,
		 out == stdout ? "" : "'", strerror(why));
	return EVR_USAGE;
}
