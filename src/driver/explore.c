/*
 * The searches of a run take turns: one checker runs, the others are paused. If there are to be several workers, they run side by side.
 *
 * Invariant: between two calls of watch()'s helpers at most one search, `now`, is running and all other live ones are paused,
 * unless the user has interrupted the run: then all of them go on, to their ends. Searches begin in the order of the models,
 * and the report's results are in that order.
 */
#include "driver/explore.h"

#include "driver/checkpoint.h"
#include "driver/interrupt.h"
#include "driver/lines.h"
#include "driver/process.h"
#include "driver/ranks.h"
#include "driver/search.h"

#include <poll.h>

static const double first_turn = 0.25,
		    longest_turn = 4; /* seconds: each round has turns twice as long as the one before */
static const double grace = 2; /* for each search to end by itself when interrupted */
static const double between_news = 0.5; /* seconds; more if telling takes long */
static const int tick = 50; /* milliseconds between looks at limits */

struct turns {
	const struct evr_options *o;
	const char *checker;
	const evr_words *models;
	struct evr_report *report;
	const struct evr_listener *listener;
	struct evr_search *searches; /* by model */
	size_t begun; /* so many of them have */
	size_t next; /* who is asked first when the turn is over */
	struct evr_search *now; /* whose turn it is; NULL: nobody's */
	double until, length; /* of turns */
	bool waited; /* has anybody, so far? */
	size_t told; /* how much of the findings the listener knows */
	double next_news; /* not before */
};

static bool is_live(const struct evr_search *s)
{
	return s->pid > 0 && !s->ended;
}

static bool has_others(const struct turns *t)
{
	if (t->begun < t->models->len)
		return true;
	for (size_t i = 0; i < t->begun; i++)
		if (is_live(&t->searches[i]) && &t->searches[i] != t->now)
			return true;
	return false;
}

/* ---- news ---- */

/* A number that changes with all that a report on the way should have. */
static size_t known(const struct turns *t)
{
	size_t sum = t->waited ? t->begun : 0;
	for (size_t i = 0; i < t->begun; i++) {
		const struct evr_result *r = t->searches[i].r;
		sum += r->findings.len ? r->findings.len + evr_vec_last(&r->findings).events.len : 0;
		sum += t->waited && t->searches[i].ended;
		sum += r->rest.version;
	}
	return sum;
}

/* What has come since the last time is told to the listener. */
static void tell_news(struct turns *t, bool at_once)
{
	double now = evr_now();
	size_t all = known(t);
	if (!t->listener || all == t->told || (now < t->next_news && !at_once))
		return;
	t->told = all;
	for (size_t i = 0; i < t->begun; i++) {
		struct evr_search *s = &t->searches[i];
		if (!is_live(s))
			continue;
		s->r->explore_seconds = evr_search_time(s);
		evr_lines_resolve(s->r, t->checker);
	}
	t->listener->news(t->listener->argument);
	double took = evr_now() - now;
	t->next_news = now + took + (took > between_news ? took : between_news);
}

/* ---- what people see meanwhile ---- */

static void clear_progress(struct turns *t)
{
	for (size_t i = 0; i < t->begun; i++)
		evr_progress_clear(&t->searches[i].progress);
}

static void show_hints(struct turns *t, struct evr_search *s)
{
	if (s->hints < s->r->hints)
		clear_progress(t);
	for (; s->hints < s->r->hints; s->hints++)
		if (!t->o->quiet)
			evr_warn("note: %s", s->r->notes.data[s->hints]);
}

/* Who watches a run whose end is far away sees the verdicts that are there already; all of them come again at the end. */
static void show_verdicts(struct turns *t)
{
	for (size_t i = 0; i < t->begun && t->waited; i++) {
		struct evr_search *s = &t->searches[i];
		if (s->shown || !s->ended || !s->progress.on || !has_others(t))
			continue;
		s->shown = true;
		clear_progress(t);
		evr_text_summary(stderr, s->r);
	}
}

/* There is one line: of several that run side by side, the first has it. */
static void show_progress(struct turns *t)
{
	bool asked = evr_questioned(), shown = false;
	for (size_t i = 0; i < t->begun; i++) {
		struct evr_search *s = &t->searches[i];
		if (!is_live(s))
			continue;
		if (asked)
			evr_progress_ask(&s->progress);
		if (asked || !shown)
			evr_progress_update(&s->progress, s->r);
		shown |= !t->now;
	}
}

/* ---- turns ---- */

static void finish(struct turns *t, struct evr_search *s)
{
	evr_progress_clear(&s->progress);
	evr_search_finish(s);
	show_hints(t, s);
	if (t->now == s)
		t->now = NULL;
	if (t->listener)
		t->listener->ended(t->listener->argument, s->r);
	/* Its findings may be shown by simpler executions now. */
	if (s->r->findings.len)
		t->told = SIZE_MAX;
	if (has_others(t))
		tell_news(t, true);
}

/* Searches of one run write their classes to one file, one behind the other; and ranks explore one after the other. */
static bool take_turns(const struct turns *t)
{
	return t->models->len > 1 && !t->o->classes && t->o->jobs <= 1 && evr_ranks_socket() < 0;
}

static void start_next(struct turns *t, struct evr_search *s)
{
	struct evr_result *r = evr_search_result(t->o, t->models->data[t->begun]);
	evr_vec_push(&t->report->results, r);
	t->begun++;
	s->r = r;
	if (evr_interrupted())
		evr_result_set(&r->stopped, "interrupted");
	else if (t->o->resumed && !r->rest.branches.len)
		evr_search_was_over(r, evr_checkpoint_find(t->o->resumed, r->model), t->o->keep_going);
	else if (evr_search_start(s, t->o, t->checker, r, take_turns(t)))
		return;
	s->ended = true;
	if (t->listener)
		t->listener->ended(t->listener->argument, r);
}

static void go_on(struct turns *t, struct evr_search *s)
{
	evr_search_go_on(s);
	evr_interrupts_ask(s->pid);
	t->now = s;
	t->until = evr_now() + t->length;
}

/* To the next one whose search has not ended; it may not even have begun. False: there is none. */
static bool give_turn(struct turns *t)
{
	for (size_t tried = 0; tried < t->models->len; tried++) {
		if (t->next == t->models->len) {
			t->next = 0;
			t->length = 2 * t->length < longest_turn ? 2 * t->length : longest_turn;
		}
		struct evr_search *s = &t->searches[t->next++];
		if (s == &t->searches[t->begun])
			start_next(t, s);
		if (!is_live(s))
			continue;
		go_on(t, s);
		return true;
	}
	return false;
}

/* A search that is about to end, or that nobody waits for, goes on. */
static void end_turn(struct turns *t)
{
	struct evr_search *s = t->now;
	if (!s || s->done || !s->open || evr_now() < t->until || !has_others(t) || evr_interrupted())
		return;
	evr_search_pause(s);
	if (!(s->paused_at > 0))
		return;
	evr_progress_clear(&s->progress);
	t->now = NULL;
	t->waited = true;
}

/* All of them have something to tell, and they need not do so one after the other. */
static void hurry(struct turns *t)
{
	for (size_t i = 0; i < t->begun; i++) {
		if (!is_live(&t->searches[i]))
			continue;
		evr_search_go_on(&t->searches[i]);
		evr_search_hurry(&t->searches[i], grace * (double)t->begun);
	}
}

static void attend(struct turns *t, const struct pollfd *polled)
{
	size_t begun = t->begun;
	for (size_t i = 0; i < begun; i++) {
		struct evr_search *s = &t->searches[i];
		if (!is_live(s))
			continue;
		evr_search_attend(s, polled[i].revents);
		show_hints(t, s);
		if (s->ended)
			finish(t, s);
	}
}

static void wait_for_something(struct turns *t, struct pollfd *polled)
{
	for (size_t i = 0; i < t->begun; i++) {
		const struct evr_search *s = &t->searches[i];
		polled[i] = (struct pollfd){ .fd = is_live(s) && s->open ? s->fd : -1, .events = POLLIN };
	}
	poll(polled, t->begun, t->now->done || !t->now->open ? 1 : tick);
}

/* Until the processes have ended and everything they said was heard. */
static void watch(struct turns *t)
{
	struct pollfd *polled = evr_alloc(t->models->len * sizeof(*polled));
	while (t->now || give_turn(t)) {
		wait_for_something(t, polled);
		attend(t, polled);
		if (evr_interrupted())
			hurry(t);
		end_turn(t);
		tell_news(t, false);
		show_verdicts(t);
		show_progress(t);
	}
	free(polled);
}

/* All at once: each has as many workers as there may be, and the system divides the cores. */
static void watch_side_by_side(struct turns *t)
{
	struct pollfd *polled = evr_alloc(t->models->len * sizeof(*polled));
	while (t->begun < t->models->len)
		start_next(t, &t->searches[t->begun]);
	t->waited = true;
	for (bool live = true; live;) {
		live = false;
		for (size_t i = 0; i < t->begun; i++) {
			const struct evr_search *s = &t->searches[i];
			live |= is_live(s);
			polled[i] = (struct pollfd){ .fd = is_live(s) && s->open ? s->fd : -1, .events = POLLIN };
		}
		if (!live)
			break;
		poll(polled, t->begun, tick);
		attend(t, polled);
		if (evr_interrupted())
			hurry(t);
		tell_news(t, false);
		show_verdicts(t);
		show_progress(t);
	}
	free(polled);
}

static bool runs_side_by_side(const struct turns *t)
{
	return t->models->len > 1 && t->o->jobs > 1 && !t->o->classes && evr_ranks_socket() < 0;
}

void evr_explore_all(const struct evr_options *o, const char *checker, const evr_words *models,
		     struct evr_report *report, const struct evr_listener *listener)
{
	struct evr_interrupts interrupts;
	struct turns t = { .o = o,
			   .checker = checker,
			   .models = models,
			   .report = report,
			   .listener = listener,
			   .searches = evr_alloc((models->len + 1) * sizeof(*t.searches)),
			   .length = first_turn,
			   .next_news = evr_now() + between_news };
	evr_interrupts_catch(&interrupts);
	(runs_side_by_side(&t) ? watch_side_by_side : watch)(&t);
	evr_interrupts_restore(&interrupts);
	free(t.searches);
}

struct evr_result *evr_explore(const struct evr_options *o, const char *checker, const char *model)
{
	char *name = evr_strdup(model);
	evr_words one = { .data = &name, .len = 1 };
	struct evr_report report = { 0 };
	evr_explore_all(o, checker, &one, &report, NULL);
	struct evr_result *r = report.results.data[0];
	evr_vec_release(&report.results);
	free(name);
	return r;
}
