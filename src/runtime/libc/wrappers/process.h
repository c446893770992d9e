/* The process: how it ends, time, signals, the environment, the machine, and what everett.h offers. */
#ifndef EVR_WRAPPERS_PROCESS_H
#define EVR_WRAPPERS_PROCESS_H

#include "runtime/libc/wrappers/wrapper.h"

#include <getopt.h>
#include <locale.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* program.c: the end of a thread or of the process, and what everett.h offers. */
void evr_libc___assert_fail(const char *assertion, const char *file, unsigned line, const char *function);
void evr_libc___assert_perror_fail(int error, const char *file, unsigned line, const char *function);
void evr_libc_abort(void);
void evr_libc_exit(int status);
void evr_libc__exit(int status);
void evr_libc__Exit(int status);
void evr_libc_quick_exit(int status);
EVR_WRAPPER(atexit);
EVR_WRAPPER(at_quick_exit);
int evr_libc___cxa_at_quick_exit(void (*function)(void *), void *dso);
int evr_libc___cxa_atexit(void (*function)(void *), void *argument, void *dso);
void evr_libc_longjmp(struct __jmp_buf_tag *buffer, int value);
void evr_libc__longjmp(struct __jmp_buf_tag *buffer, int value);
void evr_libc_siglongjmp(struct __jmp_buf_tag *buffer, int value);
void evr_libc_everett_assume(int condition);
unsigned evr_libc_everett_choose(unsigned n);
void evr_libc_everett_loop_bound(unsigned n);
void evr_libc_everett_atomic_begin(void);
void evr_libc_everett_atomic_end(void);
void evr_libc___VERIFIER_atomic_begin(void);
void evr_libc___VERIFIER_atomic_end(void);
void evr_libc___VERIFIER_assert(int condition);
void evr_libc_assume_abort_if_not(int condition);
void evr_libc___VERIFIER_assume(int condition);
_Bool evr_libc___VERIFIER_nondet_bool(void);
_Bool evr_libc___VERIFIER_nondet__Bool(void);
void evr_libc___VERIFIER_loop_bound(unsigned n);
void evr_libc___VERIFIER_error(void);
void evr_libc_reach_error(void);
/* Before an execution, and after its main has returned. */
void evr_main_end(void);

/* By the names that the library's headers or _FORTIFY_SOURCE give them. */
void evr_libc___longjmp_chk(struct __jmp_buf_tag *buffer, int value);

/* time.c */
EVR_WRAPPER(time);
EVR_WRAPPER(clock);
EVR_WRAPPER(clock_gettime);
EVR_WRAPPER(clock_getres);
EVR_WRAPPER(timespec_get);
EVR_WRAPPER(gettimeofday);
EVR_WRAPPER(sleep);
EVR_WRAPPER(usleep);
EVR_WRAPPER(nanosleep);
EVR_WRAPPER(clock_nanosleep);
EVR_WRAPPER(gmtime_r);
EVR_WRAPPER(localtime_r);
EVR_WRAPPER(gmtime);
EVR_WRAPPER(localtime);
EVR_WRAPPER(mktime);
EVR_WRAPPER(timegm);
EVR_WRAPPER(strftime);
EVR_WRAPPER(asctime);
EVR_WRAPPER(asctime_r);
EVR_WRAPPER(ctime_r);
EVR_WRAPPER(ctime);
EVR_WRAPPER(times);
EVR_WRAPPER(clock_getcpuclockid);
EVR_WRAPPER(pthread_getcpuclockid);
EVR_WRAPPER(timelocal);
EVR_WRAPPER(strptime);

/* getopt.c */
EVR_WRAPPER(getopt);
EVR_WRAPPER(getopt_long);

/* misc.c */
EVR_WRAPPER(qsort);
EVR_WRAPPER(qsort_r);
EVR_WRAPPER(bsearch);
EVR_WRAPPER(lfind);
EVR_WRAPPER(lsearch);
EVR_WRAPPER(getpid);
EVR_WRAPPER(getppid);
EVR_WRAPPER(gettid);
EVR_WRAPPER(system);
EVR_WRAPPER(setlocale);

/* environment.c */
EVR_WRAPPER(getenv);
EVR_WRAPPER(secure_getenv);
EVR_WRAPPER(setenv);
EVR_WRAPPER(unsetenv);
EVR_WRAPPER(putenv);
EVR_WRAPPER(clearenv);

/* signal.c */
EVR_WRAPPER(signal);
EVR_WRAPPER(sigaction);
EVR_WRAPPER(sigprocmask);
EVR_WRAPPER(pthread_sigmask);
EVR_WRAPPER(sigemptyset);
EVR_WRAPPER(sigfillset);
EVR_WRAPPER(sigaddset);
EVR_WRAPPER(sigdelset);
EVR_WRAPPER(sigismember);
EVR_WRAPPER(raise);
EVR_WRAPPER(pthread_kill);
int evr_libc_siginterrupt(int number, int flag);
EVR_WRAPPER(sigisemptyset);
EVR_WRAPPER(sigandset);
EVR_WRAPPER(sigorset);
EVR_WRAPPER(sigpending);
EVR_WRAPPER(psignal);

/* machine.c */
EVR_WRAPPER(sched_getcpu);
EVR_WRAPPER(getcpu);
EVR_WRAPPER(sched_setaffinity);
EVR_WRAPPER(sched_getaffinity);
EVR_WRAPPER(pthread_setaffinity_np);
EVR_WRAPPER(pthread_getaffinity_np);
EVR_WRAPPER(__sched_cpucount);
EVR_WRAPPER(pthread_setname_np);
EVR_WRAPPER(pthread_getname_np);
EVR_WRAPPER(prctl);
EVR_WRAPPER(syscall);
EVR_WRAPPER(uname);
EVR_WRAPPER(gethostname);
EVR_WRAPPER(getrusage);

/* system.c */
EVR_WRAPPER(getrlimit);
EVR_WRAPPER(setrlimit);
EVR_WRAPPER(getrlimit64);
EVR_WRAPPER(setrlimit64);
EVR_WRAPPER(getpriority);
EVR_WRAPPER(setpriority);
EVR_WRAPPER(nice);
EVR_WRAPPER(pthread_setschedparam);
EVR_WRAPPER(pthread_setschedprio);
EVR_WRAPPER(pthread_getschedparam);
int evr_libc_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void));
EVR_WRAPPER(getpwuid);
EVR_WRAPPER(getpwnam);

/* fenv.c */
int evr_libc_fesetround(int mode);
int evr_libc_feclearexcept(int which);
int evr_libc_feraiseexcept(int which);
int evr_libc_fetestexcept(int which);

#endif
