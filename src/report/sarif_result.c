/*
 * One finding as a SARIF result: where, what, how to replay it, and under which models it appears.
 *
 * Invariant: a finding that several models have is one result, of the first model that has it; the others are named in its
 * message and properties.
 */
#include "base/strbuf.h"
#include "report/sarif.h"

#include <inttypes.h>

/* The same finding of the same program has the same, wherever its lines have moved to. */
static char *fingerprint(const struct evr_result_finding *f)
{
	const char *const parts[] = { f->kind, f->file, f->function, f->message };
	uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
	for (size_t i = 0; i < EVR_COUNT(parts); i++) {
		char *text = evr_text_utf8(parts[i]);
		for (const char *p = text;; p++) {
			hash = (hash ^ (unsigned char)*p) * 0x100000001b3;
			if (!*p)
				break;
		}
		free(text);
	}
	return evr_format("%016" PRIx64, hash);
}

/* How one model came to the finding. */
static json_t *execution_properties(const struct sarif_log *l, const char *json, size_t i, size_t j)
{
	const struct evr_result *r = l->report->results.data[i];
	const struct evr_result_finding *f = &r->findings.data[j];
	json_t *o = json_object();
	put_string(o, "model", r->model);
	put_string(o, "equivalence", r->equivalence);
	put(o, "execution", json_integer((json_int_t)f->execution));
	put_string(o, "schedule", f->schedule);
	char *replay = evr_replay_command(l->report, json, i, j);
	if (replay)
		put_string(o, "replay", replay);
	free(replay);
	return o;
}

/* And how the others did, whose results this one stands for. */
static json_t *other_executions(const struct sarif_log *l, const char *json, size_t i,
				const struct evr_result_finding *f)
{
	json_t *all = json_array();
	for (size_t k = 0; k < l->report->results.len; k++) {
		const struct evr_result *r = l->report->results.data[k];
		const struct evr_result_finding *same = k == i ? NULL : evr_finding_under(r, f);
		if (same)
			json_array_append_new(all, execution_properties(l, json, k, (size_t)(same - r->findings.data)));
	}
	return all;
}

static json_t *result_properties(const struct sarif_log *l, const char *json, size_t i, size_t j)
{
	const struct evr_result_finding *f = &l->report->results.data[i]->findings.data[j];
	json_t *o = execution_properties(l, json, i, j), *others = other_executions(l, json, i, f);
	if (json_array_size(others))
		json_object_set(o, "others", others);
	json_decref(others);
	if (*f->detail)
		put_string(o, "detail", f->detail);
	if (*f->output)
		put_string(o, "output", f->output);
	return o;
}

/* Where the finding has no place in the source, tools that insist on one get the program's first file. */
static json_t *result_locations(struct sarif_log *l, const struct evr_result_finding *f)
{
	json_t *all = json_array();
	const char *first = l->report->files.len ? l->report->files.data[0] : "";
	if (*f->file)
		json_array_append_new(all, sarif_location(l, f->file, f->line, f->column, f->function));
	else if (*first)
		json_array_append_new(all, sarif_location(l, first, 0, 0, ""));
	return all;
}

/* "tso, pso and ra" */
static char *models_of(const struct sarif_log *l, const struct evr_result_finding *f)
{
	evr_words models = { 0 };
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	for (size_t i = 0; i < l->report->results.len; i++)
		if (evr_finding_under(l->report->results.data[i], f))
			evr_words_add(&models, l->report->results.data[i]->model);
	evr_text_list(&b, &models);
	evr_words_release(&models);
	return evr_strbuf_take(&b);
}

json_t *sarif_result(struct sarif_log *l, const char *json, size_t i, size_t j)
{
	const struct evr_result *r = l->report->results.data[i];
	const struct evr_result_finding *f = &r->findings.data[j];
	json_t *o = json_object(), *prints = json_object();
	put_string(o, "ruleId", f->kind);
	put(o, "ruleIndex", json_integer((json_int_t)sarif_rule(l, f->kind)));
	put_string(o, "kind", "fail");
	put_string(o, "level", sarif_level(f->kind));
	char *what = sarif_headline(f), *models = models_of(l, f), *print = fingerprint(f);
	char *text = evr_format("%s (under %s)", what, models);
	put(o, "message", sarif_message(text));
	put(o, "locations", result_locations(l, f));
	put(o, "relatedLocations", sarif_related(l, f));
	put(o, "codeFlows", sarif_code_flows(l, r, f));
	put_string(prints, "everettFinding/v1", print);
	put(o, "partialFingerprints", prints);
	put(o, "properties", result_properties(l, json, i, j));
	free(what);
	free(models);
	free(text);
	free(print);
	return o;
}
