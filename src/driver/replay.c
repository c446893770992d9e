/*
 * `everett replay` and `everett report`: what can be done with a saved run.
 *
 * Invariant: who wrote the report is not known. Nothing that it names is run, written or passed to the compiler before
 * evr_report_require_trust() and fill_options() have looked at it.
 */
#include "base/strbuf.h"
#include "driver/build.h"
#include "driver/commands.h"
#include "driver/explore.h"
#include "driver/formats.h"
#include "driver/launch.h"
#include "driver/locals.h"
#include "driver/present.h"
#include "driver/process.h"
#include "driver/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static void read_report(const struct evr_options *o, struct evr_report *r)
{
	char *error = NULL;
	const char *command = evr_command_name(o->command);
	if (o->files.len != 1)
		evr_die("%s (see 'everett %s --help')", o->files.len ? "more than one report" : "no report", command);
	if (evr_json_read(o->files.data[0], r, &error))
		evr_die("%s", error);
}

int evr_report_main(struct evr_options *o)
{
	struct evr_report r;
	evr_outputs_require_different(o);
	read_report(o, &r);
	struct evr_outputs files = evr_outputs_open(o);
	int status = evr_outputs_write(&files, &r, o->files.data[0]);
	/* Text is for those who want nothing else. */
	if (!files.count)
		evr_present(stdout, &r, o->files.data[0], o->color);
	status = evr_worse_status(status, evr_stdout_flush());
	evr_present_notes(&r);
	evr_present_summaries(stderr, &r);
	evr_report_release(&r);
	return status;
}

/* ---- replay ---- */

static bool is_asked_about(const struct evr_options *o, const char *model)
{
	for (size_t j = 0; j < o->models.len; j++)
		if (!strcmp(o->models.data[j], model))
			return true;
	return !o->models.len;
}

/* The finding that --model and --finding name; *result is where it is. */
static const struct evr_result_finding *select_finding(const struct evr_options *o, const struct evr_report *r,
						       const struct evr_result **result)
{
	long wanted = o->finding > 0 ? o->finding : 1, seen = 0;
	for (size_t i = 0; i < r->results.len; i++) {
		*result = r->results.data[i];
		bool counts = is_asked_about(o, (*result)->model);
		for (size_t j = 0; counts && j < (*result)->findings.len; j++)
			if (++seen == wanted)
				return &(*result)->findings.data[j];
	}
	if (!seen)
		evr_die("'%s' has no finding%s to replay", o->files.data[0], o->models.len ? " under that model" : "");
	evr_die("'%s' has %ld finding%s, not %ld", o->files.data[0], seen, evr_plural((uint64_t)seen), wanted);
}

/* The site that --site names, of the first model that is asked about. */
static const struct evr_result_site *select_site(const struct evr_options *o, const struct evr_report *r,
						 const struct evr_result **result)
{
	for (size_t i = 0; i < r->results.len; i++) {
		*result = r->results.data[i];
		if (!(*result)->sites.len || !is_asked_about(o, (*result)->model))
			continue;
		if ((size_t)o->site > (*result)->sites.len)
			evr_die("'%s' has %zu sites, not %ld", o->files.data[0], (*result)->sites.len, o->site);
		const struct evr_result_site *s = &(*result)->sites.data[o->site - 1];
		if (!s->because)
			evr_die("no finding appears if site %ld of '%s' has a weaker order", o->site, o->files.data[0]);
		return s;
	}
	evr_die("'%s' is not a report of 'everett orders'%s", o->files.data[0],
		o->models.len ? " under that model" : "");
}

static void move_words(evr_words *to, evr_words *from)
{
	evr_words_release(to);
	*to = *from;
	memset(from, 0, sizeof(*from));
}

/* ---- what the report may decide ---- */

static void tell_left_out(const struct evr_options *o, const evr_words *left_out)
{
	if (!left_out->len)
		return;
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	for (size_t i = 0; i < left_out->len; i++)
		evr_strbuf_printf(&b, " %s", left_out->data[i]);
	char *words = evr_text_printable(b.text, false);
	evr_warn("left out of '%s':%s (%s)", o->files.data[0], words,
		 o->trust_report ? "a report does not decide what is written"
				 : "--trust-report takes compiler flags, whatever they are");
	free(words);
	evr_strbuf_release(&b);
}

/* What is run besides the sources, without being watched. */
void evr_report_require_trust(const struct evr_options *o, const struct evr_report *r)
{
	const char *report = o->files.data[0];
	if (r->checker && !o->trust_report)
		evr_die("'%s' names a checker, which would be run: '%s' (--trust-report allows it)", report,
			r->checker);
	for (size_t i = 0; i < r->files.len; i++) {
		const char *file = r->files.data[i];
		if (*file == '@' || (*file == '-' && file[1]))
			evr_die("'%s' names '%s', which is not a file", report, file);
		if (!o->trust_report && !evr_trust_file(file))
			evr_die("'%s' names '%s', which is not a C or C++ file and would be run unseen "
				"(--trust-report allows it)",
				report, file);
	}
}

/* They become words of EVERETT_CHECKER. */
static void require_word(const char *word, const char *what)
{
	if (!*word || strpbrk(word, " \t\n"))
		evr_die("the finding has no %s to replay", what);
}

enum evr_command evr_report_command(const struct evr_report *r)
{
	if (!strcmp(r->command, evr_command_name(EVR_ROBUST)))
		return EVR_ROBUST;
	if (!strcmp(r->command, evr_command_name(EVR_PREDICT)))
		return EVR_PREDICT;
	return r->checker ? EVR_RUN : EVR_CHECK;
}

void evr_report_take_options(struct evr_options *run, const struct evr_options *o, struct evr_report *r)
{
	evr_words left_out = { 0 };
	evr_options_parse_report(run, &r->options, &left_out);
	if (!o->trust_report)
		evr_trust_flags(&r->compile, &left_out);
	tell_left_out(o, &left_out);
	evr_words_release(&left_out);
	move_words(&run->files, &r->files);
	move_words(&run->compile, &r->compile);
	move_words(&run->args, &r->args);
}

/* The options of the run that found it, with what the user says about this one. */
static void fill_options(struct evr_options *run, const struct evr_options *o, struct evr_report *r,
			 const struct evr_result *result, const struct evr_result_finding *f)
{
	evr_options_init(run, evr_report_command(r));
	run->trust_report = o->trust_report;
	evr_report_take_options(run, o, r);
	require_word(f->schedule, "schedule");
	require_word(result->model, "model");
	if (*result->equivalence) {
		require_word(result->equivalence, "equivalence");
		evr_result_set(&run->equivalence, result->equivalence);
	}
	evr_result_set(&run->replay, f->schedule);
	run->quiet = o->quiet;
	run->verbose = o->verbose;
	run->color = o->color;
	run->progress = EVR_NEVER;
	run->gdb = o->gdb;
	if (o->execution_timeout > 0)
		run->execution_timeout = o->execution_timeout;
}

/* Of findings at the same place, those with another message are about something else: a race with another access. */
static unsigned likeness(const struct evr_result_finding *a, const struct evr_result_finding *b)
{
	return !evr_finding_is_same(a, b) ? 0 : 1 + !strcmp(a->message, b->message);
}

static char *describe(const struct evr_result_finding *f)
{
	if (!f)
		return evr_strdup("no finding");
	return *f->file ? evr_format("%s at %s:%u", f->kind, f->file, f->line) : evr_strdup(f->kind);
}

static int debug(const struct evr_options *run, const char *checker, const char *model)
{
	/* Nobody listens; the records have to go somewhere. */
	int fd = open("/dev/null", O_WRONLY);
	char *words = evr_checker_words(run, model, fd);
	setenv("EVERETT_CHECKER", words, 1);
	free(words);
	evr_words argv = { 0 };
	char *script = evr_companion("everett-gdb.py");
	const char *const gdb[] = { "gdb", "-q", "-x", script, "-ex", "run", "-ex", "everett bt", "--args" };
	for (size_t i = 0; i < EVR_COUNT(gdb); i++)
		evr_words_add(&argv, gdb[i]);
	free(script);
	evr_words_add(&argv, checker);
	for (size_t i = 0; i < run->args.len; i++)
		evr_words_add(&argv, run->args.data[i]);
	int status = evr_process_run_interactive(&argv);
	evr_words_release(&argv);
	close(fd);
	return status ? EVR_USAGE : EVR_OK;
}

/* What the search knew about the execution, and one execution alone does not tell. */
static void recall(struct evr_result_finding *now, const struct evr_result_finding *then)
{
	if (strcmp(now->schedule, then->schedule) != 0 || now->events.len != then->events.len)
		return;
	now->execution = then->execution;
	now->simplified = then->simplified;
	now->weak = then->weak;
	now->preemptions = then->preemptions;
	now->hopeless = then->hopeless;
	evr_result_set(&now->detail, then->detail);
	if (then->drawn)
		evr_result_set(&now->drawn, then->drawn);
	for (size_t i = 0; i < now->events.len; i++)
		now->events.data[i].decides = then->events.data[i].decides;
}

/* Print what came out, and whether it is what was recorded. */
static int compare(FILE *out, const struct evr_options *run, struct evr_result *now,
		   const struct evr_result_finding *expected)
{
	struct evr_result_finding *f = NULL;
	for (size_t i = 0; i < now->findings.len; i++)
		if (!f || likeness(&now->findings.data[i], expected) > likeness(f, expected))
			f = &now->findings.data[i];
	if (f && evr_finding_is_same(f, expected))
		recall(f, expected);
	if (f && !run->quiet) {
		struct evr_text_options o = evr_text_options_for(out, run->color);
		evr_text_finding(out, now, f, &o);
	}
	int status = out == stdout ? evr_stdout_flush() : EVR_OK;
	evr_text_summary(stderr, now);
	if (f && evr_finding_is_same(f, expected))
		return evr_worse_status(status, EVR_FINDING);
	/* An execution that was stopped on its way is not counted. */
	bool to_its_end = now->executions + now->blocked + now->truncated > 0;
	if (!f && (now->error || (*now->stopped && !to_its_end)))
		return evr_worse_status(status, evr_result_status(now));
	char *was = describe(expected), *is = describe(f);
	evr_warn("the replay did not reproduce the finding: expected %s, got %s (has the program changed?)", was, is);
	free(was);
	free(is);
	return EVR_INTERNAL;
}

static int replay(struct evr_options *run, const struct evr_options *o, const char *checker, double seconds,
		  const char *model, const struct evr_result_finding *f)
{
	struct evr_report again;
	struct evr_outputs files = evr_outputs_open(o);
	evr_report_fill(&again, run);
	if (run->command == EVR_RUN && !again.checker)
		again.checker = evr_strdup(checker);
	struct evr_result *now = evr_explore(run, checker, model);
	now->compile_seconds = seconds;
	evr_vec_push(&again.results, now);
	if (o->formats[EVR_FORMAT_html] && o->locals)
		evr_locals_find(&again, run, checker);
	int status = compare(files.on_stdout ? stderr : stdout, run, now, f);
	status = evr_worse_status(status, evr_outputs_write(&files, &again, NULL));
	evr_report_release(&again);
	return status;
}

static void change_order(struct evr_options *run, char *change)
{
	evr_options_parse(run, (char *[]){ (char *)"--order", change }, 2);
}

int evr_replay_main(struct evr_options *o)
{
	struct evr_report r;
	struct evr_options run;
	const struct evr_result *result = NULL;
	evr_outputs_require_different(o);
	read_report(o, &r);
	const struct evr_result_site *site = o->site > 0 ? select_site(o, &r, &result) : NULL;
	const struct evr_result_finding *f = site ? site->because : select_finding(o, &r, &result);
	evr_report_require_trust(o, &r);
	fill_options(&run, o, &r, result, f);
	for (size_t i = 0; site && i < site->orders.len; i++)
		change_order(&run, site->orders.data[i]);
	evr_words changes = { 0 };
	evr_result_add_changes(result, &changes);
	for (size_t i = 0; i < changes.len; i++)
		change_order(&run, changes.data[i]);
	evr_words_release(&changes);
	if (!r.checker && !run.files.len)
		evr_die("'%s' names neither source files nor a checker", o->files.data[0]);
	double seconds = 0;
	char *checker = r.checker ? evr_strdup(r.checker) : evr_build(&run, &seconds);
	if (!checker)
		return EVR_USAGE;
	evr_require_checker(checker);
	int status;
	if (o->gdb) {
		status = debug(&run, checker, result->model);
	} else {
		status = replay(&run, o, checker, seconds, result->model, f);
	}
	free(checker);
	evr_options_release(&run);
	evr_report_release(&r);
	return status;
}
