/*
 * Coverage: added up, as a line for people, and in the format of lcov.
 *
 * lcov's counts say how often. Here nobody counts: 1 is executed, 0 is not.
 */
#include "report/coverage.h"

#include "base/strbuf.h"

/* ---- points ---- */

static int compare(long long a, long long b)
{
	return a < b ? -1 : a > b;
}

static int kind_of(const struct evr_result_point *p)
{
	return !strcmp(p->kind, "function") ? 0 : !strcmp(p->kind, "line") ? 1 : 2;
}

static bool is_branch(const struct evr_result_point *p)
{
	return kind_of(p) == 2;
}

static bool is_line(const struct evr_result_point *p)
{
	return kind_of(p) == 1;
}

#define CASE "case "

static int rank_of(const char *edge)
{
	return !strcmp(edge, "true") ? 0 : !strcmp(edge, "false") ? 1 : evr_starts_with(edge, CASE) ? 2 : 3;
}

static int compare_edges(const char *a, const char *b)
{
	int order = compare(rank_of(a), rank_of(b));
	if (order || rank_of(a) != 2)
		return order ? order : strcmp(a, b);
	return compare(strtoll(a + strlen(CASE), NULL, 10), strtoll(b + strlen(CASE), NULL, 10));
}

static int compare_branches(const struct evr_result_point *a, const struct evr_result_point *b)
{
	int order = strcmp(a->function, b->function);
	return order ? order : compare(a->number, b->number);
}

int evr_point_compare(const struct evr_result_point *a, const struct evr_result_point *b)
{
	int order = strcmp(a->file, b->file);
	if (!order)
		order = compare(a->line, b->line);
	if (!order)
		order = compare(kind_of(a), kind_of(b));
	if (!order)
		order = compare_branches(a, b);
	return order ? order : compare_edges(a->edge, b->edge);
}

static int by_place(const void *a, const void *b)
{
	return evr_point_compare(a, b);
}

static void add_copy(struct evr_result *to, const struct evr_result_point *from)
{
	struct evr_result_point *p = evr_result_add_point(to);
	evr_result_set(&p->kind, from->kind);
	evr_result_set(&p->file, from->file);
	evr_result_set(&p->function, from->function);
	evr_result_set(&p->edge, from->edge);
	p->line = from->line;
	p->column = from->column;
	p->number = from->number;
	p->executed = from->executed;
}

void evr_points_add(struct evr_result *to, const struct evr_result *from)
{
	size_t own = to->points.len;
	for (size_t i = 0; from && i < from->points.len; i++) {
		const struct evr_result_point *p = &from->points.data[i];
		struct evr_result_point *same = own ? bsearch(p, to->points.data, own, sizeof(*p), by_place) : NULL;
		if (same)
			same->executed |= p->executed;
		else
			add_copy(to, p);
	}
	if (to->points.len > own)
		qsort(to->points.data, to->points.len, sizeof(*to->points.data), by_place);
}

struct evr_result *evr_report_coverage(const struct evr_report *r)
{
	struct evr_result *all = evr_result_new("", "");
	for (size_t i = 0; i < r->results.len; i++)
		evr_points_add(all, r->results.data[i]);
	return all;
}

struct evr_point_count evr_points_count(const struct evr_result *r, const char *kind)
{
	struct evr_point_count n = { 0 };
	for (size_t i = 0; i < r->points.len; i++) {
		if (strcmp(r->points.data[i].kind, kind) != 0)
			continue;
		n.all++;
		n.executed += r->points.data[i].executed;
	}
	return n;
}

/* ---- the line for people ---- */

#define MOST_SHOWN 6

/* What is written so far. */
struct list {
	struct evr_strbuf text;
	size_t shown;
	const char *file; /* of the last one */
};

/* False: there are enough. */
static bool begin_item(struct list *l, const struct evr_result_point *p)
{
	if (l->shown++ == MOST_SHOWN)
		return false;
	evr_strbuf_puts(&l->text, l->shown > 1 ? ", " : "");
	if (!l->file || strcmp(l->file, p->file) != 0)
		evr_strbuf_printf(&l->text, "%s:", p->file);
	l->file = p->file;
	evr_strbuf_printf(&l->text, "%u", p->line);
	return true;
}

/* Lines without code, and ways of branches in lines that were not executed, do not interrupt a range. Returns the last point of it. */
static size_t end_of_range(const struct evr_result *r, size_t i)
{
	const struct evr_result_point *first = &r->points.data[i];
	size_t last = i;
	for (; i < r->points.len && !strcmp(r->points.data[i].file, first->file); i++) {
		const struct evr_result_point *p = &r->points.data[i];
		if (is_line(p) && p->executed)
			break;
		if (is_line(p))
			last = i;
	}
	while (last + 1 < r->points.len && is_branch(&r->points.data[last + 1]) &&
	       r->points.data[last + 1].line == r->points.data[last].line)
		last++;
	return last;
}

/* Are there other branches in the line? */
static bool has_others(const struct evr_result *r, size_t i)
{
	const struct evr_result_point *p = &r->points.data[i], *first = p, *last = p,
				      *end = r->points.data + r->points.len;
	while (first > r->points.data && is_branch(first - 1) && first[-1].line == p->line)
		first--;
	while (last + 1 < end && is_branch(last + 1) && last[1].line == p->line)
		last++;
	return first->number != last->number;
}

static void list_points(const struct evr_result *r, struct list *l)
{
	for (size_t i = 0; i < r->points.len; i++) {
		const struct evr_result_point *p = &r->points.data[i];
		if (p->executed || kind_of(p) == 0)
			continue;
		if (!begin_item(l, p)) {
			evr_strbuf_puts(&l->text, ", ...");
			return;
		}
		if (is_branch(p)) {
			evr_strbuf_puts(&l->text, " (");
			if (has_others(r, i))
				evr_strbuf_printf(&l->text, "condition %u: ", p->number + 1);
			evr_strbuf_printf(&l->text, "%s)", p->edge);
			continue;
		}
		i = end_of_range(r, i);
		if (r->points.data[i].line > p->line)
			evr_strbuf_printf(&l->text, "-%u", r->points.data[i].line);
	}
}

/* A search that ends at its first finding covers what it happens to. */
static bool is_worth_it(const struct evr_report *r)
{
	for (size_t i = 0; i < r->results.len; i++)
		if (r->results.data[i]->points.len &&
		    (r->results.data[i]->complete || !r->results.data[i]->findings.len))
			return true;
	return false;
}

static void add_count(struct evr_strbuf *b, struct evr_point_count n, const char *what)
{
	if (n.executed < n.all)
		evr_strbuf_printf(b, "%s%zu of %zu %s", b->len ? ", " : "", n.all - n.executed, n.all, what);
}

char *evr_coverage_text(const struct evr_report *r)
{
	struct evr_strbuf b;
	struct list l = { 0 };
	evr_strbuf_init(&b);
	if (!is_worth_it(r))
		return evr_strbuf_take(&b);
	struct evr_result *all = evr_report_coverage(r);
	evr_strbuf_init(&l.text);
	add_count(&b, evr_points_count(all, "line"), "lines");
	add_count(&b, evr_points_count(all, "branch"), "branches");
	list_points(all, &l);
	char *text = b.len ? evr_format("not executed: %s: %s%s", b.text, l.text.text,
					l.shown > MOST_SHOWN ? "; --coverage FILE has all of them" : "")
			   : evr_strdup("");
	evr_strbuf_release(&l.text);
	evr_strbuf_release(&b);
	evr_result_free(all);
	return text;
}

/* ---- lcov ---- */

/* Those of one file. */
struct section {
	FILE *out;
	const struct evr_result_point *points;
	size_t n;
};

static void put_functions(const struct section *s)
{
	size_t all = 0, executed = 0;
	for (size_t i = 0; i < s->n; i++)
		if (kind_of(&s->points[i]) == 0)
			fprintf(s->out, "FN:%u,%s\n", s->points[i].line, s->points[i].function);
	for (size_t i = 0; i < s->n; i++) {
		const struct evr_result_point *p = &s->points[i];
		if (kind_of(p) != 0)
			continue;
		fprintf(s->out, "FNDA:%d,%s\n", p->executed, p->function);
		all++;
		executed += p->executed;
	}
	fprintf(s->out, "FNF:%zu\nFNH:%zu\n", all, executed);
}

static bool is_same_branch(const struct evr_result_point *a, const struct evr_result_point *b)
{
	return is_branch(b) && a->line == b->line && !compare_branches(a, b);
}

/* The branches of a line are numbered, and so are the ways out of each. "-": it was not reached. */
static void put_branches(const struct section *s)
{
	size_t all = 0, taken = 0;
	unsigned line = 0, block = 0;
	for (size_t i = 0, end; i < s->n; i = end) {
		const struct evr_result_point *p = &s->points[i];
		bool reached = false;
		end = i + 1;
		if (!is_branch(p))
			continue;
		for (end = i; end < s->n && is_same_branch(p, &s->points[end]); end++)
			reached |= s->points[end].executed;
		block = p->line == line ? block + 1 : 0;
		line = p->line;
		for (size_t k = i; k < end; k++) {
			const char *count = !reached ? "-" : s->points[k].executed ? "1" : "0";
			fprintf(s->out, "BRDA:%u,%u,%zu,%s\n", line, block, k - i, count);
			all++;
			taken += s->points[k].executed;
		}
	}
	fprintf(s->out, "BRF:%zu\nBRH:%zu\n", all, taken);
}

static void put_lines(const struct section *s)
{
	size_t all = 0, executed = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct evr_result_point *p = &s->points[i];
		if (!is_line(p))
			continue;
		fprintf(s->out, "DA:%u,%d\n", p->line, p->executed);
		all++;
		executed += p->executed;
	}
	fprintf(s->out, "LF:%zu\nLH:%zu\n", all, executed);
}

int evr_coverage_write(FILE *out, const struct evr_report *r, const char *json)
{
	struct evr_result *all = evr_report_coverage(r);
	(void)json;
	for (size_t i = 0; i < all->points.len;) {
		struct section s = { .out = out, .points = &all->points.data[i] };
		while (i + s.n < all->points.len && !strcmp(s.points[s.n].file, s.points->file))
			s.n++;
		/* A path with a newline would be something else. */
		char *file = evr_text_printable(s.points->file, false);
		fprintf(out, "TN:\nSF:%s\n", file);
		free(file);
		put_functions(&s);
		put_branches(&s);
		put_lines(&s);
		fputs("end_of_record\n", out);
		i += s.n;
	}
	evr_result_free(all);
	return evr_format_finish(out);
}
