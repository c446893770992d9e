/* Do values save executions? Of the first ones that the other engine explores: how many differ in what their threads have read? */
#include "runtime/instead.h"

#include "base/set.h"
#include "explore/verify_sc.h"
#include "runtime/runtime.h"
#include "runtime/search.h"

#define SAMPLE 256
#define DIFFERENT 250 /* of these, so many make the other engine go on */

static EVR_LASTING struct {
	struct evr_set read; /* a key for each execution, by what was read */
	unsigned runs;
	bool over; /* and values save something */
	struct evr_stats stats; /* of the first engine, when it was left */
	const char *note;
} instead;

bool evr_instead_may(const struct evr_engine_ops *searched, const struct evr_engine *e)
{
	return searched && searched->instead && e->ops == searched && !(evr_rt.world.heuristics_off & EVR_RVF_INSTEAD);
}

/* Threads that have read the same have done the same. The order in which they read is left out: then there are less classes, and not more. */
static struct evr_key what_was_read(const struct evr_trace *t)
{
	struct evr_key k = { 0 };
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		bool reads = e->kind == EVR_READ || e->kind == EVR_RMW || e->kind == EVR_CAS || e->kind == EVR_TRYLOCK;
		uint64_t one = evr_hash64(((uint64_t)e->thread << 40 | (uint64_t)e->kind << 32 | e->index) + 1);
		if (reads)
			one = evr_hash64(one ^ (uint64_t)e->read);
		k.one += one;
		k.two += evr_hash64(one ^ 0x9e3779b97f4a7c15);
	}
	return k;
}

static bool watch(void)
{
	if (instead.runs >= SAMPLE)
		return true;
	evr_set_add(&instead.read, what_was_read(&evr_rt.world.trace), NULL);
	instead.over = ++instead.runs == SAMPLE && instead.read.len < DIFFERENT;
	return !instead.over;
}

static bool explore(struct evr_engine **engine, const struct evr_engine_ops *ops, bool (*watched)(void))
{
	(*engine)->ops->destroy(*engine);
	evr_rt.engine = *engine = ops->create(&evr_rt.world);
	evr_rt.world.erases = ops->erases && evr_rt.config.erase;
	return evr_check_explore_by(*engine, watched);
}

bool evr_instead_explore(struct evr_engine **engine, const struct evr_engine_ops *searched)
{
	struct evr_stats stats = { 0 };
	(*engine)->ops->stats(*engine, &stats);
	bool all = explore(engine, searched->instead, watch);
	if (instead.over)
		return explore(engine, searched, NULL);
	instead.stats = stats;
	instead.note = "rvf saves almost nothing here: executions were explored and counted by equivalence 'rf'";
	evr_set_release(&instead.read);
	return all;
}

const char *evr_instead_note(void)
{
	return instead.note;
}

void evr_instead_add_stats(struct evr_stats *s)
{
	if (instead.note)
		evr_stats_put(s, EVR_STAT_VALUES, instead.stats.count[EVR_STAT_VALUES]);
}
