/*
 * Engine `rvf`: a copy of this process takes part of the search. At a node, the values that the read can get do not depend on what was found below: some can be left to somebody else. Whether the
 * node's next read needs a turn does: the signals of all values have to be there before that is decided, so the node waits for whoever has the others.
 *
 * Invariant: a copy explores what is left of one read at node `floor`, and nothing above it.
 */
#include "explore/rvf_search.h"

#include "base/strbuf.h"

#include <stdlib.h>

/* The values of the read at the oldest node that has more than one left are the largest part. */
size_t evr_rvf_splits_at(const struct evr_engine *e)
{
	const struct evr_rvf_search *f = (const struct evr_rvf_search *)e;
	for (size_t k = f->floor; k < f->nodes.len; k++) {
		const struct evr_rvf_node *n = &f->nodes.data[k];
		if (n->reading && n->has_child && !n->given && n->value < n->values)
			return k;
	}
	return SIZE_MAX;
}

bool evr_rvf_part(struct evr_engine *e, size_t node, evr_join *join)
{
	struct evr_rvf_search *f = (struct evr_rvf_search *)e;
	if (join) {
		f->nodes.data[node].given = true;
		f->join = join;
		return true;
	}
	for (; f->nodes.len > node + 1; f->nodes.len--)
		evr_rvf_rewind_to(f, evr_rvf_top(f));
	f->floor = node;
	f->is_copy = true;
	f->has_plan = false;
	e->redundant = 0;
	if (!evr_rvf_find_child(f))
		return false;
	e->prefix = 0;
	evr_rvf_begin_execution(f);
	return true;
}

/* How many executions were begun in vain, and which nodes have got a signal. */
char *evr_rvf_outcome(const struct evr_engine *e)
{
	const struct evr_rvf_search *f = (const struct evr_rvf_search *)e;
	struct evr_strbuf out;
	evr_strbuf_init(&out);
	evr_strbuf_printf(&out, "%llu.", (unsigned long long)e->redundant);
	for (size_t k = 0; k <= f->floor; k++)
		evr_strbuf_putc(&out, f->nodes.data[k].backtrack ? '1' : '0');
	return evr_strbuf_take(&out);
}

void evr_rvf_join(struct evr_rvf_search *f, struct evr_rvf_node *n)
{
	unsigned long long redundant;
	char *outcome = f->join((size_t)(n - f->nodes.data));
	const char *p = outcome;
	n->given = false;
	/* NULL: the search ends. */
	if (p && evr_read_number(&p, 10, &redundant) && evr_read_char(&p, '.')) {
		f->base.redundant += redundant;
		for (size_t k = 0; p[k] && k < f->nodes.len; k++)
			f->nodes.data[k].backtrack |= p[k] == '1';
	}
	free(outcome);
}
