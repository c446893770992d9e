/*
 * One pass over the trace for the edges, and one over the graph for a cycle. Of coherence and from-reads only the edges to the next
 * write are there: the others follow.
 *
 * Invariant: the buffers are as large as the largest trace so far, and what is in them belongs to the trace that is looked at.
 */
#include "event/cyclic.h"

#include "base/map.h"

#include <string.h>

#define NONE UINT32_MAX /* as EVR_NO_EVENT */

/* Eight aligned bytes of memory, so that most accesses are found with one look into the map. */
struct word {
	evr_event_id last[8]; /* the newest write in memory */
	uint32_t readers[8];  /* those that read it, in `links` */
};

struct link {
	evr_event_id event;
	uint32_t next;
	uintptr_t address; /* of the byte that was read */
};

struct edge {
	evr_event_id to;
	uint32_t next;
};

struct node {
	uint32_t edges;     /* those that leave it */
	uint32_t entering;  /* how many arrive */
	uint32_t forwarded; /* of a buffered store: who has read it before it reached memory, in `links` */
};

struct evr_cyclic {
	const struct evr_trace *trace;
	struct evr_map word_of; /* address / 8 -> index in words */
	EVR_VEC(struct word) words;
	EVR_VEC(struct link) links;
	EVR_VEC(struct edge) edges;
	EVR_VEC(struct node) nodes;
	EVR_VEC(evr_event_id) ready;
	EVR_VEC(evr_event_id) buffer[EVR_MAX_THREADS]; /* stores under way, oldest first */
	evr_event_id last[EVR_MAX_THREADS];            /* of the thread's own events */
};

struct evr_cyclic *evr_cyclic_new(void)
{
	return evr_alloc(sizeof(struct evr_cyclic));
}

void evr_cyclic_free(struct evr_cyclic *c)
{
	evr_map_release(&c->word_of);
	evr_vecs_release(&c->words, &c->links, &c->edges, &c->nodes, &c->ready);
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++)
		evr_vec_release(&c->buffer[i]);
	free(c);
}

/*
 * Did every event take effect in its thread's order? Then the order in which they took effect is one of SC, and there is
 * no more to ask. Only a store can be late: when it reaches memory, no later access of its thread may be there already.
 */
static bool in_order(const struct evr_trace *t)
{
	uint32_t done[EVR_MAX_THREADS] = { 0 }; /* one more than the index of the last access that took effect */
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		bool effect = e->kind == EVR_UPDATE || evr_event_reads(e) ||
			      (evr_event_writes(e) && !evr_event_is_buffered(e));
		if (!effect)
			continue;
		if (done[e->thread] > e->index)
			return false;
		done[e->thread] = e->index + 1;
	}
	return true;
}

static void add_edge(struct evr_cyclic *c, evr_event_id from, evr_event_id to)
{
	struct node *n = &c->nodes.data[from];
	/* The bytes of an access mostly agree. */
	if (from == to || (n->edges != NONE && c->edges.data[n->edges].to == to))
		return;
	evr_vec_push(&c->edges, (struct edge){ to, n->edges });
	n->edges = (uint32_t)(c->edges.len - 1);
	c->nodes.data[to].entering++;
}

static struct word *word_at(struct evr_cyclic *c, uintptr_t address)
{
	uint64_t *known = evr_map_get(&c->word_of, address / 8);
	if (known)
		return &c->words.data[*known];
	evr_map_put(&c->word_of, address / 8, c->words.len);
	struct word fresh;
	memset(&fresh, 0xff, sizeof(fresh)); /* NONE everywhere */
	evr_vec_push(&c->words, fresh);
	return &evr_vec_last(&c->words);
}

static void add_link(struct evr_cyclic *c, uint32_t *list, evr_event_id event, uintptr_t address)
{
	evr_vec_push(&c->links, (struct link){ event, *list, address });
	*list = (uint32_t)(c->links.len - 1);
}

/* The newest store to the byte that the thread has under way. */
static evr_event_id own_store(const struct evr_cyclic *c, evr_thread_id thread, uintptr_t address)
{
	for (size_t i = c->buffer[thread].len; i-- > 0;) {
		evr_event_id id = c->buffer[thread].data[i];
		const struct evr_event *w = &c->trace->events.data[id];
		if (address - w->address < w->size)
			return id;
	}
	return EVR_NO_EVENT;
}

static void read_memory(struct evr_cyclic *c, evr_event_id id, const struct evr_event *e)
{
	struct word *w = NULL;
	for (uintptr_t a = e->address; a < e->address + e->size; a++) {
		if (!w || a % 8 == 0)
			w = word_at(c, a);
		evr_event_id store = own_store(c, e->thread, a);
		if (store != EVR_NO_EVENT) {
			/* What it reads is before it in program order; what it comes before is known at the update. */
			add_link(c, &c->nodes.data[store].forwarded, id, a);
			continue;
		}
		if (w->last[a % 8] != EVR_NO_EVENT)
			add_edge(c, w->last[a % 8], id);
		add_link(c, &w->readers[a % 8], id, a);
	}
}

static void write_memory(struct evr_cyclic *c, evr_event_id id, const struct evr_event *e)
{
	struct word *w = NULL;
	for (uintptr_t a = e->address; a < e->address + e->size; a++) {
		if (!w || a % 8 == 0)
			w = word_at(c, a);
		for (uint32_t i = w->readers[a % 8]; i != NONE; i = c->links.data[i].next)
			add_edge(c, c->links.data[i].event, id);
		if (w->last[a % 8] != EVR_NO_EVENT)
			add_edge(c, w->last[a % 8], id);
		w->last[a % 8] = id;
		w->readers[a % 8] = NONE;
	}
	/* Those that read it early are its readers like any other. */
	for (uint32_t i = c->nodes.data[id].forwarded; i != NONE; i = c->links.data[i].next) {
		struct link early = c->links.data[i];
		add_link(c, &word_at(c, early.address)->readers[early.address % 8], early.event, early.address);
	}
}

static evr_event_id take_from_buffer(struct evr_cyclic *c, const struct evr_event *update)
{
	evr_thread_id t = update->thread;
	evr_event_id *data = c->buffer[t].data;
	size_t len = c->buffer[t].len, i = 0;
	while (i < len && c->trace->events.data[data[i]].index != update->index)
		i++;
	if (i == len)
		evr_bug("an update without its store");
	evr_event_id id = data[i];
	memmove(&data[i], &data[i + 1], (len - i - 1) * sizeof(*data));
	c->buffer[t].len--;
	return id;
}

static void add_program_order(struct evr_cyclic *c, evr_event_id id, const struct evr_event *e)
{
	if (c->last[e->thread] != EVR_NO_EVENT)
		add_edge(c, c->last[e->thread], id);
	c->last[e->thread] = id;
	/* A child goes on from its creation; who joins a thread, from its end. */
	if (e->kind == EVR_CREATE)
		c->last[(evr_thread_id)e->other] = id;
	else if (e->kind == EVR_JOIN && c->last[(evr_thread_id)e->other] != EVR_NO_EVENT)
		add_edge(c, c->last[(evr_thread_id)e->other], id);
}

static void add_event(struct evr_cyclic *c, evr_event_id id, const struct evr_event *e)
{
	if (e->kind == EVR_UPDATE) {
		evr_event_id store = take_from_buffer(c, e);
		write_memory(c, store, e);
		return;
	}
	add_program_order(c, id, e);
	if (evr_event_reads(e))
		read_memory(c, id, e);
	if (evr_event_is_buffered(e))
		evr_vec_push(&c->buffer[e->thread], id);
	else if (evr_event_writes(e))
		write_memory(c, id, e);
}

static void build(struct evr_cyclic *c, const struct evr_trace *t)
{
	c->trace = t;
	evr_map_clear(&c->word_of);
	evr_vec_clear(&c->words);
	evr_vec_clear(&c->links);
	evr_vec_clear(&c->edges);
	evr_vec_clear(&c->nodes);
	for (unsigned i = 0; i < EVR_MAX_THREADS; i++) {
		evr_vec_clear(&c->buffer[i]);
		c->last[i] = EVR_NO_EVENT;
	}
	for (size_t i = 0; i < t->events.len; i++)
		evr_vec_push(&c->nodes, (struct node){ NONE, 0, NONE });
	for (size_t i = 0; i < t->events.len; i++)
		add_event(c, (evr_event_id)i, &t->events.data[i]);
}

/* Take away events that nothing comes before; what is never taken lies on a cycle or behind one. */
static bool sortable(struct evr_cyclic *c)
{
	evr_vec_clear(&c->ready);
	for (size_t i = 0; i < c->nodes.len; i++)
		if (!c->nodes.data[i].entering)
			evr_vec_push(&c->ready, (evr_event_id)i);
	for (size_t i = 0; i < c->ready.len; i++)
		for (uint32_t k = c->nodes.data[c->ready.data[i]].edges; k != NONE; k = c->edges.data[k].next)
			if (!--c->nodes.data[c->edges.data[k].to].entering)
				evr_vec_push(&c->ready, c->edges.data[k].to);
	return c->ready.len == c->nodes.len;
}

bool evr_cyclic_test(struct evr_cyclic *c, const struct evr_trace *t)
{
	if (in_order(t))
		return false;
	build(c, t);
	return !sortable(c);
}
