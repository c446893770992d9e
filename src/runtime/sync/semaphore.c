/*
 * Semaphores, out of two locks (Barz): one guards the value, the other is taken while there is nothing to take, or while a
 * thread that was let through is about to decrement the value. Nobody holds it: who waits for it waits for a post.
 *
 * Invariant: while nobody holds the guard, the other lock is free if and only if the value is positive and nobody was let through.
 */
#include "runtime/libc/wrappers.h"
#include "runtime/memory/shadow.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

enum { EMPTY = 4, VALUE = 8 }; /* where in the object */

static void inner(unsigned kind, uintptr_t s, const struct evr_site *site)
{
	evr_lock_event(kind, EVR_LOCK_SEMAPHORE, s, kind == EVR_UNLOCK ? evr_sync_load(s + VALUE) : 0, site);
}

static int empty(unsigned kind, uintptr_t s, const struct evr_site *site)
{
	return evr_lock_event(kind, EVR_LOCK_SEMAPHORE_EMPTY, s + EMPTY, 0, site);
}

static void init(uintptr_t s, uint32_t value, const struct evr_site *site)
{
	evr_lock_event(EVR_MUTEX_INIT, EVR_LOCK_SEMAPHORE, s, value, site);
	empty(EVR_MUTEX_INIT, s, site);
	evr_sync_store(s + VALUE, value);
	if (!value)
		empty(EVR_LOCK, s, site);
}

/* The other lock is the current thread's: there is something to take, and this takes it. */
static void decrement(uintptr_t s, const struct evr_site *site)
{
	uint32_t value = evr_sync_load(s + VALUE) - 1;
	evr_sync_store(s + VALUE, value);
	if (value)
		empty(EVR_UNLOCK, s, site);
	inner(EVR_UNLOCK, s, site);
}

static int fail(int error)
{
	errno = error;
	return -1;
}

/* Without waiting. */
static int take_now(uintptr_t s, int error, const struct evr_site *site)
{
	inner(EVR_LOCK, s, site);
	if (!evr_sync_load(s + VALUE)) {
		inner(EVR_UNLOCK, s, site);
		return fail(error);
	}
	/* Somebody is about to decrement it: there are executions in which that has happened, or is yet to begin. */
	if (empty(EVR_TRYLOCK, s, site))
		evr_give_up(site);
	decrement(s, site);
	return 0;
}

int evr_libc_sem_init(sem_t *sem, int shared, unsigned value)
{
	(void)shared;
	if (value > INT_MAX)
		return fail(EINVAL);
	init((uintptr_t)sem, value, evr_call_site);
	return 0;
}

int evr_libc_sem_destroy(sem_t *sem)
{
	const struct evr_site *site = evr_call_site;
	uintptr_t s = (uintptr_t)sem;
	evr_lock_event(EVR_MUTEX_DESTROY, EVR_LOCK_SEMAPHORE, s, 0, site);
	/* Whoever waits, or comes to wait, gets as far as to find that out: nothing else tells if it does so before or after. */
	if (!evr_sync_load(s + VALUE))
		empty(EVR_UNLOCK, s, site);
	return 0;
}

int evr_libc_sem_wait(sem_t *sem)
{
	const struct evr_site *site = evr_call_site;
	uintptr_t s = (uintptr_t)sem;
	empty(EVR_LOCK, s, site);
	inner(EVR_LOCK, s, site);
	decrement(s, site);
	return 0;
}

int evr_libc_sem_trywait(sem_t *sem)
{
	return take_now((uintptr_t)sem, EAGAIN, evr_call_site);
}

/* It may give up as long as there is nothing to take; to wait first and then take is to come later. */
int evr_libc_sem_timedwait(sem_t *sem, const struct timespec *until)
{
	const struct evr_site *site = evr_call_site;
	int error = evr_check_time(until, site);
	return error ? fail(error) : take_now((uintptr_t)sem, ETIMEDOUT, site);
}

int evr_libc_sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until)
{
	int error = evr_check_clock(clock);
	return error ? fail(error) : evr_libc_sem_timedwait(sem, until);
}

int evr_libc_sem_post(sem_t *sem)
{
	const struct evr_site *site = evr_call_site;
	uintptr_t s = (uintptr_t)sem;
	inner(EVR_LOCK, s, site);
	uint32_t value = evr_sync_load(s + VALUE);
	if (value == INT_MAX) {
		inner(EVR_UNLOCK, s, site);
		return fail(EOVERFLOW);
	}
	evr_sync_store(s + VALUE, value + 1);
	if (!value)
		empty(EVR_UNLOCK, s, site);
	inner(EVR_UNLOCK, s, site);
	return 0;
}

int evr_libc_sem_getvalue(sem_t *sem, int *value)
{
	const struct evr_site *site = evr_call_site;
	uintptr_t s = (uintptr_t)sem;
	inner(EVR_LOCK, s, site);
	int now = (int)evr_sync_load(s + VALUE);
	inner(EVR_UNLOCK, s, site);
	evr_access_write(value, &now, sizeof(now), site);
	return 0;
}

/* ---- named ones ---- */

#define NAMED 64
#define LONGEST_NAME 251 /* the C library puts four letters before it, in the name of a file */

/* What has this name, in any execution: its place must not depend on who came first. */
static EVR_MEMORY struct named {
	char name[LONGEST_NAME + 1];
	sem_t guard; /* as a lock; its value: 0 nothing of this name, 1 there is, 2 it was unlinked */
	sem_t sem;
} named[NAMED];

static struct named *named_slot(const char *name)
{
	size_t hash = 0;
	for (const char *p = name; *p; p++)
		hash = hash * 31 + (unsigned char)*p;
	for (size_t i = 0; i < NAMED; i++) {
		struct named *n = &named[(hash + i) % NAMED];
		if (n->name[0] && strcmp(n->name, name) != 0)
			continue;
		if (!n->name[0]) {
			memccpy(n->name, name, 0, sizeof(n->name));
			evr_shadow_global((uintptr_t)&n->guard, sizeof(n->guard) + sizeof(n->sem), false);
		}
		return n;
	}
	return NULL;
}

/* As the C library reads names: slashes at the beginning do not count, and there are no others. 0 or an error. */
static int read_name(char *copy, const char *name, int if_wrong, const struct evr_site *site)
{
	size_t length = evr_access_strlen(name, site), slashes = 0;
	char whole[PATH_MAX] = "";
	if (length >= sizeof(whole))
		return if_wrong;
	evr_access_read(whole, name, length, site);
	while (whole[slashes] == '/')
		slashes++;
	length -= slashes;
	if (!length || length > NAME_MAX || strchr(whole + slashes, '/'))
		return if_wrong;
	if (length > LONGEST_NAME)
		return ENAMETOOLONG;
	memcpy(copy, whole + slashes, length + 1);
	return 0;
}

static struct named *enter_named(const char *name, int if_wrong, const struct evr_site *site)
{
	char copy[LONGEST_NAME + 1];
	int error = read_name(copy, name, if_wrong, site);
	if (error) {
		errno = error;
		return NULL;
	}
	struct named *n = named_slot(copy);
	if (!n)
		evr_unsupported(site, "more than %d named semaphores", NAMED);
	inner(EVR_LOCK, (uintptr_t)&n->guard, site);
	return n;
}

sem_t *evr_libc_sem_open(const char *name, int flags, ...)
{
	const struct evr_site *site = evr_call_site;
	unsigned value = 0;
	if (flags & O_CREAT) {
		va_list arguments;
		va_start(arguments, flags);
		(void)va_arg(arguments, unsigned);
		value = va_arg(arguments, unsigned);
		va_end(arguments);
	}
	struct named *n = enter_named(name, EINVAL, site);
	if (!n)
		return SEM_FAILED;
	uintptr_t guard = (uintptr_t)&n->guard;
	uint32_t state = evr_sync_load(guard + VALUE);
	int error = 0;
	if (state == 1 && flags & O_CREAT && flags & O_EXCL)
		error = EEXIST;
	else if (state != 1 && !(flags & O_CREAT))
		error = ENOENT;
	else if (state != 1 && value > INT_MAX)
		error = EINVAL;
	else if (state == 2)
		evr_unsupported(site, "sem_open of a semaphore that was unlinked before");
	if (!error && state != 1) {
		init((uintptr_t)&n->sem, value, site);
		evr_sync_store(guard + VALUE, 1);
	}
	inner(EVR_UNLOCK, guard, site);
	errno = error ? error : errno;
	return error ? SEM_FAILED : &n->sem;
}

int evr_libc_sem_close(sem_t *sem)
{
	(void)sem;
	return 0;
}

int evr_libc_sem_unlink(const char *name)
{
	const struct evr_site *site = evr_call_site;
	struct named *n = enter_named(name, ENOENT, site);
	if (!n)
		return -1;
	uintptr_t guard = (uintptr_t)&n->guard;
	bool there = evr_sync_load(guard + VALUE) == 1;
	if (there)
		evr_sync_store(guard + VALUE, 2);
	inner(EVR_UNLOCK, guard, site);
	return there ? 0 : fail(ENOENT);
}
