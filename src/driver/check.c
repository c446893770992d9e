/* `everett check`, `everett run`, `everett robust` and `everett predict`: get a checker, explore under every model that was asked for, report. */
#include "driver/agree.h"
#include "driver/build.h"
#include "driver/commands.h"
#include "driver/explore.h"
#include "driver/formats.h"
#include "driver/models.h"
#include "driver/present.h"

static struct evr_result *not_started(const char *model)
{
	struct evr_result *r = evr_result_new(model, "");
	evr_result_set(&r->stopped, "interrupted");
	return r;
}

static void explore_all(struct evr_report *r, const struct evr_options *o, const char *checker, double compile_seconds)
{
	for (size_t i = 0; i < o->models.len; i++) {
		const char *model = o->models.data[i];
		struct evr_result *one = evr_interrupted() ? not_started(model) : evr_explore(o, checker, model);
		evr_agree(o, checker, one);
		one->compile_seconds = compile_seconds;
		evr_vec_push(&r->results, one);
	}
}

/* What the program printed: in the first execution with a finding, or in the first of all. */
static const char *program_output(const struct evr_report *r)
{
	for (size_t i = 0; i < r->results.len; i++)
		if (r->results.data[i]->findings.len)
			return r->results.data[i]->findings.data[0].output;
	return r->results.data[0]->output;
}

/* But those that were shown when they came. */
static void print_notes(const struct evr_report *r)
{
	for (size_t i = 0; i < r->results.len; i++)
		for (size_t j = r->results.data[i]->hints; j < r->results.data[i]->notes.len; j++)
			evr_warn("note: %s", r->results.data[i]->notes.data[j]);
}

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

/* Returns the status of writing: a report that did not arrive must not pass for one. */
static int print_report(const struct evr_report *r, const struct evr_options *o, const struct evr_outputs *files,
			FILE *output)
{
	int status = EVR_OK;
	const char *json = is_stdout(o->formats[EVR_FORMAT_json]) ? NULL : o->formats[EVR_FORMAT_json];
	if (!o->quiet)
		evr_present(files->on_stdout || is_stdout(o->output) ? stderr : stdout, r, json, o->color);
	if (output) {
		fputs(program_output(r), output);
		status = evr_worse_status(status, evr_output_close(output, o->output, 0));
	}
	status = evr_worse_status(status, evr_outputs_write(files, o, r, json));
	status = evr_worse_status(status, evr_output_close(stdout, "-", 0));
	if (!o->quiet)
		print_notes(r);
	for (size_t i = 0; o->verbose && i < r->results.len; i++)
		evr_text_stats(stderr, r->results.data[i]);
	evr_present_summaries(stderr, r);
	return status;
}

static char *get_checker(const struct evr_options *o, double *seconds)
{
	if (o->command != EVR_RUN)
		return evr_build(o, seconds);
	evr_require_checker(o->files.data[0]);
	return evr_strdup(o->files.data[0]);
}

static void require_operands(struct evr_options *o)
{
	if (o->command != EVR_RUN && !o->files.len)
		evr_die("no source file (see 'everett %s --help')", evr_command_name(o->command));
	if (o->command == EVR_RUN && o->files.len != 1)
		evr_die("%s (see 'everett run --help')",
			o->files.len ? "more than one checker; the program's arguments go behind '--'" : "no checker");
	char *unknown;
	if (!o->models.len)
		evr_models_parse(evr_default_models(o->command), o->command, &o->models, &unknown);
	if (o->cycle_length % 2 == 1)
		evr_die("option '--cycle-length' needs an even number, not %ld", o->cycle_length);
	if (o->replay && o->models.len > 1)
		evr_die("option '--replay' works with one model at a time");
	if (o->verbose && o->jobs > 1)
		evr_warn("one worker is used in this version, not %ld", o->jobs);
}

int evr_check_main(struct evr_options *o)
{
	require_operands(o);
	double compile_seconds = 0;
	char *checker = get_checker(o, &compile_seconds);
	if (!checker)
		return EVR_USAGE;
	/* Before the search, which may take hours. */
	struct evr_outputs files = evr_outputs_open(o);
	FILE *output = o->output ? evr_output_open(o->output) : NULL;
	struct evr_report r;
	evr_report_fill(&r, o);
	explore_all(&r, o, checker, compile_seconds);
	int status = print_report(&r, o, &files, output);
	status = evr_worse_status(status, evr_report_status(&r));
	evr_report_release(&r);
	free(checker);
	return status;
}
