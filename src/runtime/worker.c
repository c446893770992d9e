/*
 * A worker: explores one branch after the other, and tells the checker what came of it.
 *
 * Invariant: a commit is one line. It has what was counted since the last one and all branches that are left, so whatever happens to this process, the checker
 * knows what is still to be explored and has counted nothing twice.
 */
#include "runtime/workers.h"

#include "report/result.h"
#include "runtime/copies.h"
#include "runtime/coverage.h"
#include "runtime/rollback.h"
#include "runtime/runtime.h"
#include "runtime/sample.h"
#include "runtime/search.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE \
	32 /* between two commits, so many times as long as one takes: a stack of long executions has a long text */

static EVR_LASTING struct {
	struct evr_shared *all;
	struct evr_share *share;
	struct evr_engine *engine;
	struct evr_result *result;
	int fd;
	size_t findings; /* so many were there at the last commit */
	struct evr_result committed; /* the counts of the last commit */
	uint64_t
		commits_from; /* CPU time before which nobody who asks for branches or for a commit gets them, in nanoseconds */
	struct evr_stats stats; /* so far told */
	uint64_t counted; /* of the budget */
	bool learned;
	bool enough; /* it has stopped, and said what is left */
	unsigned restless; /* how many executions there have been, if it is that */
} worker;

/* EVERETT_TREE=FILE, for bench/scale: a line for each execution, with the depth of the stack when it began and the CPU time until the next one began. */
static EVR_LASTING struct {
	int fd; /* 0: it is not recorded */
	size_t depth, len;
	uint64_t since; /* nanoseconds */
	char text[65536];
} tree;

static void send_line(struct evr_strbuf *line)
{
	evr_strbuf_putc(line, '\n');
	for (size_t done = 0; done < line->len;) {
		ssize_t n = write(worker.fd, line->text + done, line->len - done);
		if (n > 0)
			done += (size_t)n;
		else if (errno != EINTR)
			_exit(0); /* nobody listens any more */
	}
	evr_strbuf_release(line);
}

static void tell(const char *record, const char *text)
{
	struct evr_strbuf line;
	evr_strbuf_init(&line);
	evr_strbuf_printf(&line, "%s\t%s", record, text);
	send_line(&line);
}

/* ---- the tree of the search ---- */

static uint64_t cpu_nanoseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Not getenv(), which the program may define. */
static const char *tree_path(void)
{
	static const char name[] = "EVERETT_TREE=";
	for (char **e = environ; *e; e++)
		if (!strncmp(*e, name, sizeof(name) - 1))
			return *e + sizeof(name) - 1;
	return NULL;
}

static void tree_begin(void)
{
	const char *path = tree_path();
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : 0;
	if (fd < 0)
		evr_die("cannot write '%s': %s", path, strerror(errno));
	tree.fd = fd;
	tree.since = cpu_nanoseconds();
}

static void tree_flush(void)
{
	for (size_t done = 0; done < tree.len;) {
		ssize_t n = write(tree.fd, tree.text + done, tree.len - done);
		if (n < 0 && errno != EINTR)
			evr_die("cannot write the tree of the search: %s", strerror(errno));
		done += n > 0 ? (size_t)n : 0;
	}
	tree.len = 0;
}

/* An execution has ended, and the next one is prepared. */
static void tree_note(const struct evr_engine *e)
{
	uint64_t now = cpu_nanoseconds();
	if (sizeof(tree.text) - tree.len < 64)
		tree_flush();
	tree.len += (size_t)snprintf(tree.text + tree.len, 64, "%zu %" PRIu64 "\n", tree.depth, now - tree.since);
	tree.depth = e->ops->open(e);
	tree.since = now;
}

/* ---- commits ---- */

/* What holds for the program once it was so in some execution. */
static void share_remarks(void)
{
	struct evr_shared *all = worker.all;
	all->concurrent |= evr_rt.concurrent;
	all->plain_shared |= evr_rt.plain_shared;
	all->locked_atomics |= evr_rt.locked_atomics;
	all->strong_cas |= evr_rt.strong_cas;
	all->sections |= evr_rt.sections;
	__atomic_fetch_or(&all->orders_used, evr_rt.world.orders_used, __ATOMIC_RELAXED);
}

static void share_counts(void)
{
	const struct evr_result *r = worker.result, *old = &worker.committed;
	struct evr_share *s = worker.share;
	s->executions = r->executions - old->executions;
	s->blocked = r->blocked - old->blocked;
	s->truncated = r->truncated - old->truncated;
	s->events = r->events - old->events;
	s->open = (uint32_t)worker.engine->ops->open(worker.engine);
}

static void add_stats(struct evr_strbuf *to)
{
	struct evr_stats s = { 0 };
	if (worker.engine->ops->stats)
		worker.engine->ops->stats(worker.engine, &s);
	if (evr_marks_skipped())
		evr_stats_put(&s, EVR_STAT_SKIPPED, evr_marks_skipped());
	for (int i = 0; i < EVR_STATS; i++)
		if (s.kept[i] && s.count[i] != worker.stats.count[i])
			evr_wire_add_stat(to, evr_stat_names[i], s.count[i]);
	worker.stats = s;
}

static void add_branches(struct evr_strbuf *line, const evr_branches *b)
{
	for (size_t i = 0; i < b->len; i++)
		evr_strbuf_printf(line, "\t%s", b->data[i]);
}

/* And what comes after it, all at once: the checker wakes up for each write. */
static void commit(evr_branches *given, evr_branches *left, const char *then)
{
	struct evr_strbuf line;
	struct evr_result *r = worker.result, *old = &worker.committed;
	off_t classes = evr_classes_wanted() ? lseek(evr_rt.config.classes_fd, 0, SEEK_CUR) : 0;
	r->redundant = worker.engine->redundant;
	evr_coverage_commit();
	share_remarks();
	if (!old->executions && r->executions)
		evr_wire_first(worker.fd, r->output);
	evr_strbuf_init(&line);
	add_stats(&line);
	if (evr_sample_wanted())
		evr_sample_tell(&line);
	evr_strbuf_puts(&line, "commit");
#define TOTAL(type, field) evr_strbuf_printf(&line, "\t%" PRIu64, r->field - old->field);
#include "report/records.def"
	evr_strbuf_printf(&line, "\t%lld\t%zu\t%zu", (long long)classes, given->len, left->len);
	add_branches(&line, given);
	add_branches(&line, left);
#define TOTAL(type, field) old->field = r->field;
#include "report/records.def"
	worker.findings = r->findings.len;
	share_counts();
	evr_strbuf_puts(&line, then);
	send_line(&line);
	evr_branches_release(given);
	evr_branches_release(left);
}

void evr_worker_commits(void)
{
	worker.commits_from = 0;
	__atomic_fetch_or(&worker.share->wanted, EVR_WANTED_COMMIT, __ATOMIC_RELAXED);
}

void evr_worker_learned(void)
{
	worker.learned = true;
}

/* Pay for the executions since the last time; the last one of a branch is paid for with the next branch. False: there may be no more. */
static bool spend(void)
{
	const struct evr_result *r = worker.result;
	uint64_t counted = r->executions + r->blocked + r->truncated, more = counted - worker.counted;
	worker.counted = counted;
	return !more || __atomic_sub_fetch(&worker.all->budget, (int64_t)more, __ATOMIC_RELAXED) > 0;
}

bool evr_worker_goes_on(void)
{
	struct evr_engine *e = worker.engine;
	evr_branches given = { 0 }, left = { 0 };
	share_counts();
	if (EVR_UNLIKELY(tree.fd) && !e->rerun && !e->amid)
		tree_note(e);
	bool more = !worker.all->limited || spend();
	/* After four executions of eight: each alone, and some together, so that there is more than one to part with. */
	if (EVR_UNLIKELY(evr_rt.config.restless) && !(worker.restless++ & 4))
		worker.share->wanted |= EVR_WANTED_BRANCHES;
	if (EVR_LIKELY(more && !worker.share->wanted && worker.findings == worker.result->findings.len))
		return true;
	/* The last execution, run once more, is no branch. */
	if (e->rerun || e->amid)
		return true;
	if (more && !(worker.share->wanted & EVR_WANTED_STOP) && worker.findings == worker.result->findings.len &&
	    !evr_rt.config.restless && cpu_nanoseconds() < worker.commits_from)
		return true;
	uint64_t began = cpu_nanoseconds();
	uint32_t wanted = __atomic_exchange_n(&worker.share->wanted, 0, __ATOMIC_ACQUIRE);
	bool found = worker.result->findings.len && !evr_rt.config.keep_going;
	if (wanted & EVR_WANTED_BRANCHES && !found)
		e->ops->give(e, worker.share->branches, &given);
	e->ops->list(e, &left);
	commit(&given, &left, "");
	uint64_t now = cpu_nanoseconds();
	worker.commits_from = now + PATIENCE * (now - began);
	worker.enough = !more || found || wanted & EVR_WANTED_STOP;
	return !worker.enough;
}

/* ---- its life ---- */

static void begin(int fd, const char *known)
{
	char *error = NULL;
	evr_copy_begin(fd);
	evr_rt.worker = true;
	worker.fd = fd;
	evr_rt.config.max_executions = evr_rt.config.repeat = 0;
	if (!evr_known_take(known, &error))
		evr_die("%s", error);
}

/* The next line, of one branch; the checker sends no other before this one was explored. False: there is none any more. */
static bool read_line(struct evr_strbuf *line)
{
	static EVR_SCRATCH char block[65536];
	evr_strbuf_clear(line);
	for (;;) {
		ssize_t n = read(worker.fd, block, sizeof(block));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		bool end = block[n - 1] == '\n';
		evr_strbuf_add(line, block, (size_t)n - end);
		if (end)
			return true;
	}
}

static void tell_known(void)
{
	char *known = evr_known_text();
	tell("known", known);
	free(known);
}

/* One branch, to its end or until it is enough. */
static void explore(const char *branch)
{
	struct evr_engine *e = worker.engine;
	evr_branches none = { 0 }, left = { 0 };
	worker.enough = false;
	e->ops->take(e, branch);
	if (!e->failure && evr_sample_wanted())
		evr_sample_explore();
	else if (!e->failure)
		evr_check_explore(e);
	if (tree.fd) {
		tree_note(e);
		tree_flush();
	}
	/* It would be learned again and again. */
	if (worker.learned && evr_rt.world.knowledge.untold) {
		tell("refused", "a loop that waits reads private memory, which cannot be divided among workers");
		_exit(EVR_INTERNAL);
	}
	if (worker.learned) {
		tell_known();
		_exit(0);
	}
	if (e->failure && e->uncovered)
		tell("refused", e->failure);
	else if (e->failure)
		evr_wire_error(worker.fd, EVR_INTERNAL, e->failure);
	if (e->failure)
		_exit(EVR_INTERNAL);
	if (*evr_check_stopped()) {
		tell("limit", evr_check_stopped());
		_exit(0);
	}
	if (worker.enough)
		tell("stopped", "");
	else
		commit(&none, &left, "\nidle\t");
}

void evr_work(const struct evr_engine_ops *searched, struct evr_shared *all, unsigned number, int fd, const char *known)
{
	struct evr_strbuf line;
	worker.all = all;
	worker.share = &all->of[number];
	begin(fd, known);
	worker.result = evr_result_new(evr_rt.world.model->name, searched->name);
	evr_check_begin(worker.result, searched);
	worker.engine = evr_sample_wanted() ? evr_sample_begin_worker(worker.result) : searched->create(&evr_rt.world);
	if (evr_rt.config.check && !evr_sample_wanted())
		worker.engine = evr_engine_check(worker.engine);
	evr_rt.engine = worker.engine;
	evr_rt.world.erases = searched->erases && evr_rt.config.erase && !evr_robust_wanted();
	evr_strbuf_init(&line);
	tree_begin();
	if (evr_sample_wanted())
		evr_sample_pilots();
	if (worker.learned) {
		tell_known();
		_exit(0);
	}
	while (read_line(&line))
		explore(line.text);
	_exit(0);
}

void evr_work_scout(int fd, const char *known)
{
	static EVR_LASTING struct evr_shared none;
	worker.all = &none;
	begin(fd, known);
	worker.result = evr_result_new("", "");
	evr_check_begin(worker.result, NULL);
	evr_check_scout();
	evr_wire_done(fd, worker.result);
	tell_known();
	_exit(0);
}
