/*
 * Random executions that look for bugs. Three ways to choose the next thread:
 *
 *   POS    Yuan, Yang, Gu, "Partial Order Aware Concurrency Sampling", CAV 2018
 *   PCT    Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs",
 *          ASPLOS 2010
 *   walk   any that can go on
 *
 * and, where stores are buffered, predicted cycles (predict.c). Which of them it is changes from execution to execution, and so does how weak
 * memory is: stores may wait in their buffers for as long as they like, or reads may take any source.
 *
 * Where steps name sources, to list all of them costs time that is quadratic in the events so far. An event that takes the newest write of its location as
 * its source, or as its predecessor, is always possible as long as all others have come last in coherence, too: nothing comes after it in any
 * order. So only reads are given other sources, by asking the model, and writes always come last (TAIL); in some short executions all steps are asked for (ANY).
 */
#include "explore/hunt.h"

#include "event/predict.h"
#include "explore/predict.h"
#include "model/buffer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ACTORS (2 * EVR_MAX_THREADS)
#define MOST_CHANGES 8 /* of priorities, in an execution by PCT */
#define LONGEST 100000 /* steps of an execution */
#define STUBBORN 5000 /* so many steps in a row of one thread, and another one goes first: it may be waiting for that */
#define WATCHED 10 /* executions from which cycles are predicted */
#define PREDICTABLE 2000 /* events that such an execution may have */
#define SHORT 60 /* events of an execution in which all sources and places are asked for */
#define ASKED 400 /* and in which other sources are asked for at all; by a frugal hunt only among the first SHORT */

/* How weak is memory in this execution? */
enum weakness {
	STRONG, /* stores take effect at once; the newest source */
	TAIL, /* buffers are drained as threads are scheduled; any source of a read */
	LAZY, /* buffers are drained when nothing else can be done; any source of a read */
	ANY, /* every step of the model */
	WEAKNESSES
};

struct hunt {
	struct evr_engine base;
	evr_steps possible;
	unsigned hunters, by_number; /* the latter: how many executions there have been of each, together */
	enum evr_hunter by;
	enum weakness weakness;
	uint64_t seed, number, end, random, work; /* end: the number of the first execution that is not its own */
	bool settled, frugal;
	evr_steps followed; /* the first steps of the execution, if they are given */
	size_t following; /* how many of them have been taken */
	unsigned weakness_followed;
	bool fresh; /* the next step is the first of an execution */
	uint64_t steps, length; /* of this execution; of the longest so far */
	uint64_t changes[MOST_CHANGES];
	unsigned change_count;
	uint32_t priority[ACTORS]; /* 0: it has none yet */
	uint32_t lowest; /* below it, priorities are used up */
	uint16_t last;
	unsigned in_a_row;
	bool waiting[EVR_MAX_THREADS]; /* the world's, while the model is asked about one thread */
	struct evr_engine *cycles_engine; /* or NULL */
	struct evr_prediction *prediction;
	const evr_predictions *cycles;
	size_t cycle; /* the next one to be tried */
	unsigned watched;
	bool watching; /* this execution is one from which cycles are predicted */
};

const char *const evr_hunter_names[EVR_HUNTERS] = {
#define HUNTER(name, word, text) word,
#include "explore/hunters.def"
#undef HUNTER
};

static uint64_t random_next(struct hunt *h)
{
	h->random ^= h->random << 13;
	h->random ^= h->random >> 7;
	h->random ^= h->random << 17;
	return h->random * UINT64_C(0x2545f4914f6cdd1d);
}

static uint64_t random_below(struct hunt *h, uint64_t n)
{
	return (random_next(h) >> 32) * n >> 32; /* n has no more than 32 bits */
}

/* Above all that changes of priority assign. */
static uint32_t random_priority(struct hunt *h)
{
	return (uint32_t)(random_next(h) >> 33) | 0x80000000u;
}

/* ---- a new execution ---- */

/* Of those that take turns, the one whose turn it is. */
static enum evr_hunter choose_hunter(const struct hunt *h, uint64_t number)
{
	unsigned n = (unsigned)__builtin_popcount(h->hunters), left = (unsigned)(number % n);
	for (unsigned i = 0; i < EVR_HUNTERS; i++)
		if (h->hunters >> i & 1 && !left--)
			return (enum evr_hunter)i;
	return EVR_HUNTER_WALK;
}

static void choose_weakness(struct hunt *h)
{
	const struct evr_model_ops *m = h->base.world->model;
	h->weakness = m->is_sequential ? STRONG : (enum weakness)random_below(h, WEAKNESSES);
	if (h->weakness == ANY && (!m->steps_name_sources || h->length > SHORT || h->frugal))
		h->weakness = TAIL;
}

static void choose_changes(struct hunt *h)
{
	h->change_count = (unsigned)random_below(h, 4);
	if (!random_below(h, 4))
		h->change_count += (unsigned)random_below(h, MOST_CHANGES - 3);
	for (unsigned i = 0; i < h->change_count; i++)
		h->changes[i] = random_below(h, h->length + 1);
}

/* An execution for a cycle, or one to predict some from. False: there are none. */
static bool begin_cycle(struct hunt *h)
{
	if (!h->base.world->model->buffers_stores || h->base.world->model->steps_name_sources)
		return false;
	if (!h->cycles_engine)
		h->cycles_engine = evr_engine_predict(h->base.world);
	if (!h->prediction)
		h->prediction = evr_prediction_new(4);
	h->watching = h->watched < WATCHED;
	if (!h->watching && !h->cycles)
		h->cycles = evr_prediction_cycles(h->prediction);
	if (!h->watching && !h->cycles->len)
		return false;
	const struct evr_predicted *c = h->watching ? NULL : &h->cycles->data[h->cycle++ % h->cycles->len];
	evr_predict_begin(h->cycles_engine, c, random_next(h), h->length + 1);
	return true;
}

static void begin(struct hunt *h)
{
	h->fresh = false;
	h->random = evr_hash64(evr_hash64(h->seed) + h->number) | 1;
	h->steps = h->in_a_row = 0;
	h->last = EVR_NO_ACTOR;
	h->lowest = MOST_CHANGES + 1 + LONGEST / STUBBORN + EVR_MAX_THREADS;
	h->watching = false;
	memset(h->priority, 0, sizeof(h->priority));
	h->following = 0;
	h->by = choose_hunter(h, h->settled ? random_next(h) >> 32 : h->number);
	choose_weakness(h);
	if (h->followed.len)
		h->weakness = (enum weakness)h->weakness_followed;
	if (h->by == EVR_HUNTER_CYCLES && !begin_cycle(h))
		h->by = EVR_HUNTER_POS;
	if (h->by == EVR_HUNTER_PCT)
		choose_changes(h);
	h->work += 50;
}

static void end(struct hunt *h)
{
	const struct evr_trace *t = &h->base.world->trace;
	if (h->steps > h->length && !h->settled)
		h->length = h->steps;
	if (h->watching && !h->base.abandoned && t->events.len <= PREDICTABLE) {
		evr_prediction_add(h->prediction, t);
		h->work += 10 * t->events.len;
	}
	h->work += 20 * h->base.world->threads;
	h->watched += h->watching;
	h->number++;
	h->fresh = true;
	h->base.prefix = 0;
	evr_vec_clear(&h->followed);
}

/* ---- what can be done ---- */

/* The newest write to the event's location, as the variant that names it; 0: there is none. */
static uint32_t newest(struct hunt *h, const struct evr_event *e)
{
	const struct evr_trace *t = &h->base.world->trace;
	size_t i = t->events.len;
	for (; i > 0; i--) {
		const struct evr_event *o = &t->events.data[i - 1];
		if (o->address == e->address && o->size == e->size && o->kind != EVR_FREE && evr_event_writes(o))
			break;
	}
	h->work += (t->events.len - i) / 16;
	return (uint32_t)i;
}

/* Where steps name sources: one step for each thread that can go on. */
static void list_threads(struct hunt *h)
{
	const struct evr_world *w = h->base.world;
	for (unsigned t = 0; t < w->threads; t++) {
		const struct evr_event *e = &w->pending[t];
		if (!w->waiting[t] || !w->model->ready(w, (evr_thread_id)t))
			continue;
		struct evr_step s = { (uint16_t)t, 0 };
		if (e->kind == EVR_CHOOSE)
			s.variant = (uint32_t)random_below(h, (uint64_t)e->choices);
		evr_vec_push(&h->possible, s);
	}
}

/*
 * What it takes to ask for all sources, or places, of an event: each is judged with all events before it. Where the program's orders matter, there is more to
 * judge by.
 */
static uint64_t asking(const struct evr_world *w)
{
	return (w->model->heeds_orders ? 8 : 1) * (w->trace.events.len + 8) * (w->trace.events.len / 8 + 1);
}

/* All steps of one thread, by asking the model as if nobody else were there. */
static void list_alone(struct hunt *h, unsigned thread)
{
	struct evr_world *w = h->base.world;
	memcpy(h->waiting, w->waiting, w->threads * sizeof(*h->waiting));
	memset(w->waiting, 0, w->threads * sizeof(*h->waiting));
	w->waiting[thread] = true;
	evr_vec_clear(&h->possible);
	w->model->steps(w, &h->possible);
	memcpy(w->waiting, h->waiting, w->threads * sizeof(*h->waiting));
	h->work += asking(w);
}

static bool is_access(const struct evr_event *e)
{
	return e->kind == EVR_READ || e->kind == EVR_WRITE || e->kind == EVR_RMW || e->kind == EVR_CAS;
}

/* The step of a thread that was chosen, in an execution in which all others name the newest. */
static struct evr_step with_source(struct hunt *h, struct evr_step s)
{
	struct evr_world *w = h->base.world;
	const struct evr_event *e = &w->pending[s.actor];
	if (!is_access(e))
		return s;
	s.variant = newest(h, e);
	bool asks = e->kind == EVR_READ && h->weakness != STRONG && w->trace.events.len <= (h->frugal ? SHORT : ASKED);
	if (!asks || random_below(h, h->weakness == TAIL ? 4 : 2))
		return s;
	list_alone(h, s.actor);
	size_t n = 0;
	for (size_t i = 0; i < h->possible.len; i++)
		if (h->possible.data[i].actor == s.actor && !random_below(h, ++n))
			s.variant = h->possible.data[i].variant;
	return s;
}

static void list(struct hunt *h)
{
	struct evr_world *w = h->base.world;
	evr_vec_clear(&h->possible);
	if (w->model->steps_name_sources && h->weakness != ANY) {
		list_threads(h);
		return;
	}
	w->model->steps(w, &h->possible);
	if (w->model->steps_name_sources)
		h->work += w->threads * asking(w);
}

/* Updates only, or all else only, if there are such steps. */
static void keep_only(struct hunt *h, bool updates)
{
	size_t n = 0;
	for (size_t i = 0; i < h->possible.len; i++)
		n += (h->possible.data[i].actor >= EVR_MAX_THREADS) == updates;
	if (!n || n == h->possible.len)
		return;
	size_t kept = 0;
	for (size_t i = 0; i < h->possible.len; i++)
		if ((h->possible.data[i].actor >= EVR_MAX_THREADS) == updates)
			h->possible.data[kept++] = h->possible.data[i];
	h->possible.len = kept;
}

/* ---- who does it ---- */

/* Of the steps of this actor, any. */
static struct evr_step any_of(struct hunt *h, uint16_t actor)
{
	struct evr_step s = { .actor = EVR_NO_ACTOR };
	size_t n = 0;
	for (size_t i = 0; i < h->possible.len; i++)
		if (h->possible.data[i].actor == actor && !random_below(h, ++n))
			s = h->possible.data[i];
	return s;
}

/* Any actor, each with the same probability, however many steps it has. */
static uint16_t walk(struct hunt *h)
{
	uint16_t actor = EVR_NO_ACTOR, before = EVR_NO_ACTOR;
	size_t n = 0;
	for (size_t i = 0; i < h->possible.len; i++) {
		if (h->possible.data[i].actor == before)
			continue;
		before = h->possible.data[i].actor;
		if (!random_below(h, ++n))
			actor = before;
	}
	return actor;
}

static uint16_t highest(struct hunt *h)
{
	uint16_t best = EVR_NO_ACTOR;
	for (size_t i = 0; i < h->possible.len; i++) {
		uint16_t a = h->possible.data[i].actor;
		if (!h->priority[a])
			h->priority[a] = random_priority(h);
		if (best == EVR_NO_ACTOR || h->priority[a] > h->priority[best])
			best = a;
	}
	return best;
}

/* A thread that goes round a loop may be waiting for one with a lower priority. */
static uint16_t by_priority(struct hunt *h)
{
	const struct evr_world *w = h->base.world;
	if (EVR_UNLIKELY(w->tired) && h->lowest > MOST_CHANGES + 1)
		h->priority[w->tired - 1] = --h->lowest;
	else if (EVR_UNLIKELY(h->in_a_row > STUBBORN) && h->last != EVR_NO_ACTOR && h->lowest > MOST_CHANGES + 1) {
		h->priority[h->last] = --h->lowest;
		h->in_a_row = 0;
	}
	return highest(h);
}

static uint16_t pct(struct hunt *h)
{
	uint16_t actor = by_priority(h);
	for (unsigned i = 0; i < h->change_count; i++)
		if (h->changes[i] == h->steps && actor != EVR_NO_ACTOR) {
			h->priority[actor] = i + 1;
			actor = highest(h);
		}
	return actor;
}

/* Where the step reads or writes; 0: nowhere. */
static uintptr_t place_of(const struct evr_world *w, struct evr_step s, bool *writes)
{
	if (s.actor < EVR_MAX_THREADS) {
		const struct evr_event *e = &w->pending[s.actor];
		*writes = e->kind != EVR_READ;
		return e->size ? e->address : 0;
	}
	const evr_buffer *b = evr_buffers_of(w, (evr_thread_id)(s.actor - EVR_MAX_THREADS));
	*writes = true;
	for (size_t i = 0; i < b->len; i++)
		if (b->data[i].index == s.variant)
			return b->data[i].address;
	return 0;
}

/* What races with the step gets a new priority, and so does what its actor does next. */
static void draw_again(struct hunt *h, struct evr_step taken)
{
	bool writes, other_writes;
	uintptr_t place = place_of(h->base.world, taken, &writes);
	for (size_t i = 0; place && i < h->possible.len; i++) {
		struct evr_step s = h->possible.data[i];
		if (s.actor != taken.actor && place_of(h->base.world, s, &other_writes) == place &&
		    (writes || other_writes))
			h->priority[s.actor] = 0;
	}
	h->priority[taken.actor] = 0;
}

static struct evr_step choose(struct hunt *h)
{
	uint16_t actor = h->by == EVR_HUNTER_WALK ? walk(h) : h->by == EVR_HUNTER_PCT ? pct(h) : by_priority(h);
	struct evr_step s = any_of(h, actor);
	if (h->by == EVR_HUNTER_POS)
		draw_again(h, s);
	return s;
}

static struct evr_step next(struct evr_engine *e)
{
	struct hunt *h = (struct hunt *)e;
	struct evr_world *w = e->world;
	if (h->fresh)
		begin(h);
	h->work++;
	if (++h->steps > LONGEST) {
		e->abandoned = true;
		return (struct evr_step){ .actor = EVR_NO_ACTOR };
	}
	if (h->following < h->followed.len)
		return h->followed.data[h->following++];
	if (h->by == EVR_HUNTER_CYCLES) {
		struct evr_step s = h->cycles_engine->ops->next(h->cycles_engine);
		e->abandoned |= h->cycles_engine->abandoned;
		return s;
	}
	list(h);
	if (!h->possible.len)
		return (struct evr_step){ .actor = EVR_NO_ACTOR };
	if (w->model->buffers_stores && (h->weakness == STRONG || h->weakness == LAZY))
		keep_only(h, h->weakness == STRONG);
	struct evr_step s = choose(h);
	h->in_a_row = s.actor == h->last ? h->in_a_row + 1 : 0;
	h->last = s.actor;
	return w->model->steps_name_sources && h->weakness != ANY ? with_source(h, s) : s;
}

/* ---- the engine ---- */

static bool advance(struct evr_engine *e)
{
	struct hunt *h = (struct hunt *)e;
	end(h);
	return h->number < h->end;
}

/* Something was learned: what was predicted may be about other events. */
static void restart(struct evr_engine *e)
{
	struct hunt *h = (struct hunt *)e;
	h->watching = false;
	end(h);
}

static void destroy(struct evr_engine *e)
{
	struct hunt *h = (struct hunt *)e;
	if (h->cycles_engine)
		h->cycles_engine->ops->destroy(h->cycles_engine);
	if (h->prediction)
		evr_prediction_free(h->prediction);
	evr_vec_release(&h->possible);
	evr_vec_release(&h->followed);
	free(h);
}

/* ---- branches ---- */

static void take(struct evr_engine *e, const char *branch)
{
	struct hunt *h = (struct hunt *)e;
	char *to;
	h->number = strtoull(branch, &to, 10);
	h->end = *to == '-' ? strtoull(to + 1, NULL, 10) : 0;
	h->fresh = true;
	if (h->number >= h->end)
		e->failure = "a branch is not a range of executions";
}

/* Those who get a part have as much as is kept. */
static void give(struct evr_engine *e, size_t least, evr_branches *given)
{
	struct hunt *h = (struct hunt *)e;
	uint64_t part = (h->end - h->number) / (least + 1);
	for (; part && least; least--) {
		evr_vec_push(given, evr_format("%" PRIu64 "-%" PRIu64, h->end - part, h->end));
		h->end -= part;
	}
}

static void list_branches(struct evr_engine *e, evr_branches *all)
{
	const struct hunt *h = (const struct hunt *)e;
	if (h->number < h->end)
		evr_vec_push(all, evr_format("%" PRIu64 "-%" PRIu64, h->number, h->end));
}

static size_t count_open(const struct evr_engine *e)
{
	const struct hunt *h = (const struct hunt *)e;
	return h->end - h->number > UINT32_MAX ? UINT32_MAX : (size_t)(h->end - h->number);
}

#define TEXT(x) #x
#define NUMBER(x) TEXT(x)

const struct evr_engine_ops evr_hunt_ops = {
	.name = "hunt",
	.summary = "random executions that look for bugs",
	.destroy = destroy,
	.restart = restart,
	.next = next,
	.advance = advance,
	.whole = NUMBER(EVR_HUNT_PILOTS) "-1000000000000000000",
	.take = take,
	.give = give,
	.list = list_branches,
	.open = count_open,
};

struct evr_engine *evr_engine_hunt(struct evr_world *w, unsigned hunters, uint64_t seed)
{
	struct hunt *h = evr_engine_new(sizeof(*h), &evr_hunt_ops, w);
	h->end = UINT64_MAX;
	h->hunters = hunters;
	h->seed = seed;
	h->fresh = true;
	h->length = 20;
	return &h->base;
}

void evr_hunt_settle(struct evr_engine *e)
{
	((struct hunt *)e)->settled = true;
}

void evr_hunt_be_frugal(struct evr_engine *e)
{
	((struct hunt *)e)->frugal = true;
}

void evr_hunt_follow(struct evr_engine *e, const struct evr_step *steps, size_t n, unsigned weakness)
{
	struct hunt *h = (struct hunt *)e;
	evr_vec_clear(&h->followed);
	for (size_t i = 0; i < n; i++)
		evr_vec_push(&h->followed, steps[i]);
	h->weakness_followed = weakness;
}

unsigned evr_hunt_weakness(const struct evr_engine *e)
{
	return ((const struct hunt *)e)->weakness;
}

uint64_t evr_hunt_number(const struct evr_engine *e)
{
	return ((const struct hunt *)e)->number;
}

uint64_t evr_hunt_work(const struct evr_engine *e)
{
	return ((const struct hunt *)e)->work;
}

enum evr_hunter evr_hunt_by(const struct evr_engine *e)
{
	return ((const struct hunt *)e)->by;
}

unsigned evr_hunters_parse(const char *names, char **unknown)
{
	unsigned all = 0;
	for (const char *p = names; *p; p += *p == ',') {
		size_t n = strcspn(p, ","), i = 0;
		while (i < EVR_HUNTERS && (strlen(evr_hunter_names[i]) != n || strncmp(evr_hunter_names[i], p, n) != 0))
			i++;
		if (i == EVR_HUNTERS) {
			*unknown = evr_strndup(p, n);
			return 0;
		}
		all |= 1u << i;
		p += n;
	}
	return all;
}
