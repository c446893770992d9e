/*
 * What threads have done in earlier periods, and who knows of it.
 *
 * Under most models accesses are ordered by create and join alone: `clock` of a thread tells. Where the model skips ordered accesses
 * (model.h), release and acquire order them, too: a period is over before a thread's present if the event that ended it happens before. That
 * is found out when somebody asks, from the trace.
 *
 * Invariant: the stamp of a thread has the number of its present period, which is below EVR_STAMP_MANY >> 16.
 */
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"

/* After so many, a thread's release ends no period: nobody is then known to come after it. Creates end theirs: there are not many. */
#define MOST_PERIODS 0x7000

void evr_period_end(struct evr_thread *t, uint32_t index)
{
	if (t->periods.len)
		evr_vec_last(&t->periods).end = index;
	evr_vec_push(&t->periods, (struct evr_period){ t->epoch, EVR_NO_EVENT });
	t->stamp = evr_stamp(evr_execution.number, evr_stamp_of_thread(t->id, (uint32_t)t->periods.len - 1));
	t->fast.stamp = t->journaling ? 0 : t->stamp;
	if (t == evr_current)
		evr_thread_show_stamp(t);
}

void evr_period_note(struct evr_thread *t, const struct evr_event *e)
{
	bool may = evr_event_is_access(e) ? evr_event_writes(e) : e->kind == EVR_FENCE;
	bool releases = e->kind == EVR_UNLOCK || (may && evr_order_releases(evr_event_order(e)));
	if (!releases || t->periods.len > MOST_PERIODS)
		return;
	if (EVR_UNLIKELY(t->journaling))
		evr_retry_release(t);
	evr_period_end(t, e->index);
}

bool evr_period_is_joined(evr_thread_id thread, uint16_t period)
{
	return evr_current->clock[thread] >= evr_rt.threads[thread]->periods.data[period].epoch;
}

/* What happens before the current thread's next event. */
static const int32_t *present(void)
{
	struct evr_happens *h = &evr_execution.happens;
	while (h->done < evr_rt.world.trace.events.len)
		evr_happens_next(h);
	/* It must have a place for all threads that there are. */
	evr_happens_present(h, (evr_thread_id)(evr_rt.world.threads - 1));
	return evr_happens_present(h, evr_current->id);
}

bool evr_period_is_ordered(evr_thread_id thread, uint16_t period)
{
	uint32_t end = evr_rt.threads[thread]->periods.data[period].end;
	if (evr_period_is_joined(thread, period))
		return true;
	return evr_rt.world.skips_ordered && end != EVR_NO_EVENT && evr_clock_has(present(), thread, end);
}
