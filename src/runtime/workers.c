/*
 * The checker divides a search among workers.
 *
 * Invariant: every branch of the search that is not yet explored is either in the queue, or one of those that some worker holds, by its last commit; and the totals
 * count what was committed and nothing else. So the search can be saved at any moment, and when a worker dies nothing is lost but what it has done since its last commit.
 *
 * When something is learned, all workers are replaced by new ones, which know it, and the search begins again.
 */
#include "runtime/crew.h"

#include "runtime/coverage.h"
#include "runtime/estimate.h"
#include "runtime/hunt.h"
#include "runtime/ranks.h"
#include "runtime/rounds.h"
#include "runtime/runtime.h"
#include "runtime/sample.h"
#include "runtime/search.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROGRESS 0.1 /* seconds between two records of progress */
#define SAVING 2.0 /* and between two of what is left */
#define COMMITTING 0.5 /* the same where others ask for that, who cannot wait for workers (runtime/ranks.h) */
#define GRACE 1.0 /* to say what is left when the search is stopped */

bool evr_workers_wanted(void)
{
	const struct evr_config *c = &evr_rt.config;
	return !c->replay && !c->gdb && (c->jobs > 1 || c->saves || c->resume_fd >= 0 || c->ranks_fd >= 0);
}

/* ---- handing out work ---- */

static void hand_out(struct evr_crew_worker *w)
{
	struct evr_crew_branch b = evr_crew.queue.data[--evr_crew.queue.len];
	size_t n = strlen(b.text);
	b.text[n] = '\n';
	fcntl(w->fd, F_SETFL, 0);
	for (size_t done = 0; done <= n;) {
		ssize_t sent = send(w->fd, b.text + done, n + 1 - done, MSG_NOSIGNAL);
		if (sent > 0)
			done += (size_t)sent;
		else if (sent == 0 || errno != EINTR)
			break; /* it is dead: that is noticed elsewhere */
	}
	fcntl(w->fd, F_SETFL, O_NONBLOCK);
	b.text[n] = '\0';
	evr_vec_push(&w->held, b);
	evr_crew.idle += evr_seconds() - w->idle_since;
	w->busy = w->silent = true;
}

static struct evr_crew_worker *find_richest(void)
{
	struct evr_crew_worker *rich = NULL;
	uint32_t most = 0;
	for (unsigned i = 0; i < evr_crew.count; i++) {
		uint32_t open = evr_crew.shared->of[i].open;
		if (evr_crew.workers[i].busy && !evr_crew.workers[i].asked && open > most) {
			rich = &evr_crew.workers[i];
			most = open;
		}
	}
	return rich;
}

/* Those who have the most are asked to part with some: each with one, or more where there are more who need some. */
static void ask_for_branches(unsigned wanted)
{
	unsigned others = 0;
	for (unsigned i = 0; i < evr_crew.count; i++) {
		const struct evr_crew_worker *w = &evr_crew.workers[i];
		wanted -= w->asked < wanted ? w->asked : wanted;
		others += w->busy && !w->asked && evr_crew.shared->of[i].open;
	}
	for (; wanted && others; others--) {
		struct evr_crew_worker *rich = find_richest();
		if (!rich)
			return;
		struct evr_share *share = &evr_crew.shared->of[rich - evr_crew.workers];
		rich->asked = (wanted + others - 1) / others;
		wanted -= rich->asked;
		share->branches = rich->asked;
		__atomic_fetch_or(&share->wanted, EVR_WANTED_BRANCHES, __ATOMIC_RELEASE);
	}
}

static void want_of_all(uint32_t what)
{
	for (unsigned i = 0; i < evr_crew.count; i++)
		if (evr_crew.workers[i].busy)
			__atomic_fetch_or(&evr_crew.shared->of[i].wanted, what, __ATOMIC_RELAXED);
}

static unsigned count_busy(void)
{
	unsigned busy = 0;
	for (unsigned i = 0; i < evr_crew.count; i++)
		busy += evr_crew.workers[i].busy;
	return busy;
}

/* Returns how many workers have nothing to do. */
static unsigned dispatch(void)
{
	unsigned idle = 0;
	for (unsigned i = 0; i < evr_crew.count && !evr_crew.enough; i++) {
		struct evr_crew_worker *w = &evr_crew.workers[i];
		if (w->pid && !w->busy && evr_crew.queue.len)
			hand_out(w);
		idle += w->pid && !w->busy;
	}
	if ((idle || evr_crew.asked) && !evr_crew.enough)
		ask_for_branches(idle + evr_crew.asked);
	return idle;
}

/* ---- meanwhile ---- */

static void tell_progress(void)
{
	struct evr_result all = *evr_crew.result;
	for (unsigned i = 0; i < evr_crew.count; i++) {
		const struct evr_share *s = &evr_crew.shared->of[i];
		all.executions += s->executions;
		all.blocked += s->blocked;
		all.truncated += s->truncated;
		all.events += s->events;
	}
	evr_ranks_tell_sum(&all);
	evr_ranks_add_sum(&all);
	if (!evr_ranks_follows())
		evr_wire_progress(evr_rt.config.fd, &all);
}

#define UNASKED 0.09 /* a search that has taken so many seconds is estimated if its progress is shown */

static void tell_estimate(struct evr_size s)
{
	evr_crew.result->estimate = s.size;
	evr_crew.result->estimate_low = s.low;
	evr_crew.result->estimate_high = s.high;
	evr_wire_estimate(evr_rt.config.fd, evr_crew.result);
}

/* How long will it take? */
static void look_after_estimate(double seconds)
{
	struct evr_size s;
	bool wanted = (evr_rt.config.estimate && seconds > UNASKED) || evr_rounds_ask(evr_crew.result, seconds);
	if (evr_asked) {
		evr_asked = 0;
		evr_wire_asked(evr_rt.config.fd);
		wanted = true;
	}
	const struct evr_engine_ops *explorer = evr_sample_classes_of();
	if (wanted)
		evr_estimate_begin(explorer ? explorer : evr_crew.searched, false, evr_crew.known);
	if (evr_estimate_poll(&s))
		tell_estimate(s);
}

static void add_rest(struct evr_result_rest *rest, const evr_crew_branches *b)
{
	for (size_t i = 0; i < b->len; i++)
		evr_vec_push(&rest->branches, b->data[i].text);
}

/* What is left of the search, for who wants to go on with it some other time. */
void evr_crew_tell_rest(int fd)
{
	struct evr_result_rest rest = {
		.program = evr_format("%016llx", (unsigned long long)evr_program_hash()),
		.known = evr_crew.known,
#define TOTAL(type, field) .field = evr_crew.result->field,
#include "report/records.def"
	};
	add_rest(&rest, &evr_crew.queue);
	for (unsigned i = 0; i < evr_crew.count; i++)
		add_rest(&rest, &evr_crew.workers[i].held);
	evr_wire_rest(fd, &rest);
	if (fd != evr_rt.config.ranks_fd)
		evr_coverage_tell(fd);
	evr_vec_release(&rest.branches);
	free(rest.program);
}

static void tell_rest(void)
{
	if (evr_rt.config.saves && !evr_ranks_on())
		evr_crew_tell_rest(evr_rt.config.fd);
}

static bool is_saving(void)
{
	for (unsigned i = 0; i < evr_crew.count; i++)
		if (evr_crew.workers[i].busy && evr_crew.workers[i].saving)
			return true;
	return false;
}

static void look_after_saving(double t)
{
	if (evr_crew.saving && !is_saving()) {
		tell_rest();
		evr_crew.saving = false;
		evr_crew.next_saving = t + (evr_ranks_on() ? COMMITTING : SAVING);
	} else if (!evr_crew.saving && t > evr_crew.next_saving) {
		evr_crew.saving = true;
		for (unsigned i = 0; i < evr_crew.count; i++)
			evr_crew.workers[i].saving = evr_crew.workers[i].busy;
		want_of_all(EVR_WANTED_COMMIT);
	}
}

/* While workers explore: are there bugs that are easy to find? */
static void look_after_hunt(void)
{
	size_t known = evr_crew.result->findings.len;
	if (!evr_crew.hunted) {
		evr_crew.hunted = true;
		evr_hunt_begin(evr_crew.known);
	}
	evr_hunt_poll(evr_crew.result);
	evr_crew.enough |= evr_crew.result->findings.len > known && !evr_rt.config.keep_going;
}

/* While workers explore: is there something that can be finished? */
static void look_after_rounds(double seconds)
{
	size_t known = evr_crew.result->findings.len;
	if (evr_rounds_due(evr_crew.result, seconds))
		evr_rounds_begin(evr_crew.searched, evr_crew.known);
	evr_rounds_poll(evr_crew.result);
	evr_crew.enough |= evr_crew.result->findings.len > known && !evr_rt.config.keep_going;
}

static void look_after_time(double began)
{
	double t = evr_seconds(), limit = evr_rt.config.timeout;
	if (t > evr_crew.next_progress) {
		tell_progress();
		evr_crew.next_progress = t + PROGRESS;
	}
	if (evr_hunt_wanted() && (t - began > PROGRESS || evr_hunt_is_first()))
		look_after_hunt();
	look_after_estimate(t - began);
	look_after_rounds(t - began);
	if (evr_rt.config.saves)
		look_after_saving(t);
	if (evr_ranks_spent())
		evr_crew.enough = true;
	bool spent = evr_ranks_spent() || (evr_crew.shared->limited && evr_crew.shared->budget <= 0);
	const char *stop = evr_stop                         ? "interrupted"
			   : limit > 0 && t - began > limit ? "time limit"
			   : spent && evr_crew.enough       ? "limit on executions"
							    : NULL;
	if (stop && !evr_crew.stopped) {
		evr_crew.stopped = stop;
		evr_crew.enough = true;
	}
}

static void hear(int milliseconds)
{
	struct pollfd *polled = evr_alloc((evr_crew.count + 1) * sizeof(*polled));
	for (unsigned i = 0; i < evr_crew.count; i++)
		polled[i] = (struct pollfd){ .fd = evr_crew.workers[i].pid ? evr_crew.workers[i].fd : -1,
					     .events = POLLIN };
	polled[evr_crew.count] = (struct pollfd){ .fd = evr_rt.config.ranks_fd, .events = POLLIN };
	if (poll(polled, evr_crew.count + 1, milliseconds) > 0) {
		for (unsigned i = 0; i < evr_crew.count; i++)
			if (polled[i].revents && evr_crew.workers[i].pid)
				evr_crew_receive(&evr_crew.workers[i]);
		if (polled[evr_crew.count].revents)
			evr_ranks_receive();
	}
	free(polled);
}

/* Until nothing is left, something was learned, or it is enough. */
static void explore(double began)
{
	while (!evr_crew.learned && !evr_crew.enough) {
		/* Before anybody says that there is nothing to do. */
		evr_ranks_take_up();
		unsigned idle = dispatch();
		bool busy = count_busy() || evr_crew.queue.len;
		if (!busy && !evr_ranks_on())
			return;
		evr_ranks_look(busy, idle > 0);
		hear(idle && busy ? 1 : 50);
		look_after_time(began);
	}
}

/* Those who do not answer in time have what they had at their last commit. */
static void stop_workers(void)
{
	double until = evr_seconds() + GRACE;
	want_of_all(EVR_WANTED_STOP);
	while (count_busy() && !evr_crew.learned && evr_seconds() < until)
		hear(20);
	for (unsigned i = 0; i < evr_crew.count; i++) {
		struct evr_crew_worker *w = &evr_crew.workers[i];
		for (size_t k = 0; k < w->held.len; k++)
			evr_vec_push(&evr_crew.queue, w->held.data[k]);
		evr_vec_clear(&w->held);
		evr_crew_bury(w);
	}
}

/* ---- the search ---- */

/* What the executions before the search have found. */
static void take_first(struct evr_result *heard)
{
	evr_crew_take_findings(heard);
	evr_hunt_count(heard->executions + heard->blocked + heard->truncated);
	if (!evr_crew.enough)
		return;
#define TOTAL(type, field) evr_crew.first.field = heard->field;
#include "report/records.def"
}

/* A few random executions, by a process of its own: this one must stay as it is. */
static void scout(void)
{
	struct evr_crew_worker w = { .heard = evr_result_new("", ""), .classes = -1 };
	evr_strbuf_init(&w.line);
	evr_strbuf_init(&w.drawn);
	w.pid = evr_copy_process(&w.fd);
	if (!w.pid)
		evr_work_scout(w.fd, evr_crew.known);
	for (ssize_t n = 1; n > 0 && !evr_crew.learned && !evr_crew.enough;) {
		char c;
		n = read(w.fd, &c, 1);
		if (n < 0 && errno == EINTR) {
			n = 1;
			evr_crew.enough = evr_stop;
		} else if (n > 0 && c != '\n') {
			evr_strbuf_putc(&w.line, c);
		} else if (n > 0) {
			evr_crew_take_line(&w, w.line.text);
			evr_strbuf_clear(&w.line);
		}
	}
	take_first(w.heard);
	evr_crew_bury(&w);
	if (evr_crew.learned) {
		free(evr_crew.known);
		evr_crew.known = evr_crew.learned;
		evr_crew.learned = NULL;
	}
}

static void begin_again(void)
{
	struct evr_result *r = evr_crew.result;
	r->executions = r->blocked = r->truncated = r->redundant = r->events = 0;
	evr_coverage_clear();
	if (evr_sample_wanted())
		evr_sample_forget();
	if (evr_classes_wanted())
		evr_classes_restart();
	if (r->estimate > 0)
		tell_estimate((struct evr_size){ 0 });
	evr_estimate_end();
	evr_crew_forget(&evr_crew.queue);
	if (!evr_ranks_follows())
		evr_crew_put(&evr_crew.queue, evr_strdup(evr_crew.searched->whole), 0);
	evr_crew.shared->budget = (int64_t)evr_rt.config.max_executions;
	evr_crew.shared->limited = evr_rt.config.max_executions;
	memset(evr_crew.questions, 0, sizeof(evr_crew.questions));
}

static void make_crew(void)
{
	size_t size = sizeof(*evr_crew.shared) + evr_crew.count * sizeof(evr_crew.shared->of[0]);
	evr_crew.workers = evr_alloc(evr_crew.count * sizeof(*evr_crew.workers));
	evr_crew.shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (evr_crew.shared == MAP_FAILED)
		evr_die("cannot share memory with workers: %s", strerror(errno));
}

/* What is true of the program if it was so for any worker. */
static void take_remarks(void)
{
	const struct evr_shared *all = evr_crew.shared;
	evr_rt.concurrent = all->concurrent;
	evr_rt.plain_shared = all->plain_shared;
	evr_rt.locked_atomics = all->locked_atomics;
	evr_rt.strong_cas = all->strong_cas;
	evr_rt.sections = all->sections;
	evr_rt.world.orders_used = all->orders_used;
}

static void run_workers(double began)
{
	for (;;) {
		for (unsigned i = 0; i < evr_crew.count; i++)
			evr_crew_start(&evr_crew.workers[i]);
		tell_rest();
		explore(began);
		if (evr_ranks_on() && evr_crew.enough && !evr_crew.learned)
			evr_ranks_tell_enough();
		stop_workers();
		if (evr_crew.learned)
			evr_ranks_agree();
		if (!evr_crew.learned)
			return;
		free(evr_crew.known);
		evr_crew.known = evr_crew.learned;
		evr_crew.learned = NULL;
		begin_again();
		if (evr_rt.config.shard)
			evr_crew.stopped =
				"it has learned facts about the program that the other parts lack: the whole search must start again";
		if (evr_crew.enough || evr_rt.config.shard)
			return;
	}
}

/* ---- a search that was stopped before ---- */

static char *read_all(int fd)
{
	struct evr_strbuf text;
	char block[65536];
	evr_strbuf_init(&text);
	for (ssize_t n; (n = read(fd, block, sizeof(block))) != 0;)
		if (n > 0)
			evr_strbuf_add(&text, block, (size_t)n);
		else if (errno != EINTR)
			evr_die("cannot read the checkpoint: %s", strerror(errno));
	close(fd);
	return evr_strbuf_take(&text);
}

static void require_program(const char *hash)
{
	char *own = evr_format("%016llx", (unsigned long long)evr_program_hash());
	if (strcmp(own, hash) != 0)
		evr_die("the checkpoint is of another program: the source, the compiler, or Everett has changed");
	free(own);
}

/* Go on where it was. False: it had not even begun. */
static bool resume(void)
{
	char *line = read_all(evr_rt.config.resume_fd);
	struct evr_result *r = evr_result_new("", "");
	line[strcspn(line, "\n")] = '\0';
	if (evr_wire_line(r, line) < 0 || !r->rest.there)
		evr_die("the checkpoint is invalid");
	struct evr_result_rest *rest = &r->rest;
	bool begun = *rest->program;
	if (begun) {
		require_program(rest->program);
		evr_crew_forget(&evr_crew.queue);
		for (size_t i = 0; i < rest->branches.len; i++)
			evr_crew_put(&evr_crew.queue, evr_strdup(rest->branches.data[i]), 0);
		evr_result_set(&evr_crew.known, rest->known);
#define TOTAL(type, field) evr_crew.result->field = rest->field;
#include "report/records.def"
	}
	evr_result_free(r);
	free(line);
	return begun;
}

char *evr_workers_explore(struct evr_result *r, const struct evr_engine_ops *searched, bool *complete)
{
	double began = evr_seconds();
	char *error = NULL;
	*complete = false;
	if (!searched->take)
		return evr_format("the search of equivalence '%s' cannot be divided; that of 'rf' can (-e rf)",
				  searched->name);
	evr_crew.result = r;
	evr_crew.searched = searched;
	evr_crew.known = evr_strdup(";;");
	evr_crew.count = (unsigned)evr_rt.config.jobs;
	make_crew();
	begin_again();
	if (!evr_ranks_follows() && (evr_rt.config.resume_fd < 0 || !resume()))
		scout();
	evr_ranks_begin();
	if (!evr_crew.enough)
		run_workers(began);
	evr_ranks_end(hear);
	/* Another engine explores all of it, and counts it. */
	if (evr_crew.refused) {
		begin_again();
		return evr_crew.refused;
	}
	if (evr_crew.failed)
		_exit(EVR_INTERNAL);
	take_remarks();
	tell_rest();
	if (evr_rt.config.saves && evr_ranks_on() && !evr_crew.queue.len && !evr_ranks_left())
		evr_crew_tell_rest(evr_rt.config.fd);
	/* What is left is all: these count for nobody who goes on with it. */
#define TOTAL(type, field) r->field += evr_crew.first.field;
#include "report/records.def"
	evr_estimate_end();
	evr_hunt_end();
	evr_rounds_end(r);
	if (evr_crew.stopped)
		evr_stop_search(evr_crew.stopped);
	*complete = !evr_crew.queue.len && !evr_ranks_left() && (!r->findings.len || evr_rt.config.keep_going);
	if (!evr_known_take(evr_crew.known, &error))
		evr_die("%s", error);
	return NULL;
}

void evr_workers_tell_stats(void)
{
	for (int i = 0; i < EVR_STATS; i++)
		if (evr_crew.counts[i])
			evr_wire_stat(evr_rt.config.fd, evr_stat_names[i], evr_crew.questions[i]);
	evr_wire_stat(evr_rt.config.fd, evr_stat_names[EVR_STAT_STEALS], evr_crew.steals);
	evr_wire_stat(evr_rt.config.fd, evr_stat_names[EVR_STAT_IDLE], (uint64_t)(evr_crew.idle * 1000));
}
