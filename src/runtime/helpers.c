/*
 * Helpers: copies of this process that explore parts of its search.
 *
 * Invariant: the counts and findings of a process are those of itself and of all helpers that it has waited for, since the search has last begun.
 */
#include "runtime/helpers.h"

#include "base/strbuf.h"
#include "runtime/copies.h"
#include "runtime/coverage.h"
#include "runtime/runtime.h"
#include "runtime/search.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define KNOWN (1 << 20) /* bytes for what a helper has learned */
#define BETWEEN 0.002 /* seconds: a copy takes about as long as a hundred short executions do */

/* What all processes of the search share. */
struct shared {
	volatile int idle; /* so many more processes may explore */
	volatile bool enough;
	volatile int learned; /* 1: somebody is about to say what, 2: it is there */
	char known[KNOWN];
};

struct helper {
	pid_t pid;
	int fd;
	int classes; /* a file of its own; -1: there is none */
	size_t node;
};

static EVR_LASTING struct {
	struct evr_engine *engine;
	struct evr_result *result;
	struct shared *shared; /* NULL: the search is not divided */
	EVR_VEC(struct helper) all;
	bool is_helper;
	double last; /* when the last one began */
	uint64_t stats[EVR_STATS]; /* of those that have ended */
	struct evr_stats before; /* of a helper: when it began */
} helpers;

bool evr_helpers_wanted(const struct evr_engine_ops *searched)
{
	const struct evr_config *c = &evr_rt.config;
	return searched && searched->part && c->jobs > 1 && !c->sample && !c->replay && !c->gdb && !c->saves &&
	       c->resume_fd < 0 && !c->max_executions;
}

bool evr_helpers_is_helper(void)
{
	return helpers.is_helper;
}

void evr_helpers_begin(struct evr_engine *e, struct evr_result *r)
{
	helpers.engine = e;
	helpers.result = r;
	helpers.shared = mmap(NULL, sizeof(*helpers.shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (helpers.shared == MAP_FAILED)
		evr_die("cannot share memory with workers: %s", strerror(errno));
	helpers.shared->idle = (int)evr_rt.config.jobs - 1;
	evr_rt.helped = true;
}

static bool is_over(void)
{
	return helpers.shared->enough || helpers.shared->learned;
}

/* ---- waiting for a helper ---- */

/* All that it says. Meanwhile it may be time to stop. To be freed. */
static char *hear(int fd)
{
	struct evr_strbuf text;
	struct pollfd polled = { .fd = fd, .events = POLLIN };
	char block[65536];
	evr_strbuf_init(&text);
	for (ssize_t n = 1; n > 0;) {
		if (evr_tick)
			evr_on_tick();
		if (evr_search_stopped())
			evr_helpers_stop();
		if (poll(&polled, 1, 100) <= 0)
			continue;
		n = read(fd, block, sizeof(block));
		if (n > 0)
			evr_strbuf_add(&text, block, (size_t)n);
	}
	return evr_strbuf_take(&text);
}

static void take_classes(int fd)
{
	off_t n = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	if (n > 0) {
		char *text = evr_alloc((size_t)n + 1);
		if (pread(fd, text, (size_t)n, 0) == n)
			evr_classes_merge(text);
		free(text);
	}
	if (fd >= 0)
		close(fd);
}

static void add_stat(const struct evr_result_stat *s)
{
	for (int k = 0; k < EVR_STATS; k++)
		if (!strcmp(s->name, evr_stat_names[k]))
			helpers.stats[k] += s->count;
}

void evr_helpers_add_stats(struct evr_stats *s)
{
	for (int k = 0; k < EVR_STATS; k++)
		s->count[k] += helpers.stats[k];
}

/* What the engine has counted, its helpers included. */
static struct evr_stats get_stats(void)
{
	struct evr_stats s = { 0 };
	if (helpers.engine->ops->stats)
		helpers.engine->ops->stats(helpers.engine, &s);
	evr_helpers_add_stats(&s);
	return s;
}

static void tell_stats(void)
{
	struct evr_stats s = get_stats();
	for (int k = 0; k < EVR_STATS; k++)
		if (s.kept[k])
			evr_wire_stat(evr_rt.config.fd, evr_stat_names[k], s.count[k] - helpers.before.count[k]);
}

/* Returns what it has said to the engine, or NULL. */
static char *take(char *said)
{
	struct evr_result *heard = evr_result_new("", ""), *r = helpers.result;
	char *outcome = NULL;
	for (char *line = said, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		if (!strncmp(line, "outcome\t", 8))
			outcome = evr_strdup(line + 8);
		else if (!strncmp(line, "hint\t", 5) || !strncmp(line, "note\t", 5))
			dprintf(evr_rt.config.fd, "%s\n", line);
		else if (evr_wire_line(heard, line) < 0)
			evr_die("a worker sent an invalid record: %.60s", line);
	}
	if (heard->error) {
		evr_wire_error(evr_rt.config.fd, heard->error_status, heard->error);
		_exit(heard->error_status);
	}
	for (size_t i = 0; i < heard->stats.len; i++)
		add_stat(&heard->stats.data[i]);
	for (size_t i = 0; i < heard->findings.len; i++)
		heard->findings.data[i].execution += r->executions + r->blocked + r->truncated;
	evr_take_over_findings(r, heard);
	r->executions += heard->executions;
	r->blocked += heard->blocked;
	r->truncated += heard->truncated;
	r->events += heard->events;
	evr_result_free(heard);
	return outcome;
}

static char *wait_for(struct helper h)
{
	__atomic_add_fetch(&helpers.shared->idle, 1, __ATOMIC_RELAXED);
	char *said = hear(h.fd);
	while (waitpid(h.pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(h.fd);
	take_classes(h.classes);
	__atomic_sub_fetch(&helpers.shared->idle, 1, __ATOMIC_RELAXED);
	char *outcome = take(said);
	free(said);
	if (!outcome && !is_over()) {
		evr_wire_error(evr_rt.config.fd, EVR_INTERNAL, "a worker died");
		_exit(EVR_INTERNAL);
	}
	return outcome;
}

static char *join(size_t node)
{
	for (size_t i = helpers.all.len; i-- > 0;) {
		struct helper h = helpers.all.data[i];
		if (h.node != node)
			continue;
		helpers.all.data[i] = evr_vec_last(&helpers.all);
		helpers.all.len--;
		return wait_for(h);
	}
	return NULL;
}

static void wait_for_all(void)
{
	for (; helpers.all.len; helpers.all.len--)
		free(wait_for(evr_vec_last(&helpers.all)));
}

/* ---- a helper ---- */

static _Noreturn void finish(void)
{
	struct shared *s = helpers.shared;
	struct evr_engine *e = helpers.engine;
	wait_for_all();
	/* What is not as it should be may be so because of what was not known. */
	if (e->failure && !s->learned)
		evr_wire_error(evr_rt.config.fd, EVR_INTERNAL, e->failure);
	if (!s->learned) {
		char *outcome = e->ops->outcome(e);
		evr_coverage_commit();
		tell_stats();
		evr_wire_done(evr_rt.config.fd, helpers.result);
		dprintf(evr_rt.config.fd, "outcome\t%s\n", outcome);
	}
	__atomic_add_fetch(&s->idle, 1, __ATOMIC_RELAXED);
	_exit(0);
}

static void become_helper(int fd, int classes, size_t node)
{
	struct evr_result *r = helpers.result;
	evr_copy_begin(fd);
	for (size_t i = 0; i < helpers.all.len; i++) {
		close(helpers.all.data[i].fd);
		if (helpers.all.data[i].classes >= 0)
			close(helpers.all.data[i].classes);
	}
	evr_vec_clear(&helpers.all);
	helpers.is_helper = true;
	helpers.before = get_stats();
	if (classes >= 0)
		evr_rt.config.classes_fd = classes;
	r->executions = r->blocked = r->truncated = r->events = 0;
	if (!helpers.engine->ops->part(helpers.engine, node, NULL))
		finish();
}

bool evr_helpers_go_on(void)
{
	struct shared *s = helpers.shared;
	struct evr_engine *e = helpers.engine;
	if (!s)
		return true;
	if (is_over())
		return false;
	if (s->idle <= 0 || e->rerun)
		return true;
	double now = evr_seconds();
	size_t node = !evr_rt.config.restless && now < helpers.last + BETWEEN ? SIZE_MAX : e->ops->splits_at(e);
	if (node == SIZE_MAX)
		return true;
	if (__atomic_sub_fetch(&s->idle, 1, __ATOMIC_RELAXED) < 0) {
		__atomic_add_fetch(&s->idle, 1, __ATOMIC_RELAXED);
		return true;
	}
	struct helper h = { .node = node, .classes = -1 };
	if (evr_classes_wanted())
		h.classes = memfd_create("classes", MFD_CLOEXEC);
	helpers.last = now;
	h.pid = evr_copy_process(&h.fd);
	if (!h.pid) {
		become_helper(h.fd, h.classes, node);
		return true;
	}
	evr_vec_push(&helpers.all, h);
	return e->ops->part(e, node, join);
}

/* ---- the search ends, or begins again ---- */

void evr_helpers_stop(void)
{
	if (helpers.shared)
		helpers.shared->enough = true;
}

bool evr_helpers_learned(void)
{
	struct shared *s = helpers.shared;
	int nobody = 0;
	if (!s)
		return true;
	bool first = __atomic_compare_exchange_n(&s->learned, &nobody, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	if (helpers.is_helper) {
		char *known = evr_known_text();
		size_t n = strlen(known) + 1;
		if (first && n <= KNOWN)
			memcpy(s->known, known, n);
		if (first)
			s->learned = 2;
		finish();
	}
	wait_for_all();
	memset(helpers.stats, 0, sizeof(helpers.stats));
	s->learned = 0;
	return true;
}

bool evr_helpers_end(void)
{
	struct shared *s = helpers.shared;
	char *error = NULL;
	if (!s)
		return false;
	if (helpers.is_helper)
		finish();
	wait_for_all();
	if (s->learned != 2 || s->enough)
		return false;
	char *before = evr_known_text();
	if (!evr_known_take(s->known, &error))
		evr_die("%s", error);
	char *after = evr_known_text();
	/* What only the engine's tables have is lost with the helper: this process will learn it. */
	if (!strcmp(before, after))
		s->idle = -(1 << 20);
	s->learned = 0;
	free(before);
	free(after);
	return true;
}
