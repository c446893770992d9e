/*
 * Probes of the tree that engine rvf goes down: its reads and their values are known at each node.
 *
 * A read that had its turn at a node above must read what was not there then. That is a dead end if nobody is left who might
 * write it; where this is so can be told at the node above. Reads that few others write to come first: what they have to wait
 * for is most likely not to come, so that the reads behind them have no children at all.
 */
#include "explore/rvf_search.h"

#include <string.h>

#define NONE EVR_NO_EVENT

void evr_rvf_learn(struct evr_rvf_search *f)
{
	for (size_t i = 0; i < f->x.events.len; i++) {
		const struct evr_rvf_event *y = &f->x.events.data[i];
		if (y->flags & EVR_RVF_WRITES && y->location != EVR_NO_LOCATION)
			evr_probe_learn(f->probe, y->thread, y->location, y->index);
	}
}

static uint32_t count_of(const struct evr_rvf_search *f, const struct evr_rvf_node *n, unsigned thread)
{
	return thread < n->threads ? f->per_thread.data[n->counts + thread] : 0;
}

/* How many threads may still write what is read? */
static unsigned writers(const struct evr_rvf_search *f, const struct evr_rvf_node *n, const struct evr_rvf_pending *p)
{
	unsigned k = 0;
	for (unsigned u = 0; p->location != EVR_NO_LOCATION && u < f->probe->threads; u++)
		k += u != p->thread && evr_probe_may(f->probe, (evr_thread_id)u, p->location, count_of(f, n, u));
	return k;
}

static void swap(struct evr_rvf_search *f, uint32_t a, uint32_t b)
{
	struct evr_rvf_pending p = f->mutate.data[a];
	f->mutate.data[a] = f->mutate.data[b];
	f->mutate.data[b] = p;
}

static void sort(struct evr_rvf_search *f, const struct evr_rvf_node *n)
{
	unsigned count[EVR_MAX_THREADS];
	for (uint32_t i = n->first; i < n->end; i++) {
		unsigned k = i - n->first, c = writers(f, n, &f->mutate.data[i]);
		for (; k && c < count[k - 1]; k--) {
			count[k] = count[k - 1];
			swap(f, n->first + k, n->first + k - 1);
		}
		count[k] = c;
	}
}

/* A child: its read is the node's first. */
struct child {
	const struct evr_rvf_search *f;
	const struct evr_rvf_node *n;
	uint32_t location[EVR_MAX_THREADS]; /* of a stuck thread: what it reads */
};

static bool may_release(const void *context, unsigned u, unsigned t, bool moves)
{
	const struct child *c = context;
	unsigned reader = c->f->mutate.data[c->n->first].thread;
	return moves &&
	       evr_probe_may(c->f->probe, (evr_thread_id)u, c->location[t], count_of(c->f, c->n, u) + (u == reader));
}

/* Has it been written since the read had its turn above? */
static bool has_new(const struct evr_rvf_search *f, const struct evr_rvf_node *n, const struct evr_rvf_pending *p)
{
	for (evr_event_id i = f->x.newest.data[p->location]; i != NONE; i = f->x.events.data[i].older) {
		const struct evr_rvf_event *y = &f->x.events.data[i];
		if (y->flags & EVR_RVF_WRITES && y->thread != p->thread && !evr_rvf_is_forbidden(f, n, p, i))
			return true;
	}
	return false;
}

/*
 * How likely is the child to be chosen, in proportion to others? Not at all if there is no good end. The more reads have to
 * wait from now on, the smaller it is.
 */
static double weight(struct evr_rvf_search *f, const struct evr_rvf_node *n, uint32_t first)
{
	struct child c = { .f = f, .n = n };
	bool stuck[EVR_MAX_THREADS] = { false };
	unsigned waiting = 0;
	for (uint32_t i = first; i < n->end; i++) {
		const struct evr_rvf_pending *p = &f->mutate.data[i];
		if (i == n->first || p->location == EVR_NO_LOCATION || evr_rvf_causal(f, n)[p->thread] == NONE ||
		    has_new(f, n, p))
			continue;
		stuck[p->thread] = true;
		c.location[p->thread] = p->location;
		waiting += i < n->first;
	}
	return evr_probe_released(f->probe, stuck, n->threads, may_release, &c) ? 1.0 / (1 + waiting) : 0;
}

/* The child at which the weights of all children up to it exceed `end`; without one, *sum is that of all. */
static bool find_child(struct evr_rvf_search *f, struct evr_rvf_node *n, double end, double *sum, double *last)
{
	uint32_t first = n->first;
	for (*sum = 0; evr_rvf_next_child(f, n); evr_rvf_rewind_to(f, n)) {
		*last = weight(f, n, first);
		*sum += *last;
		if (*sum > end)
			return true;
	}
	return false;
}

bool evr_rvf_any_child(struct evr_rvf_search *f, struct evr_rvf_node *n)
{
	struct evr_probe *p = f->probe;
	if (p->exploring) {
		swap(f, n->first, n->first + (uint32_t)(evr_probe_random(p) * (n->end - n->first)));
		return evr_rvf_next_child(f, n);
	}
	sort(f, n);
	struct evr_rvf_node before = *n;
	uint32_t causal[EVR_MAX_THREADS];
	double sum, to_there, last = 0;
	memcpy(causal, evr_rvf_causal(f, n), n->threads * sizeof(*causal));
	find_child(f, n, 1e300, &sum, &last);
	*n = before;
	memcpy(evr_rvf_causal(f, n), causal, n->threads * sizeof(*causal));
	if (sum == 0 || !find_child(f, n, sum * evr_probe_random(p), &to_there, &last))
		return false;
	evr_probe_go(p, last / sum);
	return true;
}
