#include "driver/formats.h"

#include <errno.h>

/* ---- which files ---- */

struct file {
	const char *option; /* NULL: an input */
	const char *path;
};

typedef EVR_VEC(struct file) file_list;

static void add(file_list *files, const char *option, const char *path)
{
	if (path)
		evr_vec_push(files, ((struct file){ option, path }));
}

/* Two reports in one file are none. Two terminals or pipes with different names are the user's own affair. */
static void require_different(const struct file *f, const struct file *other)
{
	if (!evr_same_file(f->path, other->path))
		return;
	if (!other->option)
		evr_die("option '--%s' would overwrite the input '%s'", f->option, other->path);
	if (!strcmp(f->path, other->path))
		evr_die("options '--%s' and '--%s' both write to '%s'", f->option, other->option, f->path);
	evr_die("options '--%s' and '--%s' both write to '%s', which is '%s'", f->option, other->option, f->path,
		other->path);
}

void evr_outputs_require_different(const struct evr_options *o)
{
	file_list files = { 0 };
	char *database = o->compile_commands ? evr_format("%s/compile_commands.json", o->compile_commands) : NULL;
	for (size_t i = 0; i < EVR_FORMATS; i++)
		add(&files, evr_formats[i].name, o->formats[i]);
	add(&files, "output", o->output);
	add(&files, "diff", o->diff);
	add(&files, "classes", o->classes);
	add(&files, "keep", o->keep);
	add(&files, "checkpoint", o->checkpoint);
	size_t outputs = files.len;
	for (size_t i = 0; i < o->files.len; i++)
		if (strcmp(o->files.data[i], "-") != 0)
			add(&files, NULL, o->files.data[i]);
	add(&files, NULL, database);
	for (size_t i = 0; i < outputs; i++)
		for (size_t k = i + 1; k < files.len; k++)
			require_different(&files.data[i], &files.data[k]);
	evr_vec_release(&files);
	free(database);
}

/* ---- writing them ---- */

struct evr_outputs evr_outputs_open(const struct evr_options *o)
{
	struct evr_outputs w = { 0 };
	for (size_t i = 0; i < EVR_FORMATS; i++) {
		if (!o->formats[i])
			continue;
		w.files[i] = evr_output_open(o->formats[i]);
		w.on_stdout |= evr_output_is_stdout(w.files[i]);
		w.count++;
	}
	w.dot = o->formats[EVR_FORMAT_dot];
	return w;
}

static int write_one(size_t format, FILE *out, const struct evr_report *r, const char *json)
{
	if (!out)
		return errno;
	return evr_formats[format].write(out, r, json) ? errno : 0;
}

/* "graph.dot" of model tso: "graph-tso.dot". */
static char *path_of_model(const char *path, const char *model)
{
	const char *name = evr_base_name(path), *dot = strrchr(name, '.');
	size_t stem = dot && dot > name ? (size_t)(dot - path) : strlen(path);
	return evr_format("%.*s-%s%s", (int)stem, path, model, path + stem);
}

/* Several models in one graph are hard to read: each has a file of its own, too. */
static int write_models(const char *path, const struct evr_report *r)
{
	int status = EVR_OK;
	for (size_t i = 0; i < r->results.len; i++) {
		char *own = path_of_model(path, r->results.data[i]->model);
		struct evr_output *file = evr_output_open(own);
		FILE *out = evr_output_start(file);
		int failed = !out || evr_dot_write_model(out, r, i) ? errno : 0;
		status = evr_worse_status(status, evr_output_finish(file, out, failed));
		evr_output_free(file);
		free(own);
	}
	return status;
}

int evr_outputs_write(struct evr_outputs *w, const struct evr_report *r, const char *json)
{
	const struct evr_output *dot = w->files[EVR_FORMAT_dot];
	bool graphs = dot && r->results.len > 1 && evr_output_is_replaceable(dot);
	int status = EVR_OK;
	for (size_t i = 0; i < EVR_FORMATS; i++) {
		if (!w->files[i])
			continue;
		FILE *out = evr_output_start(w->files[i]);
		int failed = write_one(i, out, r, json);
		status = evr_worse_status(status, evr_output_finish(w->files[i], out, failed));
		evr_output_free(w->files[i]);
		w->files[i] = NULL;
	}
	/* Last, because opening a file may fail, which ends the process. */
	if (graphs)
		status = evr_worse_status(status, write_models(w->dot, r));
	return status;
}

void evr_outputs_save(const struct evr_outputs *w, const struct evr_report *r)
{
	struct evr_output *file = w->files[EVR_FORMAT_json];
	if (!file || !evr_output_is_replaceable(file))
		return;
	FILE *out = evr_output_start(file);
	evr_output_end(file, out, write_one(EVR_FORMAT_json, out, r, NULL));
}
