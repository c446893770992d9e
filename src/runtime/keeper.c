/*
 * Invariant: nothing of the execution is changed but the orders in its sites, all of them by each question. So an answer depends on the question alone.
 */
#include "runtime/keeper.h"

#include "event/race.h"
#include "model/possible.h"
#include "runtime/copies.h"
#include "runtime/orders.h"
#include "runtime/runtime.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { MOST_EVENTS = 2000 }; /* of longer ones, the question takes about as long as a search */

/*
 * That threads wait for ever depends on which write is the last one to a location, and that is not what the oracle is asked.
 */
static bool is_settled_by_sources(const char *kind)
{
	static const char *const others[] = { "deadlock", "no-progress", "leak", "nondeterminism", "not-robust" };
	for (size_t i = 0; i < EVR_COUNT(others); i++)
		if (!strcmp(kind, others[i]))
			return false;
	return true;
}

/* What the runtime has made a copy of has an order of its own, which no question changes. */
static bool has_own_orders(const struct evr_trace *t)
{
	for (size_t i = 0; i < t->events.len; i++) {
		const struct evr_event *e = &t->events.data[i];
		if (e->site && e->site->order != EVR_PLAIN && !evr_orders_has(e->site))
			return true;
	}
	return false;
}

static const struct evr_fault *kept_fault(const struct evr_result *r)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	if (!evr_rt.world.model->heeds_orders || !r->findings.len || evr_execution.faults.len != 1 ||
	    t->events.len > MOST_EVENTS || has_own_orders(t))
		return NULL;
	const struct evr_fault *f = &evr_execution.faults.data[0];
	return is_settled_by_sources(f->kind) ? f : NULL;
}

static bool still_fails(const struct evr_fault *f, const struct evr_trace *looked_at, struct evr_race_finder *finder)
{
	if (!evr_model_possible(evr_rt.world.model, looked_at))
		return false;
	return f->other == EVR_NO_EVENT ||
	       evr_race_between(finder, looked_at, NULL, (struct evr_race_pair){ f->other, f->event });
}

static _Noreturn void keep(int fd, const struct evr_fault *f)
{
	static EVR_LASTING char question[65536];
	struct evr_trace *t = &evr_rt.world.trace, part = { 0 };
	struct evr_race_finder *finder = evr_race_finder_new();
	struct evr_graph g = { 0 };
	bool race = f->other != EVR_NO_EVENT;
	evr_graph_build(&g, t, true);
	evr_graph_link(&g, t);
	if (!race)
		evr_model_part(t, f->event, &part);
	for (;;) {
		ssize_t n = read(fd, question, sizeof(question) - 1);
		if (n <= 0)
			_exit(0);
		question[n] = '\0';
		bool quit = !strcmp(question, "q");
		if (!quit)
			evr_orders_assign(question);
		char answer = !quit && still_fails(f, race ? t : &part, finder) ? 'f' : '?';
		if (write(fd, &answer, 1) != 1 || quit)
			_exit(0);
	}
}

void evr_keeper_begin(int fd, const struct evr_result *r)
{
	const struct evr_fault *f = kept_fault(r);
	struct itimerval never = { 0 };
	if (!f || send(fd, "k", 1, MSG_NOSIGNAL) != 1 || _Fork())
		return;
	setitimer(ITIMER_REAL, &never, NULL);
	close(evr_rt.config.fd);
	keep(fd, f);
}
