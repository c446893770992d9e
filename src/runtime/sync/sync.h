/*
 * What threads wait for: condition variables, rwlocks, semaphores, barriers and the like. All are made of locks, whose events
 * every engine and model knows; the state that a lock guards is touched only by whoever holds it, and an unlock says what it
 * leaves behind, for engines that compare values.
 */
#ifndef EVR_SYNC_H
#define EVR_SYNC_H

#include "event/mutex.h"
#include "runtime/runtime.h"

/* mutex.c: an event of a lock, an enum evr_lock; visible if the lock is shared, at once otherwise. */
int evr_lock_event(unsigned kind, unsigned lock, uintptr_t address, evr_value operand, const struct evr_site *site);
/* "mutex m", "semaphore q.items" */
void evr_lock_name(struct evr_strbuf *out, unsigned lock, uintptr_t address);
/* A finding; the format has one %s, for the lock's name. */
_Noreturn void evr_misuse(const struct evr_site *site, unsigned lock, uintptr_t address, const char *format)
	EVR_PRINTF(4, 0);

/* mutex.c: is this a time that can be waited for? 0 or EINVAL */
int evr_check_time(const struct timespec *until, const struct evr_site *site);
int evr_check_clock(clockid_t clock);

/* cond.c: put the current thread to sleep, and wake one. Whoever is going to sleep says so first, while it can be seen. */
void evr_wake_prepare(const struct evr_site *site);
void evr_sleep(const struct evr_site *site);
void evr_wake(struct evr_thread *t, const struct evr_site *site);
evr_thread_id evr_wake_thread(uintptr_t address); /* whose lock that is */
bool evr_cond_in_use(uintptr_t cond);
/* May a wait end without anybody waking the thread? Then *status is ETIMEDOUT, or 0 if it is for no reason. */
bool evr_wait_ends_early(bool timed, const struct evr_site *site, int *status);
/* Of the threads that wait for this, as a set. */
evr_value evr_waiters(uintptr_t object, const struct evr_site *site);

/* rwlock.c: where the thread has taken it, or NULL. */
const struct evr_site *evr_rwlock_held(const struct evr_thread *t, uintptr_t rwlock);
/* barrier.c: "barrier b, with 1 of 2 threads" */
void evr_barrier_describe(struct evr_strbuf *out, const struct evr_thread *t);

/* The lock is one of channels (channel.h): another word than its address is its name. */
static inline bool evr_lock_is_channel(unsigned lock)
{
	return lock == EVR_LOCK_CHANNEL || lock == EVR_LOCK_CHANNEL_EMPTY || lock == EVR_LOCK_POLL;
}

/* futex.c: the arguments of the system call. */
struct evr_futex_call {
	uintptr_t word;
	int operation;
	uint32_t value;
	const struct timespec *timeout;
	uint32_t bits;
};
/* The word that a futex's lock belongs to; and the call: -1 with errno, or what it returns. */
uintptr_t evr_futex_word(uintptr_t lock);
long evr_futex(const struct evr_futex_call *call, const struct evr_site *site);

/* key.c */
void evr_keys_destroy(void); /* of the current thread, which ends: calls destructors */
void evr_cleanup_run(void); /* does not return if there is something to clean up */

/* held.c: where the thread locked the mutex that it holds, or NULL; and a line for each that it holds. */
const struct evr_site *evr_held_since(uintptr_t mutex, evr_thread_id thread);
void evr_held_describe(struct evr_strbuf *out, const struct evr_thread *t);
/* A mutex event that is not in the trace has taken place. */
void evr_held_note(const struct evr_event *e);

/* State in an object of the program that its lock guards. */
static inline uint32_t evr_sync_load(uintptr_t address)
{
	uint32_t value = (uint32_t)evr_memory_load(address, sizeof(uint32_t));
	if (EVR_UNLIKELY(evr_rt.world.knowledge.waits) && evr_current)
		evr_history_add(&evr_rt.world.history[evr_current->id], value);
	return value;
}

static inline void evr_sync_store(uintptr_t address, uint32_t value)
{
	if (value != evr_sync_load(address))
		evr_current->effects++;
	evr_model_store(&evr_rt.world, address, sizeof(value), value);
}

/*
 * section.c: the current thread accesses shared bytes. In an atomic section the site becomes one that says so; outside of
 * sections, returns whether these bytes are used by some: then the access is a section itself, until evr_section_accessed().
 */
bool evr_section_access(uintptr_t address, size_t size, const struct evr_site **site);
void evr_section_accessed(const struct evr_site *site);
static inline bool evr_section_enter(uintptr_t address, size_t size, const struct evr_site **site)
{
	return EVR_UNLIKELY(evr_rt.sections) && evr_section_access(address, size, site);
}
/* The thread leaves sections without getting to their ends, until it is in `depth` of them. */
void evr_section_unwind(unsigned depth, const struct evr_site *site);
/* The lowest byte of those that the lock at this address guards; 0 if there is no such lock. */
uintptr_t evr_section_locked(uintptr_t address);
/* Shadow cells were cleared. */
void evr_sections_renew(void);

/* mutex.c: may the mutex event take place now? Otherwise the finding's kind, with *message. */
const char *evr_mutex_problem(const struct evr_event *e, char **message);

#endif
