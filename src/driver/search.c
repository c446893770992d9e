/*
 * One checker: started, listened to, limited, and what its end means.
 *
 * Invariant: a line is taken when its newline has come, and at once; so the result has every finding that the checker has sent
 * completely, however it ends. The process is reaped before the search is finished, and never signalled after that.
 */
#include "driver/search.h"

#include "driver/agree.h"
#include "driver/checkpoint.h"
#include "driver/interrupt.h"
#include "driver/launch.h"
#include "driver/lines.h"
#include "driver/process.h"
#include "driver/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const double grace = 2;        /* to stop by itself: at the time limit, after `done` */
static const double memory_grace = 1; /* the same after SIGTERM at the memory limit: memory does not wait */

/* ---- starting ---- */

struct evr_result *evr_search_result(const struct evr_options *o, const char *model)
{
	struct evr_result *r = evr_result_new(model, o->equivalence ? o->equivalence : "");
	r->unroll = o->unroll;
	r->preemptions = o->preemptions;
	r->spurious = o->spurious;
	r->spurious_cas = o->spurious_cas;
	r->robustness = o->command == EVR_ROBUST;
	r->sampling = o->command == EVR_SAMPLE;
	r->prediction = o->command == EVR_PREDICT && !o->replay;
	const struct evr_result *before = o->resumed ? evr_checkpoint_find(o->resumed, model) : NULL;
	if (before) {
		evr_rest_copy(&r->rest, &before->rest);
		r->shard = before->shard ? evr_strdup(before->shard) : NULL;
#define TOTAL(type, field) r->field = before->rest.field;
#include "report/records.def"
	} else if (o->checkpoint) {
		evr_rest_everything(&r->rest);
	}
	return r;
}

static void error(struct evr_search *s, int status, char *message)
{
	evr_result_set(&s->r->stopped, "");
	evr_result_error(s->r, status, message);
	free(message);
}

/* Its end of the pipe is the child's. */
static bool start(struct evr_search *s, const int ends[2])
{
	struct evr_launch l;
	evr_launch_prepare(&l, s->o, s->checker, s->r, ends[1], s->turn, s->resume);
	if (evr_ranks_socket() >= 0)
		evr_ranks_tell_search(&l, s->o->checkpoint);
	fflush(NULL);
	s->pid = evr_interrupts_fork();
	if (!s->pid)
		evr_launch_become(&l);
	int why = errno;
	evr_launch_release(&l);
	close(ends[1]);
	if (s->pid > 0)
		return true;
	error(s, EVR_USAGE, evr_format("cannot start a process: %s", strerror(why)));
	close(ends[0]);
	return false;
}

/* A file for the checker to read it from. */
static int pass_rest(const struct evr_result_rest *rest)
{
	int fd = memfd_create("rest", 0);
	if (fd < 0)
		evr_die("cannot pass the checkpoint on: %s", strerror(errno));
	evr_wire_rest(fd, rest);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

void evr_search_was_over(struct evr_result *r, const struct evr_result *before, bool keep_going)
{
	/* Not before->complete: who saved it may have been killed before it could say so, and a part of a search may be empty from the beginning. */
	r->complete = keep_going || !before->findings.len;
	evr_result_set(&r->equivalence, before->equivalence);
	evr_result_set(&r->stopped, r->complete ? "" : before->stopped);
}

void evr_search_recall(struct evr_result *r, struct evr_result *before)
{
	if (!before)
		return;
	r->explore_seconds += before->explore_seconds;
	if (!*r->output)
		evr_result_set(&r->output, before->output);
	/* What was found before stays in front; what was found again is left out. */
	for (size_t i = 0; i < r->findings.len; i++) {
		if (evr_finding_under(before, &r->findings.data[i]))
			evr_result_free_finding(&r->findings.data[i]);
		else
			evr_vec_push(&before->findings, r->findings.data[i]);
	}
	evr_vec_clear(&r->findings);
	for (size_t i = 0; i < before->findings.len; i++)
		evr_vec_push(&r->findings, before->findings.data[i]);
	evr_vec_clear(&before->findings);
}

bool evr_search_start(struct evr_search *s, const struct evr_options *o, const char *checker, struct evr_result *r,
		      bool takes_turns)
{
	int ends[2];
	*s = (struct evr_search){ .o = o, .checker = checker, .r = r, .turn = -1, .resume = -1, .start = evr_now() };
	/* What a reader of a report on the way should know. */
	evr_result_set(&r->stopped, "the search was still running");
	if (pipe(ends)) {
		error(s, EVR_USAGE, evr_format("cannot make a pipe: %s", strerror(errno)));
		return false;
	}
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	if (o->resumed)
		s->resume = pass_rest(&r->rest);
	if (takes_turns)
		s->turn = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
	s->fd = ends[0];
	s->open = start(s, ends);
	if (s->resume >= 0)
		close(s->resume);
	if (!s->open && s->turn >= 0)
		close(s->turn);
	if (!s->open)
		return false;
	evr_strbuf_init(&s->line);
	evr_progress_init(&s->progress, o);
	return true;
}

/* ---- pauses ---- */

double evr_search_time(const struct evr_search *s)
{
	return (s->paused_at > 0 ? s->paused_at : evr_now()) - s->start;
}

/* The checker looks at the fd when the signal comes: that it is readable, and no byte in it, means that it may run. */
void evr_search_pause(struct evr_search *s)
{
	eventfd_t value;
	if (s->turn < 0 || s->paused_at > 0 || eventfd_read(s->turn, &value))
		return;
	kill(s->pid, SIGUSR2);
	s->paused_at = evr_now();
	evr_progress_pause(&s->progress);
}

void evr_search_go_on(struct evr_search *s)
{
	if (!(s->paused_at > 0))
		return;
	s->start += evr_now() - s->paused_at;
	s->paused_at = 0;
	evr_progress_go_on(&s->progress);
	eventfd_write(s->turn, 1);
}

/* ---- listening ---- */

static void take_line(struct evr_search *s)
{
	int kind = evr_wire_line(s->r, s->line.text);
	if (kind < 0)
		evr_result_error(s->r, EVR_INTERNAL, "the checker sent an invalid record");
	s->done = s->done || kind > 0;
	evr_strbuf_clear(&s->line);
}

static void receive(struct evr_search *s)
{
	char block[65536];
	ssize_t n = read(s->fd, block, sizeof(block));
	if (n <= 0)
		s->open = n < 0 && (errno == EAGAIN || errno == EINTR);
	for (const char *p = block; p < block + n;) {
		const char *end = memchr(p, '\n', (size_t)(block + n - p));
		evr_strbuf_add(&s->line, p, (size_t)((end ? end : block + n) - p));
		if (!end)
			break;
		p = end + 1;
		take_line(s);
	}
}

/* ---- limits ---- */

static long own_kib(pid_t pid)
{
	char *path = evr_format("/proc/%d/statm", (int)pid);
	FILE *in = fopen(path, "re");
	free(path);
	long total, pages = 0;
	if (in && fscanf(in, "%ld %ld", &total, &pages) != 2)
		pages = 0;
	if (in)
		fclose(in);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* The checker's, and that of its workers. */
static long resident_kib(pid_t pid)
{
	char *path = evr_format("/proc/%d/task/%d/children", (int)pid, (int)pid);
	FILE *in = fopen(path, "re");
	free(path);
	long kib = own_kib(pid);
	for (int child; in && fscanf(in, "%d", &child) == 1;)
		kib += own_kib(child);
	if (in)
		fclose(in);
	return kib;
}

static void enforce(struct evr_search *s)
{
	double now = evr_now();
	if (s->kill_at > 0 && now > s->kill_at) {
		kill(s->pid, SIGKILL);
		return;
	}
	if (s->done || s->stopped || evr_interrupted())
		return;
	if (s->o->timeout > 0 && now > s->start + s->o->timeout + grace) {
		s->stopped = "time limit";
		kill(s->pid, SIGKILL);
	} else if (s->o->memory >= 0 && resident_kib(s->pid) / 1024.0 > (double)s->o->memory) {
		s->stopped = "memory limit";
		kill(s->pid, SIGTERM);
		s->kill_at = now + memory_grace;
	}
}

void evr_search_hurry(struct evr_search *s, double seconds)
{
	if (!(s->kill_at > 0))
		s->kill_at = evr_now() + seconds;
}

static void reap(struct evr_search *s)
{
	struct rusage usage = { 0 };
	s->ended = wait4(s->pid, &s->status, WNOHANG, &usage) == s->pid;
	if (!s->ended)
		return;
	evr_interrupts_forget(s->pid);
	if (!s->r->peak_kib)
		s->r->peak_kib = (uint64_t)usage.ru_maxrss;
}

void evr_search_attend(struct evr_search *s, bool readable)
{
	if (s->open && readable)
		receive(s);
	reap(s);
	if (s->ended || s->paused_at > 0)
		return;
	if (s->done || !s->open)
		evr_search_hurry(s, grace);
	enforce(s);
}

/* ---- what it means ---- */

static void conclude(struct evr_search *s)
{
	struct evr_result *r = s->r;
	if (!s->done) {
		r->explore_seconds = evr_search_time(s);
		evr_result_set(&r->stopped, "");
	}
	if (s->stopped && !r->complete) {
		evr_result_set(&r->stopped, s->stopped);
	} else if (evr_interrupted() && !r->complete) {
		evr_result_set(&r->stopped, "interrupted");
	} else if (s->done || r->error) {
		return;
	} else if (WIFSIGNALED(s->status) && WTERMSIG(s->status) == SIGKILL) {
		evr_result_set(&r->stopped, "the checker was killed (out of memory?)");
	} else if (WIFSIGNALED(s->status)) {
		error(s, EVR_INTERNAL, evr_format("the checker crashed (signal %d)", WTERMSIG(s->status)));
	} else if (!r->hello) {
		error(s, EVR_USAGE, evr_strdup("the program is not a checker: it never answered"));
	} else {
		error(s, EVR_INTERNAL,
		      evr_format("the checker ended without a result (exit status %d)", WEXITSTATUS(s->status)));
	}
}

/* Who holds the pipe besides the checker is not waited for. */
void evr_search_finish(struct evr_search *s)
{
	for (struct pollfd p = { .fd = s->fd, .events = POLLIN }; s->open && poll(&p, 1, 0) > 0;)
		receive(s);
	conclude(s);
	close(s->fd);
	if (s->turn >= 0)
		close(s->turn);
	evr_strbuf_release(&s->line);
	evr_lines_resolve(s->r, s->checker);
}
