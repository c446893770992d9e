/*
 * The same finding under several models: one of them, the strongest, stands for all, since its executions are the easiest to
 * understand, and those of the others are in the JSON report.
 */
#include "base/strbuf.h"
#include "report/format.h"

static size_t weakness(const char *model)
{
	static const char *const strongest_first[] = {
#define MODEL(model, ...) #model,
#include "model/models.def"
#undef MODEL
#define RELAXER(model) #model,
#include "model/relaxers.def"
#undef RELAXER
	};
	size_t i = 0;
	while (i < EVR_COUNT(strongest_first) && strcmp(strongest_first[i], model) != 0)
		i++;
	return i;
}

bool evr_finding_is_same(const struct evr_result_finding *a, const struct evr_result_finding *b)
{
	return !strcmp(a->kind, b->kind) && !strcmp(a->file, b->file) && a->line == b->line;
}

bool evr_finding_is_repeated(const struct evr_report *r, size_t result, size_t finding)
{
	const struct evr_result *shown = r->results.data[result];
	size_t rank = weakness(shown->model);
	for (size_t i = 0; i < r->results.len; i++) {
		size_t other = weakness(r->results.data[i]->model);
		bool first = other < rank || (other == rank && i < result);
		if (first && evr_finding_under(r->results.data[i], &shown->findings.data[finding]))
			return true;
	}
	return false;
}

/* Was everything explored, and would it have been found? */
static bool is_absent(const struct evr_result *m, const struct evr_result_finding *f)
{
	bool looked_for = strcmp(f->kind, "race") != 0 || !m->races_unchecked;
	return m->complete && m->executions && !m->error && !m->robustness && looked_for && !evr_finding_under(m, f);
}

static void add_models(struct evr_strbuf *out, const char *before, evr_words *models)
{
	if (models->len) {
		evr_strbuf_printf(out, "%s%s ", out->len ? "; " : "", before);
		evr_text_list(out, models);
	}
	evr_words_release(models);
}

char *evr_finding_models(const struct evr_report *r, size_t result, size_t finding)
{
	const struct evr_result_finding *f = &r->results.data[result]->findings.data[finding];
	evr_words with = { 0 }, without = { 0 };
	for (size_t i = 0; i < r->results.len; i++) {
		const struct evr_result *m = r->results.data[i];
		if (i != result && evr_finding_under(m, f))
			evr_words_add(&with, m->model);
		else if (is_absent(m, f))
			evr_words_add(&without, m->model);
	}
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	add_models(&out, "also under", &with);
	add_models(&out, "not under", &without);
	return evr_strbuf_take(&out);
}
