/*
 * The runtime: runs one execution of the program after the other, as an engine tells it.
 *
 * There is one runtime in a process, `evr_rt`, because hooks are called by the program and carry no context; it and
 * `evr_current`, the running thread, are the only global state. Threads are kept from execution to execution (stack,
 * arenas, place in the tree of creations); what belongs to one execution is reset by evr_thread_begin().
 */
#ifndef EVR_RUNTIME_H
#define EVR_RUNTIME_H

#include "base/strbuf.h"
#include "explore/engine.h"
#include "runtime/abi.h"
#include "runtime/config.h"
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

enum evr_block_kind {
	EVR_BLOCK_ALLOCATED, /* malloc() and its relatives */
	EVR_BLOCK_MAPPED,    /* mmap() */
	EVR_BLOCK_KEPT,      /* the library's own, for good */
};

struct evr_block {
	uintptr_t address;
	size_t size;
	enum evr_block_kind kind;
	const struct evr_site *allocated, *freed; /* freed == NULL: alive */
	evr_thread_id freed_by;
	bool moved; /* freed by realloc(), which put it elsewhere */
	uint16_t freed_epoch;
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

struct evr_local {
	uintptr_t address;
	size_t size;
	const struct evr_variable *variable;
	const struct evr_site *left; /* where its function returned; NULL: alive */
	bool abandoned; /* it did not: the thread ended there */
	bool block;     /* or the block ended there */
	uint16_t epoch; /* of its thread when it was left */
};

struct evr_journal_entry {
	uintptr_t word; /* of private memory */
	uint64_t old;   /* what it held before it was written */
};

struct evr_looked {
	uintptr_t word;
	uint8_t mask;
};

struct evr_thread {
	/* Kept over executions. */
	evr_thread_id id, parent;
	unsigned rank; /* its parent's how-manieth child */
	EVR_VEC(struct evr_thread *) known; /* its own children, by rank */
	struct evr_coroutine coroutine;
	uintptr_t heap, heap_limit, frames, frames_limit, tls;
	EVR_VEC(char) scratch; /* copies of large atomic objects */

	/* Of this execution. */
	enum evr_thread_state state;
	bool detached, joined;
	bool failed; /* ended by a finding, abort or exit, not by returning */
	bool tls_ended; /* its own variables are gone */
	bool spins;  /* it has gone round a loop many times since others took a step; of interest while scouting */
	char *spin;  /* if it is EVR_SPINNING: what to say of it */
	uint64_t stamp;
	uint64_t fast_stamp; /* the same for the fast paths of accesses; 0: there are none, because a journal is kept */
	uint16_t epoch;
	/*
	 * The epochs of other threads that are over before this thread's next step. Not a clock of event/clock.h: an epoch has 16
	 * bits, since it shares the stamp of a shadow cell with a thread and an execution, and a join takes eight at a time.
	 */
	_Alignas(16) uint16_t clock[EVR_MAX_THREADS];
	unsigned children;
	unsigned awaited; /* how many threads wait for this one to end */
	void *(*start)(void *);
	int (*start11)(void *); /* what `start` calls, of a C11 thread */
	void *argument, *result;
	uintptr_t queue; /* the condition variable or barrier at which it waits to be woken; 0: none */
	uint32_t holder; /* of the lock of its last event, before that; as in the lock itself */
	bool at_barrier; /* that is what `queue` is */
	bool sleeps; /* its lock of cond.c is prepared */
	bool tries; /* what it waits for may never come, and then this execution is of no interest */
	bool serial; /* the barrier has made it the serial thread */
	bool asks_serial; /* the program looks at whether it has */
	bool uncancellable;
	long wakeups; /* spurious ones */
	unsigned keys; /* that it has created */
	EVR_VEC(struct evr_held) rwlocks;
	EVR_VEC(struct evr_specific) values; /* of keys */
	EVR_VEC(void *) cleanups; /* where to jump to when it ends, last first */
	evr_thread_id target;
	const struct evr_site *site; /* of its last visible event or call */
	int error; /* errno while it does not run */
	uintptr_t heap_top, frames_top, frames_floor;
	EVR_VEC(struct evr_block) blocks;
	EVR_VEC(struct evr_local) locals;
	EVR_VEC(struct evr_local) left; /* those that are gone, as long as their addresses are not used again */
	uint64_t random;
	long loop_bound; /* -1: none */
	long spurious_cas; /* how many of its compare-exchanges failed for no reason */
	bool cas_failed; /* the last one did */
	/* retry.c */
	uint64_t effects; /* counts what leaves a trace that is neither in events nor in memory */
	uint64_t failures; /* to take locks that loops take */
	uint64_t live; /* how many blocks it has allocated more than freed */
	size_t young; /* blocks from this one on were allocated since it was at the head of a loop */
	bool journaling;
	uint64_t journals; /* how many there were */
	EVR_VEC(struct evr_journal_entry) journal; /* writes to private memory */
	EVR_VEC(struct evr_looked) looked; /* and reads */
	/* section.c */
	unsigned sections; /* how many it is in, one within the other */
	uintptr_t section_lock; /* that it holds; 0: none */
	uintptr_t section_place; /* where the outermost one began: its struct evr_site */
	EVR_VEC(struct evr_section_mutex) section_mutexes; /* what it knows of mutexes that it has used in it */
	bool guarded; /* its access to a large atomic object is a section of its own */
};

/* A fault of the program in the execution that is running. */
struct evr_fault {
	const char *kind;
	char *message;
	char *detail;
	const struct evr_site *site;
	evr_thread_id thread;
	evr_event_id event; /* the last event before it, or itself */
	evr_event_id other; /* of a race the access before, or EVR_NO_EVENT */
	evr_event_id end; /* how many events there were when it was found */
	bool late; /* of a store that took effect when its memory was gone: its thread went on */
	const struct evr_site
		*other_site; /* of a race: of that one of the two accesses that `site` is not; else NULL */
};

struct evr_runtime {
	struct evr_config config;
	struct evr_world world;
	struct evr_engine *engine;
	struct evr_thread *threads[EVR_MAX_THREADS];
	unsigned thread_count; /* known in any execution so far */
	uint32_t execution; /* number of the execution, for stamps; starts at 1 */
	evr_steps taken; /* decisions of this execution: the schedule */
	bool places_wanted; /* and who called whom */
	EVR_VEC(evr_event_id) places; /* if wanted: of the event that each of them made */
	EVR_VEC(struct evr_fault) faults;
	struct evr_strbuf output;
	unsigned runnable; /* threads in state EVR_RUNNABLE */
	/*
	 * Counts what can make an access wrong that was right when its thread arrived at it: memory given back, mutexes
	 * destroyed. A pending event that was found right notes the number in `checked`, and is looked at again only if it
	 * has changed.
	 */
	uint64_t memory_changes;
	uint64_t checked[EVR_MAX_THREADS];
	bool scouting; /* before the search: what executions tell, besides what is shared, nobody looks at */
	bool cut; /* end this execution now */
	bool over; /* nothing more can happen in it */
	bool truncated; /* a loop bound was reached */
	bool blocked; /* an assume failed, or a thread was left in an await, or waiting for what may never come */
	bool retracted; /* the last event was for nothing: the execution does not count, and is to be run again without it */
	bool futile; /* somebody was left in a loop who could go on, and does so in another execution: it does not count either */
	bool main_left; /* by pthread_exit() */
	bool sections; /* the program has atomic sections: there was one in some execution */
	unsigned open_sections; /* now */
	/* In any execution so far: an atomic object of more than 16 bytes; a compare-exchange that may have been meant weak. */
	bool locked_atomics, strong_cas;
	/* In any execution so far: a thread was created; a visible plain access while another thread had not ended. */
	bool concurrent, plain_shared;
	const struct evr_site *long_loop; /* the last loop of this execution that went round often; NULL if none */
	bool long_loop_told; /* in any execution */
	int argc;
	char **argv;
};

extern struct evr_runtime evr_rt;
extern struct evr_thread *evr_current; /* NULL while the scheduler runs */
extern const struct evr_site *evr_call_site;

/* sched.c: one execution, start to end. */
void evr_run(void);
/* From a hook: the current thread's pending event, to be filled in. */
struct evr_event *evr_event_begin(unsigned kind, uintptr_t address, size_t size, const struct evr_site *site);
/* Waits until that event has taken place, and been completed. `checked`: it may, as long as memory does not change. */
void evr_event_wait(bool checked);
void evr_thread_wake(struct evr_thread *t);
/* From a hook: an event that takes place at once. */
void evr_record(unsigned kind, const struct evr_site *site, evr_value other);
/* Record that a thread's event did not take place, because of what it found in memory: a FAULT. */
void evr_record_fault(const struct evr_event *e);
/* From a hook: let the scheduler run; the thread's state says why. */
void evr_yield(void);
_Noreturn void evr_end_thread(bool failed);
/* From a hook: wait until the thread's buffered stores are in memory. */
void evr_drain(const struct evr_site *site);

/* thread.c */
struct evr_thread *evr_thread_child(struct evr_thread *parent);
struct evr_thread *evr_thread_known(unsigned parent, unsigned rank);
int evr_thread_create(unsigned long *thread, const union pthread_attr_t *attr, void *(*start)(void *),
		      int (*start11)(void *), void *argument, const struct evr_site *site);
int evr_thread_join(unsigned long thread, void **result, const struct evr_site *site);
void evr_thread_begin(struct evr_thread *t, void *(*start)(void *), void *argument);
void evr_threads_reset(void);
/* Is there another thread whose accesses are not ordered with the current thread by create and join? */
bool evr_thread_has_company(void);

/* heap.c, frame.c */
void evr_heap_begin(struct evr_thread *t);
/* The block that the address belongs to or is nearest behind, of any thread; NULL if none. */
struct evr_block *evr_heap_find(uintptr_t address, evr_thread_id *owner, size_t *number);
/* The last block of the heap that the address is in, behind all that was allocated there; NULL if it is not. */
const struct evr_block *evr_heap_below(uintptr_t address, evr_thread_id *owner);
/* Zeros, at a page's start, until evr_heap_unmap() of all of it. NULL with errno. */
void *evr_heap_map(size_t size, const struct evr_site *site);
/* Returns false if it is part of a mapping only, which is not supported. */
bool evr_heap_unmap(void *p, size_t size, const struct evr_site *site);
/* Memory that a function of the library never gives back. */
void *evr_heap_keep(size_t size, const struct evr_site *site);
void evr_frame_begin(struct evr_thread *t);
/* Gives back all locals of the thread, which ends without returning from its functions. */
void evr_frame_abandon(struct evr_thread *t, const struct evr_site *site);
/* The local that the address is in, or was in before it was left, or is nearest to; NULL if none. */
const struct evr_local *evr_frame_near(uintptr_t address);
void evr_heap_report_leaks(void);

/* access.c: for the library's wrappers. Both end the thread with a finding if the memory may not be accessed. */
void evr_access_read(void *to, const void *from, size_t size, const struct evr_site *site);
/* The same, for what the function does not merely copy: that nobody wrote it is a finding, too. */
void evr_access_look(void *to, const void *from, size_t size, const struct evr_site *site);
void evr_access_write(void *to, const void *from, size_t size, const struct evr_site *site);
/* The same for bytes rather than numbers: how they are accessed fits the program's own accesses to them. */
void evr_access_read_text(void *to, const void *from, size_t size, const struct evr_site *site);
void evr_access_write_text(void *to, const void *from, size_t size, const struct evr_site *site);
/* One access of up to 16 bytes, as the program's own instructions make them. */
evr_value evr_access_load(uintptr_t address, size_t size, const struct evr_site *site);
void evr_access_store(uintptr_t address, size_t size, evr_value value, const struct evr_site *site);
evr_value evr_access_rmw(uintptr_t address, size_t size, evr_value operand, unsigned op, const struct evr_site *site);
evr_value evr_access_cas(uintptr_t address, size_t size, evr_value expected, evr_value desired,
			 const struct evr_site *site);
/* Can others see accesses to it, all or none of its bytes? Ends the thread with a finding if it may not be accessed. */
bool evr_access_visible(uintptr_t address, size_t size, bool write, const struct evr_site *site);
/* The same place in the source with another order, and with more flags. */
const struct evr_site *evr_site_as(const struct evr_site *site, enum evr_order order, unsigned flags);
/* memmove of program memory: uninitialised bytes stay so. */
void evr_access_copy(void *to, const void *from, size_t size, const struct evr_site *site);
/* A finding if there are no such bytes to read, even if they are not read. */
void evr_access_expect(const void *from, size_t size, const struct evr_site *site);
/* A finding if the two places have bytes in common. */
void evr_access_apart(const void *to, const void *from, size_t size, const struct evr_site *site);
/* The length of a string in program memory, read as the program would. */
size_t evr_access_strlen(const char *s, const struct evr_site *site);
/* problem.c: may the access, or free() and the like, take place now? Otherwise the finding's kind, with *message. */
const char *evr_free_problem(uintptr_t address, const char *what, char **message);
const char *evr_access_problem(uintptr_t address, size_t size, bool write, char **message);
const char *evr_gone_problem(uintptr_t address, size_t size, bool write, char **message);
/* Of which block the address is, in parentheses, and where that was allocated; nothing if it is of none. */
void evr_block_describe(struct evr_strbuf *out, uintptr_t address);

/* Does the read return bytes that nobody wrote? */
const char *evr_access_uninitialised(const struct evr_event *e, char **message);

/* atomic.c: the object whose lock lies at this address; 0 if there lies none. */
uintptr_t evr_atomic_locked(uintptr_t address, size_t *size);

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
/* What is known, for schedules: the i-th byte or place (struct evr_site), and its group; SIZE_MAX behind the last. */
/* Shadow cells were cleared. */
void evr_sections_renew(void);

/* mutex.c: may the mutex event take place now? Otherwise the finding's kind, with *message. */
const char *evr_mutex_problem(const struct evr_event *e, char **message);

/* object.c */
void evr_objects_init(void);
/* Of all objects together: enum evr_object_flag. */
unsigned evr_objects_flags(void);
void evr_objects_run_constructors(void);
void evr_objects_run_destructors(void);
void evr_tls_begin(struct evr_thread *t);
void evr_tls_end(struct evr_thread *t);
/* Memory of libraries without hooks, which the program may use. The C library's own is only read, but for errno. */
bool evr_foreign(uintptr_t address, size_t size, bool write);
/* ", which belongs to the C library", without the comma, or NULL: it is not memory of a library. */
const char *evr_foreign_owner(uintptr_t address);
const struct evr_variable *evr_object_variable(uintptr_t address);
const struct evr_variable *evr_tls_variable(uintptr_t address, evr_thread_id *thread, uintptr_t *start);
/* The same, with its size, whether or not anything else is known of it. */
bool evr_tls_find(uintptr_t address, evr_thread_id *thread, uintptr_t *start, size_t *size);
/* Base of the executable or library that holds the address and its number, or 0. */
uintptr_t evr_module_base(uintptr_t address, unsigned *number);
uintptr_t evr_module_number_base(unsigned number);
bool evr_module_code(uintptr_t address); /* may something there be executed? */

/* The function of the program that holds the code address; NULL if it is none of the program's. */
const struct evr_function *evr_object_function(uintptr_t pc);

/* callee.c: which functions the program may call. */
void evr_callees_init(const struct evr_object *objects);
/* What people must know about the verdict because of --allow-external, or NULL. */
const char *evr_callees_note(void);

/* nondet.c: --nondet; and what people must know about the verdict because of it, or NULL. */
void evr_nondet_init(const char *text);
const char *evr_nondet_note(void);

/* fault.c */
_Noreturn void evr_fail(const char *kind, const struct evr_site *site, const char *format, ...) EVR_PRINTF(3, 4);
void evr_fault_add(const char *kind, const struct evr_site *site, evr_thread_id thread, char *message, char *detail);
/*
 * The current thread has run for too long without a visible event. It may wait for memory that is not yet known to be shared, so the
 * others go on without it: if one of them writes what it has read, that is noticed, and the search starts again. If they come to
 * their ends, and the process does not, that is the finding `no-progress`.
 */
_Noreturn void evr_spin(const struct evr_site *site, char *message);
_Noreturn void evr_unsupported(const struct evr_site *site, const char *format, ...) EVR_PRINTF(2, 3);
/* Seconds of the processor that the checker has had. */
double evr_cpu(void);
void evr_faults_clear(void);
void evr_signals_init(void);
extern volatile int evr_stop; /* a signal asked to stop */
extern volatile int evr_asked; /* a signal asked how far we are */
extern volatile int evr_tick; /* time to tell the driver how far we are */

/* names.c: "q.head", "buf[3]", "malloc#2+8", "main: x". */
void evr_name_address(struct evr_strbuf *out, uintptr_t address, size_t size);
void evr_name_value(struct evr_strbuf *out, const struct evr_event *e, evr_value value);
/* What the event read or wrote, "0 -> 1" for both; nothing where that says nothing. */
void evr_name_effect(struct evr_strbuf *out, const struct evr_event *e);
void evr_name_location(struct evr_strbuf *out, const struct evr_event *e);

/* races.c: at the end of an execution, if races are asked for. */
bool evr_races_wanted(void);
void evr_races_check(void);

/* robust.c: at the end of an execution, if robustness is the question. */
bool evr_robust_wanted(void);
void evr_robust_check(void);
/* Report places again that were reported before: those executions do not count. */
void evr_robust_forget(void);
/* Is a fault of this kind none of its business? Then it ends its thread, and the search goes on. */
bool evr_robust_ignores(const char *kind);
/* What people must know about the verdict, or NULL. */
const char *evr_robust_note(void);

/* classes.c: --classes. */
bool evr_classes_wanted(void);
void evr_classes_note(uint64_t execution);
void evr_classes_restart(void);
struct evr_result;
void evr_classes_report(struct evr_result *r);

/* held.c: where the thread locked the mutex that it holds, or NULL; and a line for each that it holds. */
const struct evr_site *evr_held_since(uintptr_t mutex, evr_thread_id thread);
void evr_held_describe(struct evr_strbuf *out, const struct evr_thread *t);
/* A mutex event that is not in the trace has taken place. */
void evr_held_note(const struct evr_event *e);

/* retry.c: the thread begins, and has kept a journal in the execution before; the current thread is about to write private memory. */
void evr_retry_begin(struct evr_thread *t);
void evr_journal_word(uintptr_t word);
/* It has read some; then it turned out to have done so for nothing, in an iteration that will be left out. */
void evr_journal_look(uintptr_t word, uint8_t mask);
void evr_retry_keep_journal(void);
bool evr_retry_watch(void); /* false: nobody knows what it has read */
/* Somebody may notice that this lock is held, which may matter to a loop. */
void evr_retry_tried(uintptr_t lock);
/* The event has taken place. */
void evr_retry_written(const struct evr_event *e);
/* The current thread has noticed it. */
void evr_retry_failed(uintptr_t lock, const struct evr_site *site);
/* Has the thread taken a lock, from this event on? */
bool evr_retry_takes_lock(const struct evr_thread *t, evr_event_id first);
bool evr_retry_is_counter(uintptr_t address); /* is it none of the program's, but keeps count of this? */
/* deadlock.c: at the end of an execution, threads that wait for ever, and those that evr_spin() has left in a loop. */
void evr_deadlock_check(void);
void evr_spin_check(void);

/* await.c: would the thread, which is in an await, find the same if it looked again now? */
/* The current thread has gone round a loop for nothing; the first event of the trace that may be of that iteration. */
_Noreturn void evr_await_again(evr_event_id first, const struct evr_site *site);
bool evr_await_in_vain(const struct evr_thread *t);
/* At the end of an execution: is somebody left in a loop, and not in vain? */
bool evr_await_is_futile(void);
void evr_await_describe(struct evr_strbuf *out, const struct evr_thread *t);

/* program.c: a number below n; every one is explored. */
unsigned evr_choose(unsigned n, const struct evr_site *site);
/* The current thread goes no further: this execution does not count, or counts elsewhere. */
_Noreturn void evr_give_up(const struct evr_site *site);

/* schedule.c: what replays the execution just run. */
char *evr_schedule_text(void);
/* Prepares the runtime for it; returns the engine, or NULL with *error. */
struct evr_engine *evr_schedule_engine(const char *text, char **error);

/* collect.c: findings of the execution just run, to the driver. */
struct evr_result;
void evr_collect(struct evr_result *r);
/* Do reports show the event? */
bool evr_collect_shows(const struct evr_event *e);
/* This fault of the execution just run takes the place of a finding. */
struct evr_result_finding;
bool evr_same_finding(const struct evr_result_finding *old, const struct evr_fault *f);
void evr_collect_again(struct evr_result *r, size_t number, const struct evr_fault *f);

/* stack.c: who has called the current function, before an event or a fault; and lines that tell it, of an event. */
void evr_stacks_begin(void);
void evr_stack_note(void);
void evr_stack_describe(struct evr_strbuf *out, evr_thread_id thread, uint32_t index, const char *indent);

/* simplify.c: at the end of the search, a simpler execution for each finding. */
void evr_simplify(struct evr_result *r);

#endif
