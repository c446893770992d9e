/*
 * Findings as graphs for Graphviz: a lane for each thread with its events in program order, and between them who read
 * from whom (rf), which write came after which (co), which write a read did not see (fr), and who synchronises with whom (sw).
 *
 * All findings are clusters of one graph: of several graphs in a file, `dot -Tsvg` makes a file that no browser shows.
 */
#include "base/strbuf.h"
#include "report/format.h"
#include "report/source.h"

enum { MOST_EVENTS = 200 }; /* of a finding; nobody reads a larger graph, and Graphviz takes minutes for it */

typedef EVR_VEC(const struct evr_result_event *) event_vec;

/* One finding. An event is named by the finding's number and its own in `shown`. */
struct graph {
	FILE *out;
	size_t number;
	const struct evr_result_finding *f;
	event_vec shown;
	EVR_VEC(int) threads;
	size_t left_out;
};

/* What Graphviz takes for an escape or an entity must be none. */
static void put_escaped(FILE *out, const char *s)
{
	char *text = evr_text_shown(s);
	for (const char *p = text; *p; p++) {
		if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else if (*p == '&')
			fputs("&amp;", out);
		else if (*p == '\n')
			fputs("\\l", out);
		else
			fputc(*p, out);
	}
	free(text);
}

static bool is(const struct evr_result_event *e, const char *kind)
{
	return !strcmp(e->kind, kind);
}

/* The end of a buffered write, which has the write's thread and index. */
static bool is_update(const struct evr_result_event *e)
{
	return is(e, "update");
}

static bool writes(const struct evr_result_event *e)
{
	if (is(e, "rmw") || is(e, "cas"))
		return strstr(e->value, " -> ") != NULL;
	return is(e, "write");
}

static size_t lane_of(const struct graph *g, int thread)
{
	size_t i = 0;
	while (i < g->threads.len && g->threads.data[i] != thread)
		i++;
	return i;
}

static void collect(struct graph *g)
{
	size_t count = 0, seen = 0;
	for (size_t i = 0; i < g->f->events.len; i++)
		count += g->f->events.data[i].past;
	g->left_out = count > MOST_EVENTS ? count - MOST_EVENTS : 0;
	for (size_t i = 0; i < g->f->events.len; i++) {
		const struct evr_result_event *e = &g->f->events.data[i];
		if (!e->past || seen++ < g->left_out)
			continue;
		evr_vec_push(&g->shown, e);
		if (lane_of(g, e->thread) == g->threads.len)
			evr_vec_push(&g->threads, e->thread);
	}
	if (g->f->thread >= 0 && lane_of(g, g->f->thread) == g->threads.len)
		evr_vec_push(&g->threads, g->f->thread);
}

/* ---- nodes ---- */

static void put_event(const struct graph *g, size_t i)
{
	const struct evr_result_event *e = g->shown.data[i];
	char *text = evr_event_text(e);
	const char *source = evr_source_line(e->file, e->line);
	fprintf(g->out, "\t\t\tf%zu_e%zu [label=\"#%u", g->number, i, e->index);
	if (*e->file) {
		fputc(' ', g->out);
		put_escaped(g->out, evr_base_name(e->file));
		fprintf(g->out, ":%u", e->line);
	}
	fputs("\\n", g->out);
	put_escaped(g->out, text);
	if (e->decides)
		fputs("\\nfrom here on every execution fails", g->out);
	fputs("\", tooltip=\"", g->out);
	put_escaped(g->out, source ? source : text);
	fputc('"', g->out);
	if (e->decides)
		fputs(", color=red, penwidth=2", g->out);
	else if (e->buffered || is_update(e))
		fputs(", style=\"rounded,dashed\"", g->out);
	fputs("];\n", g->out);
	free(text);
}

/* What failed: the last thing that its thread did. */
static void put_failure(const struct graph *g)
{
	const struct evr_result_finding *f = g->f;
	fprintf(g->out, "\t\t\tf%zu_failure [label=\"", g->number);
	if (*f->file) {
		put_escaped(g->out, evr_base_name(f->file));
		fprintf(g->out, ":%u\\n", f->line);
	}
	put_escaped(g->out, f->kind);
	fputs("!\", tooltip=\"", g->out);
	put_escaped(g->out, f->message);
	fputs("\", shape=octagon, style=filled, fillcolor=\"#ffd0d0\", color=red, penwidth=2];\n", g->out);
}

static void put_lane(const struct graph *g, size_t lane)
{
	int thread = g->threads.data[lane];
	fprintf(g->out, "\t\tsubgraph cluster_f%zu_t%zu {\n\t\t\tlabel=\"T%d\";\n", g->number, lane, thread);
	for (size_t i = 0; i < g->shown.len; i++)
		if (g->shown.data[i]->thread == thread)
			put_event(g, i);
	if (g->f->thread == thread)
		put_failure(g);
	fputs("\t\t}\n", g->out);
}

/* ---- edges ---- */

static void put_edge(const struct graph *g, size_t from, size_t to, const char *attributes)
{
	fprintf(g->out, "\t\tf%zu_e%zu -> f%zu_e%zu [%s];\n", g->number, from, g->number, to, attributes);
}

#define RF "color=\"#008000\", fontcolor=\"#008000\", label=rf, constraint=false"
#define CO "color=blue, fontcolor=blue, label=co, constraint=false"
#define FR "color=red, fontcolor=red, style=dashed, label=fr, constraint=false"
#define SW "color=\"#8000a0\", fontcolor=\"#8000a0\", style=bold, label=sw, constraint=false"
#define PO "weight=10"
#define SYNC "color=gray40, fontcolor=gray40, style=dotted"

static void put_program_order(const struct graph *g, int thread)
{
	size_t last = g->shown.len;
	for (size_t i = 0; i < g->shown.len; i++) {
		const struct evr_result_event *e = g->shown.data[i];
		if (e->thread != thread || is_update(e))
			continue;
		if (last < g->shown.len)
			put_edge(g, last, i, PO);
		last = i;
	}
	if (g->f->thread == thread && last < g->shown.len)
		fprintf(g->out, "\t\tf%zu_e%zu -> f%zu_failure [" PO "];\n", g->number, last, g->number);
}

static size_t find(const struct graph *g, int thread, int index)
{
	size_t i = 0;
	while (i < g->shown.len && (g->shown.data[i]->thread != thread || (int)g->shown.data[i]->index != index ||
				    is_update(g->shown.data[i])))
		i++;
	return i;
}

/* From a read to the writes right after the one it read. */
static void put_from_reads(const struct graph *g, size_t read)
{
	const struct evr_result_event *r = g->shown.data[read];
	for (size_t i = 0; i < g->shown.len; i++) {
		const struct evr_result_event *w = g->shown.data[i];
		if (i == read || !writes(w) || strcmp(w->location, r->location) != 0)
			continue;
		if (r->initial ? w->after_thread < 0
			       : w->after_thread == r->source_thread && w->after_index == r->source_index)
			put_edge(g, read, i, FR);
	}
}

/* Creation, and the wait for an end; the value of the event is the thread's number. */
static void put_threads(const struct graph *g, size_t event)
{
	const struct evr_result_event *e = g->shown.data[event];
	bool create = is(e, "create");
	for (size_t i = 0; i < g->shown.len; i++) {
		const struct evr_result_event *o = g->shown.data[i];
		if (!is(o, create ? "start" : "exit") || o->thread != (int)strtol(e->value, NULL, 10))
			continue;
		if (create)
			put_edge(g, event, i, SYNC);
		else
			put_edge(g, i, event, SYNC);
	}
}

static void put_synchronisation(const struct graph *g, size_t event)
{
	const struct evr_result_event *e = g->shown.data[event];
	for (size_t i = 0; i < e->synchronises.len; i++) {
		size_t to = find(g, e->synchronises.data[i].thread, e->synchronises.data[i].index);
		if (to < g->shown.len)
			put_edge(g, event, to, SW);
	}
}

static void put_edges(const struct graph *g)
{
	for (size_t i = 0; i < g->threads.len; i++)
		put_program_order(g, g->threads.data[i]);
	for (size_t i = 0; i < g->shown.len; i++) {
		const struct evr_result_event *e = g->shown.data[i];
		size_t source = e->source_thread < 0 ? g->shown.len : find(g, e->source_thread, e->source_index);
		size_t after = e->after_thread < 0 ? g->shown.len : find(g, e->after_thread, e->after_index);
		if (is_update(e)) {
			size_t write = find(g, e->thread, (int)e->index);
			if (write < g->shown.len)
				put_edge(g, write, i, SYNC);
			continue;
		}
		if (source < g->shown.len)
			put_edge(g, source, i, RF);
		if (after < g->shown.len)
			put_edge(g, after, i, CO);
		if (e->initial || e->source_thread >= 0)
			put_from_reads(g, i);
		put_synchronisation(g, i);
		if (*e->value && (is(e, "create") || is(e, "join")))
			put_threads(g, i);
	}
}

/* ---- all of it ---- */

static void put_headline(const struct graph *g, const struct evr_result *r, const char *models)
{
	const struct evr_result_finding *f = g->f;
	fputs("\t\tlabel=\"", g->out);
	if (*f->file) {
		put_escaped(g->out, f->file);
		fprintf(g->out, ":%u: ", f->line);
	}
	put_escaped(g->out, f->kind);
	if (*f->message) {
		fputs(": ", g->out);
		put_escaped(g->out, f->message);
	}
	char *execution = evr_text_execution(r, f);
	fputs("\\l", g->out);
	put_escaped(g->out, execution);
	free(execution);
	if (*models) {
		fputs("\\l", g->out);
		put_escaped(g->out, models);
	}
	if (g->left_out)
		fprintf(g->out, "\\l%zu earlier events are left out here; the JSON report has them", g->left_out);
	fputs("\\l\";\n", g->out);
}

static void put_finding(FILE *out, size_t number, const struct evr_result *r, const struct evr_result_finding *f,
			const char *models)
{
	struct graph g = { .out = out, .number = number, .f = f };
	collect(&g);
	fprintf(out, "\tsubgraph cluster_f%zu {\n", number);
	put_headline(&g, r, models);
	if (*f->detail) {
		fprintf(out, "\t\tf%zu_detail [shape=note, label=\"", number);
		put_escaped(out, f->detail);
		fputs("\"];\n", out);
	}
	char *stronger = evr_stronger_text(f, "\n  ");
	if (*stronger) {
		fprintf(out, "\t\tf%zu_stronger [shape=note, label=\"", number);
		put_escaped(out, stronger);
		fputs("\\l\"];\n", out);
	}
	free(stronger);
	for (size_t i = 0; i < g.threads.len; i++)
		put_lane(&g, i);
	if (f->thread < 0)
		put_failure(&g);
	put_edges(&g);
	fputs("\t}\n", out);
	evr_vec_release(&g.shown);
	evr_vec_release(&g.threads);
}

/* `alone`: all findings of this model, else those that no stronger model has. */
static void put_findings(FILE *out, size_t *number, const struct evr_report *r, size_t result, bool alone)
{
	const struct evr_result *m = r->results.data[result];
	for (size_t j = 0; j < m->findings.len; j++) {
		if (!alone && evr_finding_is_repeated(r, result, j))
			continue;
		char *models = evr_finding_models(r, result, j);
		put_finding(out, (*number)++, m, &m->findings.data[j], models);
		free(models);
	}
}

/* Where there is nothing to draw, say what came out. */
static void put_verdict(FILE *out, size_t number, const struct evr_result *r)
{
	fprintf(out, "\tr%zu [label=\"", number);
	put_escaped(out, r->model);
	if (*r->equivalence) {
		fputc('/', out);
		put_escaped(out, r->equivalence);
	}
	fprintf(out, ": %s", evr_result_verdict(r));
	if (r->error || *evr_result_reason(r)) {
		fputs("\\n", out);
		put_escaped(out, r->error ? r->error : evr_result_reason(r));
	}
	fputs("\"];\n", out);
}

static void put_beginning(FILE *out)
{
	fputs("// po: black; rf: green; co: blue; fr: red, dashed; sw: violet, bold; create, join, and from a buffered write to its update: gray, dotted\n"
	      "digraph everett {\n"
	      "\tgraph [fontname=\"sans-serif\", fontsize=11, labeljust=l, newrank=true];\n"
	      "\tnode [fontname=\"sans-serif\", fontsize=10, shape=box, style=rounded, margin=\"0.08,0.04\", height=0.3];\n"
	      "\tedge [fontname=\"sans-serif\", fontsize=9, arrowsize=0.7];\n",
	      out);
}

static void put_result(FILE *out, size_t *number, const struct evr_report *r, size_t result, bool alone)
{
	const struct evr_result *m = r->results.data[result];
	put_findings(out, number, r, result, alone);
	if (!m->findings.len || m->error)
		put_verdict(out, result, m);
}

int evr_dot_write(FILE *out, const struct evr_report *r, const char *json)
{
	(void)json;
	size_t number = 0;
	put_beginning(out);
	for (size_t i = 0; i < r->results.len; i++)
		put_result(out, &number, r, i, false);
	fputs("}\n", out);
	return evr_format_finish(out);
}

int evr_dot_write_model(FILE *out, const struct evr_report *r, size_t result)
{
	size_t number = 0;
	put_beginning(out);
	put_result(out, &number, r, result, true);
	fputs("}\n", out);
	return evr_format_finish(out);
}
