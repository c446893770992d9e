/*
 * A run as SARIF 2.1.0, the format in which editors and code-review tools take the results of static analysis. Each
 * finding is a result with a code flow: a thread flow for each thread, its events numbered in the order of the execution.
 *
 * A run that verified nothing must not look like a clean one: then it was not successful, and a notification says why.
 */
#include "base/strbuf.h"
#include "report/format.h"
#include "report/source.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>

#ifndef EVR_VERSION
#define EVR_VERSION "0.2.0"
#endif

#define ROOT "%SRCROOT%" /* what relative paths are relative to, by the name that others give it, too */

static const struct kind {
	const char *name, *level, *summary, *meaning, *help;
} kinds[] = {
#define KIND(name, level, summary, meaning, help) { name, level, summary, meaning, help },
#include "report/kinds.def"
#undef KIND
};

struct log {
	const struct evr_report *report;
	json_t *artifacts, *rules;
	evr_words uris;   /* of the artifacts, in their order */
	evr_words kinds;  /* of the rules */
};

/* ---- pieces ---- */

static void put(json_t *o, const char *key, json_t *value)
{
	json_object_set_new(o, key, value);
}

static void put_string(json_t *o, const char *key, const char *s)
{
	char *text = evr_text_utf8(s);
	put(o, key, json_string(text));
	free(text);
}

/* In a message, a brace begins a placeholder unless it is doubled. */
static json_t *message(const char *text)
{
	json_t *o = json_object();
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	for (; *text; text++) {
		evr_strbuf_putc(&b, *text);
		if (*text == '{' || *text == '}')
			evr_strbuf_putc(&b, *text);
	}
	put_string(o, "text", b.text);
	evr_strbuf_release(&b);
	return o;
}

static bool is_plain(unsigned char c)
{
	return isascii(c) && (isalnum(c) || strchr("-._~/", c));
}

static char *uri_of(const char *file)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	if (*file == '/')
		evr_strbuf_puts(&b, "file://");
	while (!strncmp(file, "./", 2))
		file += 2;
	char *text = evr_text_utf8(file);
	for (const char *p = text; *p; p++)
		if (is_plain((unsigned char)*p))
			evr_strbuf_putc(&b, *p);
		else
			evr_strbuf_printf(&b, "%%%02X", (unsigned char)*p);
	free(text);
	return evr_strbuf_take(&b);
}

static json_t *artifact_location(const char *file)
{
	json_t *o = json_object();
	char *uri = uri_of(file);
	put_string(o, "uri", uri);
	if (*file != '/')
		put_string(o, "uriBaseId", ROOT);
	free(uri);
	return o;
}

static size_t word_index(const evr_words *words, const char *word)
{
	size_t i = 0;
	while (i < words->len && strcmp(words->data[i], word) != 0)
		i++;
	return i;
}

/* "./a.c" and "a.c" are one. */
static size_t artifact(struct log *l, const char *file)
{
	char *uri = uri_of(file);
	size_t i = word_index(&l->uris, uri);
	if (i == l->uris.len) {
		json_t *o = json_object();
		put(o, "location", artifact_location(file));
		json_array_append_new(l->artifacts, o);
		evr_words_add(&l->uris, uri);
	}
	free(uri);
	return i;
}

static bool is_ascii(const char *s)
{
	while (isascii((unsigned char)*s) && *s)
		s++;
	return !*s;
}

/* The compiler counts bytes, SARIF characters. Without the source they are taken to be the same. */
static unsigned characters(const char *file, unsigned line, unsigned column)
{
	const char *inner = evr_source_line(file, line), *s = evr_source_text(file);
	/* Nearly always; and lines are looked for from the first. */
	if (!inner || is_ascii(inner))
		return column;
	for (unsigned i = 1; s && i < line; i++) {
		s = strchr(s, '\n');
		s = s ? s + 1 : NULL;
	}
	unsigned count = column;
	for (unsigned i = 0; s && s[i] && s[i] != '\n' && i + 1 < column; i++)
		count -= ((unsigned char)s[i] & 0xc0) == 0x80;
	return count;
}

/* Whatever is not known is left out. */
static json_t *location(struct log *l, const char *file, unsigned line, unsigned column, const char *function)
{
	json_t *o = json_object();
	if (*file) {
		json_t *physical = json_object(), *where = artifact_location(file), *region = json_object();
		put(where, "index", json_integer((json_int_t)artifact(l, file)));
		put(physical, "artifactLocation", where);
		if (line)
			put(region, "startLine", json_integer(line));
		if (line && column)
			put(region, "startColumn", json_integer(characters(file, line, column)));
		if (line)
			json_object_set(physical, "region", region);
		json_decref(region);
		put(o, "physicalLocation", physical);
	}
	if (*function) {
		json_t *logical = json_object(), *all = json_array();
		put_string(logical, "name", function);
		put_string(logical, "kind", "function");
		json_array_append_new(all, logical);
		put(o, "logicalLocations", all);
	}
	return o;
}

/* ---- rules ---- */

static size_t add_rule(struct log *l, const char *name, const struct kind *k)
{
	json_t *o = json_object(), *configuration = json_object();
	put_string(o, "id", name);
	put_string(configuration, "level", k ? k->level : "error");
	put(o, "defaultConfiguration", configuration);
	if (k) {
		put(o, "shortDescription", message(k->summary));
		put(o, "fullDescription", message(k->meaning));
		put(o, "help", message(k->help));
	}
	json_array_append_new(l->rules, o);
	evr_words_add(&l->kinds, name);
	return l->kinds.len - 1;
}

/* A file may come from a version that knows more kinds. */
static size_t rule(struct log *l, const char *name)
{
	size_t i = word_index(&l->kinds, name);
	return i < l->kinds.len ? i : add_rule(l, name, NULL);
}

static const char *level_of(const char *name)
{
	for (size_t i = 0; i < EVR_COUNT(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return kinds[i].level;
	return "error";
}

/* ---- the flow of an execution ---- */

/* SARIF's words for what happens at a location, as far as it has some. */
static const char *const *words_for(const char *kind)
{
	static const struct {
		const char *kind, *words[3];
	} all[] = {
		{ "lock", { "acquire", "lock" } },   { "unlock", { "release", "lock" } },
		{ "free", { "release", "memory" } }, { "start", { "enter", "function" } },
		{ "exit", { "exit", "function" } },
	};
	for (size_t i = 0; i < EVR_COUNT(all); i++)
		if (!strcmp(all[i].kind, kind))
			return all[i].words;
	return NULL;
}

static json_t *step(json_t *where, const char *text, size_t order, const char *importance)
{
	json_t *o = json_object();
	put(where, "message", message(text));
	put(o, "location", where);
	put(o, "executionOrder", json_integer((json_int_t)order));
	put(o, "nestingLevel", json_integer(0));
	put_string(o, "importance", importance);
	return o;
}

static json_t *event_step(struct log *l, const struct evr_result_event *e, size_t order)
{
	char *what = evr_event_text(e), *text = evr_format("T%d#%u %s", e->thread, e->index, what);
	json_t *o = step(location(l, e->file, e->line, e->column, e->function), text, order,
			 e->decides ? "essential" : "important");
	const char *const *words = words_for(e->kind);
	if (words) {
		json_t *list = json_array();
		for (; *words; words++)
			json_array_append_new(list, json_string(*words));
		put(o, "kinds", list);
	}
	free(what);
	free(text);
	return o;
}

static char *headline(const struct evr_result_finding *f)
{
	const char *kind = *f->kind ? f->kind : "finding"; /* people edit files */
	return *f->message ? evr_format("%s: %s", kind, f->message) : evr_strdup(kind);
}

static json_t *failure_step(struct log *l, const struct evr_result_finding *f)
{
	char *text = headline(f);
	json_t *o = step(location(l, f->file, f->line, f->column, f->function), text, f->events.len + 1, "essential");
	json_t *list = json_array();
	json_array_append_new(list, json_string("danger"));
	put(o, "kinds", list);
	free(text);
	return o;
}

/* The events of a thread; the failure is the last thing that its thread did. */
static json_t *thread_flow(struct log *l, const struct evr_result_finding *f, int thread)
{
	json_t *o = json_object(), *locations = json_array();
	for (size_t i = 0; i < f->events.len; i++)
		if (f->events.data[i].past && f->events.data[i].thread == thread)
			json_array_append_new(locations, event_step(l, &f->events.data[i], i + 1));
	if (f->thread == thread)
		json_array_append_new(locations, failure_step(l, f));
	char *name = evr_format("T%d", thread);
	put_string(o, "id", name);
	put(o, "locations", locations);
	free(name);
	return o;
}

static json_t *thread_flows(struct log *l, const struct evr_result_finding *f)
{
	json_t *flows = json_array();
	EVR_VEC(int) threads = { 0 };
	for (size_t i = 0; i <= f->events.len; i++) {
		bool last = i == f->events.len;
		int thread = last ? f->thread : f->events.data[i].thread;
		bool known = last ? thread < 0 : !f->events.data[i].past;
		for (size_t k = 0; k < threads.len; k++)
			known |= threads.data[k] == thread;
		if (known)
			continue;
		evr_vec_push(&threads, thread);
		json_array_append_new(flows, thread_flow(l, f, thread));
	}
	evr_vec_release(&threads);
	return flows;
}

static json_t *code_flows(struct log *l, const struct evr_result *r, const struct evr_result_finding *f)
{
	json_t *o = json_object(), *all = json_array(), *flows = thread_flows(l, f);
	if (json_array_size(flows)) {
		char *text = evr_format("execution %" PRIu64 " under %s, up to the failure", f->execution, r->model);
		put(o, "message", message(text));
		json_object_set(o, "threadFlows", flows);
		json_array_append(all, o);
		free(text);
	}
	json_decref(flows);
	json_decref(o);
	return all;
}

/* ---- other places that belong to a finding ---- */

/*
 * What the message and the detail say of other places: "allocated at FILE:LINE by thread 0", "between FILE:LINE and
 * FILE:LINE". Only there do the two sides of a race, the life of a block and the places of fences stand.
 */
struct scan {
	struct log *log;
	json_t *found;
	evr_words seen; /* "FILE:LINE" */
};

/* "FILE:LINE" in a text. */
struct place {
	const char *text;
	size_t length, file; /* of all of it, and of the name alone */
	unsigned line;
};

/* File names have blanks, but not the characters between the parts of sentences. */
static bool find_place(const char *s, struct place *p)
{
	for (size_t i = 0; s[i] && !strchr("\n,()", s[i]); i++) {
		if (s[i] != ':' || !isdigit((unsigned char)s[i + 1]) || !i)
			continue;
		char *end;
		unsigned long line = strtoul(s + i + 1, &end, 10);
		*p = (struct place){ s, (size_t)(end - s), i, line <= INT_MAX ? (unsigned)line : 0 };
		return true;
	}
	return false;
}

static void add_place(struct scan *s, const struct place *p, const char *part, size_t part_length)
{
	char *name = evr_strndup(p->text, p->length);
	if (p->line && word_index(&s->seen, name) == s->seen.len) {
		char *file = evr_strndup(p->text, p->file), *text = evr_strndup(part, part_length);
		json_t *o = location(s->log, file, p->line, 0, "");
		put(o, "id", json_integer((json_int_t)json_array_size(s->found) + 1));
		put(o, "message", message(text));
		json_array_append_new(s->found, o);
		evr_words_add(&s->seen, name);
		free(file);
		free(text);
	}
	free(name);
}

static void scan_part(struct scan *s, const char *part, size_t n)
{
	enum { AT, BETWEEN, AND };
	static const char *const words[] = { "at ", "between ", "and " };
	bool between = false;
	for (size_t i = 0; i < n; i++) {
		size_t w = 0;
		while (w < EVR_COUNT(words) && strncmp(part + i, words[w], strlen(words[w])) != 0)
			w++;
		if ((i && part[i - 1] != ' ') || w == EVR_COUNT(words) || (w == AND && !between))
			continue;
		struct place p;
		size_t skip = strlen(words[w]);
		if (!find_place(part + i + skip, &p) || i + skip + p.length > n)
			continue;
		between = w == BETWEEN;
		add_place(s, &p, part, n);
		i += skip + p.length - 1;
	}
}

/* A part ends at one of the `ends`; it is what is said of the places in it. */
static void scan_text(struct scan *s, const char *text, const char *ends)
{
	while (*text) {
		text += strspn(text, ends);
		text += strspn(text, " ");
		size_t n = strcspn(text, ends);
		scan_part(s, text, n);
		text += n;
	}
}

static json_t *related(struct log *l, const struct evr_result_finding *f)
{
	struct scan s = { .log = l, .found = json_array() };
	char *own = evr_format("%s:%u", f->file, f->line);
	evr_words_add(&s.seen, own);
	free(own);
	scan_text(&s, f->detail, "\n");
	/* The condition of an assertion is the program's text, not ours. */
	if (strcmp(f->kind, "assertion") != 0)
		scan_text(&s, f->message, "\n,()");
	evr_words_release(&s.seen);
	return s.found;
}

/* ---- results ---- */

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
static json_t *execution_properties(const struct log *l, const char *json, size_t i, size_t j)
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
static json_t *other_executions(const struct log *l, const char *json, size_t i, const struct evr_result_finding *f)
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

static json_t *result_properties(const struct log *l, const char *json, size_t i, size_t j)
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
static json_t *result_locations(struct log *l, const struct evr_result_finding *f)
{
	json_t *all = json_array();
	const char *first = l->report->files.len ? l->report->files.data[0] : "";
	if (*f->file)
		json_array_append_new(all, location(l, f->file, f->line, f->column, f->function));
	else if (*first)
		json_array_append_new(all, location(l, first, 0, 0, ""));
	return all;
}

/* "tso, pso and ra" */
static char *models_of(const struct log *l, const struct evr_result_finding *f)
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

static json_t *from_finding(struct log *l, const char *json, size_t i, size_t j)
{
	const struct evr_result *r = l->report->results.data[i];
	const struct evr_result_finding *f = &r->findings.data[j];
	json_t *o = json_object(), *prints = json_object();
	put_string(o, "ruleId", f->kind);
	put(o, "ruleIndex", json_integer((json_int_t)rule(l, f->kind)));
	put_string(o, "kind", "fail");
	put_string(o, "level", level_of(f->kind));
	char *what = headline(f), *models = models_of(l, f), *print = fingerprint(f);
	char *text = evr_format("%s (under %s)", what, models);
	put(o, "message", message(text));
	put(o, "locations", result_locations(l, f));
	put(o, "relatedLocations", related(l, f));
	put(o, "codeFlows", code_flows(l, r, f));
	put_string(prints, "everettFinding/v1", print);
	put(o, "partialFingerprints", prints);
	put(o, "properties", result_properties(l, json, i, j));
	free(what);
	free(models);
	free(text);
	free(print);
	return o;
}

/* ---- the run ---- */

static json_t *notification(const char *level, const struct evr_result *r, const char *text)
{
	json_t *o = json_object();
	char *whole = evr_format("%s%s%s: %s", r->model, *r->equivalence ? "/" : "", r->equivalence, text);
	put_string(o, "level", level);
	put(o, "message", message(whole));
	free(whole);
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

static json_t *tool(const struct log *l)
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
	put(root, "description", message("The directory in which everett was started."));
	put(o, ROOT, root);
	return o;
}

static json_t *from_report(const struct evr_report *r, const char *json)
{
	struct log l = { .report = r, .artifacts = json_array(), .rules = json_array() };
	json_t *run = json_object(), *results = json_array();
	for (size_t i = 0; i < EVR_COUNT(kinds); i++)
		add_rule(&l, kinds[i].name, &kinds[i]);
	for (size_t i = 0; i < r->files.len; i++)
		artifact(&l, r->files.data[i]);
	for (size_t i = 0; i < r->results.len; i++)
		for (size_t j = 0; j < r->results.data[i]->findings.len; j++)
			if (!evr_finding_is_repeated(r, i, j))
				json_array_append_new(results, from_finding(&l, json, i, j));
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
	errno = 0;
	int failed = json_dumpf(o, out, JSON_INDENT(1));
	if (failed && !errno)
		errno = EIO;
	fputc('\n', out);
	json_decref(o);
	return failed ? -1 : evr_format_finish(out);
}
