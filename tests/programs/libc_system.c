// What the system keeps for the process: limits, priorities, users; signals to oneself; joins with a time limit.
// executions: sc/rf:3 tso/traces:3 rc11/rf:3
// finding: none
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int caught;

static void on_signal(int number)
{
	caught = number;
}

static void fork_handler(void)
{
	assert(!"nobody forks");
}

static void limits(void)
{
	struct rlimit limit, again;
	struct rlimit64 wide;
	assert(getrlimit(RLIMIT_STACK, &limit) == 0 && getrlimit64(RLIMIT_STACK, &wide) == 0);
	assert(limit.rlim_cur == wide.rlim_cur && limit.rlim_max == wide.rlim_max);
	limit.rlim_cur = limit.rlim_cur == RLIM_INFINITY ? 1 << 23 : limit.rlim_cur / 2;
	assert(setrlimit(RLIMIT_STACK, &limit) == 0 && getrlimit(RLIMIT_STACK, &again) == 0);
	assert(again.rlim_cur == limit.rlim_cur && again.rlim_max == limit.rlim_max);
	wide.rlim_cur = wide.rlim_max;
	assert(setrlimit64(RLIMIT_STACK, &wide) == 0 && getrlimit(RLIMIT_STACK, &again) == 0 && again.rlim_cur == wide.rlim_max);
	assert(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	limit.rlim_cur = 2, limit.rlim_max = 1;
	assert(setrlimit(RLIMIT_NOFILE, &limit) == -1 && errno == EINVAL);
	assert(getrlimit((__rlimit_resource_t)1000, &limit) == -1 && errno == EINVAL);
}

static void priorities(void)
{
	struct sched_param param = { .sched_priority = 0 };
	int policy;
	assert(setpriority(PRIO_PROCESS, 0, 3) == 0 && getpriority(PRIO_PROCESS, 0) == 3 && nice(2) == 5);
	assert(pthread_getschedparam(pthread_self(), &policy, &param) == 0 && policy == SCHED_OTHER && param.sched_priority == 0);
	assert(pthread_setschedparam(pthread_self(), SCHED_BATCH, &param) == 0);
	assert(pthread_getschedparam(pthread_self(), &policy, &param) == 0 && policy == SCHED_BATCH);
	assert(pthread_setschedprio(pthread_self(), 0) == 0 && pthread_setschedprio(pthread_self(), 1) == EINVAL);
	param.sched_priority = 1;
	assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &param) == EINVAL);
}

static void users(void)
{
	char bytes[16] = "";
	assert(getuid() == geteuid() && getgid() == getegid());
	struct passwd *own = getpwuid(getuid());
	if (own) /* it need not have an entry */
		assert(own->pw_uid == getuid() && own->pw_name[0] && own->pw_dir[0] == '/' && strlen(own->pw_passwd) < 2 &&
		       own->pw_shell[0]);
	assert(!getpwnam("nobody of this name") && !getpwuid(123456789));
	assert(syscall(SYS_getrandom, bytes, sizeof(bytes), 0) == sizeof(bytes));
}

static void signals(void)
{
	assert(pthread_kill(pthread_self(), 0) == 0 && pthread_kill(pthread_self(), 1000) == EINVAL);
	signal(SIGUSR1, on_signal);
	assert(pthread_kill(pthread_self(), SIGUSR1) == 0 && caught == SIGUSR1);
}

static void within(pthread_t thread, const char *local, int state)
{
	pthread_attr_t attr;
	void *lowest;
	size_t size;
	int found;
	assert(pthread_getattr_np(thread, &attr) == 0 && pthread_attr_getstack(&attr, &lowest, &size) == 0);
	assert((const char *)lowest <= local && local < (const char *)lowest + size);
	assert(pthread_attr_getdetachstate(&attr, &found) == 0 && found == state && pthread_attr_destroy(&attr) == 0);
}

static void *detached(void *unused)
{
	char local = 1;
	pthread_detach(pthread_self());
	within(pthread_self(), &local, PTHREAD_CREATE_DETACHED);
	pthread_exit(unused);
}

static void attributes(void)
{
	char local = 1;
	pthread_t thread;
	pthread_attr_t attr;
	static char stack[1 << 16];
	void *lowest;
	size_t size;
	within(pthread_self(), &local, PTHREAD_CREATE_JOINABLE);
	assert(pthread_attr_init(&attr) == 0 && pthread_attr_setstack(&attr, stack, sizeof(stack)) == 0);
	assert(pthread_attr_getstack(&attr, &lowest, &size) == 0 && lowest == stack && size == sizeof(stack));
	assert(pthread_attr_setstack(&attr, stack, 1) == EINVAL);
	pthread_attr_destroy(&attr);
	pthread_create(&thread, NULL, detached, NULL);
}

static void *returns(void *argument)
{
	return argument;
}

static void joins(void)
{
	struct timespec soon;
	pthread_t a, b;
	void *result;
	int ways = 0;
	pthread_create(&a, NULL, returns, &ways);
	assert(pthread_timedjoin_np(a, &result, NULL) == 0 && result == &ways);
	pthread_create(&b, NULL, returns, NULL);
	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec += 1000;
	if (pthread_tryjoin_np(b, &result) == EBUSY && pthread_timedjoin_np(b, &result, &soon) == ETIMEDOUT)
		assert(pthread_clockjoin_np(b, &result, CLOCK_MONOTONIC, NULL) == 0);
	assert(result == NULL);
	assert(pthread_tryjoin_np(pthread_self(), NULL) == EBUSY);
}

int main(void)
{
	assert(pthread_atfork(fork_handler, fork_handler, NULL) == 0);
	limits();
	priorities();
	users();
	signals();
	attributes();
	joins();
	puts("end");
	return 0;
}
