// Handlers of signals, which raise() calls; and sets of signals.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t seen;

static void first(int number)
{
	seen = number;
}

static void second(int number)
{
	seen = -number;
}

static void handlers(void)
{
	struct sigaction action, old;
	assert(signal(SIGUSR1, first) == SIG_DFL && raise(SIGUSR1) == 0 && seen == SIGUSR1);
	assert(signal(SIGUSR1, second) == first && raise(SIGUSR1) == 0 && seen == -SIGUSR1);
	assert(signal(SIGUSR1, SIG_IGN) == second && raise(SIGUSR1) == 0 && signal(SIGUSR1, SIG_DFL) == SIG_IGN);
	memset(&action, 0, sizeof(action));
	action.sa_handler = first;
	action.sa_flags = SA_RESETHAND;
	sigemptyset(&action.sa_mask);
	assert(sigaction(SIGUSR2, &action, NULL) == 0 && raise(SIGUSR2) == 0 && seen == SIGUSR2);
	assert(sigaction(SIGUSR2, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
	assert(signal(SIGKILL, first) == SIG_ERR && errno == EINVAL && sigaction(99, &action, NULL) == -1);
	assert(raise(SIGURG) == 0 && raise(1000) == -1);
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
	assert(siginterrupt(SIGUSR1, 1) == 0);
	psignal(SIGINT, "psignal");
	psignal(SIGTERM, NULL);
}

static void sets(void)
{
	sigset_t a, b, c;
	sigemptyset(&a);
	sigfillset(&b);
	assert(sigisemptyset(&a) == 1 && sigisemptyset(&b) == 0);
	assert(sigaddset(&a, SIGINT) == 0 && sigismember(&a, SIGINT) == 1 && sigismember(&a, SIGHUP) == 0);
	assert(sigdelset(&b, SIGINT) == 0 && sigismember(&b, SIGINT) == 0 && sigaddset(&a, 0) == -1);
	assert(sigandset(&c, &a, &b) == 0 && sigisemptyset(&c) && sigorset(&c, &a, &b) == 0 && sigismember(&c, SIGINT));
	assert(sigpending(&c) == 0 && sigisemptyset(&c));
	assert(sigprocmask(SIG_BLOCK, &a, NULL) == 0 && pthread_sigmask(SIG_UNBLOCK, &a, NULL) == 0);
	assert(!strcmp(strsignal(SIGSEGV), "Segmentation fault"));
}

int main(void)
{
	handlers();
	sets();
	return 0;
}
