#include "explore/engine.h"

#include <string.h>

const struct evr_engine_ops *const evr_engines[] = { &evr_engine_rf,
						     &evr_engine_traces,
						     &evr_engine_rvf,
						     &evr_engine_ordered,
						     &evr_engine_revisit,
						     &evr_engine_none,
						     NULL };

const char *const evr_stat_names[EVR_STATS] = {
#define STAT(name, word, text) word,
#include "explore/stats.def"
#undef STAT
};

void evr_stats_put(struct evr_stats *s, enum evr_stat which, uint64_t count)
{
	s->kept[which] = true;
	s->count[which] = count;
}

bool evr_engine_supports(const struct evr_engine_ops *ops, const struct evr_model_ops *m)
{
	return !ops->supports || ops->supports(m);
}

const struct evr_engine_ops *evr_engine_find(const char *name, const struct evr_model_ops *m, char **error)
{
	bool known = false;
	for (size_t i = 0; evr_engines[i]; i++) {
		const struct evr_engine_ops *ops = evr_engines[i];
		if (name && strcmp(ops->name, name) != 0)
			continue;
		known = true;
		if (evr_engine_supports(ops, m) && (name || (ops->preferred && ops->preferred(m))))
			return ops;
	}
	if (known)
		*error = evr_format("equivalence '%s' is not available under model '%s'", name, m->name);
	else
		*error = evr_format("equivalence '%s' is not available in this version", name);
	return NULL;
}

void *evr_engine_new(size_t size, const struct evr_engine_ops *ops, struct evr_world *w)
{
	struct evr_engine *e = evr_alloc(size);
	e->ops = ops;
	e->world = w;
	return e;
}

void evr_branches_clear(evr_branches *b)
{
	for (size_t i = 0; i < b->len; i++)
		free(b->data[i]);
	evr_vec_clear(b);
}

void evr_branches_release(evr_branches *b)
{
	evr_branches_clear(b);
	evr_vec_release(b);
}
