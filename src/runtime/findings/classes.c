/*
 * --classes: the class keys of all explored executions, counted, and written for tests and for the curious.
 *
 * Invariant: our part of the file has the executions since the search has last started again, and each class once.
 */
#include "event/classes.h"

#include "report/result.h"
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct seen {
	struct evr_set keys;
	struct evr_key sum;
};

static EVR_LASTING off_t start = -1; /* where our part of the file begins, if it can be rewritten */
/* What is known of an execution with this trace and ending. */
struct keys {
	struct evr_key key, of[EVR_CLASS_KINDS];
};
static EVR_LASTING EVR_VEC(struct keys) executions;
static EVR_LASTING struct evr_map known_traces; /* key.one -> index in executions */
static EVR_SCRATCH struct evr_graph graph;
static EVR_LASTING struct seen seen[EVR_CLASS_KINDS];
static EVR_LASTING struct evr_set printed; /* what the program printed, with the ending */
static EVR_LASTING char *names[EVR_MAX_THREADS];
static EVR_LASTING uint64_t merged; /* executions of other processes */

bool evr_classes_wanted(void)
{
	return evr_rt.config.classes_fd >= 0;
}

static void name_threads(void)
{
	for (unsigned i = 0; i < evr_rt.thread_count; i++) {
		const struct evr_thread *t = evr_rt.threads[i];
		if (!names[i])
			names[i] = i ? evr_format("%s.%u", names[t->parent], t->rank) : evr_strdup("0");
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Findings in an order that does not depend on the interleaving. */
static char *ending(void)
{
	struct evr_strbuf out;
	EVR_VEC(char *) lines = { 0 };
	evr_strbuf_init(&out);
	evr_strbuf_puts(&out, evr_execution.truncated ? "truncated" : evr_execution.blocked ? "blocked" : "complete");
	for (size_t i = 0; i < evr_execution.faults.len; i++) {
		const struct evr_fault *f = &evr_execution.faults.data[i];
		/* The order of writes decides that, not what was read. */
		if (f->after_free)
			continue;
		evr_vec_push(&lines, evr_format(" %s@%s:%u", f->kind, f->site->file, f->site->line));
	}
	if (lines.len)
		qsort(lines.data, lines.len, sizeof(*lines.data), by_text);
	for (size_t i = 0; i < lines.len; i++) {
		evr_strbuf_puts(&out, lines.data[i]);
		free(lines.data[i]);
	}
	evr_vec_release(&lines);
	return evr_strbuf_take(&out);
}

static bool note(struct seen *s, struct evr_key k)
{
	if (!evr_set_add(&s->keys, k, NULL))
		return false;
	s->sum.one += k.one;
	s->sum.two += k.two;
	return true;
}

static void put(const char *text, size_t n)
{
	while (n) {
		ssize_t done = write(evr_rt.config.classes_fd, text, n);
		if (done < 0)
			evr_die("cannot write the classes");
		text += done;
		n -= (size_t)done;
	}
}

/* The keys of an execution whose trace is new, and the texts of the classes that it is the first of. */
static struct keys new_keys(struct evr_strbuf *text, struct evr_strbuf *texts, const char *end)
{
	struct keys all;
	for (unsigned k = 0; k < EVR_CLASS_KINDS; k++) {
		evr_class_text(text, k, &graph, names, end);
		all.of[k] = evr_class_key(text->text);
		if (note(&seen[k], all.of[k]))
			evr_strbuf_printf(texts, "%s %016llx%016llx %s\n", evr_class_names[k],
					  (unsigned long long)all.of[k].one, (unsigned long long)all.of[k].two,
					  text->text);
	}
	return all;
}

/* How it ended and what the program printed, unless that is known: a line by itself, and no part of any class. */
static void add_printed(struct evr_strbuf *texts, const char *end)
{
	if (!evr_execution.output.len)
		return;
	struct evr_strbuf line;
	evr_strbuf_init(&line);
	evr_strbuf_printf(&line, "printed %s: ", end);
	for (const char *text = evr_execution.output.text; *text; text++) {
		if (*text == '\n')
			evr_strbuf_puts(&line, "\\n");
		else
			evr_strbuf_putc(&line, *text);
	}
	if (evr_set_add(&printed, evr_class_key(line.text), NULL))
		evr_strbuf_printf(texts, "%s\n", line.text);
	evr_strbuf_release(&line);
}

/*
 * A line for the execution, and one for each class that it is the first of. Most executions have a trace that was seen
 * before: then all is known. (The ending is part of what is looked up, so that nothing is taken for granted.)
 */
void evr_classes_note(uint64_t execution)
{
	static EVR_SCRATCH struct evr_strbuf text;
	struct evr_strbuf line, texts;
	char *end = ending();
	evr_strbuf_init(&line);
	evr_strbuf_init(&texts);
	name_threads();
	if (!text.text) {
		evr_strbuf_init(&text);
		start = lseek(evr_rt.config.classes_fd, 0, SEEK_CUR);
	}
	evr_graph_build(&graph, &evr_rt.world.trace, evr_rt.world.model->steps_name_sources);
	evr_class_text(&text, EVR_CLASS_TRACE, &graph, names, end);
	evr_strbuf_puts(&text, end);
	struct evr_key key = evr_class_key(text.text);
	uint64_t *index = evr_map_get(&known_traces, key.one);
	if (!index || executions.data[*index].key.two != key.two) {
		struct keys all = new_keys(&text, &texts, end);
		all.key = key;
		evr_map_put(&known_traces, key.one, executions.len);
		evr_vec_push(&executions, all);
		index = evr_map_get(&known_traces, key.one);
	}
	evr_strbuf_printf(&line, "execution %llu", (unsigned long long)execution);
	for (unsigned k = 0; k < EVR_CLASS_KINDS; k++) {
		struct evr_key of = executions.data[*index].of[k];
		evr_strbuf_printf(&line, " %s=%016llx%016llx", evr_class_names[k], (unsigned long long)of.one,
				  (unsigned long long)of.two);
	}
	evr_strbuf_putc(&line, '\n');
	add_printed(&texts, end);
	put(line.text, line.len);
	put(texts.text, texts.len);
	evr_strbuf_release(&line);
	evr_strbuf_release(&texts);
	free(end);
}

/* The search starts again: nothing was seen. The file may hold other models' classes before ours. */
void evr_classes_restart(void)
{
	for (unsigned k = 0; k < EVR_CLASS_KINDS; k++) {
		evr_set_clear(&seen[k].keys);
		seen[k].sum = (struct evr_key){ 0 };
	}
	evr_map_clear(&known_traces);
	evr_set_clear(&printed);
	evr_vec_clear(&executions);
	merged = 0;
	if (start >= 0 &&
	    (lseek(evr_rt.config.classes_fd, start, SEEK_SET) < 0 || ftruncate(evr_rt.config.classes_fd, start) < 0))
		put("restart\n", 8);
}

void evr_classes_report(struct evr_result *r)
{
	r->has_classes = true;
	for (unsigned k = 0; k < EVR_CLASS_KINDS; k++) {
		r->classes[k] = seen[k].keys.len;
		free(r->class_digests[k]);
		r->class_digests[k] = evr_format("%016llx%016llx", (unsigned long long)seen[k].sum.one,
						 (unsigned long long)seen[k].sum.two);
	}
}

static void merge_line(const char *line)
{
	char *text = NULL;
	if (!strncmp(line, "execution ", 10)) {
		const char *rest = strchr(line + 10, ' ');
		text = evr_format("execution %llu%s\n", (unsigned long long)++merged, rest ? rest : "");
	} else if (!strncmp(line, "printed ", 8)) {
		if (evr_set_add(&printed, evr_class_key(line), NULL))
			text = evr_format("%s\n", line);
	} else {
		for (unsigned k = 0; k < EVR_CLASS_KINDS; k++) {
			size_t n = strlen(evr_class_names[k]);
			unsigned long long one, two;
			if (strncmp(line, evr_class_names[k], n) != 0 || line[n] != ' ' ||
			    sscanf(line + n + 1, "%16llx%16llx", &one, &two) != 2)
				continue;
			if (note(&seen[k], (struct evr_key){ one, two }))
				text = evr_format("%s\n", line);
		}
	}
	if (text)
		put(text, strlen(text));
	free(text);
}

void evr_classes_merge(char *lines)
{
	char *rest = NULL;
	if (start < 0)
		start = lseek(evr_rt.config.classes_fd, 0, SEEK_CUR);
	for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		merge_line(line);
}
