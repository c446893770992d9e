/*
 * pthread mutexes, and the events of all locks. The rules are the models' (model.c); here is what POSIX leaves undefined,
 * which is a finding.
 *
 * Invariant: a model never sees an event of a lock that is not well defined (a mutex that is not initialised or was destroyed, an unlock by
 * who does not hold it): that has become a finding before, and its thread has ended.
 */
#include "event/mutex.h"

#include "runtime/libc/wrappers.h"
#include "runtime/memory/lifetime.h"
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"
#include "runtime/sync/channel.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <stdlib.h>

void evr_lock_name(struct evr_strbuf *out, unsigned lock, uintptr_t address)
{
	const struct evr_lock_kind *k = &evr_lock_kinds[lock];
	evr_strbuf_printf(out, "%s ", k->noun);
	if (lock == EVR_LOCK_WAKE)
		evr_strbuf_printf(out, "%u", evr_wake_thread(address));
	else if (evr_lock_is_channel(lock))
		evr_channel_name(out, lock, address);
	else
		evr_name_address(out, lock == EVR_LOCK_FUTEX ? evr_futex_word(address) : address - k->offset, k->size);
}

void evr_misuse(const struct evr_site *site, unsigned lock, uintptr_t address, const char *format)
{
	struct evr_strbuf name;
	evr_strbuf_init(&name);
	evr_lock_name(&name, lock, address);
	char *message = evr_format(format, name.text);
	evr_fail("mutex-misuse", site, "%s", message);
}

static bool is_normal(const struct evr_mutex *m, unsigned lock)
{
	return lock != EVR_LOCK_MUTEX || m->kind == EVR_MUTEX_NORMAL || m->kind == EVR_MUTEX_ADAPTIVE;
}

/* Something else was written over it. */
static bool is_corrupted(const struct evr_mutex *m)
{
	bool kind = (m->kind >= EVR_MUTEX_NORMAL && m->kind <= EVR_MUTEX_ADAPTIVE) || m->kind == EVR_MUTEX_DESTROYED;
	return !kind || evr_mutex_holder(m) > evr_rt.world.threads;
}

/* What a thread must not do with a normal mutex; whether it holds it, only the thread itself can change. */
static void check_normal(unsigned kind, unsigned lock, const struct evr_mutex *m, const struct evr_site *site)
{
	bool mine = evr_mutex_held_by(m, evr_current->id);
	if (evr_lock_kinds[lock].handed)
		return;
	if (kind == EVR_LOCK && mine)
		evr_misuse(site, lock, (uintptr_t)m, "the thread locks the %s, which it already holds");
	if (kind == EVR_UNLOCK && !mine)
		evr_misuse(site, lock, (uintptr_t)m,
			   evr_mutex_holder(m) ? "unlock by a thread that does not hold the %s"
					       : "unlock of the %s, which is not held");
}

static bool is_known(uintptr_t address)
{
	return address && evr_execution.sound_mutex.address == address &&
	       evr_execution.sound_mutex.changes == evr_execution.memory_changes;
}

/* The common case of an event: a normal mutex that nothing can be wrong with but what the thread does. */
static int known_event(unsigned kind, unsigned lock, uintptr_t address, uint32_t size, evr_value operand,
		       const struct evr_site *site)
{
	evr_current->site = site;
	check_normal(kind, lock, evr_mutex_at(address), site);
	struct evr_event *e = evr_event_arrive(kind, address, size, site);
	e->lock = (uint8_t)lock;
	e->state = operand;
	evr_event_wait(true);
	return (int)e->result;
}

/* Ends the thread if there is no lock at all. */
static void check_memory(const struct evr_event *e)
{
	char *message = NULL;
	const char *problem = NULL;
	if (!evr_shadow_sound(e->address, e->size) || evr_cell(e->address)->constant)
		problem = evr_access_problem(e->address, e->size, true, &message);
	if (problem && !evr_life_missed(e->address, e->size))
		evr_fail(problem, e->site, "%s", message);
	free(message);
	if (evr_is_contended(e->address)) {
		/* The lock waits for the thread's stores, and so does whether it is there. */
		evr_drain(e->site);
		evr_life_use(e->address, e->size, true, e->site);
	}
}

/* Find what is wrong with the lock, if anything. */
static const char *find_problem(const struct evr_event *e, char **message)
{
	const struct evr_mutex *m = evr_mutex_at(e->address);
	const char *problem = evr_mutex_problem(e, message);
	if (!problem && is_normal(m, e->lock))
		check_normal(e->kind, e->lock, m, e->site);
	return problem;
}

static int lock_event(unsigned kind, unsigned lock, uintptr_t address, evr_value operand, const struct evr_site *site)
{
	uint32_t size = lock == EVR_LOCK_MUTEX ? sizeof(struct evr_mutex) : sizeof(uint32_t);
	if (is_known(address) && (kind == EVR_LOCK || kind == EVR_UNLOCK) && is_normal(evr_mutex_at(address), lock))
		return known_event(kind, lock, address, size, operand, site);
	struct evr_event e = {
		.kind = (uint8_t)kind,
		.lock = (uint8_t)lock,
		.thread = evr_current->id,
		.address = address,
		.size = size,
		.site = site,
		.state = operand,
	};
	char *message = NULL;
	evr_current->site = site;
	check_memory(&e);
	const char *problem = find_problem(&e, &message);
	if (evr_shadow_valid(e.address, 4))
		evr_shadow_touch_lock(e.address);
	bool shared = evr_shadow_shared(e.address, 4);
	if (!problem && shared && kind != EVR_MUTEX_INIT && !evr_in_frames(e.address) && !evr_is_contended(e.address)) {
		evr_execution.sound_mutex.changes = evr_execution.memory_changes;
		evr_execution.sound_mutex.address = e.address;
	}
	if (problem && !shared)
		evr_fail(problem, site, "%s", message);
	free(message);
	uint32_t holder = evr_mutex_holder(evr_mutex_at(address));
	if (shared || (holder && holder != e.thread + 1u && kind == EVR_LOCK)) {
		struct evr_event *pending = evr_event_arrive(kind, e.address, e.size, site);
		pending->lock = (uint8_t)lock;
		pending->state = operand;
		/* Whether a mutex is held when it is destroyed can only be said then. */
		evr_event_wait(!problem && kind != EVR_MUTEX_DESTROY);
		e.result = pending->result;
		e.holder = pending->holder;
		if (kind == EVR_TRYLOCK || kind == EVR_TIMEDLOCK)
			evr_retry_tried(address);
	} else {
		evr_drain(site);
		evr_model_execute_mutex(&evr_rt.world, &e);
		evr_held_note(&e);
	}
	evr_current->holder = (uint32_t)e.holder;
	if (kind == EVR_MUTEX_INIT)
		evr_shadow_set_initialised(e.address, evr_lock_kinds[lock].size - evr_lock_kinds[lock].offset);
	return (int)e.result;
}

/* Was the last event of the mutex, but for the one just made, one of this thread? */
static bool was_mine(uintptr_t mutex)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	for (size_t i = t->events.len - 1; i-- > 0;)
		if (evr_event_is_mutex(&t->events.data[i]) && t->events.data[i].address == mutex)
			return t->events.data[i].thread == evr_current->id;
	return true;
}

/*
 * Of a mutex that a section has tried in vain, or has unlocked, what follows from that until the section ends: nobody else locks or
 * unlocks it meanwhile. If the section finds that somebody has, this is no execution of the program.
 */
static void look_again(unsigned kind, uintptr_t mutex, bool failed, const struct evr_site *site)
{
	struct evr_thread *t = evr_current;
	bool taken = kind != EVR_UNLOCK && !failed;
	size_t i = 0;
	while (i < t->section_mutexes.len && t->section_mutexes.data[i].address != mutex)
		i++;
	if (i == t->section_mutexes.len)
		evr_vec_push(&t->section_mutexes, (struct evr_section_mutex){ .address = mutex });
	struct evr_section_mutex *m = &t->section_mutexes.data[i];
	if ((m->held && taken) || (m->free && (failed || !was_mine(mutex))))
		evr_give_up(site);
	m->held = failed;
	m->free = kind == EVR_UNLOCK;
}

/*
 * A mutex, where there are atomic sections. Whoever waits for it cannot be a section of its own. Nor need it: a lock or an unlock
 * that comes in between the events of a section could as well have come before all of them or behind all of them, unless the
 * section looks at the mutex twice. Others find out whether it is held: they must not do so in the middle of a section.
 */
static int section_event(unsigned kind, unsigned lock, uintptr_t address, evr_value operand,
			 const struct evr_site *site)
{
	const struct evr_site *where = site;
	bool inside = evr_current->sections > 0, shared = evr_shadow_shared(address, 4);
	if (inside && shared && lock != EVR_LOCK_MUTEX && lock != EVR_LOCK_SPIN)
		evr_unsupported(site, "a %s in an atomic section", evr_lock_kinds[lock].noun);
	bool guarded = shared && (inside || (kind != EVR_LOCK && kind != EVR_UNLOCK)) &&
		       evr_section_access(address, 4, &where);
	int result = lock_event(kind, lock, address, operand, site);
	if (guarded)
		evr_section_accessed(site);
	bool tried = kind == EVR_TRYLOCK || kind == EVR_TIMEDLOCK;
	/* A thread's own mutex is no news to it. */
	bool failed = tried && result && evr_current->holder != evr_current->id + 1u;
	if (inside && shared && (failed || !result) && (tried || kind == EVR_LOCK || kind == EVR_UNLOCK))
		look_again(kind, address, failed, site);
	return result;
}

int evr_lock_event(unsigned kind, unsigned lock, uintptr_t address, evr_value operand, const struct evr_site *site)
{
	int result = EVR_UNLIKELY(evr_rt.sections) ? section_event(kind, lock, address, operand, site)
						   : lock_event(kind, lock, address, operand, site);
	if (EVR_UNLIKELY(kind == EVR_TRYLOCK || kind == EVR_TIMEDLOCK) && result)
		evr_retry_failed(address, site);
	return result;
}

/* Why the object must not be destroyed now. */
static const char *in_use(const struct evr_event *e)
{
	switch (e->lock) {
	case EVR_LOCK_COND:
		return evr_cond_in_use(e->address) ? "awaited" : NULL;
	default:
		return evr_mutex_holder(evr_mutex_at(e->address)) ? "held" : NULL;
	}
}

/* Where writes do not reach memory, they count all the same: a mutex may be made of zeros. */
static bool is_written(const struct evr_event *e)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	bool written[sizeof(struct evr_mutex)] = { false };
	for (size_t i = 0; i < t->events.len; i++)
		for (uint32_t k = 0; t->events.data[i].kind == EVR_WRITE && k < e->size; k++)
			written[k] |= e->address + k - t->events.data[i].address < t->events.data[i].size;
	for (uint32_t k = 0; k < e->size; k++)
		if (!written[k] && !evr_shadow_any_initialised(e->address + k, 1))
			return false;
	return true;
}

const char *evr_mutex_problem(const struct evr_event *e, char **message)
{
	const struct evr_mutex *m = evr_mutex_at(e->address);
	const char *what = NULL;
	if (e->kind == EVR_MUTEX_INIT)
		return NULL;
	if (!evr_shadow_all_initialised(e->address, e->size) &&
	    !(evr_rt.world.model->memory_stays_initial && is_written(e)))
		what = "uninitialised";
	else if (e->lock == EVR_LOCK_MUTEX && is_corrupted(m))
		what = "corrupted";
	else if (evr_mutex_destroyed(m, e->lock))
		what = "destroyed";
	else if (e->kind == EVR_MUTEX_DESTROY)
		what = in_use(e);
	if (!what)
		return NULL;
	struct evr_strbuf name;
	evr_strbuf_init(&name);
	evr_lock_name(&name, e->lock, e->address);
	*message = evr_format("%s of the %s %s", evr_event_name(e), what, name.text);
	evr_strbuf_release(&name);
	return "mutex-misuse";
}

static int event(unsigned kind, const void *mutex, evr_value operand, const struct evr_site *site)
{
	return evr_lock_event(kind, EVR_LOCK_MUTEX, (uintptr_t)mutex, operand, site);
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

int evr_check_time(const struct timespec *until, const struct evr_site *site)
{
	struct timespec copy;
	evr_access_read(&copy, until, sizeof(copy), site);
	return copy.tv_nsec < 0 || copy.tv_nsec >= 1000000000 ? EINVAL : 0;
}

int evr_check_clock(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ? 0 : EINVAL;
}

/* The time is looked at only by who has to wait. */
int evr_libc_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	const struct evr_site *site = evr_call_site;
	int error = evr_check_time(until, site), status = event(EVR_TIMEDLOCK, mutex, 0, site);
	return status == ETIMEDOUT && error ? error : status;
}

int evr_libc_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	return event(EVR_UNLOCK, mutex, 0, evr_call_site);
}

int evr_libc_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
	int error = evr_check_clock(clock);
	return error ? error : evr_libc_pthread_mutex_timedlock(mutex, until);
}

int evr_libc_pthread_mutex_consistent(pthread_mutex_t *mutex)
{
	(void)mutex;
	evr_unsupported(evr_call_site, "robust mutexes (pthread_mutex_consistent)");
}
