#include "runtime/numbers.h"

#include "runtime/runtime.h"

#include <string.h>

void evr_numbers_init(struct evr_numbers *n, const struct evr_engine_ops *classes_of)
{
	memset(n, 0, sizeof(*n));
	n->kind = EVR_CLASS_TRACE;
	for (int k = 0; k < EVR_CLASS_KINDS; k++)
		if (classes_of->classes && !strcmp(classes_of->classes, evr_class_names[k]))
			n->kind = (enum evr_class_kind)k;
	evr_strbuf_init(&n->text);
	n->names = evr_alloc(EVR_MAX_THREADS * sizeof(*n->names));
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		n->names[i] = evr_format("%u", i);
}

void evr_numbers_clear(struct evr_numbers *n)
{
	evr_map_clear(&n->of);
	n->count = 0;
}

uint64_t evr_numbers_key(struct evr_numbers *n)
{
	evr_graph_build(&n->graph, &evr_rt.world.trace, evr_rt.world.model->steps_name_sources);
	evr_class_text(&n->text, n->kind, &n->graph, n->names, "");
	return evr_class_key(n->text.text).one;
}

uint32_t evr_numbers_add(struct evr_numbers *n)
{
	uint64_t key = evr_numbers_key(n), *known = evr_map_get(&n->of, key);
	if (known)
		return (uint32_t)*known;
	evr_map_put(&n->of, key, n->count);
	return n->count++;
}
