#include "explore/engine.h"

#include "base/nearest.h"
#include "base/strbuf.h"

#include <stdlib.h>
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

static char *unknown_engine(const char *name)
{
	const char *names[EVR_COUNT(evr_engines)];
	struct evr_strbuf list;
	size_t n = 0;
	evr_strbuf_init(&list);
	for (size_t i = 0; evr_engines[i]; i++) {
		size_t k = 0;
		while (k < n && strcmp(names[k], evr_engines[i]->name) != 0)
			k++;
		if (k < n)
			continue;
		names[n++] = evr_engines[i]->name;
		evr_strbuf_printf(&list, "%s%s", list.len ? ", " : "", evr_engines[i]->name);
	}
	char *guess = evr_did_you_mean(name, names, n);
	char *error = evr_format("unknown equivalence '%s'%s (equivalences: %s)", name, guess, list.text);
	free(guess);
	evr_strbuf_release(&list);
	return error;
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
		*error = unknown_engine(name);
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

size_t evr_branches_to_give(size_t all, size_t least)
{
	size_t n = (all + 15) / 16;
	n = n > least ? n : least;
	return n < all ? n : all;
}
