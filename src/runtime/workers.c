/*
 * The checker divides a search among workers.
 *
 * Invariant: every branch of the search that is not yet explored is either in the queue, or one of those that some worker holds, by its last commit; and the totals
 * count what was committed and nothing else. So the search can be saved at any moment, and when a worker dies nothing is lost but what it has done since its last commit.
 *
 * When something is learned, all workers are replaced by new ones, which know it, and the search begins again.
 */
#include "runtime/workers.h"

#include "base/strbuf.h"
#include "runtime/estimate.h"
#include "runtime/runtime.h"
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

#define TRIES 2 /* how often a branch is explored by a worker that dies before it has said anything */
#define PROGRESS 0.1 /* seconds between two records of progress */
#define SAVING 2.0 /* and between two of what is left */
#define GRACE 1.0 /* to say what is left when the search is stopped */

struct branch {
	char *text;
	unsigned tries;
};
typedef EVR_VEC(struct branch) branches;

struct worker {
	pid_t pid; /* 0: it is gone */
	int fd;
	bool busy;
	bool asked; /* to part with branches */
	bool saving; /* to say what is left, for a checkpoint */
	bool silent; /* it has not committed anything since it began with its branch */
	branches held;
	struct evr_strbuf line; /* what has come of the next one */
	struct evr_result *heard; /* findings that are not yet in the result, and counts of the engine */
	int classes; /* a file of its own; -1: there is none */
	off_t classes_taken;
	double idle_since;
};

static EVR_LASTING struct {
	struct evr_result *result;
	const struct evr_engine_ops *searched;
	unsigned count;
	struct worker *workers;
	struct evr_shared *shared;
	branches queue;
	char *known; /* what the search has learned */
	char *learned; /* not NULL: and what it has learned since */
	char *refused; /* why it cannot be divided */
	bool failed; /* the driver was told why */
	bool enough; /* no more branches are handed out */
	const char *stopped;
	uint64_t steals;
	double idle; /* seconds, of all workers */
	uint64_t questions[EVR_STATS]; /* of workers that are gone */
	bool counts[EVR_STATS];
	double next_progress, next_saving;
	bool saving; /* all workers were asked to say what is left */
} pool;

bool evr_workers_wanted(void)
{
	const struct evr_config *c = &evr_rt.config;
	return !c->replay && !c->gdb && (c->jobs > 1 || c->saves || c->resume_fd >= 0);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- branches ---- */

static void put(branches *to, char *text, unsigned tries)
{
	evr_vec_push(to, (struct branch){ text, tries });
}

static void forget(branches *b)
{
	for (size_t i = 0; i < b->len; i++)
		free(b->data[i].text);
	evr_vec_clear(b);
}

/* ---- workers begin and end ---- */

/* A process that is a copy of this one, and a socket to it. */
static pid_t copy_process(int *fd)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		evr_die("cannot make a socket: %s", strerror(errno));
	pid_t pid = _Fork();
	if (pid < 0)
		evr_die("cannot start a worker: %s", strerror(errno));
	*fd = ends[pid ? 0 : 1];
	close(ends[pid ? 1 : 0]);
	return pid;
}

/* Classes are merged here: each worker writes its own to a file of its own. */
static void share_classes(struct worker *w)
{
	w->classes = -1;
	w->classes_taken = 0;
	if (!evr_classes_wanted())
		return;
	w->classes = memfd_create("classes", MFD_CLOEXEC);
	if (w->classes < 0)
		evr_die("cannot keep the classes: %s", strerror(errno));
}

static void start(struct worker *w)
{
	unsigned number = (unsigned)(w - pool.workers);
	memset(&pool.shared->of[number], 0, sizeof(pool.shared->of[number]));
	share_classes(w);
	w->pid = copy_process(&w->fd);
	if (!w->pid) {
		if (w->classes >= 0)
			evr_rt.config.classes_fd = w->classes;
		evr_work(pool.searched, pool.shared, number, w->fd, pool.known);
	}
	fcntl(w->fd, F_SETFL, O_NONBLOCK);
	w->busy = w->asked = w->saving = false;
	w->idle_since = now();
	evr_strbuf_init(&w->line);
	w->heard = evr_result_new("", "");
}

static void add_stats(const struct worker *w)
{
	for (size_t i = 0; i < w->heard->stats.len; i++)
		for (int k = 0; k < EVR_STATS; k++)
			if (!strcmp(w->heard->stats.data[i].name, evr_stat_names[k])) {
				pool.counts[k] = true;
				pool.questions[k] += w->heard->stats.data[i].count;
			}
}

static void bury(struct worker *w)
{
	if (!w->pid)
		return;
	kill(w->pid, SIGKILL);
	while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
	close(w->fd);
	if (w->classes >= 0)
		close(w->classes);
	if (!w->busy && w->idle_since > 0)
		pool.idle += now() - w->idle_since;
	add_stats(w);
	w->busy = false;
	evr_strbuf_release(&w->line);
	evr_result_free(w->heard);
	forget(&w->held);
}

/* ---- what workers say ---- */

static bool is_same(const struct evr_result_finding *a, const struct evr_result_finding *b)
{
	const char *x = a->other ? a->other : "", *y = b->other ? b->other : "";
	return !strcmp(a->kind, b->kind) && !strcmp(a->file, b->file) && a->line == b->line && a->column == b->column &&
	       !strcmp(x, y);
}

static bool is_known(const struct evr_result_finding *f)
{
	for (size_t i = 0; i < pool.result->findings.len; i++)
		if (is_same(&pool.result->findings.data[i], f))
			return true;
	return false;
}

/* What a worker has found becomes part of the result, and is told to the driver. */
static void take_findings(struct worker *w)
{
	struct evr_result *r = pool.result;
	for (size_t i = 0; i < w->heard->findings.len; i++) {
		struct evr_result_finding *f = &w->heard->findings.data[i];
		if (is_known(f)) {
			evr_result_free_finding(f);
			continue;
		}
		f->execution = r->executions + r->blocked + r->truncated;
		evr_vec_push(&r->findings, *f);
		evr_wire_finding(evr_rt.config.fd, f);
	}
	evr_vec_clear(&w->heard->findings);
	if (r->findings.len && !evr_rt.config.keep_going)
		pool.enough = true;
}

static bool take_count(const char **p, uint64_t *n)
{
	unsigned long long value;
	if (!evr_read_char(p, '\t') || !evr_read_number(p, 10, &value))
		return false;
	*n = value;
	return true;
}

static void take_branches(const char **p, uint64_t n, branches *to)
{
	for (; n > 0 && **p == '\t'; n--) {
		size_t len = strcspn(*p + 1, "\t");
		put(to, evr_strndup(*p + 1, len), 0);
		*p += 1 + len;
	}
}

static void take_classes(struct worker *w, off_t end)
{
	size_t n = (size_t)(end - w->classes_taken);
	if (w->classes < 0 || !n)
		return;
	char *text = evr_alloc(n + 1);
	if (pread(w->classes, text, n, w->classes_taken) == (ssize_t)n)
		evr_classes_merge(text);
	w->classes_taken = end;
	free(text);
}

static bool take_commit(struct worker *w, const char *p)
{
	struct evr_result *r = pool.result;
	uint64_t classes, given, left;
#define TOTAL(type, field) uint64_t field;
#include "report/records.def"
#define TOTAL(type, field) \
	if (!take_count(&p, &field)) \
		return false;
#include "report/records.def"
	if (!take_count(&p, &classes) || !take_count(&p, &given) || !take_count(&p, &left))
		return false;
#define TOTAL(type, field) r->field += field;
#include "report/records.def"
	take_classes(w, (off_t)classes);
	pool.steals += w->asked && given;
	w->asked = w->silent = w->saving = false;
	forget(&w->held);
	take_branches(&p, given, &pool.queue);
	take_branches(&p, left, &w->held);
	take_findings(w);
	return !*p;
}

static void become_idle(struct worker *w)
{
	w->busy = w->asked = false;
	w->idle_since = now();
}

static bool is_record(const char **line, const char *name)
{
	size_t n = strlen(name);
	if (strncmp(*line, name, n) != 0 || (*line)[n] != '\t')
		return false;
	*line += n;
	return true;
}

/* A line of the wire: findings are kept until the next commit, remarks go to the driver. */
static bool take_record(struct worker *w, const char *line)
{
	if (is_record(&line, "first")) {
		if (!*pool.result->output && !strchr(line, '\\'))
			evr_result_set(&pool.result->output, line + 1);
		return true;
	}
	if (!strncmp(line, "hint\t", 5) || !strncmp(line, "note\t", 5)) {
		dprintf(evr_rt.config.fd, "%s\n", line);
		return true;
	}
	if (evr_wire_line(w->heard, line) < 0)
		return false;
	if (w->heard->error) {
		evr_wire_error(evr_rt.config.fd, w->heard->error_status, w->heard->error);
		pool.failed = pool.enough = true;
	}
	return true;
}

static void take_line(struct worker *w, const char *line)
{
	bool fine = true;
	if (is_record(&line, "commit")) {
		fine = take_commit(w, line);
	} else if (is_record(&line, "idle")) {
		become_idle(w);
	} else if (is_record(&line, "stopped")) {
		become_idle(w);
		pool.enough = true;
		for (size_t i = 0; i < w->held.len; i++)
			put(&pool.queue, w->held.data[i].text, 0);
		evr_vec_clear(&w->held);
	} else if (is_record(&line, "known")) {
		if (!pool.learned)
			pool.learned = evr_strdup(line + 1);
	} else if (is_record(&line, "refused")) {
		pool.refused = evr_strdup(line + 1);
		pool.enough = true;
	} else if (is_record(&line, "limit")) {
		pool.stopped = evr_strdup(line + 1);
		pool.enough = true;
	} else {
		fine = take_record(w, line);
	}
	if (!fine)
		evr_die("a worker has said what makes no sense: %.60s", line);
}

/* ---- a worker dies ---- */

static char *describe(int status)
{
	if (WIFSIGNALED(status))
		return evr_format("signal %d", WTERMSIG(status));
	return evr_format("exit status %d", WEXITSTATUS(status));
}

/* Its branches are tried once more, by a fresh one. */
static void replace(struct worker *w)
{
	int status = 0;
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	take_findings(w);
	for (size_t i = 0; i < w->held.len; i++) {
		struct branch *b = &w->held.data[i];
		b->tries += w->silent;
		if (b->tries >= TRIES) {
			char *how = describe(status);
			evr_die("a worker died (%s), and so did another one, when it explored the branch %s", how,
				b->text);
		}
		evr_vec_push(&pool.queue, *b);
	}
	evr_vec_clear(&w->held);
	kill(w->pid, SIGKILL);
	w->pid = 0;
	close(w->fd);
	if (w->classes >= 0)
		close(w->classes);
	add_stats(w);
	evr_strbuf_release(&w->line);
	evr_result_free(w->heard);
	w->busy = false;
	if (!pool.enough && !pool.learned)
		start(w);
}

static void receive(struct worker *w)
{
	char block[65536];
	ssize_t n = read(w->fd, block, sizeof(block));
	for (const char *p = block; n > 0 && p < block + n;) {
		const char *end = memchr(p, '\n', (size_t)(block + n - p));
		evr_strbuf_add(&w->line, p, (size_t)((end ? end : block + n) - p));
		if (!end)
			break;
		p = end + 1;
		take_line(w, w->line.text);
		evr_strbuf_clear(&w->line);
	}
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		replace(w);
}

/* ---- handing out work ---- */

static void hand_out(struct worker *w)
{
	struct branch b = pool.queue.data[--pool.queue.len];
	size_t n = strlen(b.text);
	b.text[n] = '\n';
	fcntl(w->fd, F_SETFL, 0);
	for (size_t done = 0; done <= n;) {
		ssize_t sent = send(w->fd, b.text + done, n + 1 - done, MSG_NOSIGNAL);
		if (sent > 0)
			done += (size_t)sent;
		else if (errno != EINTR)
			break; /* it is dead: that is noticed elsewhere */
	}
	fcntl(w->fd, F_SETFL, O_NONBLOCK);
	b.text[n] = '\0';
	evr_vec_push(&w->held, b);
	pool.idle += now() - w->idle_since;
	w->busy = w->silent = true;
}

/* Those who have the most branches are asked to part with some. */
static void ask_for_branches(unsigned idle)
{
	for (unsigned i = 0; i < pool.count; i++)
		idle -= idle && pool.workers[i].asked;
	for (; idle > 0; idle--) {
		struct worker *rich = NULL;
		uint32_t most = 0;
		for (unsigned i = 0; i < pool.count; i++) {
			uint32_t open = pool.shared->of[i].open;
			if (pool.workers[i].busy && !pool.workers[i].asked && open > most) {
				rich = &pool.workers[i];
				most = open;
			}
		}
		if (!rich)
			return;
		rich->asked = true;
		__atomic_fetch_or(&pool.shared->of[rich - pool.workers].wanted, EVR_WANTED_BRANCHES, __ATOMIC_RELAXED);
	}
}

static void want_of_all(uint32_t what)
{
	for (unsigned i = 0; i < pool.count; i++)
		if (pool.workers[i].busy)
			__atomic_fetch_or(&pool.shared->of[i].wanted, what, __ATOMIC_RELAXED);
}

static unsigned count_busy(void)
{
	unsigned busy = 0;
	for (unsigned i = 0; i < pool.count; i++)
		busy += pool.workers[i].busy;
	return busy;
}

/* Returns how many workers have nothing to do. */
static unsigned dispatch(void)
{
	unsigned idle = 0;
	for (unsigned i = 0; i < pool.count && !pool.enough; i++) {
		struct worker *w = &pool.workers[i];
		if (w->pid && !w->busy && pool.queue.len)
			hand_out(w);
		idle += w->pid && !w->busy;
	}
	if (idle && !pool.enough)
		ask_for_branches(idle);
	return idle;
}

/* ---- meanwhile ---- */

static void tell_progress(void)
{
	struct evr_result all = *pool.result;
	for (unsigned i = 0; i < pool.count; i++) {
		const struct evr_share *s = &pool.shared->of[i];
		all.executions += s->executions;
		all.blocked += s->blocked;
		all.truncated += s->truncated;
		all.events += s->events;
	}
	evr_wire_progress(evr_rt.config.fd, &all);
}

#define UNASKED 0.09 /* a search that has taken so many seconds is estimated if its progress is shown */

static void tell_estimate(struct evr_size s)
{
	pool.result->estimate = s.size;
	pool.result->estimate_low = s.low;
	pool.result->estimate_high = s.high;
	evr_wire_estimate(evr_rt.config.fd, pool.result);
}

/* How long will it take? */
static void look_after_estimate(double seconds)
{
	struct evr_size s;
	bool wanted = evr_rt.config.estimate && seconds > UNASKED;
	if (evr_asked) {
		evr_asked = 0;
		evr_wire_asked(evr_rt.config.fd);
		wanted = true;
	}
	if (wanted)
		evr_estimate_begin(pool.searched, false, pool.known);
	if (evr_estimate_poll(&s))
		tell_estimate(s);
}

static void add_rest(struct evr_result_rest *rest, const branches *b)
{
	for (size_t i = 0; i < b->len; i++)
		evr_vec_push(&rest->branches, b->data[i].text);
}

/* What is left of the search, for who wants to go on with it some other time. */
static void tell_rest(void)
{
	struct evr_result_rest rest = {
		.program = evr_format("%016llx", (unsigned long long)evr_program_hash()),
		.known = pool.known,
#define TOTAL(type, field) .field = pool.result->field,
#include "report/records.def"
	};
	add_rest(&rest, &pool.queue);
	for (unsigned i = 0; i < pool.count; i++)
		add_rest(&rest, &pool.workers[i].held);
	evr_wire_rest(evr_rt.config.fd, &rest);
	evr_vec_release(&rest.branches);
	free(rest.program);
}

static bool is_saving(void)
{
	for (unsigned i = 0; i < pool.count; i++)
		if (pool.workers[i].busy && pool.workers[i].saving)
			return true;
	return false;
}

static void look_after_saving(double t)
{
	if (pool.saving && !is_saving()) {
		tell_rest();
		pool.saving = false;
		pool.next_saving = t + SAVING;
	} else if (!pool.saving && t > pool.next_saving) {
		pool.saving = true;
		for (unsigned i = 0; i < pool.count; i++)
			pool.workers[i].saving = pool.workers[i].busy;
		want_of_all(EVR_WANTED_COMMIT);
	}
}

static void look_after_time(double began)
{
	double t = now(), limit = evr_rt.config.timeout;
	if (t > pool.next_progress) {
		tell_progress();
		pool.next_progress = t + PROGRESS;
	}
	look_after_estimate(t - began);
	if (evr_rt.config.saves)
		look_after_saving(t);
	const char *stop = evr_stop                                                          ? "interrupted"
			   : limit > 0 && t - began > limit                                  ? "time limit"
			   : pool.shared->limited && pool.shared->budget <= 0 && pool.enough ? "limit on executions"
											     : NULL;
	if (stop && !pool.stopped) {
		pool.stopped = stop;
		pool.enough = true;
	}
}

static void hear(int milliseconds)
{
	struct pollfd *polled = evr_alloc(pool.count * sizeof(*polled));
	for (unsigned i = 0; i < pool.count; i++)
		polled[i] = (struct pollfd){ .fd = pool.workers[i].pid ? pool.workers[i].fd : -1, .events = POLLIN };
	if (poll(polled, pool.count, milliseconds) > 0)
		for (unsigned i = 0; i < pool.count; i++)
			if (polled[i].revents && pool.workers[i].pid)
				receive(&pool.workers[i]);
	free(polled);
}

/* Until nothing is left, something was learned, or it is enough. */
static void explore(double began)
{
	while (!pool.learned && !pool.enough) {
		unsigned idle = dispatch();
		if (!count_busy() && !pool.queue.len)
			return;
		hear(idle ? 1 : 50);
		look_after_time(began);
	}
}

/* Those who do not answer in time have what they had at their last commit. */
static void stop_workers(void)
{
	double until = now() + GRACE;
	want_of_all(EVR_WANTED_STOP);
	while (count_busy() && !pool.learned && now() < until)
		hear(20);
	for (unsigned i = 0; i < pool.count; i++) {
		struct worker *w = &pool.workers[i];
		for (size_t k = 0; k < w->held.len; k++)
			evr_vec_push(&pool.queue, w->held.data[k]);
		evr_vec_clear(&w->held);
		bury(w);
	}
}

/* ---- the search ---- */

/* A few random executions, by a process of its own: this one must stay as it is. */
static void scout(void)
{
	struct worker w = { .heard = evr_result_new("", ""), .classes = -1 };
	evr_strbuf_init(&w.line);
	w.pid = copy_process(&w.fd);
	if (!w.pid)
		evr_work_scout(w.fd, pool.known);
	for (ssize_t n = 1; n > 0 && !pool.learned && !pool.enough;) {
		char c;
		n = read(w.fd, &c, 1);
		if (n < 0 && errno == EINTR) {
			n = 1;
			pool.enough = evr_stop;
		} else if (n > 0 && c != '\n') {
			evr_strbuf_putc(&w.line, c);
		} else if (n > 0) {
			take_line(&w, w.line.text);
			evr_strbuf_clear(&w.line);
		}
	}
	bury(&w);
	if (pool.learned) {
		free(pool.known);
		pool.known = pool.learned;
		pool.learned = NULL;
	}
}

static void begin_again(void)
{
	struct evr_result *r = pool.result;
	r->executions = r->blocked = r->truncated = r->redundant = r->events = 0;
	if (evr_classes_wanted())
		evr_classes_restart();
	if (r->estimate > 0)
		tell_estimate((struct evr_size){ 0 });
	evr_estimate_end();
	forget(&pool.queue);
	put(&pool.queue, evr_strdup(pool.searched->whole), 0);
	pool.shared->budget = (int64_t)evr_rt.config.max_executions;
	pool.shared->limited = evr_rt.config.max_executions;
	memset(pool.questions, 0, sizeof(pool.questions));
}

static void make_pool(void)
{
	size_t size = sizeof(*pool.shared) + pool.count * sizeof(pool.shared->of[0]);
	pool.workers = evr_alloc(pool.count * sizeof(*pool.workers));
	pool.shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (pool.shared == MAP_FAILED)
		evr_die("cannot share memory with workers: %s", strerror(errno));
}

/* What is true of the program if it was so for any worker. */
static void take_remarks(void)
{
	const struct evr_shared *all = pool.shared;
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
		for (unsigned i = 0; i < pool.count; i++)
			start(&pool.workers[i]);
		if (evr_rt.config.saves)
			tell_rest();
		explore(began);
		stop_workers();
		if (!pool.learned)
			return;
		free(pool.known);
		pool.known = pool.learned;
		pool.learned = NULL;
		begin_again();
		if (evr_rt.config.shard)
			pool.stopped =
				"it has learned what other shards do not know: the whole search has to begin again";
		if (pool.enough || evr_rt.config.shard)
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
		evr_die("the checkpoint makes no sense");
	struct evr_result_rest *rest = &r->rest;
	bool begun = *rest->program;
	if (begun) {
		require_program(rest->program);
		forget(&pool.queue);
		for (size_t i = 0; i < rest->branches.len; i++)
			put(&pool.queue, evr_strdup(rest->branches.data[i]), 0);
		evr_result_set(&pool.known, rest->known);
#define TOTAL(type, field) pool.result->field = rest->field;
#include "report/records.def"
	}
	evr_result_free(r);
	free(line);
	return begun;
}

char *evr_workers_explore(struct evr_result *r, const struct evr_engine_ops *searched, bool *complete)
{
	double began = now();
	char *error = NULL;
	*complete = false;
	if (!searched->take)
		return evr_format("the search of equivalence '%s' cannot be divided; that of 'rf' can (-e rf)",
				  searched->name);
	pool.result = r;
	pool.searched = searched;
	pool.known = evr_strdup(";;");
	pool.count = (unsigned)evr_rt.config.jobs;
	make_pool();
	begin_again();
	if (evr_rt.config.resume_fd < 0 || !resume())
		scout();
	if (!pool.enough)
		run_workers(began);
	if (pool.refused)
		return pool.refused;
	if (pool.failed)
		_exit(EVR_INTERNAL);
	take_remarks();
	if (evr_rt.config.saves)
		tell_rest();
	evr_estimate_end();
	if (pool.stopped)
		evr_stop_search(pool.stopped);
	*complete = !pool.queue.len && (!r->findings.len || evr_rt.config.keep_going);
	if (!evr_known_take(pool.known, &error))
		evr_die("%s", error);
	return NULL;
}

void evr_workers_tell_stats(void)
{
	for (int i = 0; i < EVR_STATS; i++)
		if (pool.counts[i])
			evr_wire_stat(evr_rt.config.fd, evr_stat_names[i], pool.questions[i]);
	evr_wire_stat(evr_rt.config.fd, evr_stat_names[EVR_STAT_STEALS], pool.steals);
	evr_wire_stat(evr_rt.config.fd, evr_stat_names[EVR_STAT_IDLE], (uint64_t)(pool.idle * 1000));
}
