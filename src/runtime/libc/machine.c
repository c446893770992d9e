/*
 * The machine and its processors as a program sees them: one processor that all threads run on, names of threads, a few
 * system calls that are asked for by number, and what the program has used so far.
 *
 * Invariant: no answer depends on what the machine is doing: it is fixed, or follows from the thread's own history, or is a
 * variable of the library.
 */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

EVR_REAL(uname);
EVR_REAL(gethostname);
EVR_REAL(sched_getaffinity);

/* Processors. */

int evr_libc_sched_getcpu(void)
{
	return 0;
}

int evr_libc_getcpu(unsigned *processor, unsigned *node)
{
	const struct evr_site *site = evr_call_site;
	if (processor)
		evr_access_store((uintptr_t)processor, sizeof(*processor), 0, site);
	if (node)
		evr_access_store((uintptr_t)node, sizeof(*node), 0, site);
	return 0;
}

static void read_set(const cpu_set_t *set, size_t size, const struct evr_site *site)
{
	cpu_set_t copy;
	evr_access_look(&copy, set, size < sizeof(copy) ? size : sizeof(copy), site);
}

/* Those of the machine, whichever the program has asked for: a thread that asks how many it may use gets an answer. */
static int write_set(cpu_set_t *set, size_t size, const struct evr_site *site)
{
	cpu_set_t all;
	CPU_ZERO(&all);
	if (sched_getaffinity(0, sizeof(all), &all))
		return errno;
	evr_access_write(set, &all, size < sizeof(all) ? size : sizeof(all), site);
	return 0;
}

int evr_libc_sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	(void)pid;
	read_set(set, size, evr_call_site);
	return 0;
}

int evr_libc_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	(void)pid;
	int error = write_set(set, size, evr_call_site);
	errno = error ? error : errno;
	return error ? -1 : 0;
}

int evr_libc_pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
	(void)thread;
	read_set(set, size, evr_call_site);
	return 0;
}

int evr_libc_pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set)
{
	(void)thread;
	return write_set(set, size, evr_call_site);
}

/* CPU_COUNT() */
int evr_libc___sched_cpucount(size_t size, const cpu_set_t *set)
{
	const struct evr_site *site = evr_call_site;
	int n = 0;
	for (size_t i = 0; i < size; i += sizeof(uint64_t))
		for (uint64_t word = (uint64_t)evr_access_load((uintptr_t)set + i, sizeof(word), site); word; n++)
			word &= word - 1;
	return n;
}

/* Names of threads: a variable of the library, that the system reads and writes as a whole. */

#define NAME_SIZE sizeof(evr_library.thread_names[0])

static int set_name(unsigned id, const char *name, const struct evr_site *site)
{
	struct evr_text t;
	evr_value value = 0;
	evr_text_copy(&t, name, site);
	size_t n = t.len;
	memcpy(&value, t.data, n < NAME_SIZE ? n : NAME_SIZE - 1);
	evr_text_release(&t);
	memcpy(evr_rt.threads[id]->name, &value, NAME_SIZE);
	evr_rt.threads[id]->changed = true;
	evr_access_store((uintptr_t)evr_library.thread_names[id], NAME_SIZE, value, evr_atomic_site(site));
	return n < NAME_SIZE ? 0 : ERANGE;
}

static void get_name(unsigned id, char name[static 16], const struct evr_site *site)
{
	evr_value value = evr_access_load((uintptr_t)evr_library.thread_names[id], NAME_SIZE, evr_atomic_site(site));
	memcpy(name, &value, NAME_SIZE);
	if (name[0])
		return;
	const char *path = evr_rt.argc ? evr_rt.argv[0] : "", *slash = strrchr(path, '/');
	snprintf(name, NAME_SIZE, "%s", slash ? slash + 1 : path);
}

/* The number of a thread, or -1. A pthread_t is one more than that (thread.c). */
static int thread_number(pthread_t thread)
{
	return thread && thread <= evr_rt.world.threads ? (int)thread - 1 : -1;
}

int evr_libc_pthread_setname_np(pthread_t thread, const char *name)
{
	const struct evr_site *site = evr_call_site;
	int id = thread_number(thread);
	if (id < 0)
		return ESRCH;
	struct evr_text t;
	evr_text_copy(&t, name, site);
	size_t n = t.len;
	evr_text_release(&t);
	/* Unlike prctl(), this one does not cut a name. */
	return n < NAME_SIZE ? set_name((unsigned)id, name, site) : ERANGE;
}

int evr_libc_pthread_getname_np(pthread_t thread, char *to, size_t size)
{
	const struct evr_site *site = evr_call_site;
	char name[16];
	int id = thread_number(thread);
	if (id < 0)
		return ESRCH;
	get_name((unsigned)id, name, site);
	if (size <= strlen(name))
		return ERANGE;
	evr_access_write_text(to, name, strlen(name) + 1, site);
	return 0;
}

int evr_libc_prctl(int option, ...)
{
	const struct evr_site *site = evr_call_site;
	va_list args;
	va_start(args, option);
	char *p = va_arg(args, char *);
	va_end(args);
	char name[16] = "";
	switch (option) {
	case PR_SET_NAME:
		set_name(evr_current->id, p, site);
		return 0;
	case PR_GET_NAME:
		get_name(evr_current->id, name, site);
		evr_access_write_text(p, name, sizeof(name), site);
		return 0;
	default:
		evr_unsupported(site, "prctl(%d) is not supported", option);
	}
}

/* System calls by number. */

long evr_libc_syscall(long number, ...)
{
	va_list args;
	va_start(args, number);
	void *first = va_arg(args, void *);
	size_t second = va_arg(args, size_t);
	unsigned third = va_arg(args, unsigned);
	const struct timespec *fourth = va_arg(args, const struct timespec *);
	(void)va_arg(args, void *);
	unsigned sixth = va_arg(args, unsigned);
	va_end(args);
	switch (number) {
	case SYS_getrandom:
		return evr_libc_getrandom(first, second, third);
	case SYS_gettid:
		return evr_libc_gettid();
	case SYS_getpid:
		return evr_libc_getpid();
	case SYS_sched_yield:
		return evr_libc_sched_yield();
	case SYS_futex:
		return evr_futex(&(struct evr_futex_call){ (uintptr_t)first, (int)second, third, fourth, sixth },
				 evr_call_site);
	case SYS_membarrier:
		evr_unsupported(evr_call_site, "the system call 'membarrier' is not supported");
	default:
		evr_unsupported(evr_call_site, "the system call %ld is not supported", number);
	}
}

/* The machine, and what was used of it. */

int evr_libc_uname(struct utsname *to)
{
	const struct evr_site *site = evr_call_site;
	struct utsname u;
	if (uname(&u))
		return -1;
	evr_access_write_text(to, &u, sizeof(u), site);
	return 0;
}

int evr_libc_gethostname(char *to, size_t size)
{
	const struct evr_site *site = evr_call_site;
	char name[256] = "";
	gethostname(name, sizeof(name) - 1);
	size_t n = strlen(name);
	evr_access_write_text(to, name, n < size ? n + 1 : size, site);
	errno = n < size ? errno : ENAMETOOLONG;
	return n < size ? 0 : -1;
}

int evr_libc_getrusage(__rusage_who_t who, struct rusage *to)
{
	const struct evr_site *site = evr_call_site;
	struct rusage used = { 0 };
	(void)who;
	struct timespec t = evr_time_used();
	used.ru_utime = (struct timeval){ t.tv_sec, t.tv_nsec / 1000 };
	evr_access_write(to, &used, sizeof(used), site);
	return 0;
}
