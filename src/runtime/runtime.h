/*
 * The runtime: runs one execution of the program after the other, as an engine tells it.
 *
 * There is one runtime in a process, `evr_rt`, because hooks are called by the program and carry no context. What belongs to one
 * execution is in `evr_execution` (execution.h) and in the threads; what is here is true of all executions.
 */
#ifndef EVR_RUNTIME_H
#define EVR_RUNTIME_H

#include "base/strbuf.h"
#include "explore/engine.h"
#include "runtime/abi.h"
#include "runtime/config.h"
#include "runtime/execution.h"
#include "runtime/findings/findings.h"
#include "runtime/memory/memory.h"
#include "runtime/threads/thread.h"

struct evr_runtime {
	struct evr_config config;
	struct evr_world world;
	struct evr_engine *engine;
	struct evr_thread *threads[EVR_MAX_THREADS];
	unsigned thread_count; /* known in any execution so far */
	bool scouting; /* before the search: what executions tell, besides what is shared, nobody looks at */
	/*
	 * The first execution of a search that nobody has scouted for. If it has one thread only, there was nothing to find out, and the time of
	 * another execution is saved; so it ends where it creates a thread, and the search starts again when scouts are back.
	 */
	bool unscouted;
	bool stacks_wanted; /* executions note who called whom, and which step made which event */
	bool sections; /* the program has atomic sections: there was one in some execution */
	/* In any execution so far: an atomic object of more than 16 bytes; a compare-exchange that may have been meant weak. */
	bool locked_atomics, strong_cas;
	/* In any execution so far: a thread was created; a visible plain access while another thread had not ended. */
	bool concurrent, plain_shared;
	bool helped; /* copies of this process explore parts of the search */
	bool worker; /* this process explores branches of a search that others explore, too: workers.h */
	bool long_loop_told; /* in any execution */
	const char *drawn; /* executions are random: how the present one is drawn; else NULL */
	int argc;
	char **argv;
};

extern struct evr_runtime evr_rt;
extern const struct evr_site *evr_call_site; /* where the program calls the function of the library that runs */

/* sched.c: one execution, start to end. */
void evr_run(void);
/* When an execution is over: have the engine say what the steps did not, if it has not done so yet. False: it cannot. */
bool evr_run_complete(void);
/* From a hook: the current thread's pending event, to be filled in. */
struct evr_event *evr_event_arrive(unsigned kind, uintptr_t address, size_t size, const struct evr_site *site);
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

/* object.c */
void evr_objects_init(void);
/* Note from now on what is executed (runtime/coverage.h). */
void evr_objects_cover(void);
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
/* Of the program's code, and where its variables are. */
uint64_t evr_program_hash(void);
bool evr_module_code(uintptr_t address); /* may something there be executed? */

/* The function of the program that holds the code address; NULL if it is none of the program's. */
const struct evr_function *evr_object_function(uintptr_t pc);
/* The call of the library that has this site; NULL: none, or one through a pointer. For reports: it looks through all of them. */
const struct evr_call *evr_object_call(const struct evr_site *site);

/* callee.c: which functions the program may call. */
void evr_callees_init(const struct evr_object *objects);
/* What people must know about the verdict because of --allow-external, or NULL. */
const char *evr_callees_note(void);

/* nondet.c: --nondet; and what people must know about the verdict because of it, or NULL. */
void evr_nondet_init(const char *text);
const char *evr_nondet_note(void);

/* program.c: a number below n; every one is explored. */
unsigned evr_choose(unsigned n, const struct evr_site *site);
/* The current thread goes no further: this execution does not count, or counts elsewhere. */
_Noreturn void evr_give_up(const struct evr_site *site);

/* schedule.c: what replays the execution just run. */
char *evr_schedule_text(void);
/* Prepares the runtime for it; returns the engine, or NULL with *error. */
struct evr_engine *evr_schedule_engine(const char *text, char **error);

/* The part of it that is about the program and not about the execution: threads, and what the search has learned. ";;": nothing. */
char *evr_known_text(void);
/* It takes the place of what is known, and must have all of that. False, and *error: it is no such text. */
bool evr_known_take(const char *text, char **error);

/* simplify.c: at the end of the search, a simpler execution for each finding. */
void evr_simplify(struct evr_result *r);

#endif
