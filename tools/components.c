#include "components.h"

#include "base/vec.h"

struct search {
	const size_t *first; /* edges of each node, as the caller has them */
	const uint32_t *to;
	size_t visited, components;
	uint32_t *order, *low; /* from 1; 0: not yet visited */
	uint32_t *component; /* from 1; 0: not yet known */
	size_t *edge; /* the next one to be followed */
	EVR_VEC(uint32_t) path, open; /* being visited; and those without a component */
};

static void visit(struct search *s, uint32_t node)
{
	s->order[node] = s->low[node] = (uint32_t)++s->visited;
	s->edge[node] = s->first[node];
	evr_vec_push(&s->path, node);
	evr_vec_push(&s->open, node);
}

static void lower(struct search *s, uint32_t node, uint32_t to)
{
	if (to < s->low[node])
		s->low[node] = to;
}

static void close_component(struct search *s, uint32_t root)
{
	uint32_t node;
	s->components++;
	do {
		node = s->open.data[--s->open.len];
		s->component[node] = (uint32_t)s->components;
	} while (node != root);
}

static void finish(struct search *s, uint32_t node)
{
	s->path.len--;
	if (s->low[node] == s->order[node])
		close_component(s, node);
	if (s->path.len)
		lower(s, s->path.data[s->path.len - 1], s->low[node]);
}

static void find_components(struct search *s)
{
	visit(s, 0);
	while (s->path.len) {
		uint32_t node = s->path.data[s->path.len - 1];
		if (s->edge[node] == s->first[node + 1]) {
			finish(s, node);
			continue;
		}
		uint32_t to = s->to[s->edge[node]++];
		if (!s->order[to])
			visit(s, to);
		else if (!s->component[to])
			lower(s, node, s->order[to]);
	}
}

size_t components_of(size_t n, const size_t *first, const uint32_t *to, uint32_t *component)
{
	struct search s = { .first = first, .to = to, .component = component };
	s.order = evr_alloc(n * sizeof(*s.order));
	s.low = evr_alloc(n * sizeof(*s.low));
	s.edge = evr_alloc(n * sizeof(*s.edge));
	find_components(&s);
	free(s.order);
	free(s.low);
	free(s.edge);
	evr_vec_release(&s.path);
	evr_vec_release(&s.open);
	return s.components;
}
