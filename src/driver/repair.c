/*
 * Repair, by implicit hitting sets. An assignment that fails is made as strong as it can be while it fails: whoever repairs the program has to be stronger than that somewhere. The cheapest assignment
 * that is stronger than each such failure somewhere is tried next. If it holds, it is the cheapest of all; if not, it is one more failure. So only the last trial, and those that make failures stronger,
 * explore everything; the others stop at their finding.
 *
 * At first only orders that the program has are changed. Where they are not enough, or are so dear that a fence could be cheaper, fences may be added as well: the same search, with more sites.
 *
 * Invariant: every assignment that holds and is at least as strong as the program is hits all failures: in each there is a site whose order is not within the failure's.
 */
#include "driver/weaken.h"

#include <stdlib.h>

struct repair {
	struct evr_trials *t;
	const char *target;
	evr_assignments failures; /* maximal ones */
	uint8_t *best, *chosen;
	uint64_t best_cost;
	uint8_t *tried;
};

/* Of those that cost the same, the weakest: how much an order does is what decides then. */
static uint64_t cost_of(const struct repair *r, size_t site, unsigned order)
{
	static const unsigned strength[] = { 0, 0, 1, 1, 2, 3 };
	return (uint64_t)evr_order_cost(r->target, &r->t->first->sites.data[site], order) << 32 | strength[order];
}

/* ---- the cheapest that hits all failures ---- */

static bool hits(const struct repair *r, const uint8_t *failure)
{
	for (size_t i = 0; i < r->t->count; i++)
		if (!evr_order_within(r->chosen[i], failure[i]))
			return true;
	return false;
}

static void choose(struct repair *r, uint64_t cost);

/* Each order of the site that the failure does not have, and that is stronger than what was chosen for it so far. */
static void choose_at(struct repair *r, const uint8_t *failure, size_t site, uint64_t cost)
{
	uint8_t options[5], before = r->chosen[site];
	size_t n = evr_order_options(r->t, &r->t->first->sites.data[site], options);
	for (size_t i = 0; i < n; i++) {
		if (!evr_order_within(before, options[i]) || evr_order_within(options[i], failure[site]))
			continue;
		r->chosen[site] = options[i];
		choose(r, cost - cost_of(r, site, before) + cost_of(r, site, options[i]));
	}
	r->chosen[site] = before;
}

static void choose(struct repair *r, uint64_t cost)
{
	if (cost >= r->best_cost)
		return;
	for (size_t i = 0; i < r->failures.len; i++) {
		const uint8_t *failure = r->failures.data[i];
		if (hits(r, failure))
			continue;
		for (size_t site = 0; site < r->t->count; site++)
			if (r->t->studied[site])
				choose_at(r, failure, site, cost);
		return;
	}
	r->best_cost = cost;
	memcpy(r->best, r->chosen, r->t->count);
}

/* ---- a failure that is as strong as it can be ---- */

static bool still_fails(struct repair *r, uint8_t *failure, const size_t *sites, size_t n, uint8_t order)
{
	memcpy(r->tried, failure, r->t->count);
	for (size_t i = 0; i < n; i++)
		r->tried[sites[i]] = order;
	if (evr_trial(r->t, r->tried) != EVR_FAILS)
		return false;
	memcpy(failure, r->tried, r->t->count);
	return true;
}

/* One by itself may still get something between. */
static void raise_one(struct repair *r, uint8_t *failure, size_t site)
{
	uint8_t options[5];
	size_t n = evr_order_options(r->t, &r->t->first->sites.data[site], options);
	for (size_t i = n - 1; i-- > 0;)
		if (options[i] != failure[site] && evr_order_within(failure[site], options[i]) &&
		    still_fails(r, failure, &site, 1, options[i]))
			return;
}

static void raise(struct repair *r, uint8_t *failure, const size_t *sites, size_t n)
{
	if (!n || r->t->stopped || still_fails(r, failure, sites, n, EVR_SEQ_CST))
		return;
	if (n == 1) {
		raise_one(r, failure, sites[0]);
		return;
	}
	raise(r, failure, sites, n / 2);
	raise(r, failure, sites + n / 2, n - n / 2);
}

static void add_failure(struct repair *r, const uint8_t *orders)
{
	uint8_t *failure = evr_assignment_copy(r->t, orders);
	EVR_VEC(size_t) sites = { 0 };
	for (size_t i = 0; i < r->t->count; i++)
		if (r->t->studied[i] && failure[i] != EVR_SEQ_CST)
			evr_vec_push(&sites, i);
	raise(r, failure, sites.data, sites.len);
	evr_vec_push(&r->failures, failure);
	evr_vec_release(&sites);
}

/*
 * Does each failure fail when it is explored? A kept execution may have been misjudged (runtime/keeper.c), and what seems to fail and does not may be the cheapest.
 */
static bool all_fail(struct repair *r)
{
	for (size_t i = 0; i < r->failures.len && !r->t->distrusted; i++) {
		struct evr_result *found = evr_trial_result(r->t, r->failures.data[i]);
		bool fails = evr_trial_outcome(found) == EVR_FAILS;
		evr_result_free(found);
		if (!fails)
			return false;
	}
	return true;
}

static void forget_failures(struct repair *r)
{
	for (size_t i = 0; i < r->failures.len; i++)
		free(r->failures.data[i]);
	evr_vec_release(&r->failures);
}

/* ---- the loop ---- */

static uint64_t total(const struct repair *r, const uint8_t *orders)
{
	uint64_t cost = 0;
	for (size_t i = 0; i < r->t->count; i++)
		cost += cost_of(r, i, orders[i]);
	return cost;
}

/* EVR_FAILS: nothing that costs less than the bound holds. */
static enum evr_outcome search_below(struct repair *r, uint64_t bound)
{
	enum evr_outcome outcome = EVR_FAILS;
	memcpy(r->best, r->t->start, r->t->count);
	while (outcome == EVR_FAILS && !r->t->stopped) {
		add_failure(r, r->best);
		memcpy(r->chosen, r->t->start, r->t->count);
		r->best_cost = bound;
		choose(r, total(r, r->chosen));
		if (r->best_cost == bound)
			break;
		outcome = evr_trial(r->t, r->best);
	}
	return r->t->stopped ? EVR_UNDECIDED : outcome;
}

/* With the sites that may change now. What it finds becomes `orders`. */
static enum evr_outcome search(struct repair *r, uint64_t bound, uint8_t *orders)
{
	enum evr_outcome outcome = search_below(r, bound);
	if (outcome != EVR_UNDECIDED && !all_fail(r) && !r->t->stopped) {
		evr_trials_distrust(r->t);
		forget_failures(r);
		outcome = search_below(r, bound);
	}
	if (outcome == EVR_HOLDS)
		memcpy(orders, r->best, r->t->count);
	forget_failures(r);
	return outcome;
}

/* All that may change as strong as it can be: that this fails is told to the user, so it is explored, whatever kept executions say. */
static enum evr_outcome try_strongest(struct evr_trials *t, uint8_t *orders)
{
	for (size_t i = 0; i < t->count; i++)
		orders[i] = t->studied[i] ? EVR_SEQ_CST : t->now[i];
	struct evr_result *r = evr_trial_result(t, orders);
	enum evr_outcome outcome = evr_trial_outcome(r);
	evr_result_free(r);
	return outcome;
}

/* The least that any change costs which adds a fence. */
static uint64_t least_fence(const struct repair *r)
{
	uint64_t least = UINT64_MAX;
	uint8_t options[5];
	for (size_t i = 0; i < r->t->count; i++) {
		const struct evr_result_site *s = &r->t->first->sites.data[i];
		size_t n = evr_result_site_added(s) ? evr_order_options(r->t, s, options) : 0;
		for (size_t k = 1; k < n; k++)
			if (cost_of(r, i, options[k]) < least)
				least = cost_of(r, i, options[k]);
	}
	return least;
}

/* Without added fences and then, if that can be any better, with them. `outcome`: do the strongest orders hold? */
static enum evr_outcome repair(struct repair *r, enum evr_outcome outcome, uint8_t *orders)
{
	struct evr_trials *t = r->t;
	bool possible = outcome == EVR_HOLDS;
	uint64_t bound = UINT64_MAX;
	if (possible) {
		outcome = search(r, bound, orders);
		if (outcome != EVR_HOLDS)
			return outcome;
		bound = total(r, orders);
		if (bound - total(r, t->start) <= least_fence(r))
			return outcome;
	}
	if (!evr_trials_add_fences(t))
		return outcome;
	if (!possible) {
		outcome = try_strongest(t, r->chosen);
		if (outcome != EVR_HOLDS)
			return outcome;
	}
	outcome = search(r, bound, orders);
	if (possible && outcome == EVR_FAILS)
		return EVR_HOLDS;
	return outcome;
}

enum evr_outcome evr_repair(struct evr_trials *t, const char *target, uint8_t *orders)
{
	enum evr_outcome outcome = try_strongest(t, orders);
	if (outcome == EVR_UNDECIDED)
		return outcome;
	struct repair r = { .t = t,
			    .target = target,
			    .best = evr_alloc(t->count + 1),
			    .chosen = evr_alloc(t->count + 1),
			    .tried = evr_alloc(t->count + 1) };
	outcome = repair(&r, outcome, orders);
	free(r.best);
	free(r.chosen);
	free(r.tried);
	return outcome;
}
