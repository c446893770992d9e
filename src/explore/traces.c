/*
 * Engine `traces`: one execution for each Shasha-Snir trace, by Optimal-DPOR (Abdulla, Aronis, Jonsson, Sagonas; JACM 2017)
 * over the happens-before of chronological traces (paper 004). docs/engines/traces.md tells the story.
 *
 * The execution being explored is a stack of nodes, one for each decision. A node has the step that was taken there, the
 * steps that are asleep (what begins with them has been explored), and a wakeup tree (what is still to be explored). When an
 * execution is over, every race in it asks for a sequence in which its second event comes before the first; then the
 * deepest node with a tree left goes on with its next branch. Where no tree says what to do, any step will do: then
 * nothing is asleep.
 */
#include "explore/engine.h"
#include "explore/wakeup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct node {
	struct evr_op op;
	evr_event_id position; /* events in the trace when it was decided: the step's own event, if it has one */
	uint32_t step;         /* its place among the steps */
	uint32_t asleep, sleepers; /* the first of these in `sleep`, and how many */
	bool asked; /* its step is one that a tree asked for */
	/*
	 * A step that a tree asked for turned out to be for nothing. Other requests may have been left out because that one would
	 * have covered them: every step that is not asleep is tried here.
	 */
	bool loose;
	evr_tree tree;
};

struct traces {
	struct evr_engine base;
	struct evr_hb hb;
	struct evr_wakeup wakeup;
	evr_steps steps; /* all that were taken, those that are no decision included */
	size_t depth;    /* how many in this execution */
	EVR_VEC(struct node) nodes;
	EVR_VEC(int32_t) lengths;      /* of the chains, when each node was decided */
	uint32_t stride;               /* how many of these a node has */
	EVR_VEC(uint32_t) node_of;     /* of an event, or NO_NODE */
	EVR_VEC(struct evr_op) sleep;  /* of all nodes */
	evr_tree ahead;                /* of the next node */
	size_t judged;                 /* races that have been looked at */
	EVR_VEC(struct evr_race) open; /* of these, those that must be looked at in each execution */
	EVR_VEC(struct evr_op) blocked; /* locks that wait for ever, in this execution */
	bool retracted; /* the last step was for nothing */
	bool loose;     /* the next node is a loose one, where these are asleep */
	EVR_VEC(struct evr_op) asleep;
	evr_steps possible;
};

#define NO_NODE ((uint32_t)-1)

static void forget(struct traces *t)
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
	t->ahead = EVR_NO_TREE;
	t->depth = t->judged = 0;
	t->retracted = t->loose = false;
	t->base.rerun = false;
	t->base.prefix = 0;
}

static struct evr_engine *create(struct evr_world *w)
{
	struct traces *t = evr_alloc(sizeof(*t));
	t->base.ops = &evr_engine_traces;
	t->base.world = w;
	forget(t);
	return &t->base;
}

static void destroy(struct evr_engine *e)
{
	struct traces *t = (struct traces *)e;
	evr_hb_release(&t->hb);
	evr_wakeup_release(&t->wakeup);
	evr_vec_release(&t->steps);
	evr_vec_release(&t->nodes);
	evr_vec_release(&t->lengths);
	evr_vec_release(&t->node_of);
	evr_vec_release(&t->sleep);
	evr_vec_release(&t->open);
	evr_vec_release(&t->blocked);
	evr_vec_release(&t->asleep);
	evr_vec_release(&t->possible);
	free(t);
}

static void restart(struct evr_engine *e)
{
	struct traces *t = (struct traces *)e;
	evr_hb_release(&t->hb);
	forget(t);
}

/* ---- an execution ---- */

/* What the tree expected of this step's event, and what it was. */
static void compare(struct traces *t, const struct evr_access *expected, const struct evr_access *found)
{
	const struct evr_event *e = &t->base.world->trace.events.data[t->hb.events.len - 1];
	bool same =
		expected->kind == found->kind && expected->address == found->address && expected->size == found->size;
	/* Whether an access is a finding cannot be foreseen in all cases. */
	if (!same && expected->address && e->kind != EVR_FAULT && t->base.world->trace.diverged == EVR_NO_EVENT)
		t->base.failure = "an event is not what it should be in this order: is the program deterministic?";
}

/* Take in the first n events, as far as that has not been done. */
static void catch_up(struct traces *t, size_t n)
{
	struct evr_hb *o = &t->hb;
	while (o->events.len < n) {
		size_t id = o->events.len;
		struct node *top = t->nodes.len ? &evr_vec_last(&t->nodes) : NULL;
		bool own = top && top->position == id;
		evr_hb_add(o);
		evr_vec_push(&t->node_of, own ? (uint32_t)(t->nodes.len - 1) : NO_NODE);
		if (!own)
			continue;
		compare(t, &top->op.access, &o->events.data[id].access);
		top->op.access = o->events.data[id].access;
	}
}

/*
 * Take in the event of the last decision. What came after it matters only if there is another decision; most threads end
 * and are joined when there is none.
 */
static void catch_up_with_node(struct traces *t)
{
	size_t n = t->base.world->trace.events.len;
	if (t->nodes.len && evr_vec_last(&t->nodes).position < n)
		catch_up(t, evr_vec_last(&t->nodes).position + 1);
}

/* The execution is over. What else happened matters to a lock that waits for ever. */
static void catch_up_with_end(struct traces *t)
{
	const struct evr_trace *trace = &t->base.world->trace;
	catch_up_with_node(t);
	if (t->blocked.len)
		catch_up(t, trace->events.len);
}

/* What is asleep at the new node: whatever was, unless the step before has woken it. */
static void inherit_sleep(struct traces *t, struct node *n)
{
	n->asleep = (uint32_t)t->sleep.len;
	n->sleepers = 0;
	if (!t->nodes.len)
		return;
	const struct node *parent = &evr_vec_last(&t->nodes);
	for (uint32_t i = 0; i < parent->sleepers; i++) {
		struct evr_op q = t->sleep.data[parent->asleep + i];
		if (!evr_ops_conflict(&t->hb, &q, &parent->op))
			evr_vec_push(&t->sleep, evr_op_after(&t->hb, &q, &parent->op));
	}
	n->sleepers = (uint32_t)(t->sleep.len - n->asleep);
}

/* The node is where a loose one was. */
static void restore_sleep(struct traces *t, struct node *n)
{
	n->asleep = (uint32_t)t->sleep.len;
	n->sleepers = (uint32_t)t->asleep.len;
	for (size_t i = 0; i < t->asleep.len; i++)
		evr_vec_push(&t->sleep, t->asleep.data[i]);
	t->loose = false;
	n->loose = true;
}

static bool is_asleep(const struct traces *t, const struct node *n, struct evr_step s)
{
	for (uint32_t i = 0; i < n->sleepers; i++)
		if (evr_same_step(t->sleep.data[n->asleep + i].step, s))
			return true;
	return false;
}

/* Is one of the ways in which the thread can make its event not asleep? */
static inline bool is_awake(const struct traces *t, const struct node *n, struct evr_step *s)
{
	if (EVR_LIKELY(!n->sleepers))
		return true;
	const struct evr_event *e = &t->base.world->pending[s->actor];
	uint32_t ways = e->kind == EVR_CHOOSE ? (uint32_t)e->written : 1;
	for (s->variant = 0; s->variant < ways; s->variant++)
		if (!is_asleep(t, n, *s))
			return true;
	return false;
}

/*
 * Any step will do that is not asleep; as a rule nothing is. The thread that is running already comes first, stores reach memory
 * last. *asleep: all that is left is asleep.
 */
static struct evr_step any_step(struct traces *t, const struct node *n, bool *asleep)
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
		if (t->possible.data[i].actor >= EVR_MAX_THREADS && !is_asleep(t, n, t->possible.data[i]))
			return t->possible.data[i];
	s = (struct evr_step){ (uint16_t)(w->tired - 1), 0 };
	if (w->tired && evr_model_can_go(w, s.actor) && is_awake(t, n, &s))
		return s;
	*asleep = n->sleepers;
	/* Who would go round for nothing does so in the end: then it is known what it waits for. */
	return t->possible.len && !*asleep ? t->possible.data[0] : (struct evr_step){ .actor = EVR_NO_ACTOR };
}

/* The execution is over. Who waits for a mutex might have got it before the one that holds it now. */
static void note_blocked(struct traces *t)
{
	const struct evr_world *w = t->base.world;
	for (unsigned i = 0; i < w->threads; i++) {
		const struct evr_event *e = &w->pending[i];
		if (w->waiting[i] && e->kind == EVR_LOCK)
			evr_vec_push(&t->blocked, (struct evr_op){ { (uint16_t)i, 0 },
								   { e->address, e->size, EVR_ACCESS_WRITE, 0 } });
	}
}

/* Not a trace of its own after all; see compare(). That a step is for nothing is found out as late as that. */
static void abandon(struct traces *t)
{
	t->base.rerun = true;
	t->base.redundant += !t->base.world->futile.len;
}

/*
 * The first branch of the tree ahead that can be taken. A thread that failed on its own before it could be told to has no
 * step left; a lock may turn out to be impossible before memory was freed, and then only its own branch goes. What would be for
 * nothing is taken all the same: see take_back().
 */
static bool follow(struct traces *t, struct node *n)
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
	}
	return false;
}

static void widen(struct traces *t)
{
	evr_vec_reserve(&t->lengths, t->nodes.len * t->hb.stride);
	for (size_t i = t->nodes.len; i-- > 0;)
		for (uint32_t k = t->hb.stride; k-- > 0;)
			t->lengths.data[i * t->hb.stride + k] = k < t->stride ? t->lengths.data[i * t->stride + k] : 0;
	t->stride = t->hb.stride;
}

/* Room for the lengths of the chains at the next node. */
static void note_lengths(struct traces *t)
{
	if (EVR_UNLIKELY(t->stride != t->hb.stride))
		widen(t);
	size_t at = t->nodes.len * t->stride;
	evr_vec_reserve(&t->lengths, at + t->stride);
	for (uint32_t i = 0; i < t->stride; i++)
		t->lengths.data[at + i] = t->hb.lengths[i];
}

/* The new node is made where it will stay, behind the others; they do not count it until it has a step. */
static struct evr_step decide(struct traces *t)
{
	const struct evr_step end = { .actor = EVR_NO_ACTOR };
	evr_vec_reserve(&t->nodes, t->nodes.len + 1);
	struct node *n = &t->nodes.data[t->nodes.len];
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
		/* Where no step was for nothing, and none was impossible, nothing is asleep now. */
		if (asleep || (n->sleepers && !t->base.world->futile.len) || (planned && !n->loose)) {
			abandon(t);
			return end;
		}
		if (n->op.step.actor == EVR_NO_ACTOR) {
			note_blocked(t);
			return end;
		}
		/* Requests that nothing asleep conflicts with are left out: see struct node. */
		n->loose |= n->sleepers > 0;
	}
	catch_up(t, n->position);
	note_lengths(t);
	t->nodes.len++;
	return n->op.step;
}

static __attribute__((noinline)) struct evr_step new_step(struct traces *t)
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
	struct traces *t = (struct traces *)e;
	if (EVR_LIKELY(t->depth < t->steps.len))
		return t->steps.data[t->depth++];
	return new_step(t);
}

/* ---- races ---- */

static uint8_t kind_of_access(unsigned kind)
{
	return kind == EVR_READ ? EVR_ACCESS_READ : EVR_ACCESS_WRITE;
}

/* What a compare-exchange would read if this write, which comes before it, did not. */
static evr_value value_without(const struct evr_event *cas, const struct evr_event *write)
{
	evr_value value = cas->read;
	for (uint32_t i = 0; i < cas->size; i++) {
		uintptr_t offset = cas->address + i - write->address;
		if (offset >= write->size)
			continue;
		evr_value byte = (write->read >> (8 * offset)) & 0xff;
		value = (value & ~((evr_value)0xff << (8 * i))) | byte << (8 * i);
	}
	return value;
}

/* What the second event of a race would find if it came before the first: the value that it reads, or its result. */
static evr_value found_before(const struct evr_event *first, const struct evr_event *second)
{
	if (!evr_event_writes(first))
		return second->read;
	if (second->kind == EVR_TRYLOCK)
		return first->expected && first->expected != second->thread + 1u ? EBUSY : 0;
	return value_without(second, first);
}

/* Would it then end an iteration that is known to change nothing? */
static bool futile_before(const struct traces *t, evr_event_id first, evr_event_id second)
{
	const struct evr_world *w = t->base.world;
	const struct evr_event *a = &w->trace.events.data[first], *b = &w->trace.events.data[second];
	bool looks = b->kind == EVR_READ || b->kind == EVR_RMW || b->kind == EVR_CAS ||
		     (b->kind == EVR_TRYLOCK && evr_event_is_mutex(a));
	if (EVR_LIKELY(!w->futile.len) || !looks || t->hb.events.data[second].access.forward)
		return false;
	return evr_model_futile_if(w, b, w->before.data[second], found_before(a, b));
}

/* What the second event of a race does when it comes before the first. */
static uint8_t reversed_access(const struct evr_event *first, const struct evr_event *second, uint8_t now)
{
	bool write = evr_event_writes(first);
	switch (second->kind) {
	case EVR_CAS:
		if (!write || evr_event_is_mutex(first))
			return now;
		return value_without(second, first) == second->expected ? EVR_ACCESS_WRITE : EVR_ACCESS_READ;
	case EVR_TRYLOCK:
	case EVR_TIMEDLOCK:
		if (!write || !evr_event_is_mutex(first))
			return now;
		return first->expected ? EVR_ACCESS_READ : EVR_ACCESS_WRITE;
	case EVR_FAULT:
		return kind_of_access(second->op);
	default:
		return now;
	}
}

static struct evr_op reversed(const struct traces *t, struct evr_race r)
{
	const struct evr_event *first = &t->base.world->trace.events.data[r.first];
	const struct evr_event *second = &t->base.world->trace.events.data[r.second];
	struct evr_op op = { { second->thread, 0 }, t->hb.events.data[r.second].access };
	if (second->kind == EVR_UPDATE)
		op.step = (struct evr_step){ (uint16_t)(EVR_MAX_THREADS + second->thread), second->index };
	op.access.kind = reversed_access(first, second, op.access.kind);
	return op;
}

/*
 * Does the step conflict, in its new place, with what it did not conflict with before and what does not happen after
 * `first`? A compare-exchange does that then succeeds, if it accesses more bytes than `first` has written. Such conflicts may
 * come later than its own event.
 */
static bool has_new_conflicts(const struct traces *t, evr_event_id first, const struct evr_op *op, evr_event_id event)
{
	if (event == EVR_NO_EVENT || op->access.kind <= t->hb.events.data[event].access.kind)
		return false;
	const struct evr_access *a = &t->hb.events.data[first].access, *b = &op->access;
	return a->address > b->address || a->address + a->size < b->address + b->size;
}

/*
 * Ask for an execution that repeats this one up to `first`, leaves it out and all that happens after it, and then takes the
 * step: `last` is that step's event in this execution, or EVR_NO_EVENT. Returns whether it need not be asked again.
 */
static bool request(struct traces *t, evr_event_id first, struct evr_op op, evr_event_id event, evr_event_id last)
{
	uint32_t at = t->node_of.data[first];
	if (at == NO_NODE)
		return true;
	struct node *n = &t->nodes.data[at];
	bool grows = has_new_conflicts(t, first, &op, event);
	/* The step alone was explored, or is planned: the most frequent case by far, since each execution finds old races again. */
	if (event != EVR_NO_EVENT && !grows &&
	    (is_asleep(t, n, op.step) || evr_wakeup_plans(&t->wakeup, n->tree, op.step)) &&
	    evr_hb_only(&t->hb, &t->lengths.data[(size_t)at * t->stride], first, event))
		return true;
	evr_wakeup_begin(&t->wakeup, t->nodes.len + 1);
	/* If nothing is asleep and nothing planned, all that counts is the past of the step. */
	bool bare = !n->sleepers && n->tree == EVR_NO_TREE && !grows;
	size_t end = t->nodes.len;
	while (bare && end > at && t->nodes.data[end - 1].position >= last)
		end--;
	const uint32_t chain = t->hb.events.data[first].chain, stride = t->hb.stride;
	const int32_t position = t->hb.events.data[first].position, *clock = &t->hb.clocks[chain];
	struct evr_item *in = t->wakeup.sequence.data, *out = t->wakeup.left_out.data;
	uint64_t actors = 0;
	unsigned seen = 0;
	for (size_t i = at; i < end; i++) {
		const struct node *x = &t->nodes.data[i];
		/* evr_hb_before(first, x), in the loop that matters most. */
		bool after = clock[(size_t)x->position * stride] >= position;
		*(after ? out : in) = (struct evr_item){ &x->op, x->position, false, false };
		actors |= (uint64_t)!after << x->op.step.actor % 64;
		seen |= x->op.step.actor;
		in += !after;
		out += after;
	}
	evr_wakeup_built(&t->wakeup, in, out, actors, seen >= EVR_MAX_THREADS);
	evr_wakeup_append(&t->wakeup, &op, event);
	return evr_wakeup_insert(&t->wakeup, &t->sleep.data[n->asleep], n->sleepers, &n->tree, last) && !grows;
}

/* Does the write happen before a store of the thread took effect that the event had to wait for? */
static bool is_before_update(const struct evr_hb *o, evr_event_id write, evr_event_id event, evr_thread_id thread)
{
	for (uint32_t c = o->update_chain[thread]; c != (uint32_t)-1; c = o->next.data[c]) {
		evr_event_id u = o->last.data[c];
		while (u != EVR_NO_EVENT && u > event)
			u = o->events.data[u].before;
		if (u != EVR_NO_EVENT && evr_hb_before(o, write, u))
			return true;
	}
	return false;
}

/* Does the write come before the event, whatever the event itself reads? */
static bool is_known_before(const struct traces *t, evr_event_id write, evr_event_id event)
{
	const struct evr_hb *o = &t->hb;
	const struct evr_event *e = &t->base.world->trace.events.data[event];
	evr_event_id before = o->events.data[event].before;
	if (before == EVR_NO_EVENT)
		before = o->created[e->thread];
	if (t->base.world->trace.events.data[write].thread == e->thread ||
	    (before != EVR_NO_EVENT && evr_hb_before(o, write, before)))
		return true;
	return evr_event_flushes(e) && is_before_update(o, write, event, e->thread);
}

/*
 * An event that waits would have found before the first event of a race what it does not go on with: then it races with the
 * write before that. EVR_NO_EVENT: with none.
 */
static evr_event_id awaited_before(const struct traces *t, struct evr_race r)
{
	evr_event_id w = r.first;
	while (w != EVR_NO_EVENT && futile_before(t, w, r.second)) {
		do
			w = t->hb.events.data[w].older_write;
		while (w != EVR_NO_EVENT && !evr_event_writes(&t->base.world->trace.events.data[w]));
		if (w != EVR_NO_EVENT && is_known_before(t, w, r.second))
			return EVR_NO_EVENT;
	}
	return w;
}

static bool judge(struct traces *t, struct evr_race r)
{
	const struct evr_event *second = &t->base.world->trace.events.data[r.second];
	bool stays = true;
	t->wakeup.blocked = EVR_NO_THREAD;
	if (r.first != r.second) {
		r.first = awaited_before(t, r);
		return r.first == EVR_NO_EVENT || request(t, r.first, reversed(t, r), r.second, r.second);
	}
	struct evr_op op = t->nodes.data[t->node_of.data[r.first]].op;
	for (uint32_t k = 0; k < second->written; k++) {
		op.step.variant = k;
		if (k != second->expected)
			stays &= request(t, r.first, op, EVR_NO_EVENT, r.first);
	}
	return stays;
}

static void judge_all(struct traces *t)
{
	size_t kept = 0;
	for (size_t i = 0; i < t->open.len; i++)
		if (!judge(t, t->open.data[i]))
			t->open.data[kept++] = t->open.data[i];
	t->open.len = kept;
	for (; t->judged < t->hb.races.len; t->judged++)
		if (!judge(t, t->hb.races.data[t->judged]))
			evr_vec_push(&t->open, t->hb.races.data[t->judged]);
	for (size_t i = 0; i < t->blocked.len; i++) {
		const struct evr_op *op = &t->blocked.data[i];
		evr_thread_id thread = op->step.actor;
		evr_event_id holder = evr_hb_holder(&t->hb, op->access.address, op->access.size);
		t->wakeup.blocked = thread;
		if (holder != EVR_NO_EVENT && t->base.world->trace.events.data[holder].thread != thread &&
		    !evr_hb_known_to(&t->hb, holder, thread))
			request(t, holder, *op, EVR_NO_EVENT, EVR_NO_EVENT);
	}
	evr_vec_clear(&t->blocked);
}

/* ---- the next execution ---- */

static void cut(struct traces *t, evr_event_id position)
{
	evr_hb_cut(&t->hb, position);
	t->node_of.len = position;
	if (t->judged > t->hb.races.len)
		t->judged = t->hb.races.len;
	size_t kept = 0;
	for (size_t i = 0; i < t->open.len; i++)
		if (t->open.data[i].second < position)
			t->open.data[kept++] = t->open.data[i];
	t->open.len = kept;
}

/* The node's step has been explored: it is asleep now, and the next branch of the tree is due. */
static void go_on(struct traces *t, struct node *n)
{
	t->sleep.len = n->asleep + n->sleepers;
	evr_vec_push(&t->sleep, n->op);
	n->sleepers++;
	n->op = evr_wakeup_take(&t->wakeup, &n->tree, &t->ahead);
	n->asked = true;
	cut(t, n->position);
	t->steps.len = n->step + 1;
	t->steps.data[n->step] = n->op.step;
	t->base.prefix = n->position;
}

static bool retract(struct evr_engine *e, evr_thread_id thread, bool new)
{
	struct traces *t = (struct traces *)e;
	const struct node *n = t->nodes.len ? &evr_vec_last(&t->nodes) : NULL;
	t->retracted = n && n->op.step.actor == thread && n->step + 1 == t->depth && t->depth == t->steps.len &&
		       (new || n->asked);
	return t->retracted;
}

/* Decide again at the last node, where another step is to be taken. */
static void decide_again(struct traces *t)
{
	const struct node *n = &evr_vec_last(&t->nodes);
	cut(t, n->position);
	t->sleep.len = n->asleep;
	t->steps.len = n->step;
	t->base.prefix = n->position;
	t->nodes.len--;
}

/* The last step was for nothing: it is not the node's step. What it would have found earlier, it asks for all the same. */
static void take_back(struct traces *t)
{
	struct node *n = &evr_vec_last(&t->nodes);
	evr_event_id position = n->position;
	catch_up(t, position + 1u);
	for (size_t i = t->judged; i < t->hb.races.len; i++)
		if (t->hb.races.data[i].second == position)
			judge(t, t->hb.races.data[i]);
	n->loose |= n->asked;
	evr_vec_clear(&t->asleep);
	for (uint32_t i = 0; i < n->sleepers; i++)
		evr_vec_push(&t->asleep, t->sleep.data[n->asleep + i]);
	t->loose = n->loose;
	t->ahead = n->tree;
	decide_again(t);
}

/* The step of the last node, a loose one, has been explored, and its tree is empty. */
static void try_another(struct traces *t)
{
	const struct node *n = &evr_vec_last(&t->nodes);
	evr_vec_clear(&t->asleep);
	for (uint32_t i = 0; i < n->sleepers; i++)
		evr_vec_push(&t->asleep, t->sleep.data[n->asleep + i]);
	evr_vec_push(&t->asleep, n->op);
	t->loose = true;
	t->ahead = EVR_NO_TREE;
	decide_again(t);
}

static bool advance(struct evr_engine *e)
{
	struct traces *t = (struct traces *)e;
	t->depth = 0;
	e->rerun = false;
	if (EVR_UNLIKELY(t->retracted)) {
		t->retracted = false;
		take_back(t);
		return true;
	}
	catch_up_with_end(t);
	judge_all(t);
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
	.create = create,
	.destroy = destroy,
	.restart = restart,
	.next = next,
	.advance = advance,
	.retract = retract,
	.probe = evr_engine_probe_traces,
};
