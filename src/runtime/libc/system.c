/*
 * What the system keeps for a process: limits, priorities, who it belongs to. Nothing of it changes how Everett runs the program;
 * what the program sets it can read back.
 *
 * Invariant: as in machine.c, no answer depends on what the machine is doing. Limits are those that the checker was started with,
 * until the program sets others.
 */
#include "runtime/libc/libc.h"
#include "runtime/libc/wrappers.h"

#include <errno.h>
#include <pthread.h>
#include <pwd.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

EVR_REAL(getrlimit);

/* Limits. Kept as what differs from the real ones, so that zeros are a process that has set none. */

static int get_limit(unsigned resource, struct rlimit *limit, const struct evr_site *site)
{
	evr_value kept;
	uint64_t words[2];
	if (resource >= EVR_COUNT(evr_library.limits)) {
		errno = EINVAL;
		return -1;
	}
	if (getrlimit((__rlimit_resource_t)resource, limit))
		return -1;
	kept = evr_access_load((uintptr_t)&evr_library.limits[resource], sizeof(kept), evr_atomic_site(site));
	memcpy(words, &kept, sizeof(words));
	limit->rlim_cur ^= words[0];
	limit->rlim_max ^= words[1];
	return 0;
}

static int set_limit(unsigned resource, const struct rlimit *limit, const struct evr_site *site)
{
	struct rlimit real, now;
	evr_value kept;
	if (get_limit(resource, &now, site))
		return -1;
	if (limit->rlim_cur > limit->rlim_max || limit->rlim_max > now.rlim_max) {
		errno = limit->rlim_cur > limit->rlim_max ? EINVAL : EPERM;
		return -1;
	}
	getrlimit((__rlimit_resource_t)resource, &real);
	uint64_t words[2] = { real.rlim_cur ^ limit->rlim_cur, real.rlim_max ^ limit->rlim_max };
	memcpy(&kept, words, sizeof(kept));
	evr_access_store((uintptr_t)&evr_library.limits[resource], sizeof(kept), kept, evr_atomic_site(site));
	return 0;
}

int evr_libc_getrlimit(__rlimit_resource_t resource, struct rlimit *to)
{
	const struct evr_site *site = evr_call_site;
	struct rlimit limit;
	if (get_limit((unsigned)resource, &limit, site))
		return -1;
	evr_access_write(to, &limit, sizeof(limit), site);
	return 0;
}

int evr_libc_setrlimit(__rlimit_resource_t resource, const struct rlimit *from)
{
	const struct evr_site *site = evr_call_site;
	struct rlimit limit;
	evr_access_look(&limit, from, sizeof(limit), site);
	return set_limit((unsigned)resource, &limit, site);
}

/* On 64-bit machines these are the same under another name. */
_Static_assert(sizeof(struct rlimit64) == sizeof(struct rlimit), "limits of 64 bits");

int evr_libc_getrlimit64(__rlimit_resource_t resource, struct rlimit64 *to)
{
	return evr_libc_getrlimit(resource, (struct rlimit *)to);
}

int evr_libc_setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *from)
{
	return evr_libc_setrlimit(resource, (const struct rlimit *)from);
}

/* Priorities, which order nothing: any thread may come next all the same. */

int evr_libc_getpriority(__priority_which_t which, id_t who)
{
	(void)which;
	(void)who;
	return (int)evr_access_load((uintptr_t)&evr_library.priority, sizeof(evr_library.priority),
				    evr_atomic_site(evr_call_site));
}

int evr_libc_setpriority(__priority_which_t which, id_t who, int priority)
{
	(void)which;
	(void)who;
	int within = priority < -20 ? -20 : priority > 19 ? 19 : priority;
	evr_access_store((uintptr_t)&evr_library.priority, sizeof(evr_library.priority), (unsigned)within,
			 evr_atomic_site(evr_call_site));
	return 0;
}

int evr_libc_nice(int more)
{
	int now = evr_libc_getpriority(PRIO_PROCESS, 0) + more;
	evr_libc_setpriority(PRIO_PROCESS, 0, now);
	return now < -20 ? -20 : now > 19 ? 19 : now;
}

static bool is_thread(pthread_t thread)
{
	return thread && thread <= evr_rt.world.threads && evr_rt.threads[thread - 1]->state != EVR_UNUSED;
}

/* The policy below, the priority above: one variable for each thread. */
static int set_scheduling(pthread_t thread, int policy, int priority, const struct evr_site *site)
{
	bool real_time = policy == SCHED_FIFO || policy == SCHED_RR;
	bool other = policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE;
	if (!is_thread(thread))
		return ESRCH;
	if ((!real_time && !other) || (real_time ? priority < 1 || priority > 99 : priority != 0))
		return EINVAL;
	evr_access_store((uintptr_t)&evr_library.scheduling[thread - 1], sizeof(uint64_t),
			 (uint64_t)(unsigned)priority << 32 | (unsigned)policy, evr_atomic_site(site));
	return 0;
}

static uint64_t scheduling(pthread_t thread, const struct evr_site *site)
{
	return (uint64_t)evr_access_load((uintptr_t)&evr_library.scheduling[thread - 1], sizeof(uint64_t),
					 evr_atomic_site(site));
}

int evr_libc_pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *param)
{
	const struct evr_site *site = evr_call_site;
	struct sched_param copy;
	evr_access_look(&copy, param, sizeof(copy), site);
	return set_scheduling(thread, policy, copy.sched_priority, site);
}

int evr_libc_pthread_setschedprio(pthread_t thread, int priority)
{
	const struct evr_site *site = evr_call_site;
	if (!is_thread(thread))
		return ESRCH;
	return set_scheduling(thread, (int)(uint32_t)scheduling(thread, site), priority, site);
}

int evr_libc_pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *param)
{
	const struct evr_site *site = evr_call_site;
	if (!is_thread(thread))
		return ESRCH;
	uint64_t kept = scheduling(thread, site);
	struct sched_param copy = { .sched_priority = (int)(kept >> 32) };
	evr_access_store((uintptr_t)policy, sizeof(*policy), (uint32_t)kept, site);
	evr_access_write(param, &copy, sizeof(copy), site);
	return 0;
}

/* The process never forks, so the handlers never run. */
int evr_libc_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
	(void)prepare;
	(void)parent;
	(void)child;
	return 0;
}

/* Who the process belongs to: the only user there is, by the number that it has on this machine. */

#define USER_TEXT "user\0x\0\0/\0/bin/sh"
_Static_assert(sizeof(USER_TEXT) <= sizeof(evr_library.user_text), "the text of an entry");

static struct passwd *entry_of_user(const struct evr_site *site)
{
	char *text = evr_library.user_text;
	struct passwd entry = { .pw_name = text,
				.pw_passwd = text + 5,
				.pw_uid = getuid(),
				.pw_gid = getgid(),
				.pw_gecos = text + 7,
				.pw_dir = text + 8,
				.pw_shell = text + 10 };
	evr_access_write_text(text, USER_TEXT, sizeof(USER_TEXT), site);
	evr_access_write(&evr_library.user, &entry, sizeof(entry), site);
	return &evr_library.user;
}

struct passwd *evr_libc_getpwuid(uid_t uid)
{
	return uid == getuid() ? entry_of_user(evr_call_site) : NULL;
}

struct passwd *evr_libc_getpwnam(const char *name)
{
	const struct evr_site *site = evr_call_site;
	struct evr_text t;
	evr_text_copy(&t, name, site);
	bool known = !strcmp(t.data, "user");
	evr_text_release(&t);
	return known ? entry_of_user(site) : NULL;
}
