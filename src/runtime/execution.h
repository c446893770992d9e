/*
 * The state of one execution, but for what lies in the program's memory and what each thread has (threads/thread.h), models and engines
 * have (model.h).
 *
 * There is one protocol. evr_execution_begin() leaves everything here empty or zero, and nothing else in the runtime is reset:
 * no file keeps state of an execution in variables of its own. evr_execution_end() puts the program's memory back, by the undo log.
 * Shadow cells are told from those of earlier executions by the number of the execution, which is part of their stamps.
 *
 * Other static variables say what they are (base.h: EVR_LASTING, EVR_MEMORY, EVR_SCRATCH), and tools/lint.sh looks for those that do not.
 */
#ifndef EVR_EXECUTION_H
#define EVR_EXECUTION_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "event/event.h"
#include "event/happens.h"
#include "model/model.h"
#include "runtime/memory/cell.h"

/* An access by one of several threads to a word, in this execution. */
struct evr_visit {
	evr_thread_id thread;
	uint16_t period;
	uint8_t read, written;
	uint32_t next;
};

/* The first access of the execution to a word: what its shadow cell was before. */
struct evr_touched {
	struct evr_cell *cell;
	struct evr_cell before;
};

/* sync/barrier.c */
struct evr_barrier_use {
	uintptr_t barrier;
	evr_thread_id thread;
};

/* sync/held.c: a lock that a thread holds, and nobody else can see. */
struct evr_lock_held {
	uintptr_t address;
	evr_thread_id thread;
	uint8_t lock; /* enum evr_lock */
	unsigned depth; /* of a recursive mutex */
	const struct evr_site *site; /* where it was taken first */
};

/* threads/key.c */
struct evr_specific_key {
	unsigned number;
	void (*destructor)(void *);
};

/* program.c */
struct evr_exit_handler {
	void (*plain)(void);
	void (*with_argument)(void *);
	void *argument;
	const struct evr_site *site; /* where it was registered */
};

/* A place that longjmp() can go back to, and what was on the frame arena then. */
struct evr_jump {
	const void *buffer;
	evr_thread_id thread;
	uintptr_t frames;
	uintptr_t stack; /* a frame below that of setjmp's caller */
	unsigned sections;
};

typedef EVR_VEC(struct evr_exit_handler) evr_exit_handlers;
typedef EVR_VEC(struct evr_lock_held) evr_locks_held;

struct evr_execution {
	uint32_t number; /* starts at 1 */
	/* Of a thread that waits: `memory_changes` when its event was found right, or UINT64_MAX. */
	uint64_t checked[EVR_MAX_THREADS];

	/* Empty when it begins. Who wants to know what the elements are finds them in the file that is named. */
	evr_steps taken; /* decisions: the schedule */
	EVR_VEC(evr_event_id) step_events; /* if stacks are wanted: of the event that each of them made */
	EVR_VEC(struct evr_stack) stacks; /* findings/stack.c */
	EVR_VEC(struct evr_fault) faults; /* findings/findings.h */
	EVR_VEC(struct evr_visit) visits; /* memory/shadow.c */
	EVR_VEC(uintptr_t) spoilt; /* words of globals that got uninitialised bytes */
	EVR_VEC(struct evr_barrier_use) barrier_uses; /* sync/barrier.c */
	evr_locks_held private_locks; /* sync/held.c */
	EVR_VEC(struct evr_specific_key) keys; /* threads/key.c */
	evr_exit_handlers exit_handlers, quick_exit_handlers; /* program.c */
	EVR_VEC(struct evr_jump) jumps;
	EVR_VEC(struct evr_file) standard_files; /* libc/file.h */
	EVR_VEC(struct evr_file *) open_files;
	EVR_VEC(struct evr_file *) closed_files;
	EVR_VEC(struct evr_channel *) channels; /* sync/channel.h */
	EVR_VEC(struct evr_inode *) inodes; /* all that are not of real files */
	EVR_VEC(struct evr_file_name) file_names; /* libc/inode.c */
	struct evr_happens happens; /* threads/period.c: as far as somebody has asked */
	struct evr_strbuf output;
	struct evr_text_block *texts; /* libc/text.c: what wrappers have allocated and not released */
	EVR_VEC(struct evr_touched) touched; /* if it has marks: rollback.h */
	bool has_marks;
	size_t pause_at; /* the scheduler is wanted when there are more events than that */

	/* From here on all is zero when it begins. */
	bool stop; /* it is to end here and now */
	uintptr_t
		gone; /* findings/problem.c: what the last access or free was about that there was something wrong with */
	bool over; /* nothing more can happen in it */
	bool truncated; /* a loop bound was reached */
	bool blocked; /* an assume failed, or a thread was left in an await, or waiting for what may never come */
	bool retracted; /* the last event was for nothing: the execution does not count, and is to be run again without it */
	bool futile; /* somebody was left in a loop who could go on, and does so in another execution: it does not count either */
	bool unsynchronised; /* something turned out to be shared by which threads may synchronise */
	bool main_left; /* by pthread_exit() */
	bool has_scratch; /* large atomic objects were copied: memory/atomic.c */
	bool signals_masked; /* some thread has blocked a signal; which threads block which is not kept */
	unsigned runnable; /* threads in state EVR_RUNNABLE */
	evr_thread_id last; /* the thread that has last handed over to the scheduler */
	struct evr_thread *woken; /* the last that was put into that state while others ran */
	unsigned alive; /* threads that have begun and not ended, as long as the scheduler runs */
	unsigned open_sections;
	/*
	 * Counts what can make an access wrong that was right when its thread arrived at it: memory given back, mutexes
	 * destroyed. A pending event that was found right notes the number in `checked`, and is looked at again only if it
	 * has changed.
	 */
	uint64_t memory_changes;
	struct {
		uintptr_t address; /* the mutex that was found sound and shared last; 0: none */
		uint64_t changes; /* and `memory_changes` then: it is so until that changes */
	} sound_mutex;
	const struct evr_site *long_loop; /* the last loop that went round often; NULL if none */
	int main_status; /* what main returned last */
	const struct evr_site *main_site; /* and where */
};

extern struct evr_execution evr_execution;

/* Its state between two steps, but for what is in memory, shadow memory and threads. */
void evr_execution_pieces(struct evr_pieces *p);
/* Is that all there is to it? What some library functions keep, and what went wrong, is no part of it. */
bool evr_execution_has_pieces(void);
/* A new execution: its first `prefix` events are those of the last one. */
void evr_execution_begin(size_t prefix);
void evr_execution_end(void);
/* It goes on somewhere else than where it is: forget what is no piece of it. */
void evr_execution_clear(void);

#endif
