/* The memory orders of `everett orders`, for people: a table of sites, and what the answer is worth. */
#include "base/strbuf.h"
#include "report/result.h"

#include <string.h>

/* "race at mp.c:6 with relaxed". */
static char *reason_of(const struct evr_result *r, const struct evr_result_site *s)
{
	if (!s->executed)
		return evr_strdup("never executed");
	if (!s->studied && r->repaired)
		return evr_strdup(evr_result_site_differs(s) ? "" : "left as it is");
	if (!s->studied)
		return evr_strdup("not checked");
	if (!s->because)
		return evr_strdup(r->findings.len                              ? "not fixed"
				  : s->needed && !strcmp(s->needed, "relaxed") ? ""
									       : "not decided");
	const struct evr_result_finding *f = s->because;
	return *f->file ? evr_format("%s at %s:%u with %s", f->kind, evr_base_name(f->file), f->line, s->tried)
			: evr_format("%s with %s", f->kind, s->tried);
}

static char *place_of(const struct evr_result_site *s)
{
	char *raw = evr_format("%s:%u:%u", evr_base_name(s->file), s->line, s->column);
	char *place = evr_text_printable(raw, false);
	free(raw);
	return place;
}

static int wider(int width, const char *text)
{
	return (int)strlen(text) > width ? (int)strlen(text) : width;
}

static const char *needed_of(const struct evr_result_site *s)
{
	return s->needed ? s->needed : "?";
}

static void print_row(FILE *out, const struct evr_result *r, size_t i, int places, int operations)
{
	const struct evr_result_site *s = &r->sites.data[i];
	char *place = place_of(s), *raw = reason_of(r, s), *reason = evr_text_printable(raw, false);
	fprintf(out, "%4zu  %-*s  %-*s  %-7s  %-7s%s%s\n", i + 1, places, place, operations, s->operation,
		evr_result_site_added(s) ? "none" : s->now, needed_of(s), *reason ? "  " : "", reason);
	free(place);
	free(raw);
	free(reason);
}

static void print_remarks(FILE *out, const struct evr_result *r)
{
	size_t weaker = 0, stronger = 0, asked = 0, missing = 0, own = 0, added = 0;
	for (size_t i = 0; i < r->sites.len; i++) {
		const struct evr_result_site *s = &r->sites.data[i];
		if (evr_result_site_added(s)) {
			added++;
			continue;
		}
		own++;
		asked += s->studied && s->executed;
		missing += !s->executed;
		weaker += evr_result_site_weakens(s);
		stronger += evr_result_site_differs(s) && !evr_result_site_weakens(s);
	}
	/* Where the search began with other orders than the program's, both may be there. */
	if (stronger)
		fprintf(out, "%zu of %zu orders must be stronger.\n", stronger, own);
	if (added)
		fprintf(out, "%zu fence%s must be added.\n", added, added == 1 ? "" : "s");
	if (!asked && !r->repaired)
		fprintf(out, "None of these orders was checked.\n");
	else if ((!stronger && !added) || weaker)
		fprintf(out, "%zu of %zu orders could be weaker, as far as these tests can tell.\n", weaker,
			r->repaired ? own : asked);
	if (missing)
		fprintf(out, "%zu %s never executed: nothing is known about %s.\n", missing,
			missing == 1 ? "operation was" : "operations were", missing == 1 ? "it" : "them");
	fputc('\n', out);
}

void evr_text_orders(FILE *out, const struct evr_result *r)
{
	int places = 5, operations = 9;
	if (r->error)
		return;
	if (!r->sites.len) {
		fprintf(out, "%s: there are no atomic accesses and no fences\n\n", r->model);
		return;
	}
	for (size_t i = 0; i < r->sites.len; i++) {
		char *place = place_of(&r->sites.data[i]);
		places = wider(places, place);
		operations = wider(operations, r->sites.data[i].operation);
		free(place);
	}
	fprintf(out, "%-4s  %-*s  %-*s  %-7s  %-7s  %s\n", r->model, places, "site", operations, "operation", "now",
		"needed", "why");
	for (size_t i = 0; i < r->sites.len; i++)
		print_row(out, r, i, places, operations);
	fputc('\n', out);
	if (evr_result_status(r) == EVR_OK)
		print_remarks(out, r);
	else if (r->findings.len)
		fprintf(out,
			"No stronger order and no added fence fixes it: this is the result with seq_cst everywhere.\n\n");
}
