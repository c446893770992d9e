#include "axioms_c11.h"

#include "base/vec.h"

#include <string.h>

/* What has more writes to a location, or more orders of them, is too large. */
enum { MOST_WRITES = 16, MOST_ORDERS = 4000000 };

/* What the axioms are about. All but mo, rb and eco depend on reads-from alone. */
struct execution {
	const struct c11_options *options;
	const struct c11_graph *g;
	uint64_t reads, writes, fences, atomic; /* atomic: relaxed or stronger */
	uint64_t releases, acquires, sc;
	uint64_t quiet; /* what psc does not see */
	struct relation sb, rf, rmw, sw, hb;
	struct relation same_location; /* of events that have one */
	struct relation mo, rb, eco;
	uint64_t tried;
	bool too_large;
};

static bool has(const struct execution *x, enum c11_clause clause)
{
	return !(x->options->without & clause);
}

static void find_sets(struct execution *x)
{
	for (unsigned e = 0; e < x->g->events; e++) {
		const struct c11_event *v = &x->g->event[e];
		x->reads |= v->kind == C11_READ ? bit(e) : 0;
		x->writes |= v->kind == C11_WRITE ? bit(e) : 0;
		x->fences |= v->kind == C11_FENCE ? bit(e) : 0;
		x->atomic |= v->order != PLAIN ? bit(e) : 0;
		/* A read does not release, and a write does not acquire, whatever the order is that they have. */
		bool strong = v->order == ACQ_REL || v->order == SEQ_CST;
		if (v->kind != C11_READ && (strong || v->order == RELEASE))
			x->releases |= bit(e);
		if (v->kind != C11_WRITE && (strong || v->order == ACQUIRE))
			x->acquires |= bit(e);
		x->sc |= v->order == SEQ_CST ? bit(e) : 0;
		if (v->location != C11_NOWHERE && x->options->quiet & bit((unsigned)v->location))
			x->quiet |= bit(e);
	}
}

static void find_given(struct execution *x)
{
	const struct c11_graph *g = x->g;
	for (unsigned b = 0; b < g->events; b++) {
		const struct c11_event *v = &g->event[b];
		if (v->kind == C11_READ)
			x->rf.row[v->source] |= bit(b);
		if (v->kind == C11_WRITE && v->read != C11_NONE)
			x->rmw.row[v->read] |= bit(b);
		for (unsigned a = 0; a < g->events; a++) {
			const struct c11_event *u = &g->event[a];
			if (u->actor == v->actor && u->actor != C11_ACTORS && u->position < v->position)
				x->sb.row[a] |= bit(b);
			if (a != b && u->location != C11_NOWHERE && u->location == v->location)
				x->same_location.row[a] |= bit(b);
		}
	}
}

/* rs = [W]; (sb|loc)?; [W, atomic]; (rf; rmw)* where the second part is C11's. */
static struct relation release_sequences(const struct execution *x)
{
	struct relation heads = identity(x->writes), step = { { 0 } }, none = identity(~UINT64_C(0));
	if (x->options->c11_sequences) {
		for (unsigned a = 0; a < RELATION_SIZE; a++)
			if (x->writes & bit(a))
				heads.row[a] |= x->sb.row[a] & x->same_location.row[a];
	}
	heads = restrict_to(&heads, x->writes, x->writes & x->atomic);
	if (has(x, C11_RS_RMW))
		step = compose(&x->rf, &x->rmw);
	step = closure(&step);
	step = unite(&none, &step);
	return compose(&heads, &step);
}

/* sw = [rel]; ([F]; sb)?; rs; rf; [R, atomic]; (sb; [F])?; [acq]; all but those whose last rf is one of `without` */
static void find_sw(struct execution *x, uint64_t without)
{
	struct relation rs = release_sequences(x);
	struct relation from = { { 0 } }, to = { { 0 } };
	struct relation fence_sb = restrict_to(&x->sb, x->fences & x->releases, x->writes);
	struct relation sb_fence = restrict_to(&x->sb, x->reads, x->fences & x->acquires);
	if (has(x, C11_RELEASE))
		from = identity(x->writes & x->releases);
	if (has(x, C11_RELEASE_FENCE))
		from = unite(&from, &fence_sb);
	if (has(x, C11_ACQUIRE))
		to = identity(x->reads & x->acquires);
	if (has(x, C11_ACQUIRE_FENCE))
		to = unite(&to, &sb_fence);
	struct relation sw = compose(&from, &rs);
	sw = compose(&sw, &x->rf);
	sw = restrict_to(&sw, ~UINT64_C(0), x->reads & x->atomic & ~without);
	x->sw = compose(&sw, &to);
}

/* hb = (sb u sw u create u join)+, and initial writes come before all. */
static void find_hb(struct execution *x)
{
	struct relation hb = unite(&x->sb, &x->sw);
	for (unsigned a = 0; a < x->g->events; a++)
		for (unsigned b = 0; b < x->g->events; b++) {
			const struct c11_event *u = &x->g->event[a], *v = &x->g->event[b];
			bool initial = u->actor == C11_ACTORS && v->actor != C11_ACTORS;
			if ((has(x, C11_CREATE) && u->kind == C11_CREATED && u->other == v->actor) ||
			    (has(x, C11_JOIN) && v->kind == C11_JOINED && v->other == u->actor) || initial)
				hb.row[a] |= bit(b);
		}
	x->hb = closure(&hb);
}

/* From mo: rb = rf^-1; mo \ id, eco = rf u mo; rf? u rb; rf? */
static void find_eco(struct execution *x)
{
	struct relation from = inverse(&x->rf);
	x->rb = compose(&from, &x->mo);
	for (unsigned a = 0; a < RELATION_SIZE; a++)
		x->rb.row[a] &= ~bit(a);
	struct relation mo_rf = compose_maybe(&x->mo, &x->rf), rb_rf = compose_maybe(&x->rb, &x->rf);
	x->eco = unite(&x->rf, &mo_rf);
	x->eco = unite(&x->eco, &rb_rf);
}

/* hb; eco? irreflexive. That hb; rf is so follows from NO-THIN-AIR; the rest can be left out part by part. */
static bool coherent(const struct execution *x)
{
	struct relation mo_rf = compose(&x->mo, &x->rf), rb_rf = compose(&x->rb, &x->rf), hb_eco;
	if (!has(x, C11_COHERENCE))
		return true;
	if (!(x->options->without & (C11_HB_MO | C11_HB_MO_RF | C11_HB_RB | C11_HB_RB_RF))) {
		hb_eco = compose_maybe(&x->hb, &x->eco);
		return irreflexive(&hb_eco);
	}
	struct relation eco = x->rf;
	if (has(x, C11_HB_MO))
		eco = unite(&eco, &x->mo);
	if (has(x, C11_HB_MO_RF))
		eco = unite(&eco, &mo_rf);
	if (has(x, C11_HB_RB))
		eco = unite(&eco, &x->rb);
	if (has(x, C11_HB_RB_RF))
		eco = unite(&eco, &rb_rf);
	hb_eco = compose_maybe(&x->hb, &eco);
	return irreflexive(&hb_eco);
}

/* rmw n (rb; mo) is empty. */
static bool atomic(const struct execution *x)
{
	struct relation rb_mo = compose(&x->rb, &x->mo);
	for (unsigned a = 0; a < RELATION_SIZE && has(x, C11_ATOMICITY); a++)
		if (rb_mo.row[a] & x->rmw.row[a])
			return false;
	return true;
}

/* sb u rf acyclic */
static bool not_out_of_thin_air(const struct execution *x)
{
	struct relation r = unite(&x->sb, &x->rf);
	return !has(x, C11_NO_THIN_AIR) || acyclic(&r);
}

/* scb = sb u sb|!=loc; hb; sb|!=loc u hb|loc u mo u rb, of what is not quiet */
static struct relation find_scb(const struct execution *x)
{
	struct relation scb = { { 0 } }, other = restrict_to(&x->sb, ~x->quiet, ~x->quiet), hb_loc = x->hb;
	for (unsigned a = 0; a < RELATION_SIZE; a++) {
		other.row[a] &= ~x->same_location.row[a];
		hb_loc.row[a] &= x->same_location.row[a];
	}
	struct relation around = compose(&other, &x->hb);
	around = compose(&around, &other);
	if (has(x, C11_SCB_SB))
		scb = unite(&scb, &x->sb);
	if (has(x, C11_SCB_SB_HB_SB))
		scb = unite(&scb, &around);
	if (has(x, C11_SCB_HB_LOC))
		scb = unite(&scb, &hb_loc);
	if (has(x, C11_SCB_MO))
		scb = unite(&scb, &x->mo);
	if (has(x, C11_SCB_RB))
		scb = unite(&scb, &x->rb);
	return restrict_to(&scb, ~x->quiet, ~x->quiet);
}

/* psc = ([SC] u [Fsc]; hb?); scb; ([SC] u hb?; [Fsc])  u  [Fsc]; (hb u hb; eco; hb); [Fsc] acyclic */
static bool sequentially_consistent(const struct execution *x)
{
	if (!x->sc || !has(x, C11_SC))
		return true;
	uint64_t all = ~UINT64_C(0), fences = x->fences & x->sc;
	struct relation scb = find_scb(x), left = identity(x->sc), right = left;
	struct relation fence_hb = restrict_to(&x->hb, fences, all), hb_fence = restrict_to(&x->hb, all, fences);
	if (has(x, C11_FENCE_HB))
		left = unite(&left, &fence_hb);
	if (has(x, C11_HB_FENCE))
		right = unite(&right, &hb_fence);
	struct relation psc = compose(&left, &scb);
	psc = compose(&psc, &right);
	struct relation between = { { 0 } };
	if (has(x, C11_FENCE_HB_ECO_HB)) {
		between = compose(&x->hb, &x->eco);
		between = compose(&between, &x->hb);
	}
	between = unite(&x->hb, &between);
	between = restrict_to(&between, fences, fences);
	psc = unite(&psc, &between);
	return acyclic(&psc);
}

/* ---- all modification orders ---- */

/* Orders of the writes to a location, the initial one first, that satisfy what is said about one location alone. */
struct orders {
	unsigned writes;
	uint8_t write[MOST_WRITES];
	uint64_t last; /* which of them may be the last one */
	EVR_VEC(struct order_of_writes { uint8_t write[MOST_WRITES]; }) good;
};

static void add_order(struct relation *mo, const uint8_t *write, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = i + 1; k < n; k++)
			mo->row[write[i]] |= bit(write[k]);
}

/* Of the writes from `from` on, does another happen before the k-th? Then COHERENCE, of which hb; mo is a part, refuses whatever begins so. */
static bool must_wait(const struct execution *x, const struct orders *o, unsigned from, unsigned k)
{
	bool waits = false;
	for (unsigned i = from; i < o->writes && has(x, C11_COHERENCE) && has(x, C11_HB_MO); i++)
		waits |= x->hb.row[o->write[i]] & bit(o->write[k]) && i != k;
	return waits;
}

/* eco relates accesses to one location, so that COHERENCE and ATOMICITY hold of mo if they hold of each location's part. */
static void permute(struct execution *x, struct orders *o, unsigned from)
{
	if (from < o->writes) {
		for (unsigned k = from; k < o->writes; k++) {
			uint8_t first = o->write[from];
			if (must_wait(x, o, from, k))
				continue;
			o->write[from] = o->write[k];
			o->write[k] = first;
			permute(x, o, from + 1);
			o->write[k] = o->write[from];
			o->write[from] = first;
		}
		return;
	}
	x->tried++;
	if (!(o->last & bit(o->write[o->writes - 1])))
		return;
	memset(&x->mo, 0, sizeof(x->mo));
	add_order(&x->mo, o->write, o->writes);
	find_eco(x);
	if (coherent(x) && atomic(x)) {
		struct order_of_writes good;
		memcpy(good.write, o->write, sizeof(good.write));
		evr_vec_push(&o->good, good);
	}
}

/* How many modification orders there are with which SC holds, too. */
static uint64_t count_orders(struct execution *x, struct orders *o, unsigned location)
{
	if (!x->sc) {
		uint64_t n = 1;
		for (unsigned l = 0; l < C11_LOCATIONS; l++)
			n *= o[l].writes > 1 ? o[l].good.len : 1;
		return n;
	}
	while (location < C11_LOCATIONS && o[location].writes <= 1)
		location++;
	if (location == C11_LOCATIONS) {
		x->tried++;
		find_eco(x);
		return sequentially_consistent(x);
	}
	uint64_t n = 0;
	struct relation mo = x->mo;
	for (size_t i = 0; i < o[location].good.len; i++) {
		x->mo = mo;
		add_order(&x->mo, o[location].good.data[i].write, o[location].writes);
		n += count_orders(x, o, location + 1);
	}
	x->mo = mo;
	return n;
}

/* With how many modification orders are these reads-from consistent? */
static uint64_t consistent(struct execution *x)
{
	struct orders o[C11_LOCATIONS] = { { 0 } };
	bool possible = true;
	find_sets(x);
	find_given(x);
	find_sw(x, 0);
	find_hb(x);
	if (!irreflexive(&x->hb) || !not_out_of_thin_air(x))
		return 0;
	for (unsigned e = 0; e < x->g->events && !x->too_large; e++) {
		const struct c11_event *v = &x->g->event[e];
		if (v->kind == C11_WRITE && o[v->location].writes < MOST_WRITES)
			o[v->location].write[o[v->location].writes++] = (uint8_t)e;
		else if (v->kind == C11_WRITE)
			x->too_large = true;
	}
	for (unsigned l = 0; l < C11_LOCATIONS && possible && !x->too_large; l++)
		if (o[l].writes) {
			o[l].last = x->g->last[l] ? x->g->last[l] : ~UINT64_C(0);
			permute(x, &o[l], 1);
			possible = o[l].good.len;
		}
	x->too_large |= x->tried > MOST_ORDERS;
	memset(&x->mo, 0, sizeof(x->mo));
	uint64_t n = possible && !x->too_large ? count_orders(x, o, 0) : 0;
	for (unsigned l = 0; l < C11_LOCATIONS; l++)
		evr_vec_release(&o[l].good);
	return n;
}

static uint64_t find_used(const struct execution *x)
{
	uint64_t used = 0;
	for (unsigned e = C11_LOCATIONS; e < x->g->events && x->sc; e++)
		if (x->g->event[e].location != C11_NOWHERE)
			used |= bit((unsigned)x->g->event[e].location);
	return used;
}

/* Two accesses of different threads, one of them a write, one of them plain, neither before the other. */
static bool racy(const struct execution *x)
{
	for (unsigned a = C11_LOCATIONS; a < x->g->events; a++)
		for (unsigned b = C11_LOCATIONS; b < x->g->events; b++) {
			bool plain = !(x->atomic & bit(a)) || !(x->atomic & bit(b));
			bool ordered = x->hb.row[a] & bit(b) || x->hb.row[b] & bit(a);
			if (x->same_location.row[a] & bit(b) && x->writes & bit(a) && plain && !ordered &&
			    x->g->event[a].actor != x->g->event[b].actor)
				return true;
		}
	return false;
}

bool c11_is_consistent_if_quiet(const struct c11_options *options, const struct c11_graph *g)
{
	struct c11_options quiet = *options;
	quiet.quiet = ~UINT64_C(0);
	struct execution x = { .options = &quiet, .g = g };
	return consistent(&x) || x.too_large;
}

struct c11_verdict c11_judge(const struct c11_options *options, const struct c11_graph *g)
{
	struct execution x = { .options = options, .g = g };
	struct c11_verdict v = { .orders = consistent(&x) };
	v.racy = v.orders && racy(&x);
	v.used = find_used(&x);
	v.too_large = x.too_large;
	v.tried = x.tried;
	return v;
}

bool c11_is_contended(const struct c11_options *options, const struct c11_graph *g, unsigned location)
{
	struct execution x = { .options = options, .g = g };
	uint64_t here = 0;
	for (unsigned e = C11_LOCATIONS; e < g->events; e++)
		here |= g->event[e].location == (int)location ? bit(e) : 0;
	find_sets(&x);
	find_given(&x);
	find_sw(&x, options->every_access ? ~UINT64_C(0) : here);
	find_hb(&x);
	for (unsigned a = 0; a < g->events; a++)
		for (unsigned b = 0; b < g->events; b++)
			if (a != b && here & bit(a) && here & bit(b) && g->event[a].may_write &&
			    !(x.hb.row[a] & bit(b)) && !(x.hb.row[b] & bit(a)))
				return true;
	return false;
}
