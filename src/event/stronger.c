/*
 * Places are tried at seq_cst first; only of what helps then is it worth finding out how little is enough.
 *
 * Invariant: between two questions every place has the order that the program declares, but for those that `set` was called for.
 */
#include "event/stronger.h"

#include <stdlib.h>
#include <string.h>

enum {
	MOST_CHANGES = 4, /* nobody repairs a program by a longer list */
	MOST_PLACES = 100,
	UNBOUNDED = 100, /* more than any two changes cost */
};

/* The atomic accesses, or fences, of one kind at one place in the source. */
struct place {
	struct evr_stronger change;
	struct evr_site site; /* as it is in the changed trace */
};

struct search {
	struct evr_trace changed;
	EVR_VEC(struct place) places;
	evr_rules_out_fn *rules_out;
	void *context;
	unsigned questions, most;
};

/* ---- places and their orders ---- */

static bool is_failure(const struct evr_event *e)
{
	return e->kind == EVR_CAS && !evr_event_writes(e);
}

/* In an atomic section, orders mean nothing. */
static bool has_order(const struct evr_event *e)
{
	return (evr_event_is_access(e) || e->kind == EVR_FENCE) && e->site && !(e->site->flags & EVR_SITE_SECTION) &&
	       evr_event_order_taken(e) != EVR_PLAIN;
}

/* What a header has inline is at one place, however many files include it. */
static bool same_place(const struct evr_event *a, const struct evr_event *b)
{
	return a->kind == b->kind && is_failure(a) == is_failure(b) && a->site->line == b->site->line &&
	       a->site->column == b->site->column && a->site->order == b->site->order &&
	       a->site->flags == b->site->flags && !strcmp(a->site->file, b->site->file);
}

/* May an event of this kind have the order? */
static bool permits(const struct evr_event *e, unsigned order)
{
	if (e->kind == EVR_READ || is_failure(e))
		return order == EVR_ACQUIRE || order == EVR_SEQ_CST;
	if (e->kind == EVR_WRITE)
		return order == EVR_RELEASE || order == EVR_SEQ_CST;
	return order >= EVR_ACQUIRE;
}

static bool is_stronger(unsigned order, unsigned than)
{
	return order != than && than != EVR_SEQ_CST && evr_order_acquires(order) >= evr_order_acquires(than) &&
	       evr_order_releases(order) >= evr_order_releases(than);
}

/* Acquire and release cost the same. */
static unsigned cost(unsigned order)
{
	return order == EVR_SEQ_CST ? 3 : order == EVR_ACQ_REL ? 2 : 1;
}

static void set(struct place *p, unsigned order)
{
	p->change.needed = (uint8_t)order;
	if (p->change.failure) {
		p->site.flags &= EVR_SITE_FAILURE - 1;
		p->site.flags |= (uint8_t)(order * EVR_SITE_FAILURE);
	} else {
		p->site.order = (uint8_t)order;
	}
}

static void set_all(struct search *s, bool strongest)
{
	for (size_t i = 0; i < s->places.len; i++)
		set(&s->places.data[i], strongest ? EVR_SEQ_CST : s->places.data[i].change.now);
}

static void add_event(struct search *s, const struct evr_trace *t, evr_event_id id)
{
	const struct evr_event *e = &t->events.data[id];
	for (size_t i = 0; i < s->places.len; i++) {
		struct evr_stronger *c = &s->places.data[i].change;
		const struct evr_event *first = &t->events.data[c->event];
		if (!same_place(e, first))
			continue;
		c->alone &= e->address == first->address && e->size == first->size;
		return;
	}
	unsigned now = evr_event_order_taken(e);
	struct evr_stronger c = { id, is_failure(e), (uint8_t)now, (uint8_t)now, true };
	if (now != EVR_SEQ_CST)
		evr_vec_push(&s->places, ((struct place){ c, *e->site }));
}

/* The places do not move any more: their events can point to them. */
static void change_trace(struct search *s, const struct evr_trace *t)
{
	for (size_t i = 0; i < t->events.len; i++) {
		struct evr_event e = t->events.data[i];
		for (size_t k = 0; has_order(&e) && k < s->places.len; k++) {
			struct place *p = &s->places.data[k];
			if (same_place(&t->events.data[i], &t->events.data[p->change.event]))
				e.site = &p->site;
		}
		evr_vec_push(&s->changed.events, e);
	}
}

/* ---- questions ---- */

static bool has_budget(const struct search *s)
{
	return s->questions < s->most;
}

/* Without a budget there is no answer, and nothing is claimed. */
static bool ask(struct search *s)
{
	return has_budget(s) && (s->questions++, s->rules_out(s->context, &s->changed));
}

/* The orders that the place could have instead, the cheapest first. Returns how many there are. */
static unsigned options_of(const struct evr_trace *t, const struct place *p, uint8_t *out)
{
	static const uint8_t orders[] = { EVR_ACQUIRE, EVR_RELEASE, EVR_ACQ_REL, EVR_SEQ_CST };
	unsigned n = 0;
	for (size_t i = 0; i < EVR_COUNT(orders); i++)
		if (permits(&t->events.data[p->change.event], orders[i]) && is_stronger(orders[i], p->change.now))
			out[n++] = orders[i];
	return n;
}

/* The weakest order of the place with which it is still ruled out; seq_cst is enough. Returns what that costs. */
static unsigned weaken(struct search *s, const struct evr_trace *t, struct place *p)
{
	uint8_t options[4];
	unsigned n = options_of(t, p, options), i = 0;
	for (set(p, options[0]); i + 1 < n && !ask(s); set(p, options[i]))
		i++;
	return cost(options[i]);
}

/* The same of two places together, if that costs less than `most`. Returns what it costs, or `most`. */
static unsigned weaken_both(struct search *s, const struct evr_trace *t, struct place *p, struct place *q,
			    unsigned most)
{
	uint8_t first[4], second[4];
	unsigned n = options_of(t, p, first), m = options_of(t, q, second);
	for (unsigned sum = 2; sum < most; sum++)
		for (unsigned i = 0; i < n; i++)
			for (unsigned k = 0; k < m; k++) {
				set(p, first[i]);
				set(q, second[k]);
				if (cost(first[i]) + cost(second[k]) == sum && ask(s))
					return sum;
			}
	return most;
}

static void keep(struct search *s, evr_stronger_set *out)
{
	for (size_t i = 0; i < s->places.len; i++)
		if (s->places.data[i].change.needed != s->places.data[i].change.now)
			evr_vec_push(out, s->places.data[i].change);
}

/* ---- the smallest change ---- */

/* One place: of those that help, the first of the cheapest. */
static bool try_one(struct search *s, const struct evr_trace *t, evr_stronger_set *out)
{
	unsigned best = UNBOUNDED;
	for (size_t i = 0; i < s->places.len; i++) {
		struct place *p = &s->places.data[i];
		set(p, EVR_SEQ_CST);
		unsigned sum = ask(s) ? weaken(s, t, p) : UNBOUNDED;
		if (sum < best) {
			best = sum;
			evr_vec_clear(out);
			keep(s, out);
		}
		set(p, p->change.now);
	}
	return best < UNBOUNDED;
}

static bool try_two(struct search *s, const struct evr_trace *t, evr_stronger_set *out)
{
	unsigned best = UNBOUNDED;
	for (size_t i = 0; i < s->places.len; i++)
		for (size_t j = i + 1; j < s->places.len; j++) {
			struct place *p = &s->places.data[i], *q = &s->places.data[j];
			set(p, EVR_SEQ_CST);
			set(q, EVR_SEQ_CST);
			unsigned sum = ask(s) ? weaken_both(s, t, p, q, best) : UNBOUNDED;
			if (sum < best) {
				best = sum;
				evr_vec_clear(out);
				keep(s, out);
			}
			set(p, p->change.now);
			set(q, q->change.now);
		}
	return best < UNBOUNDED;
}

/* All places, without those that can be left out. Later ones are left out first: what came first is the more likely cause. */
static bool try_many(struct search *s, const struct evr_trace *t, evr_stronger_set *out)
{
	size_t left = s->places.len;
	set_all(s, true);
	for (size_t i = s->places.len; i-- > 0;) {
		struct place *p = &s->places.data[i];
		set(p, p->change.now);
		if (ask(s))
			left--;
		else
			set(p, EVR_SEQ_CST);
	}
	for (size_t i = 0; left <= MOST_CHANGES && i < s->places.len; i++)
		if (s->places.data[i].change.needed != s->places.data[i].change.now)
			weaken(s, t, &s->places.data[i]);
	/* Without a budget, some may only seem to be needed. */
	if (left > MOST_CHANGES || !has_budget(s))
		return false;
	keep(s, out);
	return true;
}

static bool find(struct search *s, const struct evr_trace *t, evr_stronger_set *out)
{
	set_all(s, true);
	bool helps = ask(s);
	set_all(s, false);
	if (!helps)
		return false;
	return try_one(s, t, out) || try_two(s, t, out) || try_many(s, t, out);
}

bool evr_stronger_find(const struct evr_trace *t, evr_rules_out_fn *rules_out, void *context, unsigned most,
		       evr_stronger_set *out)
{
	struct search s = { .changed = *t, .rules_out = rules_out, .context = context, .most = most };
	memset(&s.changed.events, 0, sizeof(s.changed.events));
	for (evr_event_id i = 0; i < t->events.len && s.places.len <= MOST_PLACES; i++)
		if (has_order(&t->events.data[i]))
			add_event(&s, t, i);
	bool found = false;
	if (s.places.len && s.places.len <= MOST_PLACES) {
		change_trace(&s, t);
		found = find(&s, t, out);
	}
	evr_vec_release(&s.places);
	evr_trace_release(&s.changed);
	return found;
}
