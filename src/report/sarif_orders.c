/* The answers of `everett orders` as SARIF results: notes on orders that could be weaker, and warnings about those that have to be stronger. */
#include "report/sarif.h"

#include <string.h>

#define RULE "memory-order"

static char *text_of(const struct evr_result *r, const struct evr_result_site *s)
{
	if (evr_result_site_added(s))
		return evr_format("a fence must be added before the %s: %s (under %s)",
				  s->operation + strlen(EVR_ADDED_FENCE), s->needed, r->model);
	if (!evr_result_site_weakens(s))
		return evr_format("the %s has to be %s: %s is too weak (under %s)", s->operation, s->needed, s->now,
				  r->model);
	return evr_format("the %s could be %s: %s is not needed by these tests (under %s)", s->operation, s->needed,
			  s->now, r->model);
}

static json_t *from_site(struct sarif_log *l, const struct evr_result *r, const struct evr_result_site *s)
{
	json_t *o = json_object(), *locations = json_array(), *properties = json_object();
	char *text = text_of(r, s);
	put_string(o, "ruleId", RULE);
	put(o, "ruleIndex", json_integer((json_int_t)sarif_rule(l, RULE)));
	put_string(o, "kind", evr_result_site_weakens(s) ? "informational" : "fail");
	put_string(o, "level", evr_result_site_weakens(s) ? "note" : "warning");
	put(o, "message", sarif_message(text));
	json_array_append_new(locations, sarif_location(l, s->file, s->line, s->column, s->function));
	put(o, "locations", locations);
	put_string(properties, "model", r->model);
	put_string(properties, "now", s->now);
	put_string(properties, "needed", s->needed);
	put(o, "properties", properties);
	free(text);
	return o;
}

void sarif_orders(struct sarif_log *l, size_t i, json_t *results)
{
	const struct evr_result *r = l->report->results.data[i];
	for (size_t k = 0; k < r->sites.len; k++) {
		const struct evr_result_site *s = &r->sites.data[k];
		if (evr_result_site_differs(s))
			json_array_append_new(results, from_site(l, r, s));
	}
}
