/*
 * Two halves: a process of its own that makes probes and tells what it thinks of them, and the checker that starts it and reads its answers.
 *
 * Invariant: the child shares nothing with the search but the program as it was when the child was made; whatever becomes of it, the
 * search goes on, and the checker has no child left when the search has ended.
 */
#include "runtime/estimate.h"

#include "runtime/runtime.h"
#include "runtime/search.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALM 50 /* so many executions in a row have taught nothing about what threads may do: then probes count */
#define ALIVE 10 /* so many probes must have come to a good end before anything is said */
#define ENOUGH 200 /* and with so many a small error is believed */
#define PRECISE 0.03 /* a standard error, relative to the mean, that is small */
#define FIRST 0.02 /* seconds of CPU until the first answer; further ones each time they have doubled */
#define SECONDS 3.0 /* and so many in all */
#define ENOUGH_TENTHS 3 /* of a second that are waited for a better answer, */
#define MOST_TENTHS 10  /* and for any */

static EVR_LASTING pid_t child;
static EVR_LASTING int answers = -1; /* the end of the pipe to read from */
static EVR_LASTING bool begun, here;

/* ---- in the process of its own ---- */

struct sample {
	unsigned probes, alive;
	double sum, squares;
};

/* Not sqrt(): the program may not be linked with the library that has it. */
static double root(double x)
{
	double r = x > 1 ? x : 1;
	for (int i = 0; i < 1100 && r * r > x * 1.0000001; i++)
		r = (r + x / r) / 2;
	return r;
}

static void add(struct sample *s, double size)
{
	s->probes++;
	s->alive += size > 0;
	s->sum += size;
	s->squares += size * size;
}

/* Sizes are far from normally distributed: few probes are much larger than the rest, and those may not have come yet. */
static struct evr_size size_of(const struct sample *s)
{
	double mean = s->sum / s->probes, variance = s->squares / s->probes - mean * mean;
	double error = variance > 0 ? root(variance / s->probes) : 0;
	return (struct evr_size){ mean > 2 * error ? mean - 2 * error : 0, mean, mean + 4 * error };
}

static bool is_precise(const struct sample *s)
{
	struct evr_size z = size_of(s);
	return s->probes >= ENOUGH && z.high - z.size < 4 * PRECISE * z.size;
}

static bool was_whole(void *self)
{
	(void)self;
	return !evr_execution.stop || evr_execution.retracted;
}

/* Then the tree is another one. */
static bool is_outdated(void *self)
{
	(void)self;
	return false;
}

/* One probe; false: it came to nothing, because more is shared than was known. */
static bool run_probe(struct evr_engine *e, struct evr_probe *p)
{
	static const struct evr_policy policy = { NULL, was_whole, NULL, is_outdated };
	p->size = 1;
	e->ops->restart(e);
	return evr_search(&evr_tested, e, &policy, NULL) == EVR_EXHAUSTED;
}

static void tell(int fd, const struct sample *s)
{
	struct evr_size z = size_of(s);
	if (s->alive >= ALIVE && write(fd, &z, sizeof(z)) != sizeof(z))
		_exit(0); /* nobody listens any more */
}

/* What was learned changes the tree that probes go down: those before were of another one. */
static void run_probes(struct evr_engine *e, struct evr_probe *p, int fd)
{
	struct sample s = { 0 };
	uint64_t known = 0;
	unsigned calm = 0;
	double began = evr_cpu(), next = FIRST;
	for (double now = 0; now < SECONDS && !is_precise(&s); now = evr_cpu() - began) {
		p->exploring = calm < CALM;
		bool counts = run_probe(e, p) && !p->exploring;
		calm = p->learned == known ? calm + 1 : p->exploring ? 0 : calm;
		if (p->learned != known)
			s = (struct sample){ 0 };
		known = p->learned;
		if (counts)
			add(&s, p->size);
		if (now > next) {
			tell(fd, &s);
			next *= 2;
		}
	}
	tell(fd, &s);
}

static void die_quietly(const char *message)
{
	(void)message;
	_exit(0);
}

static _Noreturn void be_child(const struct evr_engine_ops *searched, bool hurry, int fd, const char *known)
{
	char *error = NULL;
	struct evr_probe p;
	struct itimerval every = { { 0, 100000 }, { 0, 100000 } };
	struct rlimit cpu;
	here = true;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGUSR1, SIG_IGN);
	setitimer(ITIMER_REAL, &every, NULL);
	/* A loop of the program that does not end must end. */
	if (!getrlimit(RLIMIT_CPU, &cpu)) {
		cpu.rlim_cur = (rlim_t)(2 * SECONDS);
		setrlimit(RLIMIT_CPU, &cpu);
	}
	if (!hurry && nice(5) < 0)
		errno = 0;
	evr_die_hook = die_quietly;
	evr_stop_search(""); /* the copy was not stopped */
	if (known && !evr_known_take(known, &error))
		_exit(0);
	evr_probe_init(&p);
	struct evr_engine *e = searched->probe(&evr_rt.world, &p);
	/* Probes have no rounds for nothing if the search has none, and if they know how to do without. */
	evr_rt.world.erases = e && e->ops->erases && searched->erases && evr_rt.config.erase && !evr_robust_wanted();
	if (!evr_rt.world.erases)
		evr_set_clear(&evr_rt.world.futile);
	if (e)
		run_probes(e, &p, fd);
	_exit(0);
}

/* ---- in the search ---- */

void evr_estimate_begin(const struct evr_engine_ops *searched, bool hurry, const char *known)
{
	int ends[2];
	if (begun || !searched || !searched->probe || pipe(ends))
		return;
	begun = true;
	child = _Fork();
	if (!child) {
		close(ends[0]);
		be_child(searched, hurry, ends[1], known);
	}
	close(ends[1]);
	answers = ends[0];
	fcntl(answers, F_SETFD, FD_CLOEXEC);
	fcntl(answers, F_SETFL, O_NONBLOCK);
}

static void bury(void)
{
	if (child > 0)
		waitpid(child, NULL, 0);
	if (answers >= 0)
		close(answers);
	child = 0;
	answers = -1;
}

bool evr_estimate_poll(struct evr_size *s)
{
	struct evr_size answer;
	ssize_t n = -1;
	bool news = false;
	while (answers >= 0 && (n = read(answers, &answer, sizeof(answer))) == sizeof(answer)) {
		*s = answer;
		news = true;
	}
	if (answers >= 0 && (n >= 0 || (errno != EAGAIN && errno != EINTR)))
		bury();
	return news;
}

bool evr_estimate_wait(struct evr_size *s)
{
	struct pollfd p = { .events = POLLIN };
	bool news = false;
	/* The timer interrupts this ten times a second, too. */
	for (int tenths = 0; answers >= 0 && tenths < (news ? ENOUGH_TENTHS : MOST_TENTHS);) {
		p.fd = answers;
		if (poll(&p, 1, 100) <= 0)
			tenths++;
		else
			news |= evr_estimate_poll(s);
	}
	return news;
}

void evr_estimate_end(void)
{
	if (child > 0)
		kill(child, SIGKILL);
	bury();
	begun = false;
}

bool evr_estimate_is_here(void)
{
	return here;
}
