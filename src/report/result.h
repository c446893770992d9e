/*
 * The result of checking a program under one model: counts, verdict and findings, as text and numbers only.
 *
 * The checker fills one and sends it over a pipe (wire_send.c, wire_receive.c); the driver receives it, renders it (text.c) and keeps it
 * as JSON (json_write.c, json_read.c), from which `everett replay` and `everett report` read it back. Every string is owned by the result.
 */
#ifndef EVR_RESULT_H
#define EVR_RESULT_H

#include "base/vec.h"

#include <stdio.h>

/* How an event is named: its thread, and its position in it. */
struct evr_result_name {
	int thread, index;
};

struct evr_result_event {
	int thread;
	unsigned index;   /* position in its thread, from 0 */
	char *kind;       /* events.def */
	char *order;      /* "relaxed", ..., "" for plain accesses */
	char *file;
	unsigned line, column;
	char *function;
	char *location;   /* "q.head", "buf[3]", "malloc#2+8", "" where the kind has none */
	uint64_t byte;    /* which bytes it accesses, numbered so that those of two events overlap if these do */
	unsigned size;    /* 0: none */
	char *object;     /* of what can be waited for: "mutex", "semaphore", ...; "" for other events */
	char *value;      /* what was read or written; "0 -> 1" for a read-modify-write; may be empty */
	int source_thread; /* of a read: the event it read from; -1: not a read, or the initial value */
	int source_index;
	bool initial;     /* a read of the initial value */
	int after_thread; /* of a write: the one before it in the order of its location; -1: none, or not a write */
	int after_index;
	bool buffered;    /* a write that waits in a store buffer until its update */
	bool decides;     /* after it, and not before, every execution fails */
	bool past;        /* in the causal past of the finding: what the text report shows */
	char *call; /* the call of the library that it is a part of, "cond_wait(c, m)"; or empty: it is shown by itself */
	int call_first; /* the index of the first event of that call; -1: none */
	uint64_t place; /* in the trace; it is not saved */
	EVR_VEC(struct evr_result_name) synchronises; /* the events of other threads that it synchronises with */
};

/* A memory order that would have to be stronger for the finding's execution to be impossible; of a race, for the pair to be ordered. */
struct evr_result_change {
	char *file, *function;
	unsigned line, column;
	char *operation; /* "load", "store", "read-modify-write", "compare_exchange", "compare_exchange failure", "fence" */
	char *location; /* what it accesses, or empty: a fence, or several locations */
	char *now, *needed; /* "relaxed", "release", ... */
};

/* How reports call a thread: what the program has named it, else its start routine. */
struct evr_result_thread {
	int number;
	char *name;
};

struct evr_result_finding {
	char *kind; /* as in the command line contract */
	char *message;
	char *file;
	unsigned line, column;
	char *function;
	int thread;
	uint64_t execution; /* 1 for the first */
	char *schedule; /* replays it; see docs/reports.md */
	char *output; /* what the program printed in that execution */
	char *other; /* of a race the place of the other access, "file:line:column"; else NULL or empty */
	char *locals; /* the program's calls and variables, as JSON that only the web page looks into; NULL: nobody knows */
	char *drawn; /* of a random execution how it was drawn: "pct"; else NULL or empty */
	char *detail; /* further lines for people: who waits for what, both sides of a race; may be empty */
	bool simplified; /* no simpler execution has this finding: fewer accesses out of order, then fewer preemptions */
	unsigned weak, preemptions; /* if simplified: how many it has of these */
	bool hopeless; /* every execution fails */
	EVR_VEC(struct evr_result_event) events;
	EVR_VEC(struct evr_result_thread)
	threads; /* in the order of their numbers; those without a name may be missing */
	EVR_VEC(struct evr_result_change) stronger; /* all of them together; none: no order helps, or nobody knows */
};

/* `everett predict`: a place in the source that is part of a cycle. */
struct evr_result_label {
	char *file, *function, *kind; /* kind: "read" or "write" */
	unsigned line, column;
};

/* A predicted cycle: two labels of one thread, two of another, ...; and what came of trying to create it. */
struct evr_result_cycle {
	EVR_VEC(struct evr_result_label) labels;
	uint64_t trials, confirmed, buggy; /* in how many trials the cycle came about, and a finding with it */
	char *verdict; /* "buggy", "benign so far", "not confirmed"; with --decide "benign", "infeasible" */
	char *reordering; /* "store-load", ...: what made it; empty if it did not come about */
	char *fence; /* what would forbid it */
	char *finding; /* "assertion at FILE:LINE", or empty */
	char *schedule; /* replays it, with the finding if there was one */
};

/* `everett orders`: an atomic access or a fence, or one of the two orders of a compare-exchange. */
struct evr_result_site {
	char *file, *function;
	unsigned line, column;
	char *operation; /* as in struct evr_result_change */
	char *now; /* the order that the program has; the strongest of those that were executed, where it passes a variable */
	char *least; /* then, the weakest of them; else empty */
	bool executed; /* in any execution */
	char *needed; /* NULL: not known */
	bool studied; /* the question was asked of this one */
	char *tried; /* the weaker order with which `because` appears */
	struct evr_result_finding *because; /* the finding that appears with anything weaker, or NULL */
	EVR_VEC(char *) orders; /* with these words for --order */
};

#define EVR_ADDED_FENCE \
	"fence before " /* so begins the operation of a fence that the program does not have, right before an access */

bool evr_result_site_added(const struct evr_result_site *s);
/* Is the order that is needed another one than the program has, and could be weaker? Else it has to be stronger, or as strong in another way. */
bool evr_result_site_differs(const struct evr_result_site *s);
bool evr_result_site_weakens(const struct evr_result_site *s);
/* The site with this order, as --order takes it. */
char *evr_result_site_change(const struct evr_result_site *s, const char *order);

/* What to do where nothing was verified, or not all: in words, and the command, or NULL. */
struct evr_result_next {
	char *text, *command;
};

/* Of an incomplete search: what its choices are about. */
struct evr_result_topic {
	unsigned share; /* of all choices, in percent */
	char *location, *places; /* "hits"; "counter.c:12 (3 times in each of 4 threads), counter.c:20" */
};

/* And what could be cut. */
struct evr_result_cut {
	double rest; /* the part of the logarithm of the number of executions that would be left, about */
	char *what; /* "without T3 (worker)" */
};

/* A line, one way out of a branch, or a function: what an execution may come to. */
struct evr_result_point {
	char *kind; /* "line", "branch", "function" */
	char *file;
	unsigned line, column; /* column: of a branch */
	char *function; /* but for lines */
	unsigned number; /* of the branch among those of its function in the line, from 0, as they are evaluated */
	char *edge; /* of a branch: "true", "false", "case 3", "default"; else empty */
	bool executed; /* by any execution of the search */
};

/* What the engine counted, by its name in explore/stats.def. */
struct evr_result_stat {
	char *name;
	uint64_t count;
};

/*
 * What is left of a search that can be divided, at some moment of it: what it had counted, what it had learned, and the branches that were not yet
 * explored. Together they are the whole search (runtime/workers.c).
 */
#define EVR_REST_ELSEWHERE "@" /* the only branch, if what is left is in other files (driver/parts.h) */

struct evr_result_rest {
	bool there;
	unsigned version; /* how often it was told */
	char *program; /* a hash of the checker's code: branches of one program mean nothing to another */
	char *known;
	uint64_t executions, blocked, truncated, redundant, events;
	EVR_VEC(char *) branches;
};

/* `everett sample`: what was seen. Counts of draws are of those that are independent of each other. */
struct evr_result_sample {
	bool there;
	uint64_t classes,
		pairs; /* in all executions; pairs of a place that writes, or none, and one that reads from there */
	uint64_t draws, drawn_classes, once, twice; /* of the drawn classes so many came exactly once, and twice */
	uint64_t failing; /* draws with a finding */
	uint64_t later, later_new,
		later_failing; /* the second half of the draws; of these in classes that the first half has not; and with a finding */
};

struct evr_result {
	char *model, *equivalence;
	bool hello; /* the checker has told what it does; false: nothing was heard of it */
	bool robustness; /* the question was whether the program is robust: "ok" means that it is */
	bool orders; /* the question was which memory orders are needed */
	bool repaired; /* and the program as it is has a finding: `needed` says what would have to be stronger */
	bool prediction; /* cycles were predicted and tried: that nothing was found proves nothing */
	bool complete;
	long unroll; /* -1: no bound */
	long preemptions; /* at most, in each execution; -1: any number */
	long spurious; /* wake-ups for no reason, per thread; -1: none */
	long spurious_cas; /* weak compare-exchanges that may fail for no reason, per thread; -1: none */
	uint64_t executions, blocked, truncated, redundant, events;
	double estimate, estimate_low, estimate_high; /* of all executions, counted or not; 0: not known */
	long finished_preemptions; /* all executions with at most so many were run; -1: nobody has finished any */
	uint64_t finished_executions; /* and so many classes they have */
	unsigned asked; /* how often a signal to the checker asked how far it is */
	double compile_seconds, explore_seconds;
	uint64_t peak_kib;
	bool has_classes; /* --classes: how many distinct classes there were, and the sum of their keys */
	uint64_t classes[4];
	char *class_digests[4];
	char *error; /* set when the verdict is "error": the message */
	int error_status; /* and the exit status that goes with it: 2 or 4 */
	bool races_unchecked; /* threads share what they access plainly, and data races were not looked for */
	struct evr_result_rest rest; /* if it was asked for */
	char *shard; /* "2/7 of DIGEST": the search was a part of another one, which was split; NULL: it was not */
	char *stopped; /* why the search stopped early ("time limit", "interrupted", ...), or empty */
	char *output; /* what the program printed in the first execution */
	bool sampling; /* executions were drawn at random: nothing is verified */
	struct evr_result_sample sample;
	EVR_VEC(struct evr_result_stat) stats; /* told at the end of the search, if the engine keeps any */
	EVR_VEC(char *) notes; /* remarks for people: "RA treats seq_cst as release/acquire" */
	size_t hints; /* the first of these are for people who still wait for the search to end */
	EVR_VEC(struct evr_result_topic) topics; /* of the most choices first; not saved: `next` tells of them */
	EVR_VEC(struct evr_result_cut) cuts; /* likewise */
	EVR_VEC(struct evr_result_next) next;
	EVR_VEC(struct evr_result_finding) findings;
	EVR_VEC(struct evr_result_cycle) cycles;
	EVR_VEC(struct evr_result_site) sites;
	EVR_VEC(struct evr_result_point) points; /* by file, line, kind and so on: evr_point_compare() */
};

void evr_rest_clear(struct evr_result_rest *rest);
/* A number that changes with all that matters of it. */
uint64_t evr_rest_digest(const struct evr_result_rest *rest);

struct evr_result *evr_result_new(const char *model, const char *equivalence);
void evr_result_free(struct evr_result *r);
/* Give a string field a copy of `text`. */
void evr_result_set(char **field, const char *text);
/* Add a finding, or an event or a change to a finding, with every string empty. */
struct evr_result_finding *evr_result_add_finding(struct evr_result *r);
void evr_result_free_finding(struct evr_result_finding *f);
/* The same finding in another result, or NULL; findings are the same if kind and place are, of a race both places. */
const struct evr_result_finding *evr_finding_under(const struct evr_result *m, const struct evr_result_finding *f);
struct evr_result_event *evr_result_add_event(struct evr_result_finding *f);
struct evr_result_change *evr_result_add_change(struct evr_result_finding *f);
struct evr_result_thread *evr_result_add_thread(struct evr_result_finding *f);
/* The name of a thread, or empty. */
const char *evr_result_thread_name(const struct evr_result_finding *f, int number);
struct evr_result_cycle *evr_result_add_cycle(struct evr_result *r);
struct evr_result_site *evr_result_add_site(struct evr_result *r);
void evr_result_free_site(struct evr_result_site *s);
struct evr_result_point *evr_result_add_point(struct evr_result *r);
void evr_result_clear_points(struct evr_result *r);
struct evr_result_label *evr_result_add_label(struct evr_result_cycle *c);
/* A count that is there already gets the new value. */
void evr_result_set_stat(struct evr_result *r, const char *name, uint64_t count);
/* An error makes the verdict "error"; the first one is kept, later ones follow from it. */
void evr_result_error(struct evr_result *r, int status, const char *message);
/* Was everything explored, and was there something in it? An execution that is blocked or cut short verifies nothing. */
bool evr_result_verified(const struct evr_result *r);
/* Why it is not, where that is known: `stopped`, or what became of all executions. Else empty. */
const char *evr_result_reason(const struct evr_result *r);
/* "ok", "finding", "incomplete" or "error". */
const char *evr_result_verdict(const struct evr_result *r);
/* The exit status of the contract. */
int evr_result_status(const struct evr_result *r);

/*
 * The wire: one record a line, tab-separated fields, with \\ \t \n \0 escaped as \\, \t, \n, \0 within a field. A string
 * of ours cannot hold the last one, so a receiver keeps it as the two characters.
 *
 *   hello     model equivalence: what the checker will do, sent before anything else
 *   progress  executions blocked truncated redundant events
 *   estimate  low size high: of executions, blocked and truncated in all; 0 0 0: what was said before does not hold
 *   finished  preemptions executions: all executions with at most so many preemptions were run, and have so many classes
 *   topic     share location places: of a search that was stopped, what so many percent of its choices are about
 *   cut       rest what: of a search that was stopped, to which part the logarithm of its size would shrink, about, if that were done
 *   sample    what was seen in executions that were drawn at random: struct evr_result_sample
 *   asked     somebody has asked the checker how far it is
 *   finding   kind message file line column function thread execution schedule output detail simplified weak
 *             preemptions hopeless other, which may be missing
 *   instead   number: the finding before it takes the place of that one, the first is 0
 *   event     thread index kind order file line column function location value source_thread source_index initial past
 *             after_thread after_index buffered decides object byte size
 *   call      first text: of the event before it, which is a part of a call of the library
 *   sync      thread index: the event before it synchronises with that one
 *   thread    number name: of the finding before it
 *   stronger  file line column function operation location now needed: of the finding before it
 *   cycle     trials confirmed buggy verdict reordering fence finding schedule
 *   label     file line column function kind: of the cycle before it
 *   site      file line column function operation now executed: a memory order of the program
 *   coverage  what was executed follows: it takes the place of what was told before
 *   point     kind file line column function number edge executed: what can be executed, and whether it was
 *   decided   number buggy verdict reordering fence finding schedule: of a cycle, the first is 0, what the search has decided
 *   first     output of the first execution
 *   unchecked threads share what they access plainly, and data races were not looked for
 *   note      text
 *   hint      text: a note that is worth reading before the search ends; comes before all others
 *   classes   traces rf rvf outcomes, then the digest of each
 *   stat      name count: one that the engine keeps; one line for each
 *   rest      program known executions blocked truncated redundant events, then the branches
 *   error     status message
 *   done      complete stopped executions blocked truncated redundant events explore_seconds peak_kib
 *
 * Events belong to the finding before them, and what is of an event or a finding comes behind it. A finding counts from the moment its line is complete, so nothing that was
 * found is lost when the checker dies. Both ends have the fields of the longer records from records.def.
 */
void evr_wire_hello(int fd, const char *model, const char *equivalence);
void evr_wire_progress(int fd, const struct evr_result *r);
void evr_wire_estimate(int fd, const struct evr_result *r);
void evr_wire_finished(int fd, const struct evr_result *r);
void evr_wire_topic(int fd, unsigned share, const char *location, const char *places);
void evr_wire_cut(int fd, double rest, const char *what);
void evr_wire_sample(int fd, const struct evr_result_sample *s);
void evr_wire_asked(int fd);
void evr_wire_finding(int fd, const struct evr_result_finding *f);
/* What was found out of the finding that was sent last: its `stronger`. */
void evr_wire_stronger(int fd, const struct evr_result_finding *f);
/* The finding in the place of one that was sent before. */
void evr_wire_instead(int fd, size_t number, const struct evr_result_finding *f);
void evr_wire_cycle(int fd, const struct evr_result_cycle *c);
void evr_wire_site(int fd, const struct evr_result_site *s);
void evr_wire_coverage(int fd, const struct evr_result_point *points, size_t n);
void evr_wire_decided(int fd, size_t number, const struct evr_result_cycle *c);
void evr_wire_first(int fd, const char *output);
void evr_wire_unchecked(int fd);
void evr_wire_note(int fd, const char *text);
void evr_wire_hint(int fd, const char *text);
void evr_wire_classes(int fd, const struct evr_result *r);
struct evr_strbuf;
void evr_wire_stat(int fd, const char *name, uint64_t count);
void evr_wire_add_stat(struct evr_strbuf *to, const char *name, uint64_t count); /* the record itself */
/* What is left of the search. */
void evr_wire_rest(int fd, const struct evr_result_rest *rest);
void evr_wire_error(int fd, int status, const char *message);
void evr_wire_done(int fd, const struct evr_result *r);
/* Take one line, without its newline, into r. Returns 0, 1 if it was `done`, -1 if it is not of the wire. */
int evr_wire_line(struct evr_result *r, const char *line);

/* about.c: "2.1 M", " (1.6-2.8 M)", and "7 min". */
struct evr_strbuf;
void evr_text_about(struct evr_strbuf *b, double n);
void evr_text_spread(struct evr_strbuf *b, double low, double high);
void evr_text_seconds(struct evr_strbuf *b, double seconds);

/* text.c: the report for people. */
struct evr_text_options {
	bool color;
	unsigned width; /* of the terminal, in columns */
	const char *replay; /* the command that replays, or NULL */
	const char *models; /* under which other models it appears, or NULL */
};
/* Text of the program or of a file, to free: control characters are shown, not obeyed; a newline may stay, or is a blank. */
char *evr_text_printable(const char *s, bool newlines);
/* Which execution the finding is of: "execution 4, tso/traces", or "random execution 2 (pos), tso"; to be freed. */
char *evr_text_execution(const struct evr_result *r, const struct evr_result_finding *f);
void evr_text_finding(FILE *out, const struct evr_result *r, const struct evr_result_finding *f,
		      const struct evr_text_options *o);
/* All cycles that were predicted, and what came of each. */
void evr_text_cycles(FILE *out, const struct evr_result *r);
/* The sites of `everett orders`, and which order each needs. */
void evr_text_orders(FILE *out, const struct evr_result *r);
/* A table of models: how many cycles came about, how many were bugs, and with which probability. */
void evr_text_cycle_header(FILE *out);
void evr_text_cycle_row(FILE *out, const struct evr_result *r);
/* The line that ends every run: "everett: sc/none: ok, 6 executions, complete (0.05 s compile, 0.00 s explore)". */
void evr_text_summary(FILE *out, const struct evr_result *r);
/* A line with the engine's statistics, if there are any: "everett: sc/rf: 14 questions, 9 answered by insertion, ...". */
void evr_text_stats(FILE *out, const struct evr_result *r);

#endif
