#include "driver/explore.h"

#include "base/strbuf.h"
#include "driver/launch.h"
#include "driver/lines.h"
#include "driver/process.h"
#include "driver/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const double grace = 2;         /* to stop by itself: at the time limit, after `done`, when interrupted */
static const double memory_grace = 1;  /* the same after SIGTERM at the memory limit: memory does not wait */
static const int tick = 50;            /* milliseconds between looks at limits */

/* ---- signals that the user sends while the checker runs ---- */

static volatile sig_atomic_t interrupts;
static volatile pid_t interrupted_child;

/* The first one asks the checker for what it has, the second one ends it. */
static void forward(int number)
{
	(void)number;
	interrupts = interrupts + 1;
	if (interrupted_child > 0)
		kill(interrupted_child, interrupts == 1 ? SIGINT : SIGKILL);
}

static volatile sig_atomic_t questions;

static void forward_question(int number)
{
	questions = 1;
	if (interrupted_child > 0)
		kill(interrupted_child, number);
}

bool evr_interrupted(void)
{
	return interrupts > 0;
}

static const int forwarded[] = { SIGINT, SIGTERM, SIGHUP };

/* ---- watching ---- */

struct watch {
	const struct evr_options *o;
	struct evr_result *r;
	pid_t pid;
	int fd;
	bool done, ended; /* the record came; the process has ended */
	int status; /* of wait4() */
	struct evr_strbuf line; /* received so far, without a newline yet */
	double start, kill_at; /* kill_at: SIGKILL when it is still there then; 0: not planned */
	const char *stopped; /* why the driver stopped it, or NULL */
	struct evr_progress progress;
	size_t hints; /* that were shown */
	const struct evr_listener *listener;
	size_t told; /* how much of the findings the listener knows */
	double next_news; /* not before */
	struct sigaction old[EVR_COUNT(forwarded)], old_question;
};

static void error(struct watch *w, int status, char *message)
{
	evr_result_error(w->r, status, message);
	free(message);
}

/* False: there is no checker, and the result says why. What was found under other models must not be lost for that. */
static bool start(struct watch *w, const char *checker, const char *model)
{
	int ends[2];
	if (pipe(ends)) {
		error(w, EVR_USAGE, evr_format("cannot make a pipe: %s", strerror(errno)));
		return false;
	}
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	struct sigaction action = { .sa_handler = forward };
	sigemptyset(&action.sa_mask);
	struct evr_launch l;
	evr_launch_prepare(&l, w->o, checker, model, ends[1]);
	fflush(NULL);
	/* The child is known to the handler before the handler can run. */
	sigset_t block, before;
	sigemptyset(&block);
	for (size_t i = 0; i < EVR_COUNT(forwarded); i++)
		sigaddset(&block, forwarded[i]);
	sigaddset(&block, SIGUSR1);
	sigprocmask(SIG_BLOCK, &block, &before);
	w->pid = fork();
	if (w->pid < 0) {
		error(w, EVR_USAGE, evr_format("cannot start a process: %s", strerror(errno)));
		evr_launch_release(&l);
		sigprocmask(SIG_SETMASK, &before, NULL);
		close(ends[0]);
		close(ends[1]);
		return false;
	}
	if (!w->pid) {
		for (size_t i = 0; i < EVR_COUNT(forwarded); i++)
			signal(forwarded[i], SIG_DFL);
		sigprocmask(SIG_SETMASK, &before, NULL);
		evr_launch_become(&l);
	}
	interrupted_child = w->pid;
	for (size_t i = 0; i < EVR_COUNT(forwarded); i++)
		sigaction(forwarded[i], &action, &w->old[i]);
	action.sa_handler = forward_question;
	action.sa_flags = SA_RESTART;
	sigaction(SIGUSR1, &action, &w->old_question);
	sigprocmask(SIG_SETMASK, &before, NULL);
	evr_launch_release(&l);
	close(ends[1]);
	w->fd = ends[0];
	return true;
}

/* Returns false at the end of the pipe. */
static bool receive(struct watch *w)
{
	char block[65536];
	ssize_t n = read(w->fd, block, sizeof(block));
	if (n <= 0)
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	for (const char *s = block; s < block + n;) {
		const char *end = memchr(s, '\n', (size_t)(block + n - s));
		evr_strbuf_add(&w->line, s, (size_t)((end ? end : block + n) - s));
		if (!end)
			break;
		s = end + 1;
		int kind = evr_wire_line(w->r, w->line.text);
		if (kind < 0)
			evr_result_error(w->r, EVR_INTERNAL, "the checker sent a record that makes no sense");
		w->done = w->done || kind > 0;
		evr_strbuf_clear(&w->line);
	}
	return true;
}

static void show_hints(struct watch *w)
{
	if (w->hints < w->r->hints)
		evr_progress_clear(&w->progress);
	for (; w->hints < w->r->hints; w->hints++)
		if (!w->o->quiet)
			evr_warn("note: %s", w->r->notes.data[w->hints]);
}

static const double between_news = 0.5; /* seconds; more if telling takes long */

/* Findings that have come since the last time, with their events, are told to the listener. */
static void tell_news(struct watch *w, const char *checker)
{
	size_t n = w->r->findings.len;
	size_t known = n ? n + evr_vec_last(&w->r->findings).events.len : 0;
	double now = evr_now();
	if (!w->listener || known == w->told || now < w->next_news)
		return;
	w->told = known;
	w->r->explore_seconds = now - w->start;
	evr_lines_resolve(w->r, checker);
	w->listener->news(w->listener->argument, w->r);
	double took = evr_now() - now;
	w->next_news = now + took + (took > between_news ? took : between_news);
}

static long resident_kib(pid_t pid)
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

static void enforce(struct watch *w)
{
	double now = evr_now();
	if (w->kill_at > 0 && now > w->kill_at) {
		kill(w->pid, SIGKILL);
		return;
	}
	if (w->done || w->stopped || evr_interrupted())
		return;
	if (w->o->timeout > 0 && now > w->start + w->o->timeout + grace) {
		w->stopped = "time limit";
		kill(w->pid, SIGKILL);
	} else if (w->o->memory >= 0 && resident_kib(w->pid) / 1024.0 > (double)w->o->memory) {
		w->stopped = "memory limit";
		kill(w->pid, SIGTERM);
		w->kill_at = now + memory_grace;
	}
}

/* Until the process has ended and everything it said was heard. Who holds the pipe besides is not waited for. */
static void watch(struct watch *w, const char *checker)
{
	struct rusage usage = { 0 };
	bool open = true;
	while (!w->ended) {
		struct pollfd p = { .fd = open ? w->fd : -1, .events = POLLIN };
		poll(&p, 1, w->done || !open ? 1 : tick);
		if (open && p.revents)
			open = receive(w);
		show_hints(w);
		tell_news(w, checker);
		w->ended = wait4(w->pid, &w->status, WNOHANG, &usage) == w->pid;
		if ((w->done || !open || evr_interrupted()) && !w->kill_at)
			w->kill_at = evr_now() + grace;
		enforce(w);
		if (questions)
			evr_progress_ask(&w->progress);
		questions = 0;
		evr_progress_update(&w->progress, w->r);
	}
	interrupted_child = 0;
	for (struct pollfd p = { .fd = w->fd, .events = POLLIN }; open && poll(&p, 1, 0) > 0;)
		open = receive(w);
	show_hints(w);
	if (!w->r->peak_kib)
		w->r->peak_kib = (uint64_t)usage.ru_maxrss;
}

/* ---- what it means ---- */

static void conclude(struct watch *w)
{
	struct evr_result *r = w->r;
	if (!w->done)
		r->explore_seconds = evr_now() - w->start;
	if (w->stopped && !r->complete) {
		evr_result_set(&r->stopped, w->stopped);
	} else if (evr_interrupted() && !r->complete) {
		evr_result_set(&r->stopped, "interrupted");
	} else if (w->done || r->error) {
		return;
	} else if (WIFSIGNALED(w->status) && WTERMSIG(w->status) == SIGKILL) {
		evr_result_set(&r->stopped, "the checker was killed (out of memory?)");
	} else if (WIFSIGNALED(w->status)) {
		error(w, EVR_INTERNAL, evr_format("the checker crashed (signal %d)", WTERMSIG(w->status)));
	} else if (!r->hello) {
		error(w, EVR_USAGE, evr_strdup("the program is not a checker: it never answered"));
	} else {
		error(w, EVR_INTERNAL,
		      evr_format("the checker ended without a result (exit status %d)", WEXITSTATUS(w->status)));
	}
}

struct evr_result *evr_explore(const struct evr_options *o, const char *checker, const char *model,
			       const struct evr_listener *listener)
{
	struct watch w = { .o = o,
			   .listener = listener,
			   .r = evr_result_new(model, o->equivalence ? o->equivalence : ""),
			   .start = evr_now() };
	w.r->unroll = o->unroll;
	w.r->spurious = o->spurious;
	w.r->spurious_cas = o->spurious_cas;
	w.r->robustness = o->command == EVR_ROBUST;
	w.r->prediction = o->command == EVR_PREDICT && !o->replay;
	evr_strbuf_init(&w.line);
	evr_progress_init(&w.progress, o);
	w.next_news = w.start + between_news;
	if (start(&w, checker, model)) {
		watch(&w, checker);
		for (size_t i = 0; i < EVR_COUNT(forwarded); i++)
			sigaction(forwarded[i], &w.old[i], NULL);
		sigaction(SIGUSR1, &w.old_question, NULL);
		evr_progress_clear(&w.progress);
		conclude(&w);
		close(w.fd);
	}
	evr_strbuf_release(&w.line);
	evr_lines_resolve(w.r, checker);
	return w.r;
}
