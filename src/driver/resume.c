/*
 * `everett resume`, `everett split` and `everett merge`: what can be done with a search that was stopped.
 *
 * Invariant: the branches of a checkpoint, and of the checkpoints that it is split into, are each in exactly one of them; and so is what was counted. So the sum
 * of the parts is the whole.
 */
#include "driver/build.h"
#include "driver/checkpoint.h"
#include "driver/commands.h"
#include "driver/formats.h"
#include "driver/launch.h"
#include "driver/models.h"
#include "driver/next.h"
#include "driver/parts.h"
#include "driver/present.h"
#include "driver/trust.h"
#include "report/coverage.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

static void require_files(const struct evr_options *o, size_t least, size_t most, const char *what)
{
	if (o->files.len < least || o->files.len > most)
		evr_die("%s (see 'everett %s --help')", what, evr_command_name(o->command));
}

/* ---- resume ---- */

/* The options of the run that was stopped, with what the user says about this one. */
static void fill_options(struct evr_options *run, const struct evr_options *o, struct evr_report *r)
{
	evr_options_init(run, evr_report_command(r));
	run->trust_report = o->trust_report;
	evr_report_take_options(run, o, r);
	for (size_t i = 0; i < r->results.len; i++)
		if (strcmp(r->results.data[i]->model, EVR_DEFAULT_MODEL) != 0)
			evr_words_add(&run->models, r->results.data[i]->model);
	if (run->command == EVR_RUN)
		evr_words_add(&run->files, r->checker);
	run->resumed = r;
	char *own = evr_parts_file(o->files.data[0]);
	evr_result_set(&run->checkpoint, o->checkpoint ? o->checkpoint : own);
	free(own);
	if (o->jobs >= 0)
		run->jobs = o->jobs;
	/* Limits are those of a run, and not of the search: whoever resumes it wants to get further. */
	run->timeout = o->timeout;
	run->max_executions = o->max_executions;
	run->memory = o->memory;
	run->keep_going |= o->keep_going;
	run->restless |= o->restless;
	run->quiet = o->quiet;
	run->verbose = o->verbose;
	run->color = o->color;
	run->progress = o->progress;
	for (size_t i = 0; i < EVR_FORMATS; i++)
		if (o->formats[i])
			evr_result_set(&run->formats[i], o->formats[i]);
}

int evr_resume_main(struct evr_options *o)
{
	struct evr_report r;
	struct evr_options run;
	require_files(o, 1, 1, o->files.len ? "more than one checkpoint" : "no checkpoint");
	evr_checkpoint_read(o->files.data[0], &r);
	evr_report_require_trust(o, &r);
	fill_options(&run, o, &r);
	int status = evr_check_main(&run);
	run.resumed = NULL;
	evr_options_release(&run);
	evr_report_release(&r);
	return status;
}

/* ---- split ---- */

static char *shard_path(const char *directory, size_t i)
{
	return evr_format("%s/shard-%zu.json", directory, i + 1);
}

/* The i-th of n parts. What was counted and found so far is with the first. `whole` tells apart the parts of different splits. */
static void write_shard(const struct evr_options *o, size_t i, size_t n, uint64_t whole)
{
	struct evr_report part;
	char *path = shard_path(o->files.data[1], i);
	evr_checkpoint_read(o->files.data[0], &part);
	for (size_t k = 0; k < part.results.len; k++) {
		struct evr_result *r = part.results.data[k];
		struct evr_result_rest *rest = &r->rest;
		size_t kept = 0;
		for (size_t b = 0; b < rest->branches.len; b++) {
			if (b % n == i)
				rest->branches.data[kept++] = rest->branches.data[b];
			else
				free(rest->branches.data[b]);
		}
		rest->branches.len = kept;
		if (i) {
#define TOTAL(type, field) r->field = rest->field = 0;
#include "report/records.def"
			for (size_t f = 0; f < r->findings.len; f++)
				evr_result_free_finding(&r->findings.data[f]);
			evr_vec_clear(&r->findings);
			r->explore_seconds = 0;
		}
		free(r->shard);
		r->shard = evr_format("%zu/%zu of %016" PRIx64, i + 1, n, whole);
	}
	struct evr_output *file = evr_output_open(path);
	FILE *out = evr_output_start(file);
	int failed = out && evr_formats[EVR_FORMAT_json].write(out, &part, NULL) ? errno : 0;
	if (evr_output_finish(file, out, failed))
		exit(EVR_USAGE);
	evr_output_free(file);
	evr_report_release(&part);
	free(path);
}

int evr_split_main(struct evr_options *o)
{
	struct evr_report r;
	require_files(o, 2, 2, "split needs a checkpoint and a directory");
	if (o->parts < 1)
		evr_die("split needs the number of parts: -n N");
	evr_checkpoint_read(o->files.data[0], &r);
	size_t branches = evr_checkpoint_branches(&r);
	uint64_t whole = 0;
	for (size_t i = 0; i < r.results.len; i++) {
		whole = whole * 31 + evr_rest_digest(&r.results.data[i]->rest);
		if (r.results.data[i]->shard)
			evr_die("'%s' is already a part of a search: merge all parts, and split the result",
				o->files.data[0]);
		if (r.results.data[i]->rest.there && !*r.results.data[i]->rest.program)
			evr_die("nothing to split in '%s': the search under %s has not begun, or cannot be divided",
				o->files.data[0], r.results.data[i]->model);
	}
	evr_report_release(&r);
	if (mkdir(o->files.data[1], 0777) && errno != EEXIST)
		evr_die("cannot create the directory '%s': %s", o->files.data[1], strerror(errno));
	for (size_t i = 0; i < (size_t)o->parts; i++)
		write_shard(o, i, (size_t)o->parts, whole);
	if (branches < (size_t)o->parts)
		evr_warn("only %zu branch%s left to explore: some parts are empty", branches,
			 branches == 1 ? " is" : "es are");
	if (!o->quiet)
		printf("%zu branch%s in %ld part%s: %s/shard-1.json to shard-%ld.json\n", branches,
		       branches == 1 ? "" : "es", o->parts, evr_plural((uint64_t)o->parts), o->files.data[1], o->parts);
	return evr_stdout_flush();
}

/* ---- merge ---- */

static void require_same(const char *a, const char *b, const char *first, const char *path, const char *what)
{
	if (strcmp(a, b) != 0)
		evr_die("'%s' and '%s' are not parts of one search: %s is not the same", first, path, what);
}

static void add_findings(struct evr_result *to, struct evr_result *from)
{
	for (size_t i = 0; i < from->findings.len; i++) {
		if (evr_finding_under(to, &from->findings.data[i]))
			evr_result_free_finding(&from->findings.data[i]);
		else
			evr_vec_push(&to->findings, from->findings.data[i]);
	}
	evr_vec_clear(&from->findings);
}

static void add_notes(struct evr_result *to, const struct evr_result *from)
{
	for (size_t i = 0; i < from->notes.len; i++) {
		bool known = false;
		for (size_t k = 0; k < to->notes.len && !known; k++)
			known = !strcmp(to->notes.data[k], from->notes.data[i]);
		if (!known)
			evr_vec_push(&to->notes, evr_strdup(from->notes.data[i]));
	}
}

/* Nothing is left, whether or not the process that explored the last of it lived to say so. */
static bool is_over(const struct evr_result *r)
{
	return r->complete || (!r->rest.branches.len && !r->findings.len);
}

static void add_rest(struct evr_result *to, struct evr_result *from)
{
	to->complete = is_over(to) && is_over(from);
	struct evr_result_rest *a = &to->rest, *b = &from->rest;
#define TOTAL(type, field) a->field += b->field;
#include "report/records.def"
	for (size_t i = 0; i < b->branches.len; i++)
		evr_vec_push(&a->branches, b->branches.data[i]);
	evr_vec_clear(&b->branches);
	to->explore_seconds += from->explore_seconds;
	if (from->peak_kib > to->peak_kib)
		to->peak_kib = from->peak_kib;
	to->races_unchecked |= from->races_unchecked;
	evr_points_add(to, from);
	add_findings(to, from);
	add_notes(to, from);
}

/* Shards 1/N to N/N of one split, each once. */
static void require_all_shards(const struct evr_options *o, const evr_words *shards)
{
	unsigned of = 0;
	const char *whole = strchr(shards->data[0], ' ');
	for (size_t i = 0; i < shards->len; i++) {
		unsigned number = 0, n = 0;
		const char *split = strchr(shards->data[i], ' ');
		if (sscanf(shards->data[i], "%u/%u", &number, &n) != 2 || number < 1 || number > n || (of && n != of) ||
		    strcmp(split ? split : "", whole ? whole : "") != 0)
			evr_die("'%s' is not a part of the same split as '%s'", o->files.data[i], o->files.data[0]);
		of = n;
		for (size_t k = 0; k < i; k++)
			if (!strcmp(shards->data[i], shards->data[k]))
				evr_die("'%s' and '%s' are the same part, %u/%u", o->files.data[k], o->files.data[i],
					number, n);
	}
	if (of != shards->len)
		evr_die("%zu of %u parts were given: the others are missing", shards->len, of);
}

/* The sum of the parts, in *all. */
static void merge(const struct evr_options *o, struct evr_report *all)
{
	evr_words shards = { 0 };
	evr_checkpoint_read(o->files.data[0], all);
	for (size_t i = 0; i < o->files.len; i++) {
		struct evr_report part;
		const char *path = o->files.data[i];
		evr_checkpoint_read(path, &part);
		if (part.results.len != all->results.len || !part.results.len)
			evr_die("'%s' and '%s' are not parts of one search", o->files.data[0], path);
		if (!part.results.data[0]->shard)
			evr_die("'%s' is not a part of a search that was split", path);
		evr_words_add(&shards, part.results.data[0]->shard);
		for (size_t k = 0; i && k < part.results.len; k++) {
			struct evr_result *to = all->results.data[k], *from = part.results.data[k];
			require_same(to->model, from->model, o->files.data[0], path, "the model");
			require_same(to->rest.program, from->rest.program, o->files.data[0], path, "the program");
			if (strcmp(to->rest.known, from->rest.known) != 0)
				evr_die("a part has learned facts about the program that the others lack: let the whole search "
					"run longer before you split it ('everett resume' of the checkpoint that was "
					"split)");
			add_rest(to, from);
		}
		evr_report_release(&part);
	}
	require_all_shards(o, &shards);
	evr_words_release(&shards);
}

/* The parts are the whole again. */
static void conclude(struct evr_result *r)
{
	free(r->shard);
	r->shard = NULL;
#define TOTAL(type, field) r->field = r->rest.field;
#include "report/records.def"
	r->complete = r->complete && !r->rest.branches.len;
	if (r->complete)
		evr_result_set(&r->stopped, "");
	else if (!*r->stopped)
		evr_result_set(&r->stopped, "parts of the search are not explored");
}

static int write_checkpoint(const struct evr_options *o, struct evr_report *all, size_t branches)
{
	if (!o->checkpoint) {
		evr_warn("%zu branch%s left: --checkpoint FILE writes %s, for 'everett resume'", branches,
			 branches == 1 ? " is" : "es are", branches == 1 ? "it" : "them");
		return EVR_OK;
	}
	struct evr_output *file = evr_output_open(o->checkpoint);
	FILE *out = evr_output_start(file);
	int failed = out && evr_formats[EVR_FORMAT_json].write(out, all, NULL) ? errno : 0;
	int status = evr_output_finish(file, out, failed);
	evr_output_free(file);
	return status;
}

int evr_merge_main(struct evr_options *o)
{
	struct evr_report all;
	require_files(o, 1, (size_t)-1, "no checkpoint");
	evr_outputs_require_different(o);
	merge(o, &all);
	for (size_t i = 0; i < all.results.len; i++)
		conclude(all.results.data[i]);
	size_t branches = evr_checkpoint_branches(&all);
	evr_next_fill(&all, o);
	struct evr_outputs files = evr_outputs_open(o);
	int status = branches ? write_checkpoint(o, &all, branches) : EVR_OK;
	all.checkpoint = false;
	status = evr_worse_status(status, evr_outputs_write(&files, &all, NULL));
	if (!o->quiet)
		evr_present(files.on_stdout ? stderr : stdout, &all, NULL, o->color);
	status = evr_worse_status(status, evr_stdout_flush());
	evr_present_notes(&all);
	evr_present_summaries(stderr, &all);
	status = evr_worse_status(status, evr_report_status(&all));
	evr_report_release(&all);
	return status;
}
