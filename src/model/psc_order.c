/*
 * The search for a modification order. In most cases the order in which the writes were made is one already, as far as coherence permits.
 * If not, psc may be cyclic with the forced edges alone. If not, for two blocks of which nothing is known only one order may be
 * possible, and then that is forced, too; and in the end both orders are tried.
 */
#include "model/psc.h"

#include <string.h>

#define NONE EVR_NO_EVENT

static void copy_order(struct evr_psc_order *to, const struct evr_psc_order *from)
{
	evr_vec_reserve(&to->of, from->of.len);
	evr_vec_reserve(&to->bits, from->bits.len);
	if (from->of.len)
		memcpy(to->of.data, from->of.data, from->of.len * sizeof(*from->of.data));
	if (from->bits.len)
		memcpy(to->bits.data, from->bits.data, from->bits.len * sizeof(*from->bits.data));
	to->of.len = from->of.len;
	to->bits.len = from->bits.len;
}

static void release_order(struct evr_psc_order *o)
{
	evr_vecs_release(&o->of, &o->bits);
}

/* Block a of the location comes before b, and so does whatever is before a before whatever is after b. */
static void add(struct evr_psc_order *o, size_t location, uint32_t a, uint32_t b)
{
	const struct evr_mo *mo = &o->of.data[location];
	for (uint32_t x = 0; x < mo->blocks; x++) {
		if (x != a && !evr_mo_has(o, mo, x, a))
			continue;
		uint64_t *row = evr_mo_row(o, mo, x);
		const uint64_t *after = evr_mo_row(o, mo, b);
		for (uint32_t i = 0; i < mo->words; i++)
			row[i] |= after[i];
		row[b / 64] |= UINT64_C(1) << (b % 64);
	}
}

static bool is_decided(const struct evr_psc_order *o, size_t location, uint32_t a, uint32_t b)
{
	const struct evr_mo *mo = &o->of.data[location];
	return evr_mo_has(o, mo, a, b) || evr_mo_has(o, mo, b, a);
}

/* One more location, of which nothing is known. */
static struct evr_mo add_location(struct evr_psc_order *o, const struct evr_coherence *c)
{
	struct evr_mo mo = { (uint32_t)c->last_of.len, (uint32_t)(c->last_of.len + 63) / 64, o->bits.len };
	size_t n = mo.begin + (size_t)mo.blocks * mo.words;
	evr_vec_reserve(&o->bits, n);
	memset(&o->bits.data[mo.begin], 0, (n - mo.begin) * sizeof(*o->bits.data));
	o->bits.len = n;
	evr_vec_push(&o->of, mo);
	return mo;
}

/* What coherence forces. */
static void force(const struct evr_psc *p, struct evr_psc_order *o)
{
	evr_vec_clear(&o->of);
	evr_vec_clear(&o->bits);
	for (size_t k = 0; k < p->used; k++) {
		const struct evr_coherence *c = &p->locations.data[k];
		struct evr_mo mo = add_location(o, c);
		for (uint32_t b = EVR_INITIAL + 1; b < mo.blocks; b++)
			add(o, k, EVR_INITIAL, b);
		for (uint32_t b = 0; b < mo.blocks; b++)
			for (uint32_t i = c->edge_of.data[b]; i != NONE; i = c->edges.data[i].next)
				if (!evr_mo_has(o, &o->of.data[k], b, c->edges.data[i].to))
					add(o, k, b, c->edges.data[i].to);
	}
}

/* Decide the rest: of two blocks, the one whose first write was made first comes first. */
static void finish(struct evr_psc_order *o)
{
	for (size_t k = 0; k < o->of.len; k++)
		for (uint32_t a = EVR_INITIAL + 1; a < o->of.data[k].blocks; a++)
			for (uint32_t b = a + 1; b < o->of.data[k].blocks; b++)
				if (!is_decided(o, k, a, b))
					add(o, k, a, b);
}

/* A pair of blocks of which nothing is known, from this one on. */
struct pair {
	size_t location;
	uint32_t a, b;
};

static bool next_pair(const struct evr_psc_order *o, struct pair *at)
{
	for (; at->location < o->of.len; at->location++, at->a = EVR_INITIAL + 1, at->b = at->a + 1)
		for (; at->a < o->of.data[at->location].blocks; at->a++, at->b = at->a + 1)
			for (; at->b < o->of.data[at->location].blocks; at->b++)
				if (!is_decided(o, at->location, at->a, at->b))
					return true;
	return false;
}

static const struct pair first_pair = { 0, EVR_INITIAL + 1, EVR_INITIAL + 2 };

/* Would psc be acyclic if a came before b, as far as is known? */
static bool may_be(struct evr_psc *p, const struct evr_psc_order *o, struct evr_psc_order *room, size_t location,
		   uint32_t a, uint32_t b)
{
	copy_order(room, o);
	add(room, location, a, b);
	return evr_psc_acyclic(p, room);
}

/* Add all edges of which the opposite is impossible. False: both are, of some pair. */
static bool saturate(struct evr_psc *p, struct evr_psc_order *o, struct evr_psc_order *room)
{
	bool more = true;
	while (more) {
		more = false;
		for (struct pair at = first_pair; next_pair(o, &at); at.b++) {
			bool ab = may_be(p, o, room, at.location, at.a, at.b);
			bool ba = may_be(p, o, room, at.location, at.b, at.a);
			if (!ab && !ba)
				return false;
			more |= !ab || !ba;
			if (!ba)
				add(o, at.location, at.a, at.b);
			else if (!ab)
				add(o, at.location, at.b, at.a);
		}
	}
	return true;
}

/* Extend the order, with which psc is acyclic, to a total one. False: there is none. */
static bool search(struct evr_psc *p, struct evr_psc_order *o)
{
	struct evr_psc_order room = { 0 };
	bool found = saturate(p, o, &room);
	struct pair at = first_pair;
	if (found && next_pair(o, &at)) {
		copy_order(&room, o);
		finish(&room);
		found = evr_psc_acyclic(p, &room);
		for (unsigned way = 0; !found && way < 2; way++) {
			copy_order(&room, o);
			add(&room, at.location, way ? at.b : at.a, way ? at.a : at.b);
			found = search(p, &room);
		}
		if (found)
			copy_order(o, &room);
	}
	release_order(&room);
	return found;
}

/* Blocks that end with what is wanted come last, where that is not known to be impossible. */
static void prefer(const struct evr_psc *p, struct evr_psc_order *o, const evr_rf_ids *wanted)
{
	for (size_t i = 0; i < wanted->len; i++) {
		if (wanted->data[i] == NONE)
			continue;
		const struct evr_psc_event *e = &p->events.data[wanted->data[i]];
		const struct evr_coherence *c = &p->locations.data[e->location];
		uint32_t block = c->members.data[e->member].block;
		if (c->last_of.data[block] != e->member)
			continue;
		for (uint32_t b = EVR_INITIAL + 1; b < o->of.data[e->location].blocks; b++)
			if (b != block && !is_decided(o, e->location, b, block))
				add(o, e->location, b, block);
	}
}

bool evr_psc_solve(struct evr_psc *p, const evr_rf_ids *wanted)
{
	struct evr_psc_order forced = { 0 };
	bool found = false;
	evr_psc_prepare(p);
	force(p, &p->order);
	copy_order(&forced, &p->order);
	if (wanted && wanted->len) {
		prefer(p, &p->order, wanted);
		found = evr_psc_acyclic(p, &p->order) && search(p, &p->order);
		if (!found)
			copy_order(&p->order, &forced);
	}
	if (!found) {
		finish(&p->order);
		found = evr_psc_acyclic(p, &p->order);
	}
	if (!found) {
		copy_order(&p->order, &forced);
		found = evr_psc_acyclic(p, &p->order) && search(p, &p->order);
	}
	release_order(&forced);
	return found;
}

/* Of the block's last write. */
static uint32_t mo_of(const struct evr_psc *p, const struct evr_coherence *c, uint32_t block)
{
	evr_event_id number = c->members.data[c->last_of.data[block]].number;
	return number == NONE ? 0 : p->events.data[number].x.mo;
}

bool evr_psc_holds(struct evr_psc *p)
{
	struct evr_psc_order *o = &p->order;
	evr_psc_prepare(p);
	evr_vec_clear(&o->of);
	evr_vec_clear(&o->bits);
	for (size_t k = 0; k < p->used; k++) {
		const struct evr_coherence *c = &p->locations.data[k];
		struct evr_mo mo = add_location(o, c);
		for (uint32_t a = EVR_INITIAL; a < mo.blocks; a++)
			for (uint32_t b = EVR_INITIAL + 1; b < mo.blocks; b++)
				if (a == EVR_INITIAL || mo_of(p, c, a) < mo_of(p, c, b))
					evr_mo_row(o, &mo, a)[b / 64] |= UINT64_C(1) << (b % 64);
	}
	return evr_psc_acyclic(p, o);
}

void evr_psc_sorted(const struct evr_psc *p, size_t k, evr_rf_ids *sorted)
{
	const struct evr_coherence *c = &p->locations.data[k];
	const struct evr_mo *mo = &p->order.of.data[k];
	evr_rf_ids at = { 0 };
	evr_vec_clear(sorted);
	evr_vec_reserve(&at, mo->blocks);
	/* How many blocks come after a block tells where it is. */
	for (uint32_t b = 0; b < mo->blocks; b++) {
		uint32_t after = 0;
		for (uint32_t i = 0; i < mo->words; i++)
			after += (uint32_t)__builtin_popcountll(evr_mo_row(&p->order, mo, b)[i]);
		at.data[mo->blocks - 1 - after] = b;
	}
	for (uint32_t i = 0; i < mo->blocks; i++)
		evr_coherence_append(c, at.data[i], sorted);
	evr_vec_release(&at);
}
