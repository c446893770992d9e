/*
 * Insertion into wakeup trees, and what is asleep.
 *
 * Invariant (the paper's): nothing that a branch stands for could also be reached through a branch before it, or begins with a step that is
 * asleep. That is why no execution is explored twice.
 */
#include "explore/wakeup.h"

void evr_wakeup_release(struct evr_wakeup *w)
{
	evr_vecs_release(&w->branches, &w->sequence, &w->left_out, &w->changed);
}

void evr_wakeup_clear(struct evr_wakeup *w)
{
	evr_vec_clear(&w->branches);
	w->unused = EVR_NO_TREE;
}

static unsigned thread_of(const struct evr_op *op)
{
	return op->step.actor % EVR_MAX_THREADS;
}

static bool is_update(const struct evr_op *op)
{
	return op->step.actor >= EVR_MAX_THREADS;
}

static bool overlap(const struct evr_access *a, const struct evr_access *b)
{
	return a->address < b->address + b->size && b->address < a->address + a->size;
}

/* Do the bytes that a load takes from memory, and not from a buffer, overlap the other access? */
static bool reads_of(const struct evr_hb *o, const struct evr_access *load, const struct evr_access *a)
{
	uint32_t bytes = evr_memory_bytes(&o->forwards, load);
	for (uint32_t i = 0; i < load->size && bytes >> i; i++)
		if (bytes >> i & 1 && load->address + i - a->address < a->size)
			return true;
	return false;
}

bool evr_forwarded_conflict(const struct evr_hb *o, const struct evr_access *a, const struct evr_access *b)
{
	return (!a->forward || reads_of(o, a, b)) && (!b->forward || reads_of(o, b, a));
}

struct evr_op evr_op_after(struct evr_hb *o, const struct evr_op *op, const struct evr_op *taken)
{
	struct evr_op after = *op;
	if (!op->access.forward || !is_update(taken) || thread_of(taken) != thread_of(op))
		return after;
	after.elsewhere = 0;
	after.access = evr_forwards_without(&o->forwards, &op->access, taken->step.variant);
	return after;
}

/* ---- weak initials ---- */

enum relation {
	INITIAL,     /* its event is in the sequence, and nothing before it conflicts with it */
	INDEPENDENT, /* nothing in the sequence conflicts with it */
	CONFLICT,
};

/* Does a step of none of the actors in the sequence conflict with its last item, which is not gone? */
static inline bool conflicts_with_last(const struct evr_wakeup *w, const struct evr_op *op)
{
	return !(w->actors >> op->step.actor % 64 & 1) && evr_ops_conflict(w->hb, op, evr_vec_last(&w->sequence).op);
}

/* The same as relate() for a load that takes bytes from a buffer: what is left of that as the sequence goes on. */
static __attribute__((noinline)) enum relation relate_forwarded(const struct evr_wakeup *w, const struct evr_op *op,
								size_t *at)
{
	struct evr_op now = *op;
	for (size_t i = w->first; i < w->sequence.len; i++) {
		const struct evr_item *x = &w->sequence.data[i];
		if (x->gone)
			continue;
		*at = i;
		if (evr_same_step(now.step, x->op->step))
			return INITIAL;
		if (evr_ops_conflict(w->hb, &now, x->op))
			return CONFLICT;
		now = evr_op_after(w->hb, &now, x->op);
	}
	return INDEPENDENT;
}

/*
 * How does a step that could be taken now stand to the sequence? *at: the item that says so, if possible the last one, which
 * is needed in any case.
 */
static inline enum relation relate(const struct evr_wakeup *w, const struct evr_op *op, size_t *at)
{
	const struct evr_item *items = w->sequence.data;
	const size_t last = w->sequence.len - 1;
	if (EVR_UNLIKELY(op->access.forward))
		return relate_forwarded(w, op, at);
	if (!items[last].gone && conflicts_with_last(w, op)) {
		*at = last;
		return CONFLICT;
	}
	const uint64_t near = evr_op_near(op);
	for (size_t i = w->first; i <= last; i++) {
		if (!(items[i].places & near) || items[i].gone)
			continue;
		*at = i;
		if (evr_same_step(op->step, items[i].op->step))
			return INITIAL;
		if (evr_ops_conflict(w->hb, op, items[i].op))
			return CONFLICT;
	}
	return INDEPENDENT;
}

/* ---- sequences ---- */

void evr_wakeup_begin(struct evr_wakeup *w, size_t n)
{
	evr_vec_clear(&w->sequence);
	evr_vec_clear(&w->left_out);
	evr_vec_clear(&w->changed);
	evr_vec_reserve(&w->sequence, n);
	evr_vec_reserve(&w->left_out, n);
	evr_vec_reserve(&w->changed, n); /* so that they do not move */
	w->first = 0;
}

static struct evr_op *change(struct evr_wakeup *w, struct evr_item *x)
{
	x->places = ~UINT64_C(0);
	if (x->op >= w->changed.data && x->op < w->changed.data + w->changed.len)
		return &w->changed.data[x->op - w->changed.data];
	EVR_ASSERT(w->changed.len < w->changed.cap);
	evr_vec_push(&w->changed, *x->op);
	x->op = &evr_vec_last(&w->changed);
	return &evr_vec_last(&w->changed);
}

/*
 * A load that finds its thread's own store in memory happens after no update, and so is part of the sequence when that
 * update is not. It then takes the same value from the buffer.
 */
static void find_in_buffer(struct evr_wakeup *w, struct evr_item *x)
{
	for (size_t i = w->left_out.len; i-- > 0;) {
		const struct evr_item *u = &w->left_out.data[i];
		if (u->op->step.actor == x->op->step.actor + EVR_MAX_THREADS && u->event < x->event)
			change(w, x)->access = evr_forwards_with(&w->hb->forwards, &x->op->access, &u->op->access,
								 u->op->step.variant);
	}
}

void evr_wakeup_built(struct evr_wakeup *w, const struct evr_item *sequence_end, const struct evr_item *left_out_end,
		      uint64_t actors, bool updates)
{
	w->sequence.len = (size_t)(sequence_end - w->sequence.data);
	w->left_out.len = (size_t)(left_out_end - w->left_out.data);
	w->actors = actors;
	w->updates = updates;
	for (size_t i = 0; updates && i < w->sequence.len; i++)
		if (w->sequence.data[i].op->access.kind == EVR_ACCESS_READ)
			find_in_buffer(w, &w->sequence.data[i]);
}

/* A load at the end comes behind updates of its thread that it came before: it then finds those stores in memory. */
static void find_in_memory(struct evr_wakeup *w, struct evr_item *x)
{
	for (size_t i = 0; i + 1 < w->sequence.len; i++) {
		const struct evr_item *u = &w->sequence.data[i];
		if (u->op->step.actor == x->op->step.actor + EVR_MAX_THREADS && u->event > x->event)
			*change(w, x) = evr_op_after(w->hb, x->op, u->op);
	}
}

void evr_wakeup_append(struct evr_wakeup *w, const struct evr_op *op, evr_event_id event)
{
	evr_vec_push(&w->sequence, (struct evr_item){ op, ~op->elsewhere, event, false, false });
	w->actors |= UINT64_C(1) << op->step.actor % 64;
	if (!w->updates || op->access.kind != EVR_ACCESS_READ)
		return;
	struct evr_item *x = &evr_vec_last(&w->sequence);
	find_in_buffer(w, x);
	if (x->op->access.forward)
		find_in_memory(w, x);
}

/* The step of a branch on the path has been taken: loads of its thread may now come from memory. */
static void pass(struct evr_wakeup *w, const struct evr_op *taken)
{
	for (size_t i = w->first; is_update(taken) && i < w->sequence.len; i++) {
		struct evr_item *x = &w->sequence.data[i];
		if (x->op->access.forward && thread_of(x->op) == thread_of(taken))
			*change(w, x) = evr_op_after(w->hb, x->op, taken);
	}
	while (w->first < w->sequence.len && w->sequence.data[w->first].gone)
		w->first++;
}

/* ---- trees ---- */

static evr_tree new_branch(struct evr_wakeup *w, const struct evr_op *op)
{
	evr_tree b = w->unused;
	if (b == EVR_NO_TREE) {
		b = (evr_tree)w->branches.len;
		evr_vec_push(&w->branches, (struct evr_branch){ *op, EVR_NO_TREE, EVR_NO_TREE });
		return b;
	}
	evr_tree below = w->branches.data[b].below;
	w->unused = w->branches.data[b].next;
	w->branches.data[b] = (struct evr_branch){ *op, EVR_NO_TREE, EVR_NO_TREE };
	evr_wakeup_drop(w, below);
	return b;
}

void evr_wakeup_drop(struct evr_wakeup *w, evr_tree tree)
{
	w->unused = evr_wakeup_concat(w, tree, w->unused);
}

bool evr_wakeup_prune(struct evr_wakeup *w, evr_tree tree)
{
	bool pruned = false;
	for (; tree != EVR_NO_TREE; tree = w->branches.data[tree].next) {
		pruned |= w->branches.data[tree].below != EVR_NO_TREE;
		evr_wakeup_drop(w, w->branches.data[tree].below);
		w->branches.data[tree].below = EVR_NO_TREE;
	}
	return pruned;
}

struct evr_op evr_wakeup_take(struct evr_wakeup *w, evr_tree *tree, evr_tree *below)
{
	struct evr_branch *b = &w->branches.data[*tree];
	evr_tree taken = *tree;
	*below = b->below;
	*tree = b->next;
	b->below = EVR_NO_TREE;
	b->next = w->unused;
	w->unused = taken;
	return b->op;
}

bool evr_wakeup_plans(const struct evr_wakeup *w, evr_tree tree, struct evr_step s)
{
	for (; tree != EVR_NO_TREE; tree = w->branches.data[tree].next) {
		const struct evr_branch *b = &w->branches.data[tree];
		if (evr_same_step(b->op.step, s) && b->below == EVR_NO_TREE)
			return true;
	}
	return false;
}

evr_tree evr_wakeup_concat(struct evr_wakeup *w, evr_tree a, evr_tree b)
{
	if (a == EVR_NO_TREE)
		return b;
	evr_tree last = a;
	while (w->branches.data[last].next != EVR_NO_TREE)
		last = w->branches.data[last].next;
	w->branches.data[last].next = b;
	return a;
}

/* Must item i come along if item k, which is behind it, does? */
static bool precedes(const struct evr_wakeup *w, size_t i, size_t k)
{
	const struct evr_item *a = &w->sequence.data[i], *b = &w->sequence.data[k];
	bool last = k == w->sequence.len - 1;
	if (last && evr_ops_conflict(w->hb, a->op, b->op))
		return true;
	/* No order, but from where a load takes the value of its thread's own store must stay as it is. */
	if (is_update(a->op) && !is_update(b->op) && thread_of(a->op) == thread_of(b->op) &&
	    b->op->access.kind == EVR_ACCESS_READ && overlap(&a->op->access, &b->op->access))
		return true;
	if (b->event != EVR_NO_EVENT)
		return evr_hb_before(w->hb, a->event, b->event);
	return w->blocked != EVR_NO_THREAD && evr_hb_known_to(w->hb, a->event, w->blocked);
}

static void complete(struct evr_wakeup *w)
{
	struct evr_item *items = w->sequence.data;
	size_t n = w->sequence.len;
	items[n - 1].needed = true;
	for (size_t k = n; k-- > 0;) {
		if (!items[k].needed || items[k].gone)
			continue;
		for (size_t i = 0; i < k; i++)
			if (!items[i].needed && !items[i].gone && precedes(w, i, k))
				items[i].needed = true;
	}
}

/*
 * Nothing in the sequence conflicts with this step. Will it stay so? Its event is left out, and came before `last`: whatever
 * conflicts with it and comes later, in any execution that has the same events up to there, is left out, too.
 */
static bool stays_independent(const struct evr_wakeup *w, const struct evr_op *op, evr_event_id last)
{
	for (size_t i = 0; i < w->left_out.len; i++) {
		const struct evr_item *x = &w->left_out.data[i];
		if (x->event > last)
			break;
		if (evr_same_step(op->step, x->op->step))
			return x->op->access.kind >= op->access.kind && x->op->access.address == op->access.address &&
			       x->op->access.size == op->access.size && !x->op->access.forward;
	}
	return false;
}

static bool stays_initial(const struct evr_item *x, evr_event_id last)
{
	return x->event == EVR_NO_EVENT || x->event <= last;
}

static bool add_branch(struct evr_wakeup *w, evr_tree *tree, evr_event_id last)
{
	bool stays = true;
	/* The list may move while branches are added: remember places by number. */
	evr_tree parent = EVR_NO_TREE, first = EVR_NO_TREE;
	complete(w);
	for (size_t i = 0; i < w->sequence.len; i++) {
		const struct evr_item *x = &w->sequence.data[i];
		if (x->gone || !x->needed)
			continue;
		stays &= stays_initial(x, last);
		evr_tree b = new_branch(w, x->op);
		if (parent == EVR_NO_TREE)
			first = b;
		else
			w->branches.data[parent].below = b;
		parent = b;
	}
	*tree = evr_wakeup_concat(w, *tree, first);
	return stays;
}

bool evr_wakeup_insert(struct evr_wakeup *w, const struct evr_op *asleep, size_t n, evr_tree *tree, evr_event_id last)
{
	bool stays = true;
	size_t at = 0, left = w->sequence.len;
	for (size_t i = 0; i < n; i++) {
		enum relation r = relate(w, &asleep[i], &at);
		if (r == CONFLICT)
			w->sequence.data[at].needed = true;
		else
			return r == INITIAL ? stays_initial(&w->sequence.data[at], last)
					    : stays_independent(w, &asleep[i], last);
	}
	/* The tree is held by its owner, or by the branch above it. */
	evr_tree owner = EVR_NO_TREE, b = *tree;
	while (b != EVR_NO_TREE) {
		const struct evr_op *op = &w->branches.data[b].op;
		enum relation r = relate(w, op, &at);
		if (r == CONFLICT) {
			w->sequence.data[at].needed = true;
			b = w->branches.data[b].next;
			continue;
		}
		if (r == INITIAL) {
			struct evr_item *x = &w->sequence.data[at];
			x->gone = true;
			stays &= stays_initial(x, last);
			left--;
		} else {
			stays &= stays_independent(w, op, last);
		}
		pass(w, op);
		owner = b;
		b = w->branches.data[b].below;
		if (b == EVR_NO_TREE || !left)
			return stays;
	}
	if (owner == EVR_NO_TREE)
		return add_branch(w, tree, last) && stays;
	evr_tree below = w->branches.data[owner].below;
	stays &= add_branch(w, &below, last);
	w->branches.data[owner].below = below;
	return stays;
}
