/* The cycles of `everett predict`, for people. */
#include "base/strbuf.h"
#include "report/result.h"

#include <inttypes.h>
#include <string.h>

/* "f.c:3 f.c:4 | f.c:10 f.c:11": what is of one thread, and of another. Columns only where lines do not tell labels apart. */
static char *cycle_text(const struct evr_result_cycle *c)
{
	struct evr_strbuf b;
	evr_strbuf_init(&b);
	for (size_t i = 0; i < c->labels.len; i++) {
		const struct evr_result_label *l = &c->labels.data[i];
		bool same_line = false, same_expression = false;
		for (size_t k = 0; k < c->labels.len; k++) {
			const struct evr_result_label *o = &c->labels.data[k];
			same_line |= o->line == l->line && o->column != l->column;
			same_expression |=
				o->line == l->line && o->column == l->column && strcmp(o->kind, l->kind) != 0;
		}
		evr_strbuf_printf(&b, "%s%s:%u", !i ? "" : i % 2 ? " " : " | ", evr_base_name(l->file), l->line);
		if (same_line)
			evr_strbuf_printf(&b, ":%u", l->column);
		/* The read and the write of x++. */
		if (same_expression)
			evr_strbuf_printf(&b, " (%s)", l->kind);
	}
	return evr_strbuf_take(&b);
}

static void print_cycle(FILE *out, const struct evr_result_cycle *c)
{
	char *text = cycle_text(c);
	fprintf(out, "  %-13s %3" PRIu64 "/%-3" PRIu64 " %s\n", c->verdict, c->confirmed, c->trials, text);
	free(text);
	if (*c->finding)
		fprintf(out, "                        %s, in %" PRIu64 " of them\n", c->finding, c->buggy);
	if (*c->fence)
		fprintf(out, "                        forbidden by %s\n", c->fence);
	if (*c->finding && *c->schedule)
		fprintf(out, "                        replay: --replay '%s'\n", c->schedule);
}

void evr_text_cycle_header(FILE *out)
{
	fprintf(out, "%-6s %9s %9s %9s %11s %10s\n", "model", "predicted", "confirmed", "buggy", "probability",
		"seconds");
}

/* The probability that a trial confirms a cycle, on average over those that were confirmed at all. */
void evr_text_cycle_row(FILE *out, const struct evr_result *r)
{
	uint64_t confirmed = 0, buggy = 0;
	double sum = 0;
	for (size_t i = 0; i < r->cycles.len; i++) {
		const struct evr_result_cycle *c = &r->cycles.data[i];
		confirmed += c->confirmed > 0;
		buggy += c->buggy > 0;
		sum += c->trials ? (double)c->confirmed / (double)c->trials : 0;
	}
	fprintf(out, "%-6s %9zu %9" PRIu64 " %9" PRIu64, r->model, r->cycles.len, confirmed, buggy);
	if (confirmed)
		fprintf(out, " %11.2f", sum / (double)confirmed);
	else
		fprintf(out, " %11s", "-");
	fprintf(out, " %10.2f\n", r->explore_seconds);
}

/* Those that matter most come first; of those that did not come about there is only a number. */
void evr_text_cycles(FILE *out, const struct evr_result *r)
{
	static const char *const order[] = { "buggy", "benign", "benign so far", "infeasible", "not confirmed" };
	uint64_t count[EVR_COUNT(order)] = { 0 };
	fprintf(out, "%s: %zu predicted cycle%s\n", r->model, r->cycles.len, evr_plural(r->cycles.len));
	for (size_t k = 0; k < EVR_COUNT(order); k++) {
		for (size_t i = 0; i < r->cycles.len; i++) {
			if (strcmp(r->cycles.data[i].verdict, order[k]) != 0)
				continue;
			count[k]++;
			if (*r->cycles.data[i].schedule)
				print_cycle(out, &r->cycles.data[i]);
		}
	}
	for (size_t k = 0; k < EVR_COUNT(order); k++)
		if (count[k])
			fprintf(out, "  %" PRIu64 " %s\n", count[k], order[k]);
	fputc('\n', out);
}
