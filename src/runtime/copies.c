/* Processes that are copies of this one: how they begin, and what becomes of what they have found. */
#include "runtime/copies.h"

#include "runtime/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double evr_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

pid_t evr_copy_process(int *fd)
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

bool evr_copy_start(struct evr_copy *c)
{
	c->pid = evr_copy_process(&c->fd);
	if (!c->pid)
		return true;
	fcntl(c->fd, F_SETFL, O_NONBLOCK);
	c->heard = evr_result_new("", "");
	evr_strbuf_init(&c->line);
	return false;
}

/* Remarks are for those who wait for the search, and come from that. */
static bool is_remark(const char *line)
{
	return !strncmp(line, "hint\t", 5) || !strncmp(line, "note\t", 5);
}

static void take(struct evr_copy *c, const char *block, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (block[i] != '\n') {
			evr_strbuf_putc(&c->line, block[i]);
			continue;
		}
		if (!is_remark(c->line.text) && evr_wire_line(c->heard, c->line.text) < 0)
			evr_die("a copy of the checker sent an invalid record: %.60s", c->line.text);
		evr_strbuf_clear(&c->line);
	}
}

bool evr_copy_poll(struct evr_copy *c)
{
	char block[65536];
	ssize_t n;
	while ((n = read(c->fd, block, sizeof(block))) > 0)
		take(c, block, (size_t)n);
	return n == 0 || (errno != EAGAIN && errno != EINTR);
}

void evr_copy_end(struct evr_copy *c)
{
	if (c->fd < 0)
		return;
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(c->fd);
	c->fd = -1;
	evr_strbuf_release(&c->line);
	evr_result_free(c->heard);
}

void evr_copy_begin(int fd)
{
	struct itimerval every = { { 0, 100000 }, { 0, 100000 } };
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	signal(SIGUSR1, SIG_IGN);
	setitimer(ITIMER_REAL, &every, NULL);
	evr_rt.config.fd = fd;
	evr_rt.config.timeout = 0;
	evr_rt.config.estimate = false;
}

void evr_take_over_findings(struct evr_result *r, struct evr_result *heard)
{
	for (size_t i = 0; i < heard->findings.len; i++) {
		struct evr_result_finding *f = &heard->findings.data[i];
		if (evr_finding_under(r, f)) {
			evr_result_free_finding(f);
			continue;
		}
		/* On the wire, a place that is not there is an empty one. */
		if (f->other && !*f->other) {
			free(f->other);
			f->other = NULL;
		}
		evr_vec_push(&r->findings, *f);
		evr_wire_finding(evr_rt.config.fd, f);
	}
	evr_vec_clear(&heard->findings);
}
