/*
 * Workers begin, say something, and end.
 *
 * Invariant: a commit is taken as a whole. Before it, the worker holds the branches of its last one; after it, those that it has left, and the totals and the queue have the rest.
 */
#include "runtime/crew.h"

#include "runtime/ranks.h"
#include "runtime/runtime.h"
#include "runtime/sample.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TRIES 2 /* how often a branch is explored by a worker that dies before it has said anything */

EVR_LASTING struct evr_crew evr_crew;

/* ---- branches ---- */

void evr_crew_put(evr_crew_branches *to, char *text, unsigned tries)
{
	evr_vec_push(to, (struct evr_crew_branch){ text, tries });
}

void evr_crew_forget(evr_crew_branches *b)
{
	for (size_t i = 0; i < b->len; i++)
		free(b->data[i].text);
	evr_vec_clear(b);
}

/* ---- workers begin and end ---- */

/* Classes are merged here: each worker writes its own to a file of its own. */
static void share_classes(struct evr_crew_worker *w)
{
	w->classes = -1;
	w->classes_taken = 0;
	if (!evr_classes_wanted())
		return;
	w->classes = memfd_create("classes", MFD_CLOEXEC);
	if (w->classes < 0)
		evr_die("cannot keep the classes: %s", strerror(errno));
}

void evr_crew_start(struct evr_crew_worker *w)
{
	unsigned number = (unsigned)(w - evr_crew.workers);
	memset(&evr_crew.shared->of[number], 0, sizeof(evr_crew.shared->of[number]));
	share_classes(w);
	w->pid = evr_copy_process(&w->fd);
	if (!w->pid) {
		if (w->classes >= 0)
			evr_rt.config.classes_fd = w->classes;
		evr_work(evr_crew.searched, evr_crew.shared, number, w->fd, evr_crew.known);
	}
	fcntl(w->fd, F_SETFL, O_NONBLOCK);
	w->busy = w->saving = false;
	w->asked = 0;
	w->idle_since = evr_seconds();
	evr_strbuf_init(&w->line);
	evr_strbuf_init(&w->drawn);
	w->heard = evr_result_new("", "");
}

static void add_stats(const struct evr_crew_worker *w)
{
	for (size_t i = 0; i < w->heard->stats.len; i++)
		for (int k = 0; k < EVR_STATS; k++)
			if (!strcmp(w->heard->stats.data[i].name, evr_stat_names[k])) {
				evr_crew.counts[k] = true;
				evr_crew.questions[k] += w->heard->stats.data[i].count;
			}
}

void evr_crew_bury(struct evr_crew_worker *w)
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
		evr_crew.idle += evr_seconds() - w->idle_since;
	add_stats(w);
	w->busy = false;
	evr_strbuf_release(&w->line);
	evr_strbuf_release(&w->drawn);
	evr_result_free(w->heard);
	evr_crew_forget(&w->held);
}

/* ---- what workers say ---- */

/* What a worker has found becomes part of the result, and is told to the driver. */
void evr_crew_take_findings(struct evr_result *heard)
{
	struct evr_result *r = evr_crew.result;
	size_t before = r->findings.len;
	for (size_t i = 0; i < heard->findings.len; i++)
		if (!heard->findings.data[i].drawn || evr_sample_wanted())
			heard->findings.data[i].execution = r->executions + r->blocked + r->truncated;
	evr_take_over_findings(r, heard);
	if (r->findings.len > before)
		evr_ranks_tell_found();
	if (r->findings.len && !evr_rt.config.keep_going)
		evr_crew.enough = true;
}

static bool take_count(const char **p, uint64_t *n)
{
	unsigned long long value;
	if (!evr_read_char(p, '\t') || !evr_read_number(p, 10, &value))
		return false;
	*n = value;
	return true;
}

static void take_branches(const char **p, uint64_t n, evr_crew_branches *to)
{
	for (; n > 0 && **p == '\t'; n--) {
		size_t len = strcspn(*p + 1, "\t");
		evr_crew_put(to, evr_strndup(*p + 1, len), 0);
		*p += 1 + len;
	}
}

static void take_classes(struct evr_crew_worker *w, off_t end)
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

static bool is_record(const char **line, const char *name)
{
	size_t n = strlen(name);
	if (strncmp(*line, name, n) != 0 || (*line)[n] != '\t')
		return false;
	*line += n;
	return true;
}

static bool take_drawn(struct evr_crew_worker *w)
{
	bool fine = true;
	for (char *line = w->drawn.text; *line && fine;) {
		char *end = strchr(line, '\n');
		const char *p = line;
		*end = '\0';
		fine = is_record(&p, "drawn") ? evr_sample_take_drawn(p)
					      : is_record(&p, "pairs") && evr_sample_take_pairs(p);
		line = end + 1;
	}
	evr_strbuf_clear(&w->drawn);
	return fine;
}

static bool take_commit(struct evr_crew_worker *w, const char *p)
{
	struct evr_result *r = evr_crew.result;
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
	evr_crew.steals += w->asked && given;
	w->silent = w->saving = false;
	w->asked = 0;
	evr_crew_forget(&w->held);
	take_branches(&p, given, &evr_crew.queue);
	take_branches(&p, left, &w->held);
	evr_crew_take_findings(w->heard);
	return take_drawn(w) && !*p;
}

static void become_idle(struct evr_crew_worker *w)
{
	w->busy = false;
	w->asked = 0;
	w->idle_since = evr_seconds();
}

/* A line of the wire: findings are kept until the next commit, remarks go to the driver. */
static bool take_record(struct evr_crew_worker *w, const char *line)
{
	if (!strncmp(line, "hint\t", 5) || !strncmp(line, "note\t", 5)) {
		dprintf(evr_rt.config.fd, "%s\n", line);
		return true;
	}
	if (evr_wire_line(w->heard, line) < 0)
		return false;
	if (!*evr_crew.result->output && *w->heard->output)
		evr_result_set(&evr_crew.result->output, w->heard->output);
	if (w->heard->error) {
		evr_wire_error(evr_rt.config.fd, w->heard->error_status, w->heard->error);
		evr_crew.failed = evr_crew.enough = true;
	}
	return true;
}

void evr_crew_take_line(struct evr_crew_worker *w, const char *line)
{
	bool fine = true;
	if (is_record(&line, "commit")) {
		fine = take_commit(w, line);
	} else if (!strncmp(line, "drawn\t", 6) || !strncmp(line, "pairs\t", 6)) {
		evr_strbuf_puts(&w->drawn, line);
		evr_strbuf_putc(&w->drawn, '\n');
	} else if (is_record(&line, "idle")) {
		become_idle(w);
	} else if (is_record(&line, "stopped")) {
		become_idle(w);
		evr_crew.enough = true;
		for (size_t i = 0; i < w->held.len; i++)
			evr_crew_put(&evr_crew.queue, w->held.data[i].text, 0);
		evr_vec_clear(&w->held);
	} else if (is_record(&line, "known")) {
		if (!evr_crew.learned)
			evr_crew.learned = evr_strdup(line + 1);
	} else if (is_record(&line, "refused")) {
		evr_crew.refused = evr_strdup(line + 1);
		evr_crew.enough = true;
		evr_ranks_tell("refused", line + 1);
	} else if (is_record(&line, "limit")) {
		evr_crew.stopped = evr_strdup(line + 1);
		evr_crew.enough = true;
		evr_ranks_tell("limit", line + 1);
	} else {
		fine = take_record(w, line);
	}
	if (!fine)
		evr_die("a worker sent an invalid record: %.60s", line);
}

/* ---- a worker dies ---- */

static char *describe(int status)
{
	if (WIFSIGNALED(status))
		return evr_format("signal %d", WTERMSIG(status));
	return evr_format("exit status %d", WEXITSTATUS(status));
}

/* A branch that has cost two workers their lives will do so again. */
static void give_up(const struct evr_crew_branch *b, int status)
{
	char *how = describe(status);
	char *message =
		evr_format("a worker died (%s), and so did another one, when it explored the branch %s", how, b->text);
	evr_wire_error(evr_rt.config.fd, EVR_INTERNAL, message);
	free(message);
	free(how);
	evr_crew.failed = evr_crew.enough = true;
}

/* Its branches are tried once more, by a fresh one. */
static void replace(struct evr_crew_worker *w)
{
	int status = 0;
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	evr_crew_take_findings(w->heard);
	for (size_t i = 0; i < w->held.len; i++) {
		struct evr_crew_branch *b = &w->held.data[i];
		b->tries += w->silent;
		if (b->tries >= TRIES)
			give_up(b, status);
		evr_vec_push(&evr_crew.queue, *b);
	}
	evr_vec_clear(&w->held);
	kill(w->pid, SIGKILL);
	w->pid = 0;
	close(w->fd);
	if (w->classes >= 0)
		close(w->classes);
	add_stats(w);
	evr_strbuf_release(&w->line);
	evr_strbuf_release(&w->drawn);
	evr_result_free(w->heard);
	w->busy = false;
	if (!evr_crew.enough && !evr_crew.learned)
		evr_crew_start(w);
}

void evr_crew_receive(struct evr_crew_worker *w)
{
	char block[65536];
	ssize_t n = read(w->fd, block, sizeof(block));
	for (const char *p = block; n > 0 && p < block + n;) {
		const char *end = memchr(p, '\n', (size_t)(block + n - p));
		evr_strbuf_add(&w->line, p, (size_t)((end ? end : block + n) - p));
		if (!end)
			break;
		p = end + 1;
		evr_crew_take_line(w, w->line.text);
		evr_strbuf_clear(&w->line);
	}
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		replace(w);
}
