#include "explore/cost.h"

static bool is_access(const struct evr_event *e)
{
	return e->kind == EVR_READ || e->kind == EVR_WRITE || e->kind == EVR_RMW || e->kind == EVR_CAS;
}

/* The newest write that overlaps the event, as the variant that names it; 0: none. */
static uint32_t newest(const struct evr_world *w, const struct evr_event *e)
{
	for (size_t i = w->trace.events.len; i-- > 0;) {
		const struct evr_event *o = &w->trace.events.data[i];
		if (o->kind != EVR_FREE && evr_event_writes(o) && o->address < e->address + e->size &&
		    e->address < o->address + o->size)
			return (uint32_t)i + 1;
	}
	return 0;
}

/* Could an older store of the same buffer reach memory instead? */
static bool overtakes(const struct evr_step *steps, size_t n, struct evr_step update)
{
	for (size_t i = 0; i < n; i++)
		if (steps[i].actor == update.actor && steps[i].variant < update.variant)
			return true;
	return false;
}

static bool is_weak(const struct evr_world *w, const struct evr_step *steps, size_t n, struct evr_step step)
{
	if (step.actor >= EVR_MAX_THREADS)
		return overtakes(steps, n, step);
	const struct evr_event *e = &w->pending[step.actor];
	if (w->model->steps_name_sources)
		return is_access(e) && step.variant != newest(w, e);
	return e->kind == EVR_READ && w->model->busy && w->model->busy(w, step.actor);
}

static bool is_silent(const struct evr_world *w, struct evr_step s)
{
	return s.actor < EVR_MAX_THREADS && w->model->silent && w->model->silent(w, s.actor);
}

void evr_cost_of_steps(const struct evr_world *w, const struct evr_step *steps, size_t n, struct evr_spent so_far,
		       evr_spents *out)
{
	bool goes_on = false;
	for (size_t i = 0; i < n; i++)
		goes_on |= evr_cost_thread(steps[i]) == so_far.thread;
	for (size_t i = 0; i < n; i++) {
		struct evr_spent s = so_far;
		if (!is_silent(w, steps[i])) {
			s.thread = evr_cost_thread(steps[i]);
			s.cost.weak += is_weak(w, steps, n, steps[i]);
			s.cost.preemptions += goes_on && s.thread != so_far.thread;
		}
		evr_vec_push(out, s);
	}
}
