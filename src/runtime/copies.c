/* Processes that are copies of this one: how they begin, and what becomes of what they have found. */
#include "runtime/copies.h"

#include "runtime/runtime.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
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
