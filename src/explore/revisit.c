/*
 * Engine `revisit`: one execution for each reads-from trace, and nothing to remember. docs/engines/revisit.md tells the story.
 *
 * A stack of frames, each of which is a graph: the trace of an execution, in the order in which its events were added, and how far the search has come with
 * what follows from it (revisit_rules.c). What remains to be explored below a frame is a function of the frame alone.
 *
 * Invariant: the frames below the last one are not changed, and the last one is the trace if it is `loaded`.
 */
#include "explore/revisit.h"

#include <stdlib.h>

#define NONE EVR_NO_EVENT

static void reset(struct evr_revisit *s)
{
	struct evr_rf_engine *f = &s->f;
	f->s.oracle = f->base.world->model->oracle->create(&f->s.t);
	f->s.t.names_sources = f->base.world->model->steps_name_sources;
	f->s.t.buffers_stores = f->base.world->model->buffers_stores;
	f->s.t.reorders_stores = f->base.world->model->reorders_stores;
	f->s.alone = true;
	f->let_go = evr_revisit_let_go;
	f->sure = true;
	const struct evr_knowledge *k = &f->base.world->knowledge;
	for (size_t i = 0; i < k->mixed.len; i++)
		evr_locations_add(&f->s.t.locations, k->mixed.data[i].address, (uint32_t)k->mixed.data[i].size);
	f->begun = f->over = false;
	evr_rf_search_clear(&f->s);
	evr_vec_clear(&f->steps);
	f->depth = f->asked = 0;
	f->overlaps = f->s.t.locations.overlaps;
	f->cuts = f->base.world->knowledge.cuts.len;
	f->base.prefix = 0;
	f->base.rerun = f->base.restored = false;
	s->known.len = s->cell_places.len = s->depth = s->parts.len = 0;
	s->places = s->new = 0;
	s->since = EVR_NEVER;
	s->shared = 0;
	s->loaded = s->turned_known = false;
	f->script.len = f->held.len = 0;
	f->waits = f->looking = f->probing = f->retracted = false;
	evr_set_clear(&s->fruitful);
	s->doubts.len = s->settled = 0;
	s->vain = 0;
	s->ran.len = s->ran_still = 0;
	s->noted = false;
	evr_branches_clear(&s->queue);
	free(s->told_text);
	s->told_text = NULL;
}

static struct evr_engine *create_with(struct evr_world *w, const struct evr_engine_ops *ops)
{
	struct evr_revisit *s = evr_engine_new(sizeof(*s), ops, w);
	s->f.s.world = w;
	s->f.s.ordered = ops != &evr_engine_revisit;
	evr_rf_init(&s->f.s.t, &w->trace);
	reset(s);
	return &s->f.base;
}

static struct evr_engine *create(struct evr_world *w)
{
	return create_with(w, &evr_engine_revisit);
}

static struct evr_engine *create_ordered(struct evr_world *w)
{
	return create_with(w, w->model->steps_name_sources ? &evr_engine_ordered : &evr_engine_interleaved);
}

static void destroy(struct evr_engine *e)
{
	struct evr_revisit *s = (struct evr_revisit *)e;
	evr_revisit_release_frames(s);
	evr_branches_release(&s->queue);
	free(s->told_text);
	evr_vecs_release(&s->known, &s->cell_places, &s->parts, &s->keep, &s->moved, &s->moved_places, &s->candidates,
			 &s->doubtful, &s->f.steps, &s->f.script, &s->told.events, &s->told.cells, &s->told.order,
			 &s->told.sources, &s->f.script_sources, &s->numbers, &s->f.held, &s->f.lookers, &s->doubts,
			 &s->merged_order, &s->merged_positions, &s->merged_steps, &s->ran, &s->ran_positions,
			 &s->newcomers, &s->takers, &s->turned);
	evr_set_release(&s->fruitful);
	s->f.s.oracle->ops->destroy(s->f.s.oracle);
	evr_rf_release(&s->f.s.t);
	evr_rf_search_release(&s->f.s);
	free(s);
}

static void restart(struct evr_engine *e)
{
	struct evr_revisit *s = (struct evr_revisit *)e;
	s->f.s.oracle->ops->destroy(s->f.s.oracle);
	/* Accesses are no more to what they were to. */
	if (s->f.cuts != e->world->knowledge.cuts.len) {
		evr_locations_release(&s->f.s.t.locations);
		s->f.s.t.locations = (struct evr_locations){ 0 };
	}
	evr_rf_clear(&s->f.s.t);
	reset(s);
}

/* ---- an execution is over ---- */

/* Those who were held before the step was taken. */
static size_t note_held(struct evr_revisit *s, size_t from, size_t step, uint32_t *places)
{
	for (; from < s->f.held.len && s->f.held.data[from].depth <= step; from++)
		places[from] = s->f.held.data[from].place != EVR_NEVER ? s->f.held.data[from].place : s->places++;
	return from;
}

static void note_events(struct evr_revisit *s)
{
	const struct evr_rf *t = &s->f.s.t;
	size_t told = s->f.script.len, held = 0;
	uint32_t places[EVR_MAX_THREADS];
	for (evr_event_id i = told ? 0 : s->f.s.extension; i < t->events.len; i++) {
		const struct evr_rf_event *x = &t->events.data[i];
		struct evr_revisit_event k = { .read = EVR_NEVER, .write = EVR_NEVER, .canon = x->source };
		k.event = x->flags & EVR_RF_UNEXECUTED ? s->f.base.world->pending[x->thread] : *evr_rf_executed(t, i);
		bool reads = x->flags & EVR_RF_READS || x->kind == EVR_CHOOSE;
		if (i < told) {
			evr_revisit_recall_places(s, i, &k);
		} else {
			held = note_held(s, held, t->rank.data[i], places);
			if (reads)
				k.read = s->places++;
			for (uint32_t c = 0; reads && x->cells > 1 && c < x->cells; c++)
				evr_vec_push(&s->cell_places, c ? s->places++ : k.read);
			if (!reads || x->flags & EVR_RF_WRITES)
				k.write = s->places++;
		}
		evr_revisit_note_seen(s, i, &k);
		if (i >= told && evr_revisit_looks(s->f.base.world, &k.event))
			evr_revisit_doubt(s, &k);
		evr_vec_push(&s->known, k);
	}
	for (evr_event_id i = 0; i < told; i++)
		evr_revisit_note_turned(s, i);
	note_held(s, held, SIZE_MAX, places);
	evr_revisit_add_waits(s, places);
}

static void note_waiters(struct evr_revisit *s, struct evr_revisit_frame *r)
{
	struct evr_rf *t = &s->f.s.t;
	const struct evr_world *w = s->f.base.world;
	for (unsigned i = 0; i < w->threads; i++) {
		if (!w->waiting[i] || w->pending[i].kind != EVR_LOCK)
			continue;
		evr_rf_admit(t, (evr_thread_id)i);
		struct evr_revisit_waiter l = { evr_rf_waiting_lock(t, &w->pending[i]), w->pending[i],
						(uint32_t)r->waiting.len };
		for (size_t k = 0; k < t->waiting[i].len; k++)
			evr_vec_push(&r->waiting, t->waiting[i].data[k]);
		evr_vec_push(&r->waiters, l);
	}
}

void evr_revisit_note_graph(struct evr_revisit *s)
{
	size_t doubts = s->doubts.len;
	s->f.s.hiding_from = NONE;
	s->f.frees_tried = 0;
	note_events(s);
	struct evr_revisit_frame *r = evr_revisit_push(s);
	r->doubts = doubts;
	note_waiters(s, r);
	evr_revisit_find_doubts(s, r);
}

/*
 * Who gives branches away must be able to say what follows from a graph that is not run. Where something has to be probed for that, it cannot: so such a graph
 * is dealt with at once.
 */
static bool puts_off(const struct evr_revisit *s)
{
	return s->divided && !s->f.probing && s->f.base.world->knowledge.waits &&
	       s->frames.data[s->depth - 1].virtual != NONE;
}

/* The trace is run. */
static void run(struct evr_revisit *s)
{
	evr_rf_run_in_order(&s->f, 0);
	evr_revisit_find_common(s);
}

static bool take_next(struct evr_revisit *s)
{
	while (s->depth) {
		if (!s->loaded)
			evr_revisit_load(s);
		enum evr_revisit_outcome o = evr_revisit_next(s);
		if (o == EVR_REVISIT_RUN && puts_off(s)) {
			evr_revisit_put_off(s);
			continue;
		}
		if (o == EVR_REVISIT_RUN) {
			run(s);
			return true;
		}
		if (o == EVR_REVISIT_NOTHING) {
			evr_revisit_pop(s);
			if (!s->divided && s->frames.data[s->depth].virtual == NONE)
				s->doubts.len = s->frames.data[s->depth].doubts;
		}
	}
	if (!s->queue.len)
		return false;
	char *branch = s->queue.data[--s->queue.len];
	bool fine = evr_revisit_start(s, branch);
	free(branch);
	return fine;
}

/* Where locations overlap decides what events are to, so the search starts again. */
static void learn_overlaps(struct evr_revisit *s)
{
	struct evr_world *w = s->f.base.world;
	const struct evr_locations *l = &s->f.s.t.locations;
	if (w->model->coherence_per_location)
		evr_model_cut_locations(w, l);
	for (size_t i = 0; i < l->all.len && !w->model->coherence_per_location; i++)
		if (l->all.data[i].mixed)
			evr_learn_mixed(&w->knowledge, l->all.data[i].address, l->all.data[i].size);
	evr_learn(&w->knowledge);
}

/* What it does not cover; NULL: nothing. */
static const char *refusal(const struct evr_revisit *s)
{
	const struct evr_world *w = s->f.base.world;
	if (!w->model->coherence_per_location && evr_revisit_divides_mutexes(s))
		return "a mutex is accessed in different sizes, which equivalence 'revisit' does not support: -e rf does";
	/* Who writes what is known to each process for itself. */
	if (s->divided && w->knowledge.writes_matter)
		return "a loop that waits writes what it wrote before, which cannot be divided among workers";
	if (s->divided && s->f.s.ordered && s->f.s.t.locations.overlaps && !w->model->coherence_per_location)
		return "accesses of different sizes overlap, which cannot be divided among workers by traces: -e rf can";
	if (s->f.s.ordered && s->f.s.t.buffers_stores && s->f.s.t.frees.len)
		return "memory is freed that other threads use, which cannot be divided among workers by traces: -e rf can";
	if (w->knowledge.waits && s->f.s.ordered && !s->f.s.t.names_sources)
		return "a spin loop, which cannot be divided among workers by traces: -e rf can";
	if (w->knowledge.waits && s->f.s.ordered)
		return "a spin loop, which equivalence 'traces' does not support under this model: -e rf does";
	return NULL;
}

/* Its thread goes on, or the execution has found out that it does not. */
static bool end_probe(struct evr_revisit *s)
{
	s->f.probing = s->loaded = false;
	s->f.held.len = 0;
	if (!evr_set_has(&s->f.base.world->futile, s->probed))
		evr_set_add(&s->fruitful, s->probed, NULL);
	return take_next(s);
}

/* The last step was for nothing. If nobody has asked for it, its thread waits instead; else there is no such graph. */
static bool go_on_without(struct evr_revisit *s)
{
	struct evr_rf_engine *f = &s->f;
	bool asked = f->told <= f->asked;
	evr_rf_take_back(f);
	f->held.len = 0;
	f->stands_still = f->waits = f->base.abandoned = false;
	if (f->probing)
		return end_probe(s);
	if (!asked && s->told_text) {
		char *text = evr_strdup(s->told_text);
		bool fine = evr_revisit_start(s, text);
		free(text);
		return fine;
	}
	if (!asked)
		return true;
	f->script.len = 0;
	free(s->told_text);
	s->told_text = NULL;
	s->loaded = f->base.restored = f->base.rerun = false;
	return take_next(s);
}

static bool look(struct evr_revisit *s)
{
	if (!evr_revisit_look(s)) {
		s->f.looking = s->loaded = false;
		return take_next(s);
	}
	run(s);
	s->f.looking = true;
	return true;
}

/* All have looked. If one of them would find something in the end, that may depend on the order. */
static bool end_look(struct evr_revisit *s, bool as_asked, bool stuck)
{
	struct evr_engine *e = &s->f.base;
	bool last = e->rerun || stuck;
	s->loaded = e->rerun = false;
	s->f.held.len = 0;
	if (last) {
		s->f.looking = false;
		return take_next(s);
	}
	e->rerun = as_asked && evr_rf_prepare_rerun(&s->f);
	return e->rerun || look(s);
}

static bool go_on(struct evr_engine *e)
{
	struct evr_revisit *s = (struct evr_revisit *)e;
	struct evr_rf_engine *f = &s->f;
	bool vain = f->retracted || f->waits || f->held.len || f->probing || e->abandoned || e->world->awaits_undecided;
	s->vain += vain && !e->rerun && !e->restored;
	s->ran.len = 0;
	if (EVR_UNLIKELY(f->retracted))
		return go_on_without(s);
	bool as_asked = evr_rf_record_rest(f), dead_end = f->stands_still;
	evr_revisit_note_fruitful(s);
	bool waits = f->waits || f->held.len, stuck = f->looking && !e->abandoned && !e->world->awaits_undecided;
	f->begun = f->over = f->stands_still = f->waits = e->abandoned = false;
	f->depth = 0;
	e->failure = refusal(s);
	e->uncovered = e->failure;
	if (e->failure)
		return false;
	if (f->overlaps != f->s.t.locations.overlaps) {
		learn_overlaps(s);
		return true;
	}
	if (f->probing)
		return end_probe(s);
	if (f->looking)
		return end_look(s, as_asked, stuck);
	if (!as_asked)
		e->redundant += !e->rerun;
	else if (f->s.t.failure)
		e->failure = f->s.t.failure;
	if (e->failure)
		return false;
	bool told = s->told_text, revived = told && s->told.is_frame;
	if (told && !(as_asked && evr_revisit_is_as_told(s))) {
		e->failure = "a branch of the search does not fit the program";
		return false;
	}
	if (as_asked && !e->rerun) {
		if (!s->noted)
			evr_revisit_note_graph(s);
		evr_revisit_note_steps(s);
		if (told)
			evr_revisit_restore_numbers(s, &s->frames.data[s->depth - 1]);
	} else {
		s->loaded = false;
	}
	s->noted = false;
	f->script.len = 0;
	free(s->told_text);
	s->told_text = NULL;
	e->restored = false;
	f->held.len = 0;
	if (waits && !revived) {
		s->look = 0;
		return look(s);
	}
	e->rerun = !revived && !dead_end && !waits && evr_rf_prepare_rerun(f);
	return e->rerun || take_next(s);
}

static bool advance(struct evr_engine *e)
{
	const struct evr_rf_engine *f = (const struct evr_rf_engine *)e;
	bool more = go_on(e);
	e->amid = more && (f->looking || f->probing);
	return more;
}

static size_t open_branches(const struct evr_engine *e)
{
	const struct evr_revisit *s = (const struct evr_revisit *)e;
	return s->depth + s->queue.len;
}

static void stats(const struct evr_engine *e, struct evr_stats *s)
{
	const struct evr_oracle *o = ((const struct evr_revisit *)e)->f.s.oracle;
	evr_stats_put(s, EVR_STAT_QUESTIONS, o->asked);
	evr_stats_put(s, EVR_STAT_INSERTED, o->inserted);
	evr_stats_put(s, EVR_STAT_SATURATED, o->saturated);
	evr_stats_put(s, EVR_STAT_GUIDED, o->guided);
	evr_stats_put(s, EVR_STAT_DECIDED, o->decided);
	if (e->world->knowledge.waits)
		evr_stats_put(s, EVR_STAT_VAIN, ((const struct evr_revisit *)e)->vain);
}

static bool supports(const struct evr_model_ops *m)
{
	return m->oracle != NULL;
}

const struct evr_engine_ops evr_engine_revisit = {
	.name = "revisit",
	.summary = "the same as rf, without memory of what was explored",
	.supports = supports,
	.sources_only = true,
	.exhaustive = true,
	.erases = true,
	.classes = "rf",
	EVR_ENGINE_FUNCTIONS,
	.next = evr_rf_next,
	.place = evr_revisit_at,
	.resume = evr_revisit_resume,
	.complete = evr_rf_complete,
	.probe = evr_engine_probe_sources,
	.retract = evr_revisit_retract,
	.stats = stats,
	.whole = "0.0;;",
	.take = evr_revisit_take_branch,
	.give = evr_revisit_give,
	.list = evr_revisit_list,
	.open = open_branches,
};

/* Where stores take effect in memory, engine `traces` is another one, which can be divided by way of this. */
static bool supports_order(const struct evr_model_ops *m)
{
	return m->steps_name_sources && m->oracle && m->oracle->consistent_in_order;
}

static bool supports_interleavings(const struct evr_model_ops *m)
{
	return !m->steps_name_sources && m->oracle && m->oracle->consistent_in_order;
}

#define ORDERED \
	.name = "traces", .exhaustive = true, .classes = "trace", .create = create_ordered, .destroy = destroy, \
	.restart = restart, .advance = advance, .next = evr_rf_next, .place = evr_revisit_at, \
	.resume = evr_revisit_resume, .complete = evr_revisit_complete_in_order, .stats = stats, .whole = "0.0;;", \
	.take = evr_revisit_take_branch, .give = evr_revisit_give, .list = evr_revisit_list, .open = open_branches

const struct evr_engine_ops evr_engine_ordered = {
	ORDERED,
	.summary = "the same, where steps name sources",
	.supports = supports_order,
};

const struct evr_engine_ops evr_engine_interleaved = {
	ORDERED,
	.summary = "the same, divided",
	.supports = supports_interleavings,
};
