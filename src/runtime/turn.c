#include "runtime/turn.h"

#include "runtime/runtime.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <time.h>

static EVR_LASTING volatile double paused;
static EVR_LASTING volatile sig_atomic_t held, wanted; /* a pause must wait; and does so */

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/*
 * The state of the fd counts, not how often a signal came: signals can be lost or late, and one that comes when it is the
 * checker's turn again is none.
 */
static void pause_until_turn(void)
{
	int error = errno;
	double began = now();
	struct pollfd turn = { .fd = evr_rt.config.turn_fd, .events = POLLIN };
	while (poll(&turn, 1, -1) < 0 && errno == EINTR)
		;
	paused = paused + (now() - began);
	errno = error;
}

static void on_pause(int number)
{
	(void)number;
	if (held)
		wanted = 1;
	else
		pause_until_turn();
}

void evr_turn_init(void)
{
	struct sigaction pause = { .sa_handler = on_pause, .sa_flags = SA_RESTART | SA_ONSTACK };
	sigset_t set;
	if (evr_rt.config.turn_fd < 0)
		return;
	/* Neither the timer nor a question changes anything until the checker goes on. */
	sigfillset(&pause.sa_mask);
	sigaction(SIGUSR2, &pause, NULL);
	/* The driver has blocked it until somebody listens. */
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

double evr_turn_paused(void)
{
	return paused;
}

void evr_turn_hold(void)
{
	held = 1;
}

void evr_turn_release(void)
{
	held = 0;
	if (wanted) {
		wanted = 0;
		pause_until_turn();
	}
}
