/* pthread mutexes. The rules are the models' (model.c); here is what POSIX leaves undefined, which is a finding. */
#include "event/mutex.h"

#include "runtime/runtime.h"
#include "runtime/shadow.h"
#include "runtime/wrappers.h"

#include <errno.h>
#include <stdlib.h>

static _Noreturn void misuse(const struct evr_site *site, const char *what, uintptr_t address)
{
	struct evr_strbuf name;
	evr_strbuf_init(&name);
	evr_name_address(&name, address, sizeof(pthread_mutex_t));
	evr_fail("mutex-misuse", site, "%s %s", what, name.text);
}

static bool is_normal(const struct evr_mutex *m)
{
	return m->kind == EVR_MUTEX_NORMAL || m->kind == EVR_MUTEX_ADAPTIVE;
}

/* Something else was written over it. */
static bool is_corrupted(const struct evr_mutex *m)
{
	bool kind = (m->kind >= EVR_MUTEX_NORMAL && m->kind <= EVR_MUTEX_ADAPTIVE) || m->kind == EVR_MUTEX_DESTROYED;
	return !kind || (m->lock && (m->owner < 1 || (unsigned)m->owner > evr_rt.world.threads));
}

/* What a thread must not do with a normal mutex; whether it holds it, only the thread itself can change. */
static void check_normal(unsigned kind, const struct evr_mutex *m, const struct evr_site *site)
{
	bool mine = evr_mutex_held_by(m, evr_current->id);
	if (kind == EVR_LOCK && mine)
		misuse(site, "the thread locks again, and waits for itself on, the mutex", (uintptr_t)m);
	if (kind == EVR_UNLOCK && !mine)
		misuse(site,
		       m->lock ? "unlock by a thread that does not hold the mutex"
			       : "unlock of the mutex, which is not held:",
		       (uintptr_t)m);
}

/* The mutex that was found sound and shared last. That holds in this execution until memory is given back. */
static struct {
	uint32_t execution;
	uint64_t changes;
	uintptr_t address;
} known;

static bool is_known(uintptr_t address)
{
	return known.address == address && known.changes == evr_rt.memory_changes &&
	       known.execution == evr_rt.execution;
}

/* The common case of event(): a normal mutex that nothing can be wrong with but what the thread does. */
static int known_event(unsigned kind, uintptr_t address, const struct evr_site *site)
{
	evr_current->site = site;
	check_normal(kind, evr_mutex_at(address), site);
	const struct evr_event *e = evr_event_begin(kind, address, sizeof(struct evr_mutex), site);
	evr_event_wait(true);
	return (int)e->read;
}

/* Make a mutex event: visible if the mutex is shared, at once otherwise, waiting all the same if it cannot be taken. */
static int event(unsigned kind, const void *mutex, evr_value operand, const struct evr_site *site)
{
	if (is_known((uintptr_t)mutex) && (kind == EVR_LOCK || kind == EVR_UNLOCK) &&
	    is_normal(evr_mutex_at((uintptr_t)mutex)))
		return known_event(kind, (uintptr_t)mutex, site);
	struct evr_event e = {
		.kind = (uint8_t)kind,
		.thread = evr_current->id,
		.address = (uintptr_t)mutex,
		.size = sizeof(struct evr_mutex),
		.site = site,
		.written = operand,
	};
	const struct evr_mutex *m = evr_mutex_at(e.address);
	char *message = NULL;
	const char *problem = NULL;
	bool sound = evr_shadow_sound(e.address, e.size);
	evr_current->site = site;
	if (!sound || evr_cell(e.address)->constant)
		problem = evr_access_problem(e.address, e.size, true, &message);
	else if (is_normal(m) && !is_corrupted(m))
		check_normal(kind, m, site);
	if (!problem && !(sound && (is_normal(m) || m->kind == EVR_MUTEX_RECURSIVE) && !is_corrupted(m)))
		problem = evr_mutex_problem(&e, &message);
	if (problem && (!evr_shadow_valid(e.address, e.size) || evr_cell(e.address)->constant)) {
		evr_heap_came_late(e.address, 4);
		evr_record_fault(&e);
		evr_fail(problem, site, "%s", message);
	}
	evr_shadow_touch(e.address, 4, true);
	bool shared = evr_shadow_shared(e.address, 4);
	if (sound && shared && !evr_in_frames(e.address)) {
		known.execution = evr_rt.execution;
		known.changes = evr_rt.memory_changes;
		known.address = e.address;
	}
	if (!problem && kind == EVR_MUTEX_DESTROY && !shared)
		problem = evr_mutex_problem(&e, &message);
	if (problem && !shared)
		evr_fail(problem, site, "%s", message);
	free(message);
	bool held = m->lock && !evr_mutex_held_by(m, e.thread);
	if (shared || (held && kind == EVR_LOCK)) {
		struct evr_event *pending = evr_event_begin(kind, e.address, e.size, site);
		pending->written = operand;
		/* Whether a mutex is held when it is destroyed can only be said then. */
		evr_event_wait(!problem && kind != EVR_MUTEX_DESTROY);
		e.read = pending->read;
	} else {
		evr_drain(site);
		evr_model_execute_mutex(&evr_rt.world, &e);
	}
	if (kind == EVR_MUTEX_INIT)
		evr_shadow_set_initialised(e.address, sizeof(pthread_mutex_t));
	return (int)e.read;
}

const char *evr_mutex_problem(const struct evr_event *e, char **message)
{
	const struct evr_mutex *m = evr_mutex_at(e->address);
	const char *what = NULL;
	if (e->kind == EVR_MUTEX_INIT)
		return NULL;
	if (!evr_shadow_sound(e->address, sizeof(*m)))
		what = "uninitialised";
	else if (is_corrupted(m))
		what = "corrupted";
	else if (m->kind == EVR_MUTEX_DESTROYED)
		what = "destroyed";
	else if (e->kind == EVR_MUTEX_DESTROY && m->lock)
		what = "held";
	if (!what)
		return NULL;
	struct evr_strbuf name;
	evr_strbuf_init(&name);
	evr_name_address(&name, e->address, sizeof(pthread_mutex_t));
	*message = evr_format("%s of the %s mutex %s", evr_event_kind_name(e->kind), what, name.text);
	evr_strbuf_release(&name);
	return "mutex-misuse";
}

int evr_libc_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr)
{
	const struct evr_site *site = evr_call_site;
	int type = PTHREAD_MUTEX_NORMAL;
	if (attr) {
		pthread_mutexattr_t copy;
		evr_access_read(&copy, attr, sizeof(copy), site);
		pthread_mutexattr_gettype(&copy, &type);
	}
	event(EVR_MUTEX_INIT, mutex, (evr_value)(unsigned)type, site);
	return 0;
}

int evr_libc_pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	const struct evr_site *site = evr_call_site;
	return event(EVR_MUTEX_DESTROY, mutex, 0, site);
}

int evr_libc_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	return event(EVR_LOCK, mutex, 0, evr_call_site);
}

int evr_libc_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	const struct evr_site *site = evr_call_site;
	return event(EVR_TRYLOCK, mutex, 0, site);
}

int evr_libc_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	const struct evr_site *site = evr_call_site;
	struct timespec copy;
	evr_access_read(&copy, until, sizeof(copy), site);
	return event(EVR_TIMEDLOCK, mutex, 0, site);
}

int evr_libc_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	return event(EVR_UNLOCK, mutex, 0, evr_call_site);
}

int evr_libc_pthread_mutexattr_init(pthread_mutexattr_t *attr)
{
	pthread_mutexattr_t fresh;
	pthread_mutexattr_init(&fresh);
	evr_access_write(attr, &fresh, sizeof(fresh), evr_call_site);
	return 0;
}

int evr_libc_pthread_mutexattr_destroy(pthread_mutexattr_t *attr)
{
	(void)attr;
	return 0;
}

int evr_libc_pthread_mutexattr_settype(pthread_mutexattr_t *attr, int type)
{
	const struct evr_site *site = evr_call_site;
	pthread_mutexattr_t copy;
	evr_access_read(&copy, attr, sizeof(copy), site);
	int status = pthread_mutexattr_settype(&copy, type);
	evr_access_write(attr, &copy, sizeof(copy), site);
	return status;
}

int evr_libc_pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *type)
{
	const struct evr_site *site = evr_call_site;
	pthread_mutexattr_t copy;
	int value;
	evr_access_read(&copy, attr, sizeof(copy), site);
	int status = pthread_mutexattr_gettype(&copy, &value);
	evr_access_write(type, &value, sizeof(value), site);
	return status;
}
