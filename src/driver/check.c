/* `everett check`, `everett run`, `everett robust` and `everett predict`: get a checker, explore under every model that was asked for, report. */
#include "driver/agree.h"
#include "driver/build.h"
#include "driver/checkpoint.h"
#include "driver/commands.h"
#include "driver/explore.h"
#include "driver/formats.h"
#include "driver/launch.h"
#include "driver/locals.h"
#include "driver/models.h"
#include "driver/next.h"
#include "driver/present.h"
#include "driver/ranks.h"
#include "driver/search.h"
#include "report/coverage.h"

#include <errno.h>
#include <unistd.h>

#define SAMPLE_SECONDS 10 /* of `everett sample`, for each model, unless there is another limit */

struct run {
	const struct evr_options *o;
	const char *checker;
	const struct evr_outputs *files;
	struct evr_report *report;
	double compile_seconds;
	struct evr_output *checkpoint; /* or NULL */
};

static void write_files(const struct run *run)
{
	evr_outputs_save(run->files, run->report);
	int failed = run->checkpoint ? evr_checkpoint_write(run->checkpoint, run->o, run->report) : 0;
	if (failed)
		evr_warn("cannot write '%s': %s", run->o->checkpoint, strerror(failed));
}

/* What is known so far, while searches go on: whatever happens to us, it is not lost. */
static void save(void *argument)
{
	const struct run *run = argument;
	size_t n = run->report->results.len;
	size_t *own = evr_alloc((n + 1) * sizeof(*own));
	for (size_t i = 0; i < n; i++) {
		struct evr_result *r = run->report->results.data[i];
		r->compile_seconds = run->compile_seconds;
		own[i] = r->findings.len;
		if (!run->o->resumed)
			continue;
		evr_points_add(r, evr_checkpoint_find(run->o->resumed, r->model));
		evr_checkpoint_lend_findings(r, evr_checkpoint_find(run->o->resumed, r->model));
	}
	write_files(run);
	for (size_t i = 0; i < n; i++)
		run->report->results.data[i]->findings.len = own[i];
	free(own);
}

static void search_ended(void *argument, struct evr_result *r)
{
	const struct run *run = argument;
	evr_agree(run->o, run->checker, r);
	r->compile_seconds = run->compile_seconds;
	if (run->o->resumed)
		evr_points_add(r, evr_checkpoint_find(run->o->resumed, r->model));
	if (run->o->resumed)
		evr_search_recall(r, evr_checkpoint_find(run->o->resumed, r->model));
}

static int explore_all(struct evr_report *r, const struct evr_options *o, const char *checker, double compile_seconds,
		       const struct evr_outputs *files)
{
	struct run run = {
		o, checker, files, r, compile_seconds, o->checkpoint ? evr_output_open(o->checkpoint) : NULL
	};
	struct evr_listener listener = { save, search_ended, &run };
	if (run.checkpoint && !evr_output_is_replaceable(run.checkpoint))
		evr_die("the checkpoint must be a file: '%s'", o->checkpoint);
	if (run.checkpoint)
		save(&run);
	evr_explore_all(o, checker, &o->models, r, &listener);
	int failed = run.checkpoint ? evr_checkpoint_write(run.checkpoint, o, r) : 0;
	evr_output_free(run.checkpoint);
	if (!failed)
		return EVR_OK;
	evr_warn("cannot write '%s': %s", o->checkpoint, strerror(failed));
	return EVR_USAGE;
}

/* What the program printed: in the first execution with a finding, or in the first of all. */
static const char *program_output(const struct evr_report *r)
{
	for (size_t i = 0; i < r->results.len; i++)
		if (r->results.data[i]->findings.len)
			return r->results.data[i]->findings.data[0].output;
	return r->results.data[0]->output;
}

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

/* Returns the status of writing: a report that did not arrive must not pass for one. */
int evr_report_print(const struct evr_report *r, const struct evr_options *o, struct evr_outputs *files,
		     struct evr_output *output)
{
	int status = EVR_OK;
	const char *json = is_stdout(o->formats[EVR_FORMAT_json]) ? NULL : o->formats[EVR_FORMAT_json];
	FILE *text = files->on_stdout || is_stdout(o->output) ? stderr : stdout;
	if (output) {
		FILE *out = evr_output_start(output);
		int failed = out ? 0 : errno;
		if (out)
			fputs(program_output(r), out);
		status = evr_worse_status(status, evr_output_finish(output, out, failed));
	}
	/* Files come first: a finding that people have seen is saved, whatever happens then. */
	status = evr_worse_status(status, evr_outputs_write(files, r, json));
	if (!o->quiet)
		evr_present(text, r, json, o->color);
	status = evr_worse_status(status, evr_stdout_flush());
	if (!o->quiet)
		evr_present_notes(r);
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
			o->files.len ? "more than one checker; the program's arguments go after '--'" : "no checker");
	char *unknown;
	/* What the result is called until the checker has said what it does. */
	o->default_model = !o->models.len && evr_model_depends(o->command);
	if (!o->models.len)
		evr_models_parse(evr_default_models(o->command), o->command, &o->models, &unknown);
	if (o->cycle_length % 2 == 1)
		evr_die("option '--cycle-length' needs an even number, not %ld", o->cycle_length);
	if (o->command == EVR_SAMPLE && o->timeout < 0 && o->max_executions < 0)
		o->timeout = SAMPLE_SECONDS;
	if (o->replay && o->models.len > 1)
		evr_die("option '--replay' works with one model at a time");
	if (o->jobs == 0)
		o->jobs = sysconf(_SC_NPROCESSORS_ONLN);
}

/* The checkers write it themselves, which is why they do not take turns. */
static FILE *open_classes(struct evr_options *o, struct evr_output **classes)
{
	if (!o->classes)
		return NULL;
	*classes = evr_output_open(o->classes);
	FILE *file = evr_output_start(*classes);
	if (!file)
		evr_die("cannot write '%s': %s", o->classes, strerror(errno));
	o->classes_fd = fileno(file);
	return file;
}

int evr_check_main(struct evr_options *o)
{
	require_operands(o);
	evr_outputs_require_different(o);
	evr_ranks_prepare(o);
	double compile_seconds = 0;
	char *checker = get_checker(o, &compile_seconds);
	if (!checker)
		return EVR_USAGE;
	/* Before the search, which may take hours. */
	struct evr_outputs files = evr_outputs_open(o);
	struct evr_output *output = o->output ? evr_output_open(o->output) : NULL, *classes = NULL;
	FILE *classes_file = open_classes(o, &classes);
	struct evr_report r;
	evr_report_fill(&r, o);
	int status = explore_all(&r, o, checker, compile_seconds, &files);
	evr_next_fill(&r, o);
	if (o->formats[EVR_FORMAT_html] && o->locals)
		evr_locals_find(&r, o, checker);
	if (classes)
		status = evr_worse_status(status, evr_output_finish(classes, classes_file, 0));
	status = evr_worse_status(status, evr_report_print(&r, o, &files, output));
	status = evr_worse_status(status, evr_report_status(&r));
	evr_output_free(classes);
	evr_output_free(output);
	evr_report_release(&r);
	free(checker);
	return status;
}
