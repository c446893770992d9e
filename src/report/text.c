/*
 * The report of one finding for people: what and where, the execution with one column per thread, what the program
 * printed, and how to run it again.
 *
 * Invariant: text of the program reaches the terminal only through evr_text_printable(). The execution is shown as far as it is
 * in the finding's causal past, with the events of a call of the library as one; each thread has one column, as wide as what is in it
 * and as the terminal allows, or each event one line if that is too narrow.
 */
#include "base/strbuf.h"
#include "report/format.h"
#include "report/piece.h"
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
	EVR_VEC(size_t) widths;       /* by column; none: there are no columns */
	evr_piece_vec pieces;
	EVR_VEC(const struct evr_result_event *) lines; /* by column: whose line of the source was shown last */
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

static char *piece_cell(const struct page *p, const struct evr_piece *piece)
{
	const struct evr_result_event *e = evr_piece_event(p->f, piece);
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	char *number = evr_piece_number(p->f, piece), *text = evr_piece_text(p->f, piece);
	evr_strbuf_printf(&b, "%s ", number);
	if (*e->file && !source_of(e))
		evr_strbuf_printf(&b, "%s:%u ", evr_base_name(e->file), e->line);
	evr_strbuf_puts(&b, text);
	free(number);
	free(text);
	char *cell = evr_text_printable(b.text, false);
	evr_strbuf_release(&b);
	return cell;
}

/* What the source says there, in so many characters as there is room for; NULL if that is not known. */
static char *source_cell(const struct page *p, const struct evr_result_event *e, size_t width)
{
	const char *line = source_of(e);
	if (!line)
		return NULL;
	/* The first line of the report names the file. */
	char *where = strcmp(e->file, p->f->file) != 0 ? evr_format("%s:%u: ", evr_base_name(e->file), e->line)
						       : evr_format("%u: ", e->line);
	size_t n = columns(where, strlen(where));
	char *source = evr_source_cut(e->file, e->line, e->column, width > n ? width - n : 0);
	char *raw = evr_format("%s%s", where, source), *cell = evr_text_printable(raw, false);
	for (char *tab = strchr(cell, '\t'); tab; tab = strchr(tab, '\t'))
		*tab = ' ';
	free(where);
	free(source);
	free(raw);
	return cell;
}

/* "T2 reader" */
static char *thread_cell(const struct page *p, int thread)
{
	const char *name = evr_result_thread_name(p->f, thread);
	char *raw = evr_format("T%d%s%s", thread, *name ? " " : "", name), *cell = evr_text_printable(raw, false);
	free(raw);
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

/* How many bytes of s go on a line of `width` columns: up to the last blank or behind the last bracket that fits, or as many as fit. */
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
		if (fits > 1 && s[fits - 1] == '(' && s[fits - 2] != ' ')
			blank = fits;
	}
	return blank ? blank : fits;
}

static void pad(const struct page *p, size_t n)
{
	fprintf(p->out, "%*s", (int)n, "");
}

static size_t start_of(const struct page *p, size_t column)
{
	size_t start = MARGIN;
	for (size_t i = 0; i < column; i++)
		start += p->widths.data[i] + GAP;
	return start;
}

static void print_cell(const struct page *p, size_t column, const char *cell, const char *code)
{
	size_t start = start_of(p, column), indent = 0;
	while (*cell) {
		size_t n = fitting(cell, p->widths.data[column] - indent);
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
		char *cell = thread_cell(p, p->threads.data[i]);
		size_t n = fitting(cell, p->widths.data[i]);
		fprintf(p->out, "%.*s", (int)n, cell);
		if (i + 1 < p->threads.len)
			pad(p, p->widths.data[i] + GAP - columns(cell, n));
		free(cell);
	}
	plain(p);
	fputc('\n', p->out);
	pad(p, MARGIN);
	color(p, DIM);
	for (size_t i = 0; i < p->threads.len; i++) {
		for (size_t j = 0; j < p->widths.data[i]; j++)
			fputc('-', p->out);
		if (i + 1 < p->threads.len)
			pad(p, GAP);
	}
	plain(p);
	fputc('\n', p->out);
}

/* Where there are no columns. */
static void print_names(const struct page *p)
{
	for (size_t i = 0; i < p->threads.len; i++) {
		char *cell = thread_cell(p, p->threads.data[i]);
		fprintf(p->out, "%*s%s\n", MARGIN, "", cell);
		free(cell);
	}
	fputc('\n', p->out);
}

static void print_row(const struct page *p, int thread, const char *cell, const char *code)
{
	if (p->widths.len) {
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

static void want(size_t *width, char *cell)
{
	size_t w = cell ? columns(cell, strlen(cell)) : 0;
	*width = w > *width ? w : *width;
	free(cell);
}

/* Each column gets what it wants, or as much as can be given to all that want so much; none if that tears their cells apart. */
static void find_widths(struct page *p)
{
	size_t n = p->threads.len, room = p->o->width;
	for (size_t i = 0; i < n; i++) {
		evr_vec_push(&p->widths, 8);
		want(&p->widths.data[i], thread_cell(p, p->threads.data[i]));
	}
	for (size_t i = 0; i < p->pieces.len; i++) {
		const struct evr_result_event *e = evr_piece_event(p->f, &p->pieces.data[i]);
		size_t column = column_of(p, e->thread);
		want(&p->widths.data[column], piece_cell(p, &p->pieces.data[i]));
		want(&p->widths.data[column], source_cell(p, e, room));
	}
	if (p->f->thread >= 0)
		want(&p->widths.data[column_of(p, p->f->thread)], failure_cell(p->f));
	for (size_t most = room; start_of(p, n) - GAP > room; most--) {
		if (most < NARROW) {
			p->widths.len = 0;
			return;
		}
		for (size_t i = 0; i < n; i++)
			p->widths.data[i] = p->widths.data[i] < most ? p->widths.data[i] : most;
	}
}

static bool is_same_line(const struct evr_result_event *a, const struct evr_result_event *b)
{
	return a && b && a->line == b->line && !strcmp(a->file, b->file);
}

/* What the source says there, once for all events of the line that it shows the expression of. */
static void print_source(struct page *p, const struct evr_result_event *e)
{
	size_t column = column_of(p, e->thread);
	const struct evr_result_event *before = p->lines.data[column];
	size_t width = p->widths.len ? p->widths.data[column] : SIZE_MAX;
	char *cell = source_cell(p, e, width), *shown = before ? source_cell(p, before, width) : NULL;
	if (cell && (!is_same_line(before, e) || !shown || strcmp(cell, shown) != 0)) {
		p->lines.data[column] = e;
		print_row(p, e->thread, cell, DIM);
	}
	free(cell);
	free(shown);
}

static void print_piece(struct page *p, const struct evr_piece *piece)
{
	const struct evr_result_event *e = evr_piece_event(p->f, piece);
	bool weak = e->buffered || !strcmp(e->kind, "update"), decides = evr_piece_decides(p->f, piece);
	print_source(p, e);
	char *cell = piece_cell(p, piece);
	print_row(p, e->thread, cell, decides ? BOLD : weak ? YELLOW : NULL);
	free(cell);
	if (decides)
		print_row(p, e->thread, "^ from here on every execution fails", RED);
}

/* The same once more, as in a loop that waits? */
static bool is_repeated(const struct page *p, const struct evr_piece *x, const struct evr_piece *y)
{
	const struct evr_result_event *a = evr_piece_event(p->f, x), *b = evr_piece_event(p->f, y);
	return x->count == y->count && !strcmp(a->call, b->call) && a->thread == b->thread && is_same_line(a, b) &&
	       a->column == b->column && !strcmp(a->kind, b->kind) && !strcmp(a->location, b->location) &&
	       !strcmp(a->value, b->value) && a->source_thread == b->source_thread &&
	       a->source_index == b->source_index && !evr_piece_decides(p->f, y);
}

/* How often the `period` pieces from i on come again right behind. */
static size_t repetitions(const struct page *p, size_t i, size_t period)
{
	size_t n = 0;
	const struct evr_piece *all = p->pieces.data;
	while (i + n + period < p->pieces.len && is_repeated(p, &all[i + n], &all[i + n + period]))
		n++;
	return n / period;
}

#define LONGEST_LOOP 4 /* pieces of an iteration that is folded */

/* Prints some pieces, and returns how many. */
static size_t print_some(struct page *p, size_t i)
{
	for (size_t period = 1; period <= LONGEST_LOOP; period++) {
		size_t again = repetitions(p, i, period);
		if (again < 2)
			continue;
		for (size_t k = 0; k < period; k++)
			print_piece(p, &p->pieces.data[i + k]);
		char *row = evr_format("... and %zu times more", again);
		print_row(p, evr_piece_event(p->f, &p->pieces.data[i])->thread, row, DIM);
		free(row);
		return period * (again + 1);
	}
	print_piece(p, &p->pieces.data[i]);
	return 1;
}

static void print_execution(struct page *p)
{
	evr_pieces_of(&p->pieces, p->f);
	if (!p->pieces.len)
		return;
	find_threads(p);
	for (size_t i = 0; i <= p->threads.len; i++)
		evr_vec_push(&p->lines, NULL);
	find_widths(p);
	fputc('\n', p->out);
	if (p->widths.len)
		print_header(p);
	else
		print_names(p);
	size_t skip = p->pieces.len > MOST_ROWS ? p->pieces.len - MOST_ROWS : 0;
	if (skip)
		fprintf(p->out, "%*s... %zu earlier events are left out here; the JSON report has them\n", MARGIN, "",
			p->pieces.data[skip].first);
	for (size_t i = skip; i < p->pieces.len;)
		i += print_some(p, i);
	char *failure = failure_cell(p->f);
	if (p->f->thread >= 0)
		print_row(p, p->f->thread, failure, RED);
	free(failure);
	evr_vecs_release(&p->threads, &p->widths, &p->pieces, &p->lines);
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

char *evr_text_execution(const struct evr_result *r, const struct evr_result_finding *f)
{
	unsigned long long number = f->execution;
	if (!f->drawn || !*f->drawn)
		return evr_format("execution %llu, %s%s%s", number, r->model, *r->equivalence ? "/" : "",
				  r->equivalence);
	if (evr_starts_with(f->drawn, "at most "))
		return evr_format("execution %llu of those with %s, %s", number, f->drawn, r->model);
	return evr_format("random execution %llu (%s), %s", number, f->drawn, r->model);
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
	char *execution = evr_text_execution(r, p->f);
	fprintf(p->out, "%s\n", execution);
	free(execution);
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
