#include "driver/interrupt.h"

#include "base/base.h"

#include <unistd.h>

static const int forwarded[] = { SIGINT, SIGTERM, SIGHUP };

static volatile sig_atomic_t interrupts, questions;
static volatile pid_t children[32], asked; /* more than there are models; 0: a free place */

bool evr_interrupted(void)
{
	return interrupts > 0;
}

bool evr_questioned(void)
{
	bool any = questions;
	questions = 0;
	return any;
}

/* The first one asks the checkers for what they have, the second one ends them. */
static void forward(int number)
{
	(void)number;
	interrupts = interrupts + 1;
	for (size_t i = 0; i < EVR_COUNT(children); i++)
		if (children[i] > 0)
			kill(children[i], interrupts == 1 ? SIGINT : SIGKILL);
}

static void forward_question(int number)
{
	questions = 1;
	if (asked > 0)
		kill(asked, number);
}

void evr_interrupts_catch(struct evr_interrupts *i)
{
	struct sigaction action = { .sa_handler = forward };
	_Static_assert(EVR_COUNT(forwarded) == EVR_COUNT(i->old), "one for each");
	sigemptyset(&action.sa_mask);
	for (size_t k = 0; k < EVR_COUNT(forwarded); k++)
		sigaction(forwarded[k], &action, &i->old[k]);
	action.sa_handler = forward_question;
	action.sa_flags = SA_RESTART;
	sigaction(SIGUSR1, &action, &i->old_question);
}

void evr_interrupts_restore(const struct evr_interrupts *i)
{
	for (size_t k = 0; k < EVR_COUNT(forwarded); k++)
		sigaction(forwarded[k], &i->old[k], NULL);
	sigaction(SIGUSR1, &i->old_question, NULL);
}

static void remember(pid_t pid)
{
	for (size_t i = 0; i < EVR_COUNT(children); i++) {
		if (!children[i]) {
			children[i] = pid;
			return;
		}
	}
	evr_bug("too many checkers at once");
}

/* The child is known to the handler before the handler can run. */
pid_t evr_interrupts_fork(void)
{
	sigset_t block, before;
	sigemptyset(&block);
	for (size_t i = 0; i < EVR_COUNT(forwarded); i++)
		sigaddset(&block, forwarded[i]);
	sigaddset(&block, SIGUSR1);
	sigprocmask(SIG_BLOCK, &block, &before);
	pid_t pid = fork();
	for (size_t i = 0; !pid && i < EVR_COUNT(forwarded); i++)
		signal(forwarded[i], SIG_DFL);
	if (pid > 0)
		remember(pid);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

void evr_interrupts_forget(pid_t pid)
{
	for (size_t i = 0; i < EVR_COUNT(children); i++)
		if (children[i] == pid)
			children[i] = 0;
	if (asked == pid)
		asked = 0;
}

void evr_interrupts_ask(pid_t pid)
{
	asked = pid;
}
