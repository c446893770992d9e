/*
 * Weakening, as delta debugging does it: all sites at once, and if the program fails, one half of them after the other. What a single site could not give up, it needs
 * for good, since the others only get weaker. At first no site may be seq_cst, so that it is not given up for something cheaper elsewhere; then all are to be relaxed; and
 * what acquires and releases gets one chance to do one of them. Fences come after accesses: where either would do, the program keeps its fences, which is what those who put them there meant.
 *
 * Invariant: with w->orders the program holds. When a step is over, no site can do the step by itself.
 */
#include "driver/weaken.h"

#include <stdlib.h>

/* The weaker order that a step asks for; the same one if there is none. */
typedef uint8_t step_fn(const struct evr_trials *t, const struct evr_result_site *s, uint8_t order);

struct weakening {
	struct evr_trials *t;
	uint8_t *orders, *tried;
	step_fn *step;
	bool changed;
};

static uint8_t without_seq_cst(const struct evr_trials *t, const struct evr_result_site *s, uint8_t order)
{
	uint8_t options[5];
	size_t n = evr_order_options(t, s, options);
	return order == EVR_SEQ_CST ? options[n - 2] : order;
}

static uint8_t without_anything(const struct evr_trials *t, const struct evr_result_site *s, uint8_t order)
{
	(void)t, (void)s, (void)order;
	return EVR_RELAXED;
}

static uint8_t without_release(const struct evr_trials *t, const struct evr_result_site *s, uint8_t order)
{
	(void)t, (void)s;
	return order == EVR_ACQ_REL ? EVR_ACQUIRE : order;
}

static uint8_t without_acquire(const struct evr_trials *t, const struct evr_result_site *s, uint8_t order)
{
	(void)t, (void)s;
	return order == EVR_ACQ_REL ? EVR_RELEASE : order;
}

static bool may_change(const struct evr_trials *t, size_t site)
{
	return t->studied[site] && t->first->sites.data[site].executed;
}

static uint8_t step_of(const struct weakening *w, size_t site)
{
	return w->step(w->t, &w->t->first->sites.data[site], w->orders[site]);
}

/* All of these together. */
static bool try_all(struct weakening *w, const size_t *sites, size_t n)
{
	memcpy(w->tried, w->orders, w->t->count);
	for (size_t i = 0; i < n; i++)
		w->tried[sites[i]] = step_of(w, sites[i]);
	if (evr_trial(w->t, w->tried) != EVR_HOLDS)
		return false;
	memcpy(w->orders, w->tried, w->t->count);
	w->changed = true;
	return true;
}

static void lower(struct weakening *w, const size_t *sites, size_t n)
{
	if (!n || w->t->stopped || try_all(w, sites, n) || n == 1)
		return;
	lower(w, sites, n / 2);
	lower(w, sites + n / 2, n - n / 2);
}

static bool is_fence(const struct weakening *w, size_t site)
{
	return !strcmp(w->t->first->sites.data[site].operation, "fence");
}

static void take_step(struct weakening *w, step_fn *step, bool fences)
{
	EVR_VEC(size_t) sites = { 0 };
	w->step = step;
	for (size_t i = 0; i < w->t->count; i++)
		if (may_change(w->t, i) && is_fence(w, i) == fences && step_of(w, i) != w->orders[i])
			evr_vec_push(&sites, i);
	lower(w, sites.data, sites.len);
	evr_vec_release(&sites);
}

void evr_weaken(struct evr_trials *t, uint8_t *orders)
{
	static step_fn *const steps[] = { without_seq_cst, without_anything, without_release, without_acquire };
	struct weakening w = { .t = t, .orders = orders, .tried = evr_alloc(t->count + 1), .changed = true };
	/* Once is enough if weaker orders never allow less; where they would, this goes on until nothing more can be had. */
	while (w.changed && !t->stopped) {
		w.changed = false;
		for (size_t i = 0; i < EVR_COUNT(steps); i++) {
			take_step(&w, steps[i], false);
			take_step(&w, steps[i], true);
		}
	}
	free(w.tried);
}
