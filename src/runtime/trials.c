/*
 * `everett predict` with several workers: the cycles are tried by copies of this process.
 *
 * What comes of a cycle depends on its number, on the seed, and on what was learned before: on nothing else. So workers try cycles ahead of their turn, and what they say is taken in the order
 * of the cycles. If a cycle has taught something, all that was tried behind it is thrown away and tried again by new workers, which know it.
 *
 * Invariant: the result is what one process would have after the first `taken` cycles; but if the search is stopped, it has whatever is there.
 */
#include "runtime/copies.h"
#include "runtime/predict.h"
#include "runtime/runtime.h"
#include "runtime/search.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct worker {
	pid_t pid;
	int fd;
	bool busy;
	size_t cycle; /* that it tries */
	struct evr_strbuf line; /* what has come of the next one */
};

/* What was said about a cycle. */
struct outcome {
	struct evr_result *heard;
	char *known; /* what was learned, or NULL */
	unsigned remarks, orders;
	bool there;
};

struct trials {
	struct evr_result *result;
	evr_try_cycle *try;
	struct worker *workers;
	size_t count;
	struct outcome *outcomes;
	size_t cycles, handed_out, taken;
	bool learned;
};

/* ---- a worker ---- */

static unsigned get_remarks(void)
{
	return (evr_rt.concurrent ? 1u : 0) | (evr_rt.plain_shared ? 2u : 0) | (evr_rt.locked_atomics ? 4u : 0) |
	       (evr_rt.strong_cas ? 8u : 0) | (evr_rt.sections ? 16u : 0);
}

static void add_remarks(unsigned remarks, unsigned orders)
{
	evr_rt.concurrent |= remarks & 1;
	evr_rt.plain_shared |= (remarks & 2) != 0;
	evr_rt.locked_atomics |= (remarks & 4) != 0;
	evr_rt.strong_cas |= (remarks & 8) != 0;
	evr_rt.sections |= (remarks & 16) != 0;
	evr_rt.world.orders_used |= orders;
}

static void try_one(struct evr_result *r, evr_try_cycle *try, size_t cycle)
{
	uint64_t version = evr_rt.world.knowledge.version;
	unsigned threads = evr_rt.thread_count;
	int fd = evr_rt.config.fd;
	r->executions = r->blocked = r->truncated = r->events = 0;
	if (!try(r, cycle))
		_exit(EVR_INTERNAL);
	if (version != evr_rt.world.knowledge.version || threads != evr_rt.thread_count) {
		char *known = evr_known_text();
		dprintf(fd, "known\t%s\n", known);
		free(known);
	}
	dprintf(fd, "remarks\t%u\t%u\n", get_remarks(), evr_rt.world.orders_used);
	evr_wire_done(fd, r);
}

static _Noreturn void work(struct evr_result *r, evr_try_cycle *try, int fd)
{
	size_t cycle;
	evr_copy_begin(fd);
	while (read(fd, &cycle, sizeof(cycle)) == (ssize_t)sizeof(cycle))
		try_one(r, try, cycle);
	_exit(0);
}

/* ---- what workers say ---- */

static void forget(struct outcome *o)
{
	if (o->heard)
		evr_result_free(o->heard);
	free(o->known);
	*o = (struct outcome){ 0 };
}

static bool begins_with(const char *line, const char *word)
{
	return !strncmp(line, word, strlen(word));
}

static bool take_remarks(struct outcome *o, const char *p)
{
	unsigned long long remarks, orders;
	if (!evr_read_number(&p, 10, &remarks) || !evr_read_char(&p, '\t') || !evr_read_number(&p, 10, &orders))
		return false;
	o->remarks = (unsigned)remarks;
	o->orders = (unsigned)orders;
	return true;
}

static void take_line(struct trials *t, struct worker *w, const char *line)
{
	struct outcome *o = &t->outcomes[w->cycle];
	int end = 0;
	if (begins_with(line, "hint\t") || begins_with(line, "note\t"))
		dprintf(evr_rt.config.fd, "%s\n", line);
	else if (begins_with(line, "known\t"))
		o->known = evr_strdup(line + 6);
	else if (begins_with(line, "remarks\t"))
		end = take_remarks(o, line + 8) ? 0 : -1;
	else
		end = evr_wire_line(o->heard, line);
	if (end < 0)
		evr_die("a worker sent an invalid record: %.60s", line);
	if (end == 1) {
		o->there = true;
		w->busy = false;
	}
}

static void receive(struct trials *t, struct worker *w)
{
	char block[65536];
	ssize_t n = read(w->fd, block, sizeof(block));
	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0) {
		char *message = evr_format("a worker died when it tried cycle %zu", w->cycle + 1);
		evr_wire_error(evr_rt.config.fd, EVR_INTERNAL, message);
		_exit(EVR_INTERNAL);
	}
	for (ssize_t i = 0; i < n; i++) {
		if (block[i] != '\n') {
			evr_strbuf_putc(&w->line, block[i]);
			continue;
		}
		take_line(t, w, w->line.text);
		evr_strbuf_clear(&w->line);
	}
}

/* ---- in the order of the cycles ---- */

static void take_outcome(struct trials *t, struct outcome *o)
{
	struct evr_result *r = t->result, *heard = o->heard;
	uint64_t before = r->executions + r->blocked + r->truncated;
	for (size_t i = 0; i < heard->findings.len; i++)
		heard->findings.data[i].execution += before;
	evr_take_over_findings(r, heard);
	r->executions += heard->executions;
	r->truncated += heard->truncated;
	r->events += heard->events;
	for (size_t i = 0; i < heard->cycles.len; i++) {
		evr_vec_push(&r->cycles, heard->cycles.data[i]);
		evr_wire_cycle(evr_rt.config.fd, &evr_vec_last(&r->cycles));
	}
	heard->cycles.len = 0;
	add_remarks(o->remarks, o->orders);
	char *error = NULL;
	t->learned = o->known;
	if (o->known && !evr_known_take(o->known, &error))
		evr_die("%s", error);
	forget(o);
}

static void take_all(struct trials *t)
{
	while (!t->learned && t->taken < t->cycles && t->outcomes[t->taken].there)
		take_outcome(t, &t->outcomes[t->taken++]);
}

/* The search was stopped: nothing that was found is lost. */
static void take_what_is_there(struct trials *t)
{
	for (size_t i = t->taken; i < t->handed_out; i++)
		if (t->outcomes[i].there)
			take_outcome(t, &t->outcomes[i]);
		else if (t->outcomes[i].heard)
			evr_take_over_findings(t->result, t->outcomes[i].heard);
}

/* ---- workers begin and end ---- */

static void start(struct trials *t)
{
	for (size_t i = 0; i < t->count; i++) {
		struct worker *w = &t->workers[i];
		*w = (struct worker){ 0 };
		evr_strbuf_init(&w->line);
		w->pid = evr_copy_process(&w->fd);
		if (!w->pid)
			work(t->result, t->try, w->fd);
	}
	t->handed_out = t->taken;
	t->learned = false;
}

static void stop(struct trials *t)
{
	for (size_t i = 0; i < t->count; i++) {
		struct worker *w = &t->workers[i];
		kill(w->pid, SIGKILL);
		while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
			;
		close(w->fd);
		evr_strbuf_release(&w->line);
	}
	for (size_t i = 0; i < t->cycles; i++)
		forget(&t->outcomes[i]);
}

static void hand_out(struct trials *t)
{
	for (size_t i = 0; i < t->count && t->handed_out < t->cycles; i++) {
		struct worker *w = &t->workers[i];
		if (w->busy)
			continue;
		w->cycle = t->handed_out++;
		w->busy = true;
		t->outcomes[w->cycle].heard = evr_result_new("", "");
		/* If it is dead, that is noticed when it should answer. */
		send(w->fd, &w->cycle, sizeof(w->cycle), MSG_NOSIGNAL);
	}
}

static void hear(struct trials *t)
{
	struct pollfd *polled = evr_alloc(t->count * sizeof(*polled));
	for (size_t i = 0; i < t->count; i++)
		polled[i] = (struct pollfd){ .fd = t->workers[i].busy ? t->workers[i].fd : -1, .events = POLLIN };
	if (poll(polled, t->count, 50) > 0)
		for (size_t i = 0; i < t->count; i++)
			if (polled[i].revents)
				receive(t, &t->workers[i]);
	free(polled);
}

bool evr_trials_divide(struct evr_result *r, size_t cycles, evr_try_cycle *try)
{
	struct trials t = { .result = r, .try = try, .cycles = cycles };
	t.count = evr_rt.config.jobs < cycles ? (size_t)evr_rt.config.jobs : cycles;
	t.workers = evr_alloc(t.count * sizeof(*t.workers));
	t.outcomes = evr_alloc(cycles * sizeof(*t.outcomes));
	while (t.taken < cycles && !evr_search_stopped()) {
		start(&t);
		while (t.taken < cycles && !t.learned && !evr_search_stopped()) {
			hand_out(&t);
			hear(&t);
			take_all(&t);
			if (evr_tick)
				evr_on_tick();
		}
		if (evr_search_stopped())
			take_what_is_there(&t);
		stop(&t);
	}
	free(t.workers);
	free(t.outcomes);
	return t.taken == cycles;
}
