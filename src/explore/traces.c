/*
 * Engine `traces`: one execution for each Shasha-Snir trace, by Optimal-DPOR (Abdulla, Aronis, Jonsson, Sagonas; JACM 2017)
 * over the happens-before of chronological traces (paper 004). docs/engines/traces.md tells the story.
 *
 * The execution being explored is a stack of nodes, one for each decision. A node has the step that was taken there, the
 * steps that are asleep (what begins with them has been explored), and a wakeup tree (what is still to be explored). When an
 * execution is over, every race in it asks for a sequence in which its second event comes before the first; then the
 * deepest node with a tree left goes on with its next branch. Where no tree says what to do, any step will do: then
 * nothing is asleep.
 *
 * Invariant: what begins with a step that is asleep at a node has been explored, and what a race has asked for is in a tree above it.
 */
#include "explore/traces_search.h"

#include <stdlib.h>

static void forget(struct evr_traces *t)
{
	evr_hb_init(&t->hb, &t->base.world->trace);
	t->wakeup.hb = &t->hb;
	evr_wakeup_clear(&t->wakeup);
	evr_vec_clear(&t->steps);
	evr_vec_clear(&t->nodes);
	evr_vec_clear(&t->node_of);
	evr_vec_clear(&t->sleep);
	evr_vec_reserve(&t->sleep, 1); /* so that there is an array, if an empty one */
	evr_vec_clear(&t->open);
	evr_vec_clear(&t->blocked);
	evr_clocks_release(&t->lengths);
	t->ahead = EVR_NO_TREE;
	t->depth = t->races_done = t->pruned_at = 0;
	t->retracted = t->loose = t->pruned = false;
	t->base.rerun = false;
	t->base.prefix = 0;
}

static struct evr_engine *create(struct evr_world *w)
{
	struct evr_traces *t = evr_alloc(sizeof(*t));
	t->base.ops = &evr_engine_traces;
	t->base.world = w;
	forget(t);
	return &t->base;
}

static void destroy(struct evr_engine *e)
{
	struct evr_traces *t = (struct evr_traces *)e;
	evr_hb_release(&t->hb);
	evr_wakeup_release(&t->wakeup);
	evr_vec_release(&t->steps);
	evr_vec_release(&t->nodes);
	evr_clocks_release(&t->lengths);
	evr_vecs_release(&t->node_of, &t->sleep, &t->open, &t->blocked, &t->asleep, &t->possible);
	free(t);
}

static void restart(struct evr_engine *e)
{
	struct evr_traces *t = (struct evr_traces *)e;
	evr_hb_release(&t->hb);
	forget(t);
}

/* ---- an execution ---- */

/* What the tree expected of this step's event, and what it was. */
static void compare(struct evr_traces *t, const struct evr_access *expected, const struct evr_access *found)
{
	const struct evr_event *e = &t->base.world->trace.events.data[t->hb.events.len - 1];
	bool same =
		expected->kind == found->kind && expected->address == found->address && expected->size == found->size;
	/* Whether an access is a finding cannot be foreseen in all cases. */
	if (!same && e->kind != EVR_FAULT && t->base.world->trace.diverged == EVR_NO_EVENT)
		t->base.failure = "an event is not what it should be in this order: is the program deterministic?";
}

/* Add the next event to happens-before. */
static inline void catch_up_with_event(struct evr_traces *t)
{
	struct evr_hb *o = &t->hb;
	size_t id = o->events.len;
	struct evr_trace_node *top = t->nodes.len ? &evr_vec_last(&t->nodes) : NULL;
	evr_hb_add(o);
	if (!top || top->position != id) {
		evr_vec_push(&t->node_of, EVR_NO_NODE);
		return;
	}
	evr_vec_push(&t->node_of, (uint32_t)(t->nodes.len - 1));
	if (top->op.access.address)
		compare(t, &top->op.access, &o->events.data[id].access);
	top->op.access = o->events.data[id].access;
	top->op.elsewhere = 0;
}

/* Add the first n events to happens-before, as far as that has not been done. */
static inline void catch_up(struct evr_traces *t, size_t n)
{
	while (t->hb.events.len < n)
		catch_up_with_event(t);
}

/*
 * Add the event of the last decision. What came after it matters only if there is another decision; most threads end
 * and are joined when there is none.
 */
static void catch_up_with_node(struct evr_traces *t)
{
	size_t n = t->base.world->trace.events.len;
	if (t->nodes.len && evr_vec_last(&t->nodes).position < n)
		catch_up(t, evr_vec_last(&t->nodes).position + 1);
}

/* The execution is over. What else happened matters to a lock that waits for ever. */
static void catch_up_with_end(struct evr_traces *t)
{
	const struct evr_trace *trace = &t->base.world->trace;
	catch_up_with_node(t);
	if (t->blocked.len)
		catch_up(t, trace->events.len);
}

/* Is the step that is asleep so after the other one, too, just as it is? */
static inline bool stays_asleep(const struct evr_traces *t, const struct evr_op *q, const struct evr_op *taken)
{
	return !q->access.forward && (!(evr_op_near(q) & ~taken->elsewhere) || !evr_ops_conflict(&t->hb, q, taken));
}

/* What is asleep at the new node: whatever was, unless the step before has woken it. It lies where it lay, as long as all of it is. */
static void inherit_sleep(struct evr_traces *t, struct evr_trace_node *n)
{
	n->asleep = (uint32_t)t->sleep.len;
	n->sleepers = 0;
	if (!t->nodes.len)
		return;
	const struct evr_trace_node *parent = &evr_vec_last(&t->nodes);
	uint32_t kept = 0;
	while (kept < parent->sleepers && stays_asleep(t, &t->sleep.data[parent->asleep + kept], &parent->op))
		kept++;
	if (EVR_LIKELY(kept == parent->sleepers)) {
		n->asleep = parent->asleep;
		n->sleepers = kept;
		return;
	}
	for (uint32_t i = 0; i < parent->sleepers; i++) {
		struct evr_op q = t->sleep.data[parent->asleep + i];
		if (!evr_ops_conflict(&t->hb, &q, &parent->op))
			evr_vec_push(&t->sleep, evr_op_after(&t->hb, &q, &parent->op));
	}
	n->sleepers = (uint32_t)(t->sleep.len - n->asleep);
}

/* The node is where a loose one was. */
static void restore_sleep(struct evr_traces *t, struct evr_trace_node *n)
{
	n->asleep = (uint32_t)t->sleep.len;
	n->sleepers = (uint32_t)t->asleep.len;
	for (size_t i = 0; i < t->asleep.len; i++)
		evr_vec_push(&t->sleep, t->asleep.data[i]);
	t->loose = false;
	n->loose = true;
}

/* Is one of the ways in which the thread can make its event not asleep? */
static inline bool is_awake(const struct evr_traces *t, const struct evr_trace_node *n, struct evr_step *s)
{
	if (EVR_LIKELY(!n->sleepers))
		return true;
	const struct evr_event *e = &t->base.world->pending[s->actor];
	uint32_t ways = e->kind == EVR_CHOOSE ? (uint32_t)e->choices : 1;
	for (s->variant = 0; s->variant < ways; s->variant++)
		if (!evr_traces_asleep(t, n, *s))
			return true;
	return false;
}

/*
 * Any step will do that is not asleep; as a rule nothing is. The thread that is running already comes first, stores reach memory
 * last. *asleep: all that is left is asleep.
 */
static struct evr_step any_step(struct evr_traces *t, const struct evr_trace_node *n, bool *asleep)
{
	const struct evr_world *w = t->base.world;
	uint16_t before = t->nodes.len ? evr_vec_last(&t->nodes).op.step.actor : 0;
	struct evr_step s = { before, 0 };
	if (before < EVR_MAX_THREADS && before + 1u != w->tired && evr_model_can_go(w, before) && is_awake(t, n, &s))
		return s;
	for (unsigned i = 0; i < w->threads; i++) {
		s = (struct evr_step){ (uint16_t)i, 0 };
		if (i + 1 != w->tired && evr_model_can_go(w, (evr_thread_id)i) && is_awake(t, n, &s))
			return s;
	}
	evr_vec_clear(&t->possible);
	w->model->steps(t->base.world, &t->possible);
	for (size_t i = 0; i < t->possible.len; i++)
		if (t->possible.data[i].actor >= EVR_MAX_THREADS && !evr_traces_asleep(t, n, t->possible.data[i]))
			return t->possible.data[i];
	s = (struct evr_step){ (uint16_t)(w->tired - 1), 0 };
	if (w->tired && evr_model_can_go(w, s.actor) && is_awake(t, n, &s))
		return s;
	*asleep = n->sleepers;
	/* Who would go round for nothing does so in the end: then it is known what it waits for. */
	return t->possible.len && !*asleep ? t->possible.data[0] : (struct evr_step){ .actor = EVR_NO_ACTOR };
}

/* The execution is over. Who waits for a mutex might have got it before the one that holds it now. */
static void note_blocked(struct evr_traces *t)
{
	const struct evr_world *w = t->base.world;
	for (unsigned i = 0; i < w->threads; i++) {
		const struct evr_event *e = &w->pending[i];
		if (w->waiting[i] && e->kind == EVR_LOCK)
			evr_vec_push(
				&t->blocked,
				(struct evr_op){ { (uint16_t)i, 0 }, { e->address, e->size, EVR_ACCESS_WRITE, 0 }, 0 });
	}
}

/* Does every execution turn out to be a trace of its own? Not where steps are for nothing, which is found out late, nor without what trees had asked for. */
static bool wastes_nothing(const struct evr_traces *t)
{
	return !t->base.world->futile.len && !t->pruned;
}

/* Not a trace of its own after all; see compare(). */
static void abandon(struct evr_traces *t)
{
	t->base.rerun = true;
	t->base.abandoned = !wastes_nothing(t);
	t->base.redundant += wastes_nothing(t);
}

/*
 * The first branch of the tree ahead that can be taken. A thread that failed on its own before it could be told to has no
 * step left; a lock may turn out to be impossible before memory was freed, and then only its own branch goes. What would be for
 * nothing is taken all the same: see take_back().
 */
static bool follow(struct evr_traces *t, struct evr_trace_node *n)
{
	const struct evr_world *w = t->base.world;
	evr_tree below;
	while (t->ahead != EVR_NO_TREE) {
		n->op = evr_wakeup_take(&t->wakeup, &t->ahead, &below);
		uint16_t actor = n->op.step.actor;
		if (actor >= EVR_MAX_THREADS || (w->waiting[actor] && w->model->ready(w, actor))) {
			n->tree = t->ahead;
			t->ahead = below;
			return true;
		}
		if (!w->waiting[actor])
			t->ahead = evr_wakeup_concat(&t->wakeup, below, t->ahead);
		else
			evr_wakeup_drop(&t->wakeup, below);
	}
	return false;
}

/* The lengths of the chains at the next node. */
static void note_lengths(struct evr_traces *t)
{
	struct evr_clocks *l = &t->lengths;
	size_t n = t->nodes.len;
	if (EVR_UNLIKELY(l->width != t->hb.clocks.width))
		evr_clocks_resize(l, t->hb.clocks.width, n + 64, n);
	evr_clocks_reserve(l, n + 1, n);
	evr_clock_copy(evr_clocks_at(l, n), evr_hb_lengths(&t->hb), l->width);
}

/* The new node is made where it will stay, behind the others; they do not count it until it has a step. */
static struct evr_step decide(struct evr_traces *t)
{
	const struct evr_step end = { .actor = EVR_NO_ACTOR };
	evr_vec_reserve(&t->nodes, t->nodes.len + 1);
	struct evr_trace_node *n = &t->nodes.data[t->nodes.len];
	n->tree = EVR_NO_TREE;
	n->position = (evr_event_id)t->base.world->trace.events.len;
	n->step = (uint32_t)t->depth;
	n->loose = false;
	catch_up_with_node(t);
	if (EVR_UNLIKELY(t->loose))
		restore_sleep(t, n);
	else
		inherit_sleep(t, n);
	bool planned = t->ahead != EVR_NO_TREE;
	n->asked = planned && follow(t, n);
	if (!n->asked) {
		bool asleep = false;
		n->op.step = any_step(t, n, &asleep);
		n->op.access.address = 0;
		n->op.elsewhere = 0;
		/* Where no step was for nothing, and none was impossible, nothing is asleep now. */
		if (asleep || (n->sleepers && wastes_nothing(t)) || (planned && !n->loose)) {
			abandon(t);
			return end;
		}
		if (n->op.step.actor == EVR_NO_ACTOR) {
			note_blocked(t);
			return end;
		}
		/* Requests that nothing asleep conflicts with are left out: see struct evr_trace_node. */
		n->loose |= n->sleepers > 0;
	}
	catch_up(t, n->position);
	note_lengths(t);
	t->nodes.len++;
	return n->op.step;
}

static __attribute__((noinline)) struct evr_step new_step(struct evr_traces *t)
{
	const struct evr_world *w = t->base.world;
	struct evr_step s = { .actor = EVR_NO_ACTOR };
	for (unsigned i = 0; w->model->silent && i < w->threads && s.actor == EVR_NO_ACTOR; i++)
		if (w->waiting[i] && w->model->silent(w, (evr_thread_id)i))
			s.actor = (uint16_t)i;
	if (s.actor == EVR_NO_ACTOR)
		s = decide(t);
	if (s.actor != EVR_NO_ACTOR) {
		evr_vec_push(&t->steps, s);
		t->depth++;
	}
	return s;
}

static struct evr_step next(struct evr_engine *e)
{
	struct evr_traces *t = (struct evr_traces *)e;
	if (EVR_LIKELY(t->depth < t->steps.len))
		return t->steps.data[t->depth++];
	return new_step(t);
}

static size_t place(const struct evr_engine *e)
{
	return ((const struct evr_traces *)e)->depth;
}

static bool resume(struct evr_engine *e, size_t place)
{
	struct evr_traces *t = (struct evr_traces *)e;
	if (place > t->common)
		return false;
	t->depth = place;
	return true;
}

/* ---- the next execution ---- */

static void rewind_to(struct evr_traces *t, evr_event_id position)
{
	evr_hb_rewind(&t->hb, position);
	t->node_of.len = position;
	if (t->races_done > t->hb.races.len)
		t->races_done = t->hb.races.len;
	size_t kept = 0;
	for (size_t i = 0; i < t->open.len; i++)
		if (t->open.data[i].second < position)
			t->open.data[kept++] = t->open.data[i];
	t->open.len = kept;
}

/* The node's step has been explored: it is asleep now, and the next branch of the tree is due. */
static void go_on(struct evr_traces *t, struct evr_trace_node *n)
{
	t->sleep.len = n->asleep + n->sleepers;
	evr_vec_push(&t->sleep, n->op);
	n->sleepers++;
	n->op = evr_wakeup_take(&t->wakeup, &n->tree, &t->ahead);
	n->asked = true;
	rewind_to(t, n->position);
	t->steps.len = n->step + 1;
	t->steps.data[n->step] = n->op.step;
	t->base.prefix = n->position;
	t->common = n->step;
}

static bool retract(struct evr_engine *e, evr_thread_id thread, bool new)
{
	struct evr_traces *t = (struct evr_traces *)e;
	const struct evr_trace_node *n = t->nodes.len ? &evr_vec_last(&t->nodes) : NULL;
	t->retracted = n && n->op.step.actor == thread && n->step + 1 == t->depth && t->depth == t->steps.len &&
		       (new || n->asked);
	return t->retracted;
}

/* The last node is to be decided anew: another step is taken there. */
static void pop_node(struct evr_traces *t)
{
	const struct evr_trace_node *n = &evr_vec_last(&t->nodes);
	rewind_to(t, n->position);
	t->steps.len = n->step;
	t->base.prefix = n->position;
	t->common = n->step;
	t->nodes.len--;
	n = t->nodes.len ? &evr_vec_last(&t->nodes) : NULL;
	t->sleep.len = n ? n->asleep + n->sleepers : 0;
}

/* The last step was for nothing: it is not the node's step. What it would have found earlier, it asks for all the same. */
static void take_back(struct evr_traces *t)
{
	struct evr_trace_node *n = &evr_vec_last(&t->nodes);
	evr_event_id position = n->position;
	catch_up(t, position + 1u);
	for (size_t i = t->races_done; i < t->hb.races.len; i++)
		if (t->hb.races.data[i].second == position)
			evr_traces_reverse_race(t, t->hb.races.data[i]);
	n->loose |= n->asked;
	evr_vec_clear(&t->asleep);
	for (uint32_t i = 0; i < n->sleepers; i++)
		evr_vec_push(&t->asleep, t->sleep.data[n->asleep + i]);
	t->loose = n->loose;
	evr_wakeup_drop(&t->wakeup, t->ahead);
	t->ahead = n->tree;
	pop_node(t);
}

/* The step of the last node, a loose one, has been explored, and its tree is empty. */
static void try_another(struct evr_traces *t)
{
	const struct evr_trace_node *n = &evr_vec_last(&t->nodes);
	evr_vec_clear(&t->asleep);
	for (uint32_t i = 0; i < n->sleepers; i++)
		evr_vec_push(&t->asleep, t->sleep.data[n->asleep + i]);
	evr_vec_push(&t->asleep, n->op);
	t->loose = true;
	t->ahead = EVR_NO_TREE;
	pop_node(t);
}

/*
 * Trees may grow faster than they are explored, those of the first nodes above all. When all of them together have so many branches, they are pruned: of a
 * sequence only the first step is left, from which on any step will do. That leads to all that the sequence would have led to, and perhaps to what is asleep: such executions
 * are discarded.
 */
#define MOST_BRANCHES ((size_t)1 << 17)

static void prune(struct evr_traces *t)
{
	size_t branches = t->wakeup.branches.len;
	if (EVR_LIKELY((branches < MOST_BRANCHES || branches == t->pruned_at) && !t->base.world->restless))
		return;
	t->pruned_at = branches;
	for (size_t i = 0; i < t->nodes.len; i++)
		t->pruned |= evr_wakeup_prune(&t->wakeup, t->nodes.data[i].tree);
}

static bool advance(struct evr_engine *e)
{
	struct evr_traces *t = (struct evr_traces *)e;
	t->depth = 0;
	e->rerun = e->abandoned = false;
	if (EVR_UNLIKELY(t->retracted)) {
		t->retracted = false;
		take_back(t);
		return true;
	}
	catch_up_with_end(t);
	prune(t);
	evr_traces_reverse_races(t);
	evr_wakeup_drop(&t->wakeup, t->ahead);
	t->ahead = EVR_NO_TREE;
	t->loose = false;
	while (t->nodes.len && evr_vec_last(&t->nodes).tree == EVR_NO_TREE && !evr_vec_last(&t->nodes).loose)
		t->nodes.len--;
	if (!t->nodes.len || e->failure)
		return false;
	if (EVR_UNLIKELY(evr_vec_last(&t->nodes).tree == EVR_NO_TREE))
		try_another(t);
	else
		go_on(t, &evr_vec_last(&t->nodes));
	return true;
}

/* Traces are told apart by the order in which steps are taken, which must then be that in which writes take effect. */
static bool supports(const struct evr_model_ops *m)
{
	return !m->steps_name_sources;
}

static bool preferred(const struct evr_model_ops *m)
{
	return m->buffers_stores;
}

const struct evr_engine_ops evr_engine_traces = {
	.name = "traces",
	.summary = "one execution for each trace: who reads from whom, and in which order writes take effect",
	.supports = supports,
	.preferred = preferred,
	.exhaustive = true,
	.erases = true,
	.classes = "trace",
	EVR_ENGINE_FUNCTIONS,
	.next = next,
	.place = place,
	.resume = resume,
	.retract = retract,
	.probe = evr_engine_probe_traces,
	.divided = &evr_engine_interleaved,
};
