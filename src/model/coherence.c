/* Blocks, and the edges between them. An edge is added only if it does not close a cycle, so that the graph is always acyclic. */
#include "model/coherence.h"

#include <string.h>

#define NONE EVR_NO_EVENT

void evr_coherence_release(struct evr_coherence *c)
{
	evr_vecs_release(&c->members, &c->last_of, &c->edge_of, &c->edges, &c->stack, &c->reached, &c->member_of);
}

/* The same edge may come twice. */
static void add_edge(struct evr_coherence *c, uint32_t from, uint32_t to)
{
	uint32_t newest = c->edge_of.data[from];
	if (newest != NONE && c->edges.data[newest].to == to)
		return;
	c->edge_of.data[from] = (uint32_t)c->edges.len;
	evr_vec_push(&c->edges, (struct evr_forced_edge){ from, to, newest });
}

static void add_block(struct evr_coherence *c, uint32_t member)
{
	evr_vec_push(&c->last_of, member);
	evr_vec_push(&c->edge_of, NONE);
	evr_vec_push(&c->reached, 0);
}

void evr_coherence_begin(struct evr_coherence *c, unsigned threads)
{
	evr_vec_clear(&c->members);
	evr_vec_clear(&c->last_of);
	evr_vec_clear(&c->edge_of);
	evr_vec_clear(&c->edges);
	evr_vec_clear(&c->reached);
	c->threads = threads;
	c->tightened = false;
	c->execution = 0;
	evr_vec_push(&c->members,
		     (struct evr_member){ .number = NONE, .next = NONE, .previous = NONE, .flags = EVR_RF_WRITES });
	add_block(c, EVR_INITIAL);
	for (unsigned i = 0; i < threads; i++)
		c->last[i] = NONE;
}

/* As if the last member had never been entered, or as far as it has been. */
static void leave(struct evr_coherence *c)
{
	uint32_t m = (uint32_t)c->members.len - 1;
	const struct evr_member *x = &c->members.data[m];
	for (; c->edges.len > x->edges; c->edges.len--)
		c->edge_of.data[evr_vec_last(&c->edges).from] = evr_vec_last(&c->edges).next;
	c->last_of.len = c->edge_of.len = c->reached.len = x->blocks;
	if (x->flags & EVR_RF_READS && x->flags & EVR_RF_WRITES && c->members.data[x->source].next == m) {
		uint32_t *last = &c->last_of.data[c->members.data[x->source].block];
		c->members.data[x->source].next = NONE;
		*last = *last == m ? x->source : *last;
	}
	if (c->last[x->thread] == m)
		c->last[x->thread] = x->previous;
	c->members.len = m;
}

size_t evr_coherence_resume(struct evr_coherence *c, const struct evr_rf *t, uint32_t location, evr_event_id prefix)
{
	uint64_t execution = t->executions + 1;
	if (c->execution != execution || c->location != location || c->overlaps != t->locations.overlaps ||
	    c->threads != t->threads) {
		evr_coherence_begin(c, t->threads);
		c->execution = execution;
		c->location = location;
		c->overlaps = t->locations.overlaps;
		c->kept = 1;
	}
	evr_coherence_forget(c, prefix);
	while (c->members.len > c->kept)
		leave(c);
	return c->kept - 1;
}

void evr_coherence_forget(struct evr_coherence *c, evr_event_id n)
{
	while (c->execution && c->kept > 1 && c->members.data[c->kept - 1].number >= n)
		c->kept--;
}

bool evr_coherence_reaches(struct evr_coherence *c, uint32_t from, uint32_t to)
{
	if (from == to)
		return true;
	c->searches++;
	evr_vec_clear(&c->stack);
	evr_vec_push(&c->stack, from);
	while (c->stack.len) {
		uint32_t b = c->stack.data[--c->stack.len];
		for (uint32_t i = c->edge_of.data[b]; i != NONE; i = c->edges.data[i].next) {
			uint32_t next = c->edges.data[i].to;
			if (next == to)
				return true;
			if (c->reached.data[next] != c->searches)
				evr_vec_push(&c->stack, next);
			c->reached.data[next] = c->searches;
		}
	}
	return false;
}

/* So that one goes back to an earlier member of the thread in logarithmic time. */
static void set_jump(const struct evr_coherence *c, struct evr_member *x)
{
	x->jump = x->previous;
	x->depth = 0;
	if (x->previous == NONE)
		return;
	const struct evr_member *y = &c->members.data[x->previous];
	x->depth = y->depth + 1;
	if (y->jump == NONE)
		return;
	const struct evr_member *z = &c->members.data[y->jump];
	uint32_t beyond = z->jump == NONE ? 0 : c->members.data[z->jump].depth + 1;
	if (y->depth - z->depth == z->depth + 1 - beyond)
		x->jump = z->jump;
}

/* Of what counts of this thread, the last that is in the member's past. */
static uint32_t last_before(const struct evr_coherence *c, const struct evr_member *m, unsigned thread)
{
	const struct evr_member *all = c->members.data;
	uint32_t a = c->last[thread];
	while (a != NONE && m->past[thread] <= all[a].place) {
		uint32_t jump = all[a].jump;
		a = jump != NONE && m->past[thread] <= all[jump].place ? jump : all[a].previous;
	}
	return a;
}

/* The write that the member makes or, if it makes none, has read. */
static uint32_t write_of(const struct evr_coherence *c, uint32_t member)
{
	return c->members.data[member].flags & EVR_RF_WRITES ? member : c->members.data[member].source;
}

/* Write w must come before write s, or be it. */
static bool order(struct evr_coherence *c, uint32_t w, uint32_t s, bool sure)
{
	const struct evr_member *x = &c->members.data[w], *y = &c->members.data[s];
	if (w == s)
		return true;
	if (x->block == y->block)
		return x->block_index < y->block_index;
	if (x->block == EVR_INITIAL && x->block_index == 0)
		return true;
	if (!sure && (y->block == EVR_INITIAL || evr_coherence_reaches(c, y->block, x->block)))
		return false;
	/* The last block may be the one that the member has just begun. */
	if (!sure && x->block != EVR_INITIAL && c->last_of.data[y->block] != c->members.len - 1)
		c->tightened |= !evr_coherence_reaches(c, x->block, y->block);
	add_edge(c, x->block, y->block);
	return true;
}

static void enter_block(struct evr_coherence *c, uint32_t m)
{
	struct evr_member *x = &c->members.data[m];
	if (x->flags & EVR_RF_READS) {
		x->block = c->members.data[x->source].block;
		x->block_index = c->members.data[x->source].block_index + 1;
		c->members.data[x->source].next = m;
		if (c->last_of.data[x->block] == x->source)
			c->last_of.data[x->block] = m;
	} else {
		x->block = (uint32_t)c->last_of.len;
		x->block_index = 1;
		add_block(c, m);
	}
}

static bool order_after_past(struct evr_coherence *c, const struct evr_member *m, uint32_t write, bool sure)
{
	for (unsigned i = 0; i < c->threads; i++) {
		uint32_t a = i == m->thread ? m->previous : last_before(c, m, i);
		if (a != NONE && !order(c, write_of(c, a), write, sure))
			return false;
	}
	return true;
}

/* A chain that was entered before its end is known grows: its members do come one after the other. */
bool evr_coherence_enter(struct evr_coherence *c, bool sure)
{
	uint32_t m = (uint32_t)c->members.len - 1;
	struct evr_member *x = &c->members.data[m];
	x->block = x->block_index = 0;
	x->next = NONE;
	x->previous = c->last[x->thread];
	set_jump(c, x);
	x->edges = (uint32_t)c->edges.len;
	x->blocks = (uint32_t)c->last_of.len;
	evr_vec_reserve(&c->member_of, x->number + 1u);
	c->member_of.data[x->number] = m;
	if (x->flags & EVR_RF_READS) {
		if (x->flags & EVR_RF_WRITES && c->members.data[x->source].next != NONE)
			return false;
		if (!order_after_past(c, x, x->source, sure))
			return false;
	}
	if (c->reads_count || x->flags & EVR_RF_WRITES)
		c->last[x->thread] = m;
	if (!(x->flags & EVR_RF_WRITES))
		return true;
	enter_block(c, m);
	return x->flags & EVR_RF_READS || order_after_past(c, x, m, sure);
}

enum evr_answer evr_coherence_ask(const struct evr_rf *t, const evr_rf_ids *old, const struct evr_rf_event *x,
				  const int32_t *past, evr_event_id source, const int32_t *source_past, int32_t scale)
{
	enum evr_answer answer = EVR_YES;
	for (size_t k = 0; k < old->len; k++) {
		evr_event_id i = old->data[k];
		const struct evr_rf_event *y = &t->events.data[i];
		if (x->flags & y->flags & EVR_RF_WRITES && y->flags & EVR_RF_READS && y->source == source)
			return EVR_NO;
		if (past[y->thread] < scale * ((int32_t)y->index + 1))
			continue;
		evr_event_id seen = y->flags & EVR_RF_WRITES ? i : y->source;
		if (seen == NONE || seen == source)
			continue;
		const struct evr_rf_event *w = &t->events.data[seen];
		if (source == NONE || source_past[w->thread] < scale * ((int32_t)w->index + 1))
			answer = EVR_UNCLEAR;
	}
	return answer;
}

evr_event_id evr_coherence_newest(const struct evr_coherence *c)
{
	evr_event_id best = NONE;
	/* The initial write comes before all others. */
	for (uint32_t b = EVR_INITIAL + 1; b < c->last_of.len; b++) {
		evr_event_id last = c->members.data[c->last_of.data[b]].number;
		if (c->edge_of.data[b] == NONE && (best == NONE || last > best))
			best = last;
	}
	return c->last_of.len == EVR_INITIAL + 1 ? c->members.data[c->last_of.data[EVR_INITIAL]].number : best;
}

/* A block that can be next in coherence; one that is wanted last only if there is no other. `waits`: for how many blocks each does. None before `from` can be. */
static uint32_t next_block(const struct evr_coherence *c, const uint64_t *waits, const evr_rf_ids *wanted,
			   uint32_t from)
{
	uint32_t next = NONE;
	for (uint32_t b = from; b < c->last_of.len; b++) {
		bool ready = !waits[b], last = false;
		for (size_t i = 0; ready && i < wanted->len; i++)
			last |= wanted->data[i] == c->members.data[c->last_of.data[b]].number;
		if (ready && (!last || b == EVR_INITIAL))
			return b;
		if (ready)
			next = b;
	}
	EVR_ASSERT(next != NONE);
	return next;
}

void evr_coherence_append(const struct evr_coherence *c, uint32_t block, evr_rf_ids *sorted)
{
	size_t at = sorted->len;
	for (uint32_t m = c->last_of.data[block]; m != EVR_INITIAL;
	     m = c->members.data[m].flags & EVR_RF_READS ? c->members.data[m].source : EVR_INITIAL)
		evr_vec_push(sorted, c->members.data[m].number);
	/* The chain was followed backwards. */
	for (size_t i = at, k = sorted->len; i + 1 < k; i++, k--) {
		evr_event_id swap = sorted->data[i];
		sorted->data[i] = sorted->data[k - 1];
		sorted->data[k - 1] = swap;
	}
}

/* `reached` is free, and counts: for how many blocks one has to wait that were not taken. */
void evr_coherence_sort(struct evr_coherence *c, const evr_rf_ids *wanted, evr_rf_ids *sorted)
{
	memset(c->reached.data, 0, c->reached.len * sizeof(*c->reached.data));
	for (size_t i = 0; i < c->edges.len; i++)
		c->reached.data[c->edges.data[i].to]++;
	uint32_t from = EVR_INITIAL;
	for (size_t n = 0; n < c->last_of.len; n++) {
		uint32_t block = next_block(c, c->reached.data, wanted, from);
		c->reached.data[block] = UINT32_MAX;
		/* Who is wanted last has been passed by. */
		from = wanted->len ? EVR_INITIAL : block + 1;
		for (uint32_t i = c->edge_of.data[block]; i != NONE; i = c->edges.data[i].next) {
			uint32_t to = c->edges.data[i].to;
			if (!--c->reached.data[to] && to < from)
				from = to;
		}
		evr_coherence_append(c, block, sorted);
	}
	/* No search has come to any block yet. */
	if (c->searches < UINT32_MAX)
		c->searches = UINT32_MAX;
}
