// The machine, processors, names of threads, system calls by number.
// executions: sc/rf:1 tso/traces:1 ra/rf:1
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

static void *named(void *unused)
{
	char name[16];
	assert(pthread_setname_np(pthread_self(), "worker") == 0 && prctl(PR_GET_NAME, name) == 0 &&
	       !strcmp(name, "worker"));
	return unused;
}

static void processors(void)
{
	cpu_set_t set;
	unsigned processor, node;
	assert(sched_getcpu() >= 0 && getcpu(&processor, &node) == 0 && sched_getaffinity(0, sizeof(set), &set) >= 0);
	int n = CPU_COUNT(&set);
	assert(n > 0 && sched_setaffinity(0, sizeof(set), &set) == 0);
	assert(pthread_getaffinity_np(pthread_self(), sizeof(set), &set) == 0 && CPU_COUNT(&set) == n);
	assert(pthread_setaffinity_np(pthread_self(), sizeof(set), &set) == 0 && sysconf(_SC_NPROCESSORS_CONF) > 0);
}

static void names(void)
{
	char name[16];
	pthread_t thread;
	assert(pthread_getname_np(pthread_self(), name, sizeof(name)) == 0 && name[0]);
	assert(prctl(PR_SET_NAME, "cut off after sixteen") == 0 && prctl(PR_GET_NAME, name) == 0);
	puts(name);
	assert(pthread_setname_np(pthread_self(), "much longer than that") == ERANGE);
	assert(pthread_setname_np(pthread_self(), "main") == 0 &&
	       pthread_getname_np(pthread_self(), name, 2) == ERANGE);
	assert(pthread_getname_np(pthread_self(), name, sizeof(name)) == 0);
	puts(name);
	pthread_create(&thread, NULL, named, NULL);
	pthread_join(thread, NULL);
	assert(prctl(PR_GET_NAME, name) == 0);
	puts(name);
}

int main(void)
{
	struct utsname u;
	struct rlimit limit;
	struct rusage used;
	char host[256];
	processors();
	names();
	assert(uname(&u) == 0 && u.sysname[0] && gethostname(host, sizeof(host)) == 0 && !strcmp(host, u.nodename));
	assert(gethostname(host, 0) == -1 || !*host);
	assert(getrlimit(RLIMIT_STACK, &limit) == 0 && getrusage(RUSAGE_SELF, &used) == 0 && used.ru_utime.tv_sec >= 0);
	assert(syscall(SYS_gettid) == gettid() && syscall(SYS_getpid) == getpid() && syscall(SYS_sched_yield) == 0);
	return 0;
}
