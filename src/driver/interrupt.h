/*
 * Signals that the user sends while checkers run: SIGINT, SIGTERM and SIGHUP ask all of them for what they have, a second one ends
 * them; SIGUSR1 asks how far it is. The pids, which signal handlers need, live in interrupt.c alone.
 */
#ifndef EVR_DRIVER_INTERRUPT_H
#define EVR_DRIVER_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct evr_interrupts {
	struct sigaction old[3], old_question;
};

/* From here on signals go to the checkers; afterwards to whom they went before. Such times may be nested. */
void evr_interrupts_catch(struct evr_interrupts *i);
void evr_interrupts_restore(const struct evr_interrupts *i);

/* fork(); the child gets signals from now on, with the defaults for them, until it is forgotten. */
pid_t evr_interrupts_fork(void);
void evr_interrupts_forget(pid_t pid);
/* Who is asked how far it is; 0: nobody. */
void evr_interrupts_ask(pid_t pid);

/* The user has asked to stop: do not start another run. */
bool evr_interrupted(void);
/* The user has asked how far it is, since the last call. */
bool evr_questioned(void);

#endif
