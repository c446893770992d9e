/* What several models together say, in one sentence. */
#include "base/strbuf.h"
#include "report/format.h"

/* Does `b` allow all that `a` does? PSO and RA are incomparable. */
static bool is_weaker(const char *b, const char *a)
{
	static const char *const pairs[][2] = {
		{ "tso", "sc" }, { "pso", "sc" }, { "ra", "sc" }, { "pso", "tso" }, { "ra", "tso" }
	};
	for (size_t i = 0; i < EVR_COUNT(pairs); i++)
		if (!strcmp(pairs[i][0], b) && !strcmp(pairs[i][1], a))
			return true;
	return false;
}

static bool is_safe(const struct evr_result *m)
{
	return !strcmp(evr_result_verdict(m), "ok");
}

static bool is_weakest(const struct evr_report *r, const struct evr_result *m)
{
	for (size_t i = 0; i < r->results.len; i++)
		if (is_safe(r->results.data[i]) && is_weaker(r->results.data[i]->model, m->model))
			return false;
	return is_safe(m);
}

char *evr_conclusion(const struct evr_report *r)
{
	const char *before = "The weakest model under which the program is safe: ";
	size_t safe = 0, weakest = 0;
	if (r->results.len < 2 || r->results.data[0]->prediction || r->results.data[0]->robustness)
		return evr_strdup("");
	for (size_t i = 0; i < r->results.len; i++) {
		safe += is_safe(r->results.data[i]);
		weakest += is_weakest(r, r->results.data[i]);
	}
	if (!safe || safe == r->results.len)
		return evr_strdup(safe ? "The program is safe under all of these models."
				       : "The program is safe under none of these models.");
	if (weakest > 1)
		before = "The weakest models under which the program is safe: ";
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	for (size_t i = 0; i < r->results.len; i++)
		if (is_weakest(r, r->results.data[i])) {
			evr_strbuf_printf(&out, "%s%s", before, r->results.data[i]->model);
			before = " and ";
		}
	evr_strbuf_putc(&out, '.');
	return evr_strbuf_take(&out);
}
