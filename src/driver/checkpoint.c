#include "driver/checkpoint.h"

#include "driver/parts.h"
#include "driver/search.h"

#include <errno.h>

void evr_rest_everything(struct evr_result_rest *rest)
{
	evr_rest_clear(rest);
	rest->there = true;
	rest->program = evr_strdup("");
	rest->known = evr_strdup("");
	evr_vec_push(&rest->branches, evr_strdup("*"));
}

void evr_rest_copy(struct evr_result_rest *to, const struct evr_result_rest *from)
{
	evr_rest_clear(to);
	unsigned version = to->version;
	*to = *from;
	to->version = version;
	to->program = evr_strdup(from->program);
	to->known = evr_strdup(from->known);
	memset(&to->branches, 0, sizeof(to->branches));
	for (size_t i = 0; i < from->branches.len; i++)
		evr_vec_push(&to->branches, evr_strdup(from->branches.data[i]));
}

void evr_checkpoint_lend_findings(struct evr_result *r, const struct evr_result *before)
{
	for (size_t i = 0; before && i < before->findings.len; i++)
		if (!evr_finding_under(r, &before->findings.data[i]))
			evr_vec_push(&r->findings, before->findings.data[i]);
}

int evr_checkpoint_write(struct evr_output *file, const struct evr_options *o, struct evr_report *r)
{
	evr_words options = { 0 }, kept = r->options;
	size_t begun = r->results.len;
	FILE *out = evr_output_start(file);
	int failed = out ? 0 : errno;
	/* Those that have not begun are part of the run, too. */
	for (size_t i = begun; i < o->models.len; i++) {
		evr_vec_push(&r->results, evr_search_result(o, o->models.data[i]));
		if (o->resumed)
			evr_checkpoint_lend_findings(evr_vec_last(&r->results),
						     evr_checkpoint_find(o->resumed, o->models.data[i]));
		if (o->default_model)
			evr_result_set(&evr_vec_last(&r->results)->model, EVR_DEFAULT_MODEL);
	}
	evr_options_words(o, true, &options);
	r->options = options;
	r->checkpoint = true;
	if (out && evr_formats[EVR_FORMAT_json].write(out, r, NULL))
		failed = errno;
	r->checkpoint = false;
	evr_words_release(&r->options);
	r->options = kept;
	while (r->results.len > begun) {
		struct evr_result *last = r->results.data[--r->results.len];
		last->findings.len = 0;
		evr_result_free(last);
	}
	return evr_output_end(file, out, failed);
}

void evr_checkpoint_read(const char *name, struct evr_report *r)
{
	char *error = NULL, *path = evr_parts_file(name);
	if (evr_json_read(path, r, &error))
		evr_die("%s", error);
	if (!r->checkpoint || !r->results.len)
		evr_die("'%s' is not a checkpoint", path);
	for (size_t i = 0; i < r->results.len; i++)
		if (!r->results.data[i]->rest.there)
			evr_die("'%s' is damaged: the saved search under %s does not match its checksum", path,
				r->results.data[i]->model);
	for (size_t i = 0; i < r->results.len; i++)
		evr_parts_read(path, r->results.data[i]);
	free(path);
}

struct evr_result *evr_checkpoint_find(const struct evr_report *r, const char *model)
{
	for (size_t i = 0; i < r->results.len; i++)
		if (!strcmp(r->results.data[i]->model, model))
			return r->results.data[i];
	return NULL;
}

size_t evr_checkpoint_branches(const struct evr_report *r)
{
	size_t n = 0;
	for (size_t i = 0; i < r->results.len; i++)
		n += r->results.data[i]->rest.branches.len;
	return n;
}
