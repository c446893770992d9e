/*
 * A run as SARIF 2.1.0, the format in which editors and code-review tools take the results of static analysis. Each
 * finding is a result with a code flow: a thread flow for each thread, its events numbered in the order of the execution.
 *
 * A run that verified nothing must not look like a clean one: then it was not successful, and a notification says why.
 */
#include "report/sarif.h"

static const struct kind {
	const char *name, *level, *summary, *meaning, *help;
} kinds[] = {
#define KIND(name, level, summary, meaning, help) { name, level, summary, meaning, help },
#include "report/kinds.def"
#undef KIND
};

static size_t add_rule(struct sarif_log *l, const char *name, const struct kind *k)
{
	json_t *o = json_object(), *configuration = json_object();
	put_string(o, "id", name);
	put_string(configuration, "level", k ? k->level : "error");
	put(o, "defaultConfiguration", configuration);
	if (k) {
		put(o, "shortDescription", sarif_message(k->summary));
		put(o, "fullDescription", sarif_message(k->meaning));
		put(o, "help", sarif_message(k->help));
	}
	json_array_append_new(l->rules, o);
	evr_words_add(&l->kinds, name);
	return l->kinds.len - 1;
}

/* A file may come from a version that knows more kinds. */
size_t sarif_rule(struct sarif_log *l, const char *name)
{
	size_t i = sarif_index(&l->kinds, name);
	return i < l->kinds.len ? i : add_rule(l, name, NULL);
}

const char *sarif_level(const char *name)
{
	for (size_t i = 0; i < EVR_COUNT(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return kinds[i].level;
	return "error";
}

/* ---- the run ---- */

static json_t *notification(const char *level, const struct evr_result *r, const char *text)
{
	json_t *o = json_object();
	char *prefixed = evr_format("%s%s%s: %s", r->model, *r->equivalence ? "/" : "", r->equivalence, text);
	put_string(o, "level", level);
	put(o, "message", sarif_message(prefixed));
	free(prefixed);
	return o;
}

static void add_notifications(json_t *all, const struct evr_result *r)
{
	if (r->error) {
		json_array_append_new(all, notification("error", r, r->error));
	} else if (*evr_result_reason(r)) {
		char *text = evr_format("incomplete, %s: %s", evr_result_reason(r),
					*r->stopped ? "what was not explored is not verified" : "nothing was verified");
		json_array_append_new(all, notification("warning", r, text));
		free(text);
	} else if (r->prediction) {
		json_array_append_new(all, notification("note", r, "a prediction verifies nothing"));
	} else if (!r->complete && !r->findings.len) {
		json_array_append_new(all, notification("warning", r, "incomplete: nothing was verified"));
	}
	if (r->races_unchecked)
		json_array_append_new(all, notification("note", r, "data races were not looked for (--races)"));
	for (size_t i = 0; i < r->notes.len; i++)
		json_array_append_new(all, notification("note", r, r->notes.data[i]));
}

/* Was there an answer under every model? */
static bool is_success(const struct evr_report *r)
{
	bool success = r->results.len > 0;
	for (size_t i = 0; i < r->results.len; i++) {
		int status = evr_result_status(r->results.data[i]);
		success &= status == EVR_OK || status == EVR_FINDING;
	}
	return success;
}

static json_t *invocations(const struct evr_report *r)
{
	json_t *o = json_object(), *all = json_array(), *notifications = json_array();
	put(o, "executionSuccessful", json_boolean(is_success(r)));
	put(o, "exitCode", json_integer(evr_report_status(r)));
	for (size_t i = 0; i < r->results.len; i++)
		add_notifications(notifications, r->results.data[i]);
	put(o, "toolExecutionNotifications", notifications);
	json_array_append_new(all, o);
	return all;
}

/* What a table of the models shows. */
static json_t *run_properties(const struct evr_report *r)
{
	json_t *o = json_object(), *models = json_array();
	for (size_t i = 0; i < r->results.len; i++) {
		const struct evr_result *m = r->results.data[i];
		json_t *one = json_object();
		put_string(one, "model", m->model);
		put_string(one, "equivalence", m->equivalence);
		put_string(one, "verdict", evr_result_verdict(m));
		put(one, "complete", json_boolean(m->complete));
		put(one, "executions", json_integer((json_int_t)m->executions));
		json_array_append_new(models, one);
	}
	put_string(o, "command", r->command);
	put(o, "models", models);
	return o;
}

static json_t *tool(const struct sarif_log *l)
{
	json_t *o = json_object(), *driver = json_object();
	put_string(driver, "name", "Everett");
	put_string(driver, "version", EVR_VERSION);
	put_string(driver, "semanticVersion", EVR_VERSION);
	json_object_set(driver, "rules", l->rules);
	put(o, "driver", driver);
	return o;
}

static json_t *base_ids(void)
{
	json_t *o = json_object(), *root = json_object();
	put(root, "description", sarif_message("The directory in which everett was started."));
	put(o, SARIF_ROOT, root);
	return o;
}

static json_t *from_report(const struct evr_report *r, const char *json)
{
	struct sarif_log l = { .report = r, .artifacts = json_array(), .rules = json_array() };
	json_t *run = json_object(), *results = json_array();
	for (size_t i = 0; i < EVR_COUNT(kinds); i++)
		add_rule(&l, kinds[i].name, &kinds[i]);
	for (size_t i = 0; i < r->files.len; i++)
		sarif_artifact(&l, r->files.data[i]);
	for (size_t i = 0; i < r->results.len; i++)
		for (size_t j = 0; j < r->results.data[i]->findings.len; j++)
			if (!evr_finding_is_repeated(r, i, j))
				json_array_append_new(results, sarif_result(&l, json, i, j));
	for (size_t i = 0; i < r->results.len; i++)
		sarif_orders(&l, i, results);
	put(run, "tool", tool(&l));
	put(run, "columnKind", json_string("unicodeCodePoints"));
	put(run, "originalUriBaseIds", base_ids());
	put(run, "artifacts", l.artifacts);
	put(run, "invocations", invocations(r));
	put(run, "results", results);
	put(run, "properties", run_properties(r));
	json_decref(l.rules);
	evr_words_release(&l.uris);
	evr_words_release(&l.kinds);
	return run;
}

int evr_sarif_write(FILE *out, const struct evr_report *r, const char *json)
{
	json_t *o = json_object(), *runs = json_array();
	json_array_append_new(runs, from_report(r, json));
	put_string(o, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	put_string(o, "version", "2.1.0");
	put(o, "runs", runs);
	return evr_json_dump(out, o, 0);
}
