/*
 * A thread of the program: a coroutine with its stack and arenas.
 *
 * Threads are kept from execution to execution, each at its place in the tree of creations; the second half of the struct belongs to
 * one execution, and evr_thread_begin() sets it. Invariant: of a thread in state EVR_UNUSED nothing of that half means anything.
 */
#ifndef EVR_THREAD_H
#define EVR_THREAD_H

#include "base/pieces.h"
#include "base/strbuf.h"
#include "event/event.h"
#include "runtime/memory/cell.h"
#include "runtime/memory/memory.h"
#include "runtime/threads/coroutine.h"

enum evr_thread_state {
	EVR_UNUSED,
	EVR_RUNNABLE, /* can go on at once */
	EVR_WAITING,  /* at a visible event: world.pending */
	EVR_JOINING,  /* for `target` to end */
	EVR_PARKED,   /* at a barrier: `queue` */
	EVR_STUCK,    /* a failed assume or a loop bound: no further event */
	EVR_AWAITING, /* in a loop that only waits, and would have to go round again: no further event */
	EVR_SPINNING, /* in a loop without visible events that has taken too long: it is left there, see evr_spin() */
	EVR_ENDED,
};

struct evr_held {
	uintptr_t address;
	const struct evr_site *site; /* where it was taken */
};

/* As an atomic section has seen it: another thread holds it, or nobody. */
struct evr_section_mutex {
	uintptr_t address;
	bool held, free;
};

struct evr_specific {
	unsigned key;
	void *value;
};

struct evr_journal_entry {
	uintptr_t word; /* of private memory */
	uint64_t old;   /* what it held before it was written */
	uint8_t exposed; /* bytes that held something else when the thread released */
};

struct evr_looked {
	uintptr_t word;
	uint8_t mask;
};

/*
 * A part of a thread's execution, between two events by which others can come to know what it has done so far: it creates one, or, under a
 * model that skips ordered accesses, releases. Shadow cells remember in which period a thread has touched them.
 */
struct evr_period {
	uint16_t epoch; /* of the thread */
	uint32_t end; /* the index of the event that ended it; EVR_NO_EVENT: it has not ended */
};

struct evr_thread {
	struct evr_fast fast; /* first: instrument/fast_paths.c. Set anew in each execution. */
	/* Kept over executions. */
	evr_thread_id id, parent;
	unsigned rank; /* its parent's how-manieth child */
	EVR_VEC(struct evr_thread *) known; /* its own children, by rank */
	struct evr_coroutine coroutine;
	uintptr_t heap, heap_limit, frames, tls;
	EVR_VEC(char) scratch; /* copies of large atomic objects */
	char *spin; /* of the last time that it was EVR_SPINNING: what to say of it */

	uint64_t journals; /* how many there were */
	bool changed; /* its pieces are not what they were: rollback.c */
	size_t pieces; /* where in the marks they are, as long as they have not `changed` */

	/* The state of one execution. These are empty when the thread begins. */
	EVR_VEC(struct evr_held) rwlocks;
	EVR_VEC(struct evr_specific) values; /* of keys */
	EVR_VEC(void *) cleanups; /* where to jump to when it ends, last first */
	EVR_VEC(struct evr_block) blocks;
	EVR_VEC(struct evr_local) locals;
	EVR_VEC(struct evr_local) left; /* those that are gone, as long as their addresses are not used again */
	EVR_VEC(struct evr_journal_entry) journal; /* retry.c: writes to private memory */
	EVR_VEC(struct evr_looked) looked; /* and reads */
	EVR_VEC(struct evr_period) periods; /* the last is the present one */
	EVR_VEC(struct evr_section_mutex)
	section_mutexes; /* section.c: what it knows of mutexes that it has used in it */

	/*
	 * From here on all is zero when the thread begins, and then set by whoever begins it. Whoever is not the thread itself and changes something here says so: `changed`.
	 * This is one piece of a mark, the clock as far as it is used.
	 */
	enum evr_thread_state state;
	bool detached, joined;
	bool failed; /* ended by a finding, abort or exit, not by returning */
	bool tls_ended; /* its own variables are gone */
	bool spins; /* it has gone round a loop many times since others took a step; of interest while scouting */
	uint8_t queue_lock; /* what `queue` is: an enum evr_lock */
	bool sleeps; /* its lock of cond.c is prepared */
	bool tries; /* what it waits for may never come, and then this execution is of no interest */
	bool serial; /* the barrier has made it the serial thread */
	bool asks_serial; /* the program looks at whether it has */
	bool uncancellable;
	bool cas_failed; /* its last compare-exchange has, for no reason */
	bool journaling;
	bool locking; /* it touches a lock */
	bool guarded; /* its access to a large atomic object is a section of its own */
	uint16_t epoch;
	evr_thread_id target; /* if it is EVR_JOINING */
	unsigned children;
	unsigned awaited; /* how many threads wait for this one to end */
	unsigned keys; /* that it has created */
	uint32_t holder; /* of the lock of its last event, before that; as in the lock itself */
	int error; /* errno while it does not run */
	uint64_t stamp;
	void *(*start)(void *);
	int (*start11)(void *); /* what `start` calls, of a C11 thread */
	void *argument, *result;
	uintptr_t queue; /* the condition variable, barrier or futex at which it waits to be woken; 0: none */
	long wakeups; /* spurious ones */
	const struct evr_site *site; /* of its last visible event or call */
	char name[16]; /* that the program has given it, for reports */
	uintptr_t heap_top;
	uintptr_t frames_floor; /* of its frame arena, what lies below is used only once */
	int64_t time_passed; /* on its own clock, in nanoseconds */
	uint64_t random;
	long spurious_cas; /* how many of its compare-exchanges failed for no reason */
	/* retry.c */
	uint64_t effects; /* counts what leaves a trace that is neither in events nor in memory */
	uint64_t failures; /* to take locks that loops take */
	uint64_t noted_before; /* fast.noted when the journal began */
	const void *journal_of; /* the loop's state, if the journal is of a single round */
	uint64_t live; /* how many blocks it has allocated more than freed */
	size_t young; /* blocks from this one on were allocated since it was at the head of a loop */
	/* section.c */
	unsigned sections; /* how many it is in, one within the other */
	uintptr_t section_lock; /* that it holds; 0: none */
	uintptr_t section_site; /* where the outermost one began: its struct evr_site */
	/*
	 * The epochs of other threads that are over before this thread's next step, by create and join; an epoch ends with a create. Not a
	 * clock of event/clock.h: an epoch has 16 bits, and a join takes eight at a time.
	 */
	_Alignas(16) uint16_t clock[EVR_MAX_THREADS];
};

extern struct evr_thread *evr_current; /* NULL while the scheduler runs */

/* Whoever makes a thread the current one, or changes its stamp, says so. */
static inline void evr_thread_show_stamp(const struct evr_thread *t)
{
	*(uint64_t *)(uintptr_t)EVR_STAMP_PLACE = t->fast.stamp;
}

/* thread.c */
struct evr_thread *evr_thread_child(struct evr_thread *parent);
struct evr_thread *evr_thread_known(unsigned parent, unsigned rank);
int evr_thread_create(unsigned long *thread, const union pthread_attr_t *attr, void *(*start)(void *),
		      int (*start11)(void *), void *argument, const struct evr_site *site);
int evr_thread_join(unsigned long thread, void **result, const struct evr_site *site);
/* All of the state of the thread in this execution, between two steps. */
void evr_thread_pieces(struct evr_thread *t, struct evr_pieces *p);
/* A new thread of this execution. */
void evr_thread_begin(struct evr_thread *t, void *(*start)(void *), void *argument);
/* It is not at `queue` any more. */
static inline void evr_thread_leave_queue(struct evr_thread *t)
{
	t->queue = 0;
	t->changed = true;
}
/* Its present period. */
static inline uint16_t evr_present(const struct evr_thread *t)
{
	return (uint16_t)(t->periods.len - 1);
}

/* period.c: a period of the thread ends, with its event of that index. */
void evr_period_end(struct evr_thread *t, uint32_t index);
/* The thread has made the event, which it may have released something by. */
void evr_period_note(struct evr_thread *t, const struct evr_event *e);
/* Is that period of another thread over before the current thread's present? By create and join alone, or by whatever orders them. */
bool evr_period_is_joined(evr_thread_id thread, uint16_t period);
bool evr_period_is_ordered(evr_thread_id thread, uint16_t period);
/* Is there another thread whose accesses are not ordered with the current thread by create and join? */
bool evr_thread_has_company(void);

/* retry.c: the current thread is about to write private memory. */
void evr_journal_word(uintptr_t word);
/* It has read some; then it turned out to have done so for nothing, in an iteration that will be left out. */
void evr_journal_look(uintptr_t word, uint8_t mask);
void evr_retry_keep_journal(void);
bool evr_retry_watch(void); /* false: nobody knows what it has read */
/* Others may from now on see what the thread has written: an iteration that restores it later has changed nothing only if nobody looks. */
void evr_retry_release(struct evr_thread *t);
/* Somebody may notice that this lock is held, which may matter to a loop. */
void evr_retry_tried(uintptr_t lock);
/* The event has taken place. */
void evr_retry_written(const struct evr_event *e);
/* The current thread has noticed it. */
void evr_retry_failed(uintptr_t lock, const struct evr_site *site);
/* Has the thread taken a lock, from this event on? */
bool evr_retry_takes_lock(const struct evr_thread *t, evr_event_id first);
bool evr_retry_is_counter(uintptr_t address); /* is it none of the program's, but keeps count of this? */
/* await.c: would the thread, which is in an await, find the same if it looked again now? */
/* The current thread has gone round a loop for nothing; the first event of the trace that may be of that iteration. */
_Noreturn void evr_await_stop(evr_event_id first, const struct evr_site *site);
bool evr_await_in_vain(const struct evr_thread *t);
/* At the end of an execution: is somebody left in a loop, and not in vain? */
bool evr_await_is_futile(void);
void evr_await_describe(struct evr_strbuf *out, const struct evr_thread *t);

#endif
