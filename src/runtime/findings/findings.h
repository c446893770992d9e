/*
 * What goes wrong in an execution, and how it is told. A *fault* belongs to the execution that runs; a *finding* is what the driver
 * hears of, once for each place.
 */
#ifndef EVR_FINDINGS_H
#define EVR_FINDINGS_H

#include "base/strbuf.h"
#include "event/event.h"

struct evr_thread;
struct evr_result;

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
	uintptr_t
		gone; /* if it is about memory that is not there, or no more: what it was to access or to give back; else 0 */
	bool after_free; /* of a store that took effect when its memory was gone: its thread went on */
	const struct evr_site
		*other_site; /* of a race: of that one of the two accesses that `site` is not; else NULL */
};

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
void evr_signals_init(void);
extern volatile int evr_stop; /* a signal asked to stop */
extern volatile int evr_asked; /* a signal asked how far we are */
extern volatile int evr_tick; /* time to tell the driver how far we are */

/* names.c: "q.head", "buf[3]", "node#2->next", "malloc#2+8"; with size 0 of what a pointer points to. */
void evr_name_address(struct evr_strbuf *out, uintptr_t address, size_t size);
void evr_name_value(struct evr_strbuf *out, const struct evr_event *e, evr_value value);
/* What the event read or wrote, "0 -> 1" for both; nothing where that says nothing. */
void evr_name_effect(struct evr_strbuf *out, const struct evr_event *e);
void evr_name_location(struct evr_strbuf *out, const struct evr_event *e);
/* What the program has named it, else its start routine; nothing if that is not known. */
void evr_name_thread(struct evr_strbuf *out, evr_thread_id thread);

/*
 * For the debugger, which asks while the program stands still (driver/everett-gdb.py): what reports say of an event, its kind 'k', location
 * 'l' or value 'v', or else the name of a thread; or what a pointer 'p' with that value points to. Good until the next call; it is in
 * evr_told_text as well.
 */
extern char evr_told_text[256];
const char *evr_told(const struct evr_event *e, unsigned thread, int what);

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
/* Add what another process has written for its executions; the text is taken apart. */
void evr_classes_merge(char *lines);
struct evr_result;
void evr_classes_report(struct evr_result *r);

/* problem.c: may the access, or free() and the like, take place now? Otherwise the finding's kind, with *message. */
const char *evr_free_problem(uintptr_t address, const char *what, char **message);
const char *evr_access_problem(uintptr_t address, size_t size, bool write, char **message);
const char *evr_gone_problem(uintptr_t address, size_t size, bool write, char **message);
/* Of which block the address is, in parentheses, and where that was allocated; nothing if it is of none. */
void evr_block_describe(struct evr_strbuf *out, uintptr_t address);

/* Does the read return bytes that nobody wrote? */
const char *evr_access_uninitialised(const struct evr_event *e, char **message);

/* deadlock.c: at the end of an execution, threads that wait for ever, and those that evr_spin() has left in a loop. */
void evr_deadlock_check(void);
void evr_spin_check(void);

/* collect.c: findings of the execution just run, to the driver. */
struct evr_result;
void evr_collect(struct evr_result *r);
/* Do reports show the event? */
bool evr_collect_shows(const struct evr_event *e);
/* The event of the finding that has this place in the trace; NULL if it is not shown. */
struct evr_result_finding;
struct evr_result_event;
struct evr_result_event *evr_collect_event(const struct evr_result_finding *f, evr_event_id place);
/* calls.c: which of the finding's events are one call of the library; of those before `end`. */
void evr_calls_describe(struct evr_result_finding *f, evr_event_id end);
/* blocks.c: the allocation, and the free, of the block that the fault is about, if they are no events; before that, what led to it. */
void evr_block_past(const struct evr_fault *f, bool *past);
void evr_block_events(struct evr_result_finding *out, const struct evr_fault *f);
/* This fault of the execution just run takes the place of a finding. */
bool evr_same_finding(const struct evr_result_finding *old, const struct evr_fault *f);
void evr_collect_replace(struct evr_result *r, size_t number, const struct evr_fault *f);

/* stronger.c: which orders would have to be stronger for the fault not to be, in the execution just run; into the finding. */
void evr_stronger_describe(struct evr_result_finding *out, const struct evr_fault *f);

/* stack.c: who has called the current function, before an event or a fault; and lines that tell it, of an event. */
void evr_stack_note(void);
void evr_stack_describe(struct evr_strbuf *out, evr_thread_id thread, uint32_t index, const char *indent);

#endif
