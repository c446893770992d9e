/*
 * The report of one finding for people: what and where, the execution with one column per thread, what the program
 * printed, and how to run it again.
 *
 * Invariant: text of the program reaches the terminal only through evr_text_printable(). The execution is shown as far as it is
 * in the finding's causal past; each thread has one column, or each event one line if the terminal is too narrow for that.
 */
#include "base/strbuf.h"
#include "report/format.h"
#include "report/source.h"

enum {
	GAP = 2,          /* blanks between columns */
	MARGIN = 2,       /* and before the first */
	NARROW = 22,      /* a column that is narrower tears its cells apart; the list reads better */
	MOST_ROWS = 200,  /* nobody scrolls further; JSON has all of them */
};

#define BOLD "1"
#define RED "1;31"
#define DIM "2"
#define YELLOW "33"

struct page {
	FILE *out;
	const struct evr_text_options *o;
	const struct evr_result_finding *f;
	EVR_VEC(int) threads;         /* one per column */
	EVR_VEC(const struct evr_result_event *) shown;
	EVR_VEC(const struct evr_result_event *) lines; /* by column: whose line of the source was shown last */
	size_t width;                 /* of a column */
};

static void color(const struct page *p, const char *code)
{
	if (p->o->color)
		fprintf(p->out, "\033[%sm", code);
}

static void plain(const struct page *p)
{
	color(p, "0");
}

/* Text of the program goes to the user's terminal: control characters are shown, not obeyed. */
char *evr_text_printable(const char *s, bool newlines)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (c == '\t' || (c >= 0x20 && c != 0x7f) || (c == '\n' && newlines))
			evr_strbuf_putc(&b, *s);
		else if (c == '\n')
			evr_strbuf_putc(&b, ' ');
		else
			evr_strbuf_printf(&b, "\\x%02x", c);
	}
	return b.text;
}

/* Columns that n bytes of UTF-8 take, counting every character as one wide. */
static size_t columns(const char *s, size_t n)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += ((unsigned char)s[i] & 0xc0) != 0x80;
	return count;
}

/* What begins and ends a thread, or comes later, is not what its line says. */
static const char *source_of(const struct evr_result_event *e)
{
	static const char *const others[] = { "start", "exit", "update" };
	for (size_t i = 0; i < EVR_COUNT(others); i++)
		if (!strcmp(e->kind, others[i]))
			return NULL;
	return evr_source_line(e->file, e->line);
}

static char *event_cell(const struct evr_result_event *e)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	evr_strbuf_printf(&b, "#%u ", e->index);
	if (*e->file && !source_of(e))
		evr_strbuf_printf(&b, "%s:%u ", evr_base_name(e->file), e->line);
	char *text = evr_event_text(e);
	evr_strbuf_puts(&b, text);
	free(text);
	char *cell = evr_text_printable(b.text, false);
	evr_strbuf_release(&b);
	return cell;
}

/* What failed, as the last thing its thread did. */
static char *failure_cell(const struct evr_result_finding *f)
{
	char *raw = *f->file ? evr_format("%s:%u %s!", evr_base_name(f->file), f->line, f->kind)
			     : evr_format("%s!", f->kind);
	char *cell = evr_text_printable(raw, false);
	free(raw);
	return cell;
}

/* In the order of their numbers, which a file can have made up. */
static void add_thread(struct page *p, int thread)
{
	size_t i = p->threads.len;
	while (i > 0 && p->threads.data[i - 1] > thread)
		i--;
	if (i > 0 && p->threads.data[i - 1] == thread)
		return;
	evr_vec_push(&p->threads, thread);
	for (size_t k = p->threads.len - 1; k > i; k--)
		p->threads.data[k] = p->threads.data[k - 1];
	p->threads.data[i] = thread;
}

static void find_threads(struct page *p)
{
	if (p->f->thread >= 0)
		add_thread(p, p->f->thread);
	for (size_t i = 0; i < p->f->events.len; i++)
		if (p->f->events.data[i].past)
			add_thread(p, p->f->events.data[i].thread);
}

static size_t column_of(const struct page *p, int thread)
{
	size_t i = 0;
	while (i < p->threads.len && p->threads.data[i] != thread)
		i++;
	return i;
}

/* How many bytes of s go on a line of `width` columns: up to the last blank that fits, or as many as fit. */
static size_t fitting(const char *s, size_t width)
{
	size_t n = strlen(s);
	if (columns(s, n) <= width)
		return n;
	size_t fits = 0, blank = 0;
	while (columns(s, fits + 1) <= width) {
		if (s[fits] == ' ')
			blank = fits;
		fits++;
	}
	return blank ? blank : fits;
}

static void pad(const struct page *p, size_t n)
{
	fprintf(p->out, "%*s", (int)n, "");
}

static void print_cell(const struct page *p, size_t column, const char *cell, const char *code)
{
	size_t start = MARGIN + column * (p->width + GAP), indent = 0;
	while (*cell) {
		size_t n = fitting(cell, p->width - indent);
		pad(p, start + indent);
		if (code)
			color(p, code);
		fprintf(p->out, "%.*s", (int)n, cell);
		if (code)
			plain(p);
		fputc('\n', p->out);
		cell += n;
		cell += strspn(cell, " ");
		indent = 3;
	}
}

static void print_header(const struct page *p)
{
	pad(p, MARGIN);
	color(p, BOLD);
	for (size_t i = 0; i < p->threads.len; i++) {
		int n = fprintf(p->out, "T%d", p->threads.data[i]);
		if (i + 1 < p->threads.len)
			pad(p, p->width + GAP - (size_t)n);
	}
	plain(p);
	fputc('\n', p->out);
	pad(p, MARGIN);
	color(p, DIM);
	for (size_t i = 0; i < p->threads.len; i++) {
		for (size_t j = 0; j < p->width; j++)
			fputc('-', p->out);
		if (i + 1 < p->threads.len)
			pad(p, GAP);
	}
	plain(p);
	fputc('\n', p->out);
}

static void print_row(const struct page *p, int thread, const char *cell, const char *code)
{
	if (p->width) {
		print_cell(p, column_of(p, thread), cell, code);
		return;
	}
	/* "T1#2" is also how a read names its source. */
	fprintf(p->out, "%*sT%d%s", MARGIN, "", thread, *cell == '#' ? "" : " ");
	if (code)
		color(p, code);
	fputs(cell, p->out);
	if (code)
		plain(p);
	fputc('\n', p->out);
}

/* Columns if they fit and are not far wider than what is in them; else 0, for a list. */
static size_t column_width(const struct page *p)
{
	size_t n = p->threads.len, longest = 8;
	if (!n || p->o->width < MARGIN + n * NARROW + (n - 1) * GAP)
		return 0;
	size_t width = (p->o->width - MARGIN - (n - 1) * GAP) / n;
	for (size_t i = 0; i < p->f->events.len; i++) {
		if (!p->f->events.data[i].past)
			continue;
		char *cell = event_cell(&p->f->events.data[i]);
		size_t w = columns(cell, strlen(cell));
		longest = w > longest ? w : longest;
		free(cell);
	}
	char *failure = failure_cell(p->f);
	size_t w = columns(failure, strlen(failure));
	longest = w > longest ? w : longest;
	free(failure);
	return longest < width ? longest : width;
}

static bool is_same_line(const struct evr_result_event *a, const struct evr_result_event *b)
{
	return a && b && a->line == b->line && !strcmp(a->file, b->file);
}

/* What the source says there, once for all events of the line. */
static void print_source(struct page *p, const struct evr_result_event *e)
{
	size_t column = column_of(p, e->thread);
	const char *source = source_of(e);
	if (!source || is_same_line(p->lines.data[column], e))
		return;
	p->lines.data[column] = e;
	char *raw = evr_format("%s:%u: %s", evr_base_name(e->file), e->line, source),
	     *row = evr_text_printable(raw, false);
	for (char *tab = strchr(row, '\t'); tab; tab = strchr(tab, '\t'))
		*tab = ' ';
	if (p->width && columns(row, strlen(row)) > p->width) {
		size_t n = 0;
		while (columns(row, n + 1) < p->width)
			n++;
		row[n] = '\0';
	}
	print_row(p, e->thread, row, DIM);
	free(raw);
	free(row);
}

static void print_event(struct page *p, const struct evr_result_event *e)
{
	bool weak = e->buffered || !strcmp(e->kind, "update");
	print_source(p, e);
	char *cell = event_cell(e);
	print_row(p, e->thread, cell, e->decides ? BOLD : weak ? YELLOW : NULL);
	free(cell);
	if (e->decides)
		print_row(p, e->thread, "^ from here on every execution fails", RED);
}

/* The same once more, as in a loop that waits? */
static bool is_repeated(const struct evr_result_event *a, const struct evr_result_event *b)
{
	return a->thread == b->thread && is_same_line(a, b) && a->column == b->column && !strcmp(a->kind, b->kind) &&
	       !strcmp(a->location, b->location) && !strcmp(a->value, b->value) &&
	       a->source_thread == b->source_thread && a->source_index == b->source_index && !b->decides;
}

/* How often the `period` events from i on come again right behind. */
static size_t repetitions(const struct page *p, size_t i, size_t period)
{
	size_t n = 0;
	while (i + n + period < p->shown.len && is_repeated(p->shown.data[i + n], p->shown.data[i + n + period]))
		n++;
	return n / period;
}

#define LONGEST_LOOP 4 /* events of an iteration that is folded */

/* Prints some events, and returns how many. */
static size_t print_some(struct page *p, size_t i)
{
	for (size_t period = 1; period <= LONGEST_LOOP; period++) {
		size_t again = repetitions(p, i, period);
		if (again < 2)
			continue;
		for (size_t k = 0; k < period; k++)
			print_event(p, p->shown.data[i + k]);
		char *row = evr_format("... and %zu times more", again);
		print_row(p, p->shown.data[i]->thread, row, DIM);
		free(row);
		return period * (again + 1);
	}
	print_event(p, p->shown.data[i]);
	return 1;
}

static void print_execution(struct page *p)
{
	for (size_t i = 0; i < p->f->events.len; i++)
		if (p->f->events.data[i].past)
			evr_vec_push(&p->shown, &p->f->events.data[i]);
	if (!p->shown.len)
		return;
	find_threads(p);
	for (size_t i = 0; i <= p->threads.len; i++)
		evr_vec_push(&p->lines, NULL);
	p->width = column_width(p);
	fputc('\n', p->out);
	if (p->width)
		print_header(p);
	size_t skip = p->shown.len > MOST_ROWS ? p->shown.len - MOST_ROWS : 0;
	if (skip)
		fprintf(p->out, "%*s... %zu earlier events are left out here; the JSON report has them\n", MARGIN, "",
			skip);
	for (size_t i = skip; i < p->shown.len;)
		i += print_some(p, i);
	char *failure = failure_cell(p->f);
	if (p->f->thread >= 0)
		print_row(p, p->f->thread, failure, RED);
	free(failure);
	evr_vecs_release(&p->threads, &p->shown, &p->lines);
}

static void print_lines(const struct page *p, const char *text, const char *prefix)
{
	char *safe = evr_text_printable(text, true);
	for (const char *s = safe; *s;) {
		size_t n = strcspn(s, "\n");
		fprintf(p->out, "%s%.*s\n", prefix, (int)n, s);
		s += n + (s[n] == '\n');
	}
	free(safe);
}

static void print_headline(const struct page *p, const struct evr_result *r)
{
	char *message = evr_text_printable(p->f->message, false), *file = evr_text_printable(p->f->file, false);
	color(p, BOLD);
	if (*file) {
		fprintf(p->out, "%s:%u:", file, p->f->line);
		if (p->f->column)
			fprintf(p->out, "%u:", p->f->column);
		fputc(' ', p->out);
	}
	color(p, RED);
	fputs(p->f->kind, p->out);
	plain(p);
	if (*message)
		fprintf(p->out, ": %s", message);
	fputs("\n  ", p->out);
	if (*p->f->function)
		fprintf(p->out, "in %s, ", p->f->function);
	if (p->f->thread >= 0)
		fprintf(p->out, "thread T%d, ", p->f->thread);
	if (p->f->drawn && !strncmp(p->f->drawn, "at most ", 8))
		fprintf(p->out, "execution %llu of those with %s, %s\n", (unsigned long long)p->f->execution,
			p->f->drawn, r->model);
	else if (p->f->drawn && *p->f->drawn)
		fprintf(p->out, "random execution %llu (%s), %s\n", (unsigned long long)p->f->execution, p->f->drawn,
			r->model);
	else
		fprintf(p->out, "execution %llu, %s/%s\n", (unsigned long long)p->f->execution, r->model,
			r->equivalence);
	free(message);
	free(file);
}

static void print_count(const struct page *p, unsigned n, const char *one, const char *many)
{
	if (n)
		fprintf(p->out, "%u %s", n, n == 1 ? one : many);
	else
		fprintf(p->out, "no %s", one);
}

/* What kind of execution it is, if it is one that was looked for. */
static void print_simplicity(const struct page *p)
{
	if (!p->f->simplified)
		return;
	fputs("  the simplest execution that shows it: ", p->out);
	print_count(p, p->f->preemptions, "preemption", "preemptions");
	fputs(", ", p->out);
	print_count(p, p->f->weak, "access out of order", "accesses out of order");
	fputs(p->f->hopeless ? "; every execution fails\n" : "\n", p->out);
}

void evr_text_finding(FILE *out, const struct evr_result *r, const struct evr_result_finding *f,
		      const struct evr_text_options *o)
{
	struct page p = { .out = out, .o = o, .f = f };
	print_headline(&p, r);
	if (o->models && *o->models)
		fprintf(out, "  %s\n", o->models);
	print_simplicity(&p);
	print_execution(&p);
	if (*f->detail) {
		fputc('\n', out);
		print_lines(&p, f->detail, "  ");
	}
	char *stronger = evr_stronger_text(f, "\n  ");
	if (*stronger) {
		fputc('\n', out);
		print_lines(&p, stronger, "  ");
	}
	free(stronger);
	if (*f->output) {
		fputs("\n  output of the program in this execution:\n", out);
		print_lines(&p, f->output, "  | ");
	}
	if (o->replay)
		fprintf(out, "\n  replay: %s\n", o->replay);
	fputc('\n', out);
}
