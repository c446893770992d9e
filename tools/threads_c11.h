/*
 * Threads of a program of flavour `c11` that add their events to an execution graph (axioms_c11.h), one by one: what comes
 * next, and in how many ways. Which of the graphs are consistent is no matter of this file.
 *
 * A loop that waits or retries is known in three forms (form_of() in threads_c11.c). A round of it that fails changes nothing
 * that anybody could notice later: without its events a consistent graph is a consistent graph, since all relations only
 * shrink; only that it races is not seen then. So rounds that fail are left out, or some of them are kept if `rounds` of the options says so. The exception
 * is a loop around a compare-exchange that remembers what it has found: its rounds count, and come to an end by coherence.
 */
#ifndef EVR_TOOLS_THREADS_C11_H
#define EVR_TOOLS_THREADS_C11_H

#include "axioms_c11.h"

enum { C11_PROMISED = -2, C11_PROMISES = 4, C11_MOST_FRAMES = 6 };

/* A block that is being executed. */
struct c11_frame {
	const struct block *block;
	const struct stmt *of;
	size_t at;
	unsigned rounds; /* of a loop: those that failed */
};

struct c11_actor {
	bool born, ended;
	bool waits; /* for ever, in a loop */
	bool stopped; /* by an execution that is of no interest */
	unsigned frames, events;
	struct c11_frame frame[C11_MOST_FRAMES];
	uint64_t told; /* role 0, if main has its part: result_part() of what it knew before main went on to join */
	int reg[REGISTERS + 1];
	/* Of the next statement. */
	bool second; /* an await for either of two variables has come to the second */
	unsigned rounds; /* of an await: those that failed */
	enum { UNDECIDED, IN_EARNEST, IN_VAIN } cas; /* a weak compare-exchange fails for no reason, or does not */
	unsigned spurious; /* how many of them did */
};

/* A graph as far as it has been built, and where the threads are. */
struct c11_state {
	struct c11_graph graph;
	struct c11_actor actor[C11_ACTORS];
	bool dead; /* nothing comes of it */
	bool too_large;
};

struct c11_threads {
	const struct program *p;
	const struct c11_options *options;
	struct block main;
};

/* Of a graph to which nothing can be added: has the actor come to a lock, and no further? */
bool c11_waits_for_mutex(const struct c11_actor *a);

/* How a thread may go on: it reads from a write, or is promised a value; makes a choice; or waits for ever. */
enum c11_way_kind { C11_FROM, C11_PROMISE, C11_CHOICE, C11_FOR_EVER };
struct c11_way {
	enum c11_way_kind kind;
	int number; /* the write, the value or the choice */
};
enum { C11_MOST_WAYS = RELATION_SIZE + 2 * C11_PROMISES };

void c11_threads_init(struct c11_threads *t, const struct program *p, const struct c11_options *options);
void c11_threads_release(struct c11_threads *t);
/* Initial writes and the start of main. */
void c11_begin(const struct c11_threads *t, struct c11_state *g);
/* Add the thread's next event if it has but one way. False: it has ended, has several ways, or has to wait. */
bool c11_advance(const struct c11_threads *t, struct c11_state *g, unsigned actor);
/* All ways to go on. Of a thread that c11_advance() has brought no further; none: it has to wait for others. */
unsigned c11_ways(const struct c11_threads *t, const struct c11_state *g, unsigned actor,
		  struct c11_way ways[C11_MOST_WAYS]);
void c11_take(const struct c11_threads *t, struct c11_state *g, unsigned actor, struct c11_way way);
/*
 * Whoever waits for ever sees the last write to the location in the end, whichever that is, and must go on waiting: say so in the graph. False:
 * there is no such write.
 */
bool c11_restrict_last(struct c11_state *g);
uint64_t c11_told(const struct c11_actor *a);

#endif
