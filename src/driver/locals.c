#include "driver/locals.h"

#include "base/strbuf.h"
#include "driver/launch.h"
#include "driver/process.h"
#include "driver/temp.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* gdb takes milliseconds for an event. */
#define MOST_EVENTS 400
#define MOST_FINDINGS 5

/* What gdb writes, or NULL; to be freed. */
static char *record(const struct evr_options *o, const char *checker, const struct evr_result *r,
		    const struct evr_result_finding *f)
{
	struct evr_options run = *o;
	run.replay = f->schedule;
	run.equivalence = *r->equivalence ? r->equivalence : o->equivalence;
	run.gdb = 1;
	run.jobs = 1;
	run.default_model = false;
	run.classes = run.checkpoint = NULL;
	run.timeout = -1;
	run.max_executions = -1;
	run.progress = EVR_NEVER;
	int fd = open("/dev/null", O_WRONLY);
	char *words = evr_checker_words(&run, r->model, fd), *script = evr_companion("everett-gdb.py");
	char *path = evr_temp_file("locals"), *command = evr_format("everett record %s %d", path, MOST_EVENTS);
	char *environment = evr_format("set environment EVERETT_CHECKER %s", words);
	const char *const gdb[] = { "gdb",    "-q",
				    "-nx",    "-batch",
				    "-iex",   "set auto-load off",
				    "-iex",   "set debuginfod enabled off",
				    "-x",     script,
				    "-ex",    environment,
				    "-ex",    command,
				    "--args", checker };
	evr_words argv = { 0 };
	for (size_t i = 0; i < EVR_COUNT(gdb); i++)
		evr_words_add(&argv, gdb[i]);
	for (size_t i = 0; i < o->args.len; i++)
		evr_words_add(&argv, o->args.data[i]);
	char *printed = evr_process_answer(&argv), *written = printed ? evr_read_file(path) : NULL;
	evr_words_release(&argv);
	unlink(path);
	close(fd);
	free(printed);
	free(environment);
	free(command);
	free(path);
	free(script);
	free(words);
	return written;
}

/* Events have other numbers in reports than in the trace: what is of no interest is left out there. */
static json_t *number(const json_t *recorded, const struct evr_result_finding *f)
{
	json_t *events = json_array();
	size_t next = 0, n = json_array_size(recorded);
	for (size_t i = 0; i < f->events.len; i++) {
		const struct evr_result_event *e = &f->events.data[i];
		json_t *seen = NULL;
		while (next < n) {
			seen = json_array_get(recorded, next);
			if ((uint64_t)json_integer_value(json_object_get(seen, "place")) >= e->place)
				break;
			next++;
		}
		if (next == n)
			break;
		if ((uint64_t)json_integer_value(json_object_get(seen, "place")) == e->place &&
		    json_integer_value(json_object_get(seen, "thread")) == e->thread)
			json_array_append_new(events,
					      json_pack("{s:i, s:i, s:O}", "thread", e->thread, "index", (int)e->index,
							"frames", json_object_get(seen, "frames")));
	}
	return events;
}

void evr_locals_find(struct evr_report *r, const struct evr_options *o, const char *checker)
{
	int asked = 0;
	for (size_t i = 0; i < r->results.len; i++) {
		struct evr_result *result = r->results.data[i];
		for (size_t k = 0; k < result->findings.len && asked < MOST_FINDINGS; k++) {
			struct evr_result_finding *f = &result->findings.data[k];
			/* A loop that has no end has none in gdb either. */
			if (f->locals || !*f->schedule || f->events.len > MOST_EVENTS ||
			    !strcmp(f->kind, "no-progress"))
				continue;
			asked++;
			char *text = record(o, checker, result, f);
			json_t *all = text ? json_loads(text, 0, NULL) : NULL;
			free(text);
			if (!all)
				return;
			json_object_set_new(all, "events", number(json_object_get(all, "events"), f));
			f->locals = json_dumps(all, JSON_COMPACT);
			json_decref(all);
		}
	}
}
