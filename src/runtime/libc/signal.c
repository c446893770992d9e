/*
 * Signals. None arrives from outside, and those that the program raises itself are delivered there and then: raise() calls
 * the handler. Who has installed which is a variable of the library, changed atomically like the system does.
 */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

EVR_REAL(sigemptyset);
EVR_REAL(sigfillset);
EVR_REAL(sigaddset);
EVR_REAL(sigdelset);
EVR_REAL(sigismember);
EVR_REAL(sigisemptyset);
EVR_REAL(sigandset);
EVR_REAL(sigorset);

/* What a set needs for the signals that exist; the rest of a sigset_t is never touched. */
#define SET_BYTES (EVR_SIGNALS / 8)

static bool catchable(int number)
{
	if (number > 0 && number < EVR_SIGNALS && number != SIGKILL && number != SIGSTOP)
		return true;
	errno = EINVAL;
	return false;
}

/* What is installed, as one value: the handler below, its flags above. SIG_DFL is 0. */
static evr_value exchange(int number, evr_value action, const struct evr_site *site)
{
	return evr_access_rmw((uintptr_t)&evr_library.handlers[number], sizeof(evr_library.handlers[0]), action,
			      EVR_RMW_XCHG, evr_atomic_site(site));
}

static evr_value installed(int number, const struct evr_site *site)
{
	return evr_access_load((uintptr_t)&evr_library.handlers[number], sizeof(evr_library.handlers[0]),
			       evr_atomic_site(site));
}

void (*evr_libc_signal(int number, void (*handler)(int)))(int)
{
	if (!catchable(number))
		return SIG_ERR;
	evr_value action = (uintptr_t)handler | (evr_value)SA_RESTART << 64;
	return (void (*)(int))(uintptr_t)exchange(number, action, evr_call_site);
}

int evr_libc_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	const struct evr_site *site = evr_call_site;
	struct sigaction was = { 0 };
	if (!catchable(number))
		return -1;
	evr_value before;
	if (action) {
		void (*handler)(int) = (void (*)(int))(uintptr_t)evr_access_load((uintptr_t)&action->sa_handler,
										 sizeof(handler), site);
		unsigned flags = (unsigned)evr_access_load((uintptr_t)&action->sa_flags, sizeof(flags), site);
		before = exchange(number, (uintptr_t)handler | (evr_value)flags << 64, site);
	} else {
		before = installed(number, site);
	}
	was.sa_handler = (void (*)(int))(uintptr_t)before;
	was.sa_flags = (int)(before >> 64);
	if (old)
		evr_access_write(old, &was, sizeof(was), site);
	return 0;
}

int evr_libc_siginterrupt(int number, int flag)
{
	(void)flag;
	return catchable(number) ? 0 : -1;
}

static int no_mask(int how, const sigset_t *set, sigset_t *old, const struct evr_site *site)
{
	sigset_t none = { 0 };
	if (set) {
		evr_access_look(&none, set, SET_BYTES, site);
		evr_execution.signals_masked =
			evr_execution.signals_masked || (how != SIG_UNBLOCK && !sigisemptyset(&none));
	}
	sigemptyset(&none);
	if (old)
		evr_access_write(old, &none, SET_BYTES, site);
	return 0;
}

int evr_libc_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	return no_mask(how, set, old, evr_call_site);
}

int evr_libc_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	return no_mask(how, set, old, evr_call_site);
}

int evr_libc_sigemptyset(sigset_t *set)
{
	sigset_t value = { 0 };
	sigemptyset(&value);
	evr_access_write(set, &value, SET_BYTES, evr_call_site);
	return 0;
}

int evr_libc_sigfillset(sigset_t *set)
{
	sigset_t value = { 0 };
	sigfillset(&value);
	evr_access_write(set, &value, SET_BYTES, evr_call_site);
	return 0;
}

static int change_set(sigset_t *set, int number, int (*change)(sigset_t *, int), const struct evr_site *site)
{
	sigset_t value = { 0 };
	evr_access_look(&value, set, SET_BYTES, site);
	int result = change(&value, number);
	evr_access_write(set, &value, SET_BYTES, site);
	return result;
}

int evr_libc_sigaddset(sigset_t *set, int number)
{
	return change_set(set, number, sigaddset, evr_call_site);
}

int evr_libc_sigdelset(sigset_t *set, int number)
{
	return change_set(set, number, sigdelset, evr_call_site);
}

int evr_libc_sigismember(const sigset_t *set, int number)
{
	sigset_t value = { 0 };
	evr_access_look(&value, set, SET_BYTES, evr_call_site);
	return sigismember(&value, number);
}

int evr_libc_sigisemptyset(const sigset_t *set)
{
	sigset_t value = { 0 };
	evr_access_look(&value, set, SET_BYTES, evr_call_site);
	return sigisemptyset(&value);
}

static int combine(sigset_t *to, const sigset_t *a, const sigset_t *b,
		   int (*real)(sigset_t *, const sigset_t *, const sigset_t *), const struct evr_site *site)
{
	sigset_t x = { 0 }, y = { 0 }, result = { 0 };
	evr_access_look(&x, a, SET_BYTES, site);
	evr_access_look(&y, b, SET_BYTES, site);
	real(&result, &x, &y);
	evr_access_write(to, &result, SET_BYTES, site);
	return 0;
}

int evr_libc_sigandset(sigset_t *to, const sigset_t *a, const sigset_t *b)
{
	return combine(to, a, b, sigandset, evr_call_site);
}

int evr_libc_sigorset(sigset_t *to, const sigset_t *a, const sigset_t *b)
{
	return combine(to, a, b, sigorset, evr_call_site);
}

/* A signal that waits because it is blocked would have been raised, which is refused. */
int evr_libc_sigpending(sigset_t *set)
{
	return evr_libc_sigemptyset(set);
}

/* What the signal does if nobody handles it. */
static int by_default(int number, const struct evr_site *site)
{
	switch (number) {
	case SIGCHLD:
	case SIGCONT:
	case SIGURG:
	case SIGWINCH:
		return 0;
	case SIGABRT:
		evr_fail("abort", site, "raise(SIGABRT) was called");
	case SIGPIPE:
	case SIGSEGV:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
		evr_fail("crash", site, "raise: %s", sigdescr_np(number));
	default:
		evr_unsupported(site, "raise(%d) without a handler is not supported: it ends the process", number);
	}
}

static int raise_here(int number, const struct evr_site *site)
{
	if (number <= 0 || number >= EVR_SIGNALS) {
		errno = EINVAL;
		return -1;
	}
	evr_value action = installed(number, site);
	void (*handler)(int) = (void (*)(int))(uintptr_t)action;
	unsigned flags = (unsigned)(action >> 64);
	if (evr_execution.signals_masked)
		evr_unsupported(site, "raise(%d) in a program that blocks signals is not supported", number);
	if (handler == SIG_IGN)
		return 0;
	if (handler == SIG_DFL)
		return by_default(number, site);
	if (flags & SA_SIGINFO)
		evr_unsupported(site, "raise(%d) with a handler that takes a siginfo_t is not supported", number);
	if (flags & SA_RESETHAND)
		exchange(number, 0, site);
	evr_call_pointer((void *)(uintptr_t)handler, (void *)(uintptr_t)site);
	handler(number);
	return 0;
}

int evr_libc_raise(int number)
{
	return raise_here(number, evr_call_site);
}

/* To oneself it is raise(). When a signal would arrive at another thread is not explored. */
int evr_libc_pthread_kill(pthread_t thread, int number)
{
	const struct evr_site *site = evr_call_site;
	if (!thread || thread > evr_rt.world.threads || evr_rt.threads[thread - 1]->state == EVR_UNUSED)
		return ESRCH;
	if (number < 0 || number >= EVR_SIGNALS)
		return EINVAL;
	if (number && evr_rt.threads[thread - 1] != evr_current)
		evr_unsupported(site, "pthread_kill(%d) to another thread is not supported", number);
	return number ? raise_here(number, site) : 0;
}

void evr_libc_psignal(int number, const char *s)
{
	const struct evr_site *site = evr_call_site;
	const char *known = sigdescr_np(number);
	struct evr_text t;
	evr_text_init(&t);
	if (s)
		evr_text_string(&t, s, SIZE_MAX, site);
	if (t.len)
		evr_text_add(&t, ": ", 2);
	known = known ? known : "Unknown signal";
	evr_text_add(&t, known, strlen(known));
	evr_text_add(&t, "\n", 1);
	evr_file_write(evr_file_of(stderr, "psignal", site), t.data, t.len);
	evr_text_release(&t);
}
