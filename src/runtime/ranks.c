/* A checker that is one of several ranks: what it hears from its carrier, and what it says. */
#include "runtime/ranks.h"

#include "runtime/coverage.h"
#include "runtime/crew.h"
#include "runtime/runtime.h"
#include "runtime/sample.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is true of the program if it was so on any rank, as bits; the memory orders follow. */
enum remarks { CONCURRENT = 1, PLAIN_SHARED = 2, LOCKED_ATOMICS = 4, STRONG_CAS = 8, SECTIONS = 16, ORDERS_SHIFT = 5 };

static EVR_LASTING struct {
	unsigned long long generation;
	unsigned long long taken; /* lines of branches in this generation */
	int state; /* that was told; -1: none in this generation, or after these branches */
	bool welcome; /* what comes from now on is for this process, and not for one before it */
	bool begun, ordered; /* to begin again */
	bool stopped, over, final, spent, lends_all;
	struct evr_strbuf line; /* what has come and was not taken yet */
	struct evr_result *heard; /* findings of others that have not come completely */
	struct evr_result sum; /* totals of the others */
	uint64_t left; /* branches of the others */
} ranks;

bool evr_ranks_on(void)
{
	return evr_rt.config.ranks_fd >= 0;
}

bool evr_ranks_follows(void)
{
	return evr_ranks_on() && evr_rt.config.rank > 0;
}

bool evr_ranks_left(void)
{
	return ranks.left;
}

bool evr_ranks_spent(void)
{
	return ranks.spent;
}

/* ---- to the carrier ---- */

static void send_line(struct evr_strbuf *line)
{
	evr_strbuf_putc(line, '\n');
	for (size_t done = 0; done < line->len;) {
		ssize_t n = write(evr_rt.config.ranks_fd, line->text + done, line->len - done);
		if (n > 0)
			done += (size_t)n;
		else if (errno != EINTR)
			_exit(EVR_INTERNAL); /* nobody listens any more */
	}
	evr_strbuf_release(line);
}

void evr_ranks_tell(const char *record, const char *text)
{
	struct evr_strbuf line;
	if (!evr_ranks_on())
		return;
	evr_strbuf_init(&line);
	evr_strbuf_printf(&line, "%s%s%s", record, *text ? "\t" : "", text);
	send_line(&line);
}

static void tell_of_generation(const char *record, const char *text)
{
	char *all = evr_format("%llu\t%s", ranks.generation, text);
	evr_ranks_tell(record, all);
	free(all);
}

void evr_ranks_tell_found(void)
{
	if (evr_ranks_follows())
		evr_ranks_tell("found", "");
}

static void add_totals(struct evr_strbuf *line, const struct evr_result *r)
{
#define TOTAL(type, field) evr_strbuf_printf(line, "\t%" PRIu64, r->field);
#include "report/records.def"
}

void evr_ranks_tell_sum(const struct evr_result *own)
{
	struct evr_strbuf line;
	if (!evr_ranks_follows() || !ranks.generation)
		return;
	evr_strbuf_init(&line);
	evr_strbuf_printf(&line, "sum\t%llu", ranks.generation);
	add_totals(&line, own);
	send_line(&line);
}

void evr_ranks_add_sum(struct evr_result *all)
{
#define TOTAL(type, field) all->field += ranks.sum.field;
#include "report/records.def"
	uint64_t most = evr_rt.config.max_executions;
	ranks.spent = evr_ranks_on() && most && all->executions + all->blocked + all->truncated >= most;
}

static unsigned remarks(void)
{
	const struct evr_shared *all = evr_crew.shared;
	return (all->concurrent ? CONCURRENT : 0) | (all->plain_shared ? PLAIN_SHARED : 0) |
	       (all->locked_atomics ? LOCKED_ATOMICS : 0) | (all->strong_cas ? STRONG_CAS : 0) |
	       (all->sections ? SECTIONS : 0) | all->orders_used << ORDERS_SHIFT;
}

static void tell_drawn(void)
{
	struct evr_strbuf lines;
	if (!evr_sample_wanted())
		return;
	evr_strbuf_init(&lines);
	evr_sample_tell(&lines);
	if (!lines.len)
		return;
	evr_strbuf_shorten(&lines, lines.len - 1);
	send_line(&lines);
}

static void tell_final(void)
{
	struct evr_strbuf line;
	char *executed = evr_coverage_text();
	evr_ranks_tell("executed", executed);
	free(executed);
	tell_drawn();
	evr_strbuf_init(&line);
	evr_strbuf_printf(&line, "final\t%llu", ranks.taken);
	add_totals(&line, evr_crew.result);
	evr_strbuf_printf(&line, "\t%u\t%zu\t%" PRIu64 "\t%.0f", remarks(), evr_crew.queue.len, evr_crew.steals,
			  evr_crew.idle * 1000);
	for (int i = 0; i < EVR_STATS; i++)
		evr_strbuf_printf(&line, "\t%" PRIu64, evr_crew.counts[i] ? evr_crew.questions[i] : 0);
	send_line(&line);
}

/* Half of the queue, the oldest; all of what a worker has just parted with for it. */
static void give(bool everything)
{
	struct evr_strbuf line;
	evr_crew_branches *q = &evr_crew.queue;
	size_t n = everything ? q->len : (q->len + 1) / 2;
	evr_strbuf_init(&line);
	evr_strbuf_printf(&line, "given\t%llu", ranks.generation);
	for (size_t i = 0; i < n; i++) {
		evr_strbuf_printf(&line, "\t%s", q->data[i].text);
		free(q->data[i].text);
	}
	memmove(q->data, q->data + n, (q->len - n) * sizeof(*q->data));
	q->len -= n;
	evr_crew.asked = 0;
	ranks.lends_all = false;
	send_line(&line);
}

static void give_nothing(void)
{
	char *text = evr_format("%llu", ranks.generation);
	evr_crew.asked = 0;
	ranks.lends_all = false;
	evr_ranks_tell("given", text);
	free(text);
}

/* A worker that was asked to part with branches has not answered yet. */
static bool is_waiting(void)
{
	for (unsigned i = 0; i < evr_crew.count; i++)
		if (evr_crew.workers[i].busy && evr_crew.workers[i].asked)
			return true;
	return false;
}

static void look_after_asked(void)
{
	if (!evr_crew.asked)
		return;
	if (evr_crew.enough || evr_crew.learned)
		give_nothing();
	else if (evr_crew.queue.len)
		give(ranks.lends_all);
	else if (is_waiting())
		ranks.lends_all = true;
	else
		give_nothing();
}

/* ---- from the carrier ---- */

static const char *numbers(const char *p, uint64_t *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *end;
		to[i] = 0;
		if (*p != '\t')
			continue;
		to[i] = strtoull(p + 1, &end, 10);
		p = end;
	}
	return p;
}

static const char *take_sum(const char *p)
{
#define TOTAL(type, field) p = numbers(p, &ranks.sum.field, 1);
#include "report/records.def"
	return p;
}

static void take_final(const char *p)
{
	struct evr_shared *all = evr_crew.shared;
	uint64_t more[4 + EVR_STATS];
	p = take_sum(p);
	numbers(p, more, 4 + EVR_STATS);
	all->concurrent |= (more[0] & CONCURRENT) != 0;
	all->plain_shared |= (more[0] & PLAIN_SHARED) != 0;
	all->locked_atomics |= (more[0] & LOCKED_ATOMICS) != 0;
	all->strong_cas |= (more[0] & STRONG_CAS) != 0;
	all->sections |= (more[0] & SECTIONS) != 0;
	all->orders_used |= (unsigned)(more[0] >> ORDERS_SHIFT);
	ranks.left = more[1];
	evr_crew.steals += more[2];
	evr_crew.idle += (double)more[3] / 1000;
	for (int i = 0; i < EVR_STATS; i++)
		evr_crew.questions[i] += more[4 + i];
	ranks.final = true;
}

static void take_begin(const char *p)
{
	uint64_t generation;
	p = numbers(p, &generation, 1);
	ranks.generation = generation;
	ranks.taken = 0;
	ranks.state = -1;
	ranks.begun = ranks.ordered = true;
	memset(&ranks.sum, 0, sizeof(ranks.sum));
	evr_result_set(&evr_crew.learned, *p ? p + 1 : "");
}

static void take_branches(const char *p)
{
	while (*p == '\t') {
		size_t n = strcspn(p + 1, "\t");
		evr_crew_put(&evr_crew.queue, evr_strndup(p + 1, n), 0);
		p += n + 1;
	}
	ranks.taken++;
	ranks.state = -1;
}

/* At once: what comes behind it on the socket is not part of it. */
static void save(void)
{
	const struct evr_result *r = evr_crew.result;
	evr_ranks_tell("saving", "");
	for (size_t i = 0; i < r->findings.len; i++)
		evr_wire_finding(evr_rt.config.ranks_fd, &r->findings.data[i]);
	evr_coverage_tell(evr_rt.config.ranks_fd);
	evr_crew_tell_rest(evr_rt.config.ranks_fd);
}

/* What is left is in the files of the ranks: that is all that the driver's checkpoint says. */
static void tell_saved(void)
{
	struct evr_result_rest rest = { .program = evr_format("%016llx", (unsigned long long)evr_program_hash()),
					.known = evr_strdup("") };
	evr_vec_push(&rest.branches, evr_strdup(EVR_REST_ELSEWHERE));
	evr_wire_rest(evr_rt.config.fd, &rest);
	evr_rest_clear(&rest);
}

static void take_found(void)
{
	if (!ranks.heard)
		evr_die("another rank has a finding, but did not send it");
	evr_crew_take_findings(ranks.heard);
	evr_result_free(ranks.heard);
	ranks.heard = NULL;
}

/* A record of the wire that a follower has sent. */
static void take_record(const char *line)
{
	if (!strncmp(line, "hint\t", 5) || !strncmp(line, "note\t", 5)) {
		dprintf(evr_rt.config.fd, "%s\n", line);
		return;
	}
	if (!ranks.heard)
		ranks.heard = evr_result_new("", "");
	if (evr_wire_line(ranks.heard, line) < 0)
		evr_die("another rank sent an invalid record: %.60s", line);
	if (ranks.heard->error) {
		evr_wire_error(evr_rt.config.fd, ranks.heard->error_status, ranks.heard->error);
		evr_crew.failed = evr_crew.enough = true;
	}
}

static void stop(const char *text)
{
	(void)text;
	evr_crew.enough = ranks.stopped = true;
}

static void finish(const char *text)
{
	(void)text;
	evr_crew.enough = ranks.over = true;
}

static void take_limit(const char *text)
{
	evr_crew.stopped = evr_strdup(*text ? text + 1 : "");
	evr_crew.enough = true;
}

static void take_executed(const char *text)
{
	evr_coverage_add(*text ? text + 1 : "");
}

static void take_drawn(const char *text)
{
	if (!evr_sample_take_drawn(text))
		evr_die("another rank sent invalid draws: %.60s", text);
}

static void take_pairs(const char *text)
{
	if (!evr_sample_take_pairs(text))
		evr_die("another rank sent invalid pairs: %.60s", text);
}

static void take_refused(const char *text)
{
	evr_crew.refused = evr_strdup(*text ? text + 1 : "");
	evr_crew.enough = true;
}

static void ask(const char *text)
{
	uint64_t n;
	numbers(text, &n, 1);
	evr_crew.asked = (unsigned)n;
}

static void end(const char *text)
{
	(void)text;
	_exit(EVR_OK);
}

static void take_line(const char *line)
{
	static const struct {
		const char *name;
		void (*take)(const char *text);
	} orders[] = {
		{ "begin", take_begin }, { "take", take_branches },   { "ask", ask },
		{ "stop", stop },        { "over", finish },          { "final", take_final },
		{ "limit", take_limit }, { "refused", take_refused }, { "executed", take_executed },
		{ "end", end },          { "drawn", take_drawn },     { "pairs", take_pairs },
	};
	size_t n = strcspn(line, "\t");
	if (!ranks.welcome && !evr_ranks_follows()) {
		ranks.welcome = !strcmp(line, "welcome");
		return;
	}
	for (size_t i = 0; i < EVR_COUNT(orders); i++) {
		if (strlen(orders[i].name) == n && !strncmp(line, orders[i].name, n)) {
			orders[i].take(line + n);
			return;
		}
	}
	if (!strcmp(line, "save"))
		save();
	else if (!strcmp(line, "saved"))
		tell_saved();
	else if (!strcmp(line, "found"))
		take_found();
	else if (!strncmp(line, "sum\t", 4) && !ranks.final)
		take_sum(line + 3);
	else
		take_record(line);
}

/* What comes behind `begin` belongs to a search that has not begun yet. */
static void take_lines(void)
{
	size_t done = 0;
	char *text = ranks.line.text, *end_of_line;
	while (!ranks.ordered && (end_of_line = memchr(text + done, '\n', ranks.line.len - done))) {
		*end_of_line = '\0';
		take_line(text + done);
		done = (size_t)(end_of_line - text) + 1;
	}
	char *rest = evr_strndup(text + done, ranks.line.len - done);
	size_t n = ranks.line.len - done;
	evr_strbuf_clear(&ranks.line);
	evr_strbuf_add(&ranks.line, rest, n);
	free(rest);
}

void evr_ranks_receive(void)
{
	char block[65536];
	ssize_t n = read(evr_rt.config.ranks_fd, block, sizeof(block));
	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		_exit(EVR_INTERNAL); /* whoever started this process has gone */
	if (!ranks.line.text)
		evr_strbuf_init(&ranks.line);
	if (n > 0)
		evr_strbuf_add(&ranks.line, block, (size_t)n);
	take_lines();
}

/* ---- how it is going ---- */

void evr_ranks_take_up(void)
{
	if (!ranks.ordered)
		return;
	ranks.ordered = false;
	take_lines();
}

void evr_ranks_look(bool busy, bool hungry)
{
	if (!evr_ranks_on())
		return;
	look_after_asked();
	int state = !busy ? 2 : hungry && !is_waiting() ? 1 : 0;
	if (state == ranks.state || (state == 1 && evr_crew.queue.len))
		return;
	ranks.state = state;
	char *text = evr_format("%llu\t%d", ranks.taken, state);
	tell_of_generation("state", text);
	free(text);
}

/* ---- the life of a search ---- */

/* Constants of the program and libraries that knowledge and schedules may depend on. */
static uint64_t addresses(void)
{
	uint64_t sum = evr_hash64((uintptr_t)&evr_rt);
	sum = evr_hash64(sum ^ (uintptr_t)&strtoull);
	sum = evr_hash64(sum ^ (uintptr_t)&evr_ranks_begin);
	return evr_hash64(sum ^ (uintptr_t)environ);
}

void evr_ranks_begin(void)
{
	if (!evr_ranks_on())
		return;
	char *ready = evr_format("%s\t%016" PRIx64 "\t%016" PRIx64, evr_rt.world.model->name, evr_program_hash(),
				 addresses());
	evr_ranks_tell("ready", ready);
	free(ready);
	ranks.state = -1;
	if (!evr_ranks_follows()) {
		while (!ranks.welcome)
			evr_ranks_receive();
		evr_ranks_tell("known", evr_crew.known);
		ranks.generation = 1;
		return;
	}
	/* Limits are those of the whole search, which rank 0 looks after. */
	evr_rt.config.timeout = 0;
	evr_rt.config.estimate = false;
	evr_rt.config.max_executions = 0;
	evr_crew.shared->limited = false;
	while (!ranks.begun && !evr_crew.enough)
		evr_ranks_receive();
	if (!ranks.begun)
		return;
	free(evr_crew.known);
	evr_crew.known = evr_crew.learned;
	evr_crew.learned = NULL;
}

void evr_ranks_agree(void)
{
	if (!evr_ranks_on())
		return;
	if (!ranks.ordered && !evr_crew.enough) {
		char *known = evr_strdup(evr_crew.learned);
		tell_of_generation("learned", known);
		free(known);
	}
	while (!ranks.ordered && !evr_crew.enough) {
		evr_ranks_receive();
		look_after_asked();
	}
	if (!ranks.ordered) {
		free(evr_crew.learned);
		evr_crew.learned = NULL;
		evr_ranks_tell_enough();
	}
}

void evr_ranks_tell_enough(void)
{
	if (ranks.over || ranks.stopped)
		return;
	if (!evr_ranks_follows())
		evr_ranks_tell("stop", "");
	else if (evr_crew.stopped)
		evr_ranks_tell("limit", evr_crew.stopped);
	ranks.stopped = !evr_ranks_follows();
}

static void follow_to_the_end(void)
{
	while (!ranks.stopped && !ranks.over) {
		evr_ranks_receive();
		look_after_asked();
	}
	tell_final();
	for (;;) {
		evr_ranks_receive();
		look_after_asked();
	}
}

void evr_ranks_end(void (*hear)(int milliseconds))
{
	if (!evr_ranks_on())
		return;
	evr_crew.enough = true;
	evr_ranks_take_up();
	evr_ranks_tell_enough();
	if (evr_ranks_follows())
		follow_to_the_end();
	while (!ranks.final && !evr_crew.failed) {
		look_after_asked();
		hear(50);
	}
#define TOTAL(type, field) evr_crew.result->field += ranks.sum.field;
#include "report/records.def"
}
