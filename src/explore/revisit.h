/*
 * The state of engine `revisit`, which its files share: revisit.c is the engine and its stack, revisit_graph.c puts graphs together and asks
 * about them, revisit_rules.c says which graphs follow from one, revisit_canonical.c which events may go for that, revisit_cells.c knows of events that read several cells,
 * and revisit_order.c of modification orders.
 *
 * A graph is a reads-from trace whose events were added one after the other. An event that reads has a *read part* for each cell that it reads, one that
 * writes a *write part*; a read-modify-write has both, and the write part is added right behind the read parts. If a part is given another source, those that come
 * behind it are chosen anew, as the next parts of all.
 */
#ifndef EVR_REVISIT_H
#define EVR_REVISIT_H

#include "explore/rf_search.h"

#define EVR_NEVER UINT32_MAX /* a place in the order of addition: there is no such part */
#define EVR_REVISIT_CELLS 32 /* an event reads no more */

/* What is known of an event of the graph besides what the reads-from trace says. */
struct evr_revisit_event {
	/* Places in the order of addition, of reads that of the first cell; a fence, a choice and the like have one of them. */
	uint32_t read, write;
	bool final; /* it has replaced a lock, and stays */
	/*
	 * Of an event that reads one cell: a source with which it could have been added when it was, and that is preferred to all others, or, if not
	 * `exact`, to all that anybody has asked about.
	 */
	bool exact;
	evr_event_id canon;
	evr_value initial; /* of a read-modify-write: what it would read if nobody had written */
	struct evr_event event; /* as it was executed, or would be */
};

/* The sources of the first n cells that an event reads, and their places in the order of addition. */
struct evr_revisit_sources {
	uint32_t n;
	evr_event_id of[EVR_REVISIT_CELLS];
	uint32_t places[EVR_REVISIT_CELLS];
};

/* A lock that waits when an execution is over. */
struct evr_revisit_waiter {
	struct evr_rf_event x;
	struct evr_event event;
	uint32_t after; /* where its `afters` are */
};

/* A graph, and how far the search has come with those that follow from it. */
struct evr_revisit_frame {
	EVR_VEC(struct evr_rf_event) events;
	EVR_VEC(struct evr_revisit_event) known;
	EVR_VEC(struct evr_revisit_waiter) waiters;
	evr_rf_ids afters, sources, cell_places, order;
	evr_rf_ids waiting; /* what the waiters' `after` means */
	uint32_t new; /* parts from this place on are new: others were dealt with where they were */
	uint32_t places; /* how many there are */
	/*
	 * Not EVR_NO_EVENT: the graph was not run, because of this event, its last. Either it has not read all of its cells yet; then the next one is
	 * read. Or the graph cannot happen with the event's write; then what follows from that write does.
	 */
	evr_event_id virtual;
	/* The cursor: the next part, and of it, the next other event, and the cell of that. */
	size_t part;
	bool begun;
	evr_event_id other;
	uint32_t cell;
	size_t half_known; /* of this part, somebody else has tried some sources: nobody knows here what came of that. SIZE_MAX: of none */
};

enum evr_revisit_part_kind {
	EVR_REVISIT_READ,
	EVR_REVISIT_WRITE,
	EVR_REVISIT_BLOCKED, /* a write that is not possible yet: its thread stands still */
};

struct evr_revisit_part {
	uint32_t place;
	evr_event_id event; /* behind all events: a waiter */
	uint32_t cell; /* of those that the event reads */
	enum evr_revisit_part_kind kind;
};

/* A branch that was read from its text, and is being run. */
struct evr_revisit_told_event {
	evr_thread_id thread;
	uint8_t kind;
	bool final, names_source;
	uint32_t read, write; /* places */
	uint32_t variant;
	evr_event_id source;
	evr_event_id number; /* that it has while it is run: events are numbered as they come */
	uint32_t cell, cells; /* where the places of the cells that it reads are, and how many, if it reads several */
};

struct evr_revisit_told {
	EVR_VEC(struct evr_revisit_told_event) events; /* by their numbers in the text */
	evr_rf_ids cells; /* places */
	evr_rf_ids order; /* of steps; numbers as it is run */
	uint32_t new, places;
	bool is_frame; /* it was run and counted before, and the cursor was here: */
	size_t part;
	bool begun;
	evr_event_id other;
	uint32_t cell;
};

struct evr_revisit {
	struct evr_rf_engine f; /* how an execution is run, and the trace */
	EVR_VEC(struct evr_revisit_event) known; /* of the trace's events */
	evr_rf_ids cell_places; /* of the trace's `sources`: when they were read */
	EVR_VEC(struct evr_revisit_frame) frames; /* the first `depth` are in use */
	size_t depth;
	bool loaded; /* the trace is that of the last frame */
	EVR_VEC(struct evr_revisit_part) parts; /* of the last frame, those that are new */
	EVR_VEC(bool) keep;
	EVR_VEC(struct evr_revisit_event) moved;
	evr_rf_ids moved_places, candidates, doubtful;
	uint32_t
		since; /* of a graph that follows: events that were added later have lost some that were there before them */
	uint32_t places, new; /* of the execution that is run */
	uint32_t behind; /* with a modification order: how many writes come behind the one that gets a place */
	uint64_t virtual_graphs;
	bool divided; /* others explore other branches */
	evr_branches queue; /* texts of branches that are still to be explored */
	struct evr_revisit_told told;
	char *told_text; /* not NULL: the next execution is run from this text */
	evr_rf_ids numbers; /* of the events of that execution: those that they have in the text */
};

/* What becomes of a graph that follows: nothing, it is run, or there is one more frame. */
enum evr_revisit_outcome { EVR_REVISIT_NOTHING, EVR_REVISIT_RUN, EVR_REVISIT_FRAME };

/* revisit_graph.c */

/* The event with these sources, which must outlive it; `mere`: without its write, if it has one. In `known`, what it would be. */
struct evr_rf_changed evr_revisit_changed(const struct evr_revisit *s, evr_event_id id,
					  const struct evr_revisit_sources *from, bool mere);
bool evr_revisit_would_write(const struct evr_revisit *s, evr_event_id id, const struct evr_revisit_sources *from);
/* Is the graph of the events that are kept, and the changed ones, consistent? change.order is an order to run it in. */
bool evr_revisit_ask(struct evr_revisit *s, const struct evr_rf_changed *changed, unsigned n);
/* The same, and with a modification order, those that write get their places in it. */
bool evr_revisit_ask_anew(struct evr_revisit *s, struct evr_rf_changed *changed, unsigned n);
/* The trace becomes that graph. `known` is what is known of the changed ones, `last` the sources of the last; NULL: it has one at most. */
void evr_revisit_take(struct evr_revisit *s, const struct evr_revisit_event *known, unsigned n,
		      const struct evr_revisit_sources *last);
/* The trace's graph as one more frame. */
struct evr_revisit_frame *evr_revisit_push(struct evr_revisit *s);
/* The last frame's graph becomes the trace. */
void evr_revisit_load(struct evr_revisit *s);

/* revisit_cells.c */

/* How many cells the event, which reads, has read parts for when it is complete. */
uint32_t evr_revisit_cells(const struct evr_revisit *s, evr_event_id id);
/* Of the event's read part for that of its cells: its place, and its source. */
uint32_t evr_revisit_place(const struct evr_revisit *s, evr_event_id id, uint32_t cell);
evr_event_id evr_revisit_source(const struct evr_revisit *s, evr_event_id id, uint32_t cell);
/* The sources of the event's first n cells; and one more. */
void evr_revisit_get_sources(const struct evr_revisit *s, evr_event_id id, uint32_t n,
			     struct evr_revisit_sources *from);
void evr_revisit_add_source(struct evr_revisit_sources *from, evr_event_id source, uint32_t place);
/* The value that the event finds there, if it has all these sources; and if nobody had written. */
evr_value evr_revisit_value(const struct evr_revisit *s, evr_event_id id, const struct evr_revisit_sources *from);
evr_value evr_revisit_initial_value(const struct evr_revisit *s, evr_event_id id);
/* Are there sources for the event's other cells with which it can be added to what is kept, with its write, if it then has one? */
bool evr_revisit_can_be_whole(struct evr_revisit *s, evr_event_id id, struct evr_revisit_sources *from);
/* Are there mutexes of several cells? Of the events of the last execution. */
bool evr_revisit_divides_mutexes(const struct evr_revisit *s);

/* Does the event write the cell? */
static inline bool evr_revisit_writes(const struct evr_rf *t, evr_event_id w, uint32_t cell)
{
	return t->events.data[w].flags & EVR_RF_WRITES && evr_rf_covers(&t->events.data[w], cell);
}

/* When the event was added. */
static inline uint32_t evr_revisit_added(const struct evr_revisit_event *k)
{
	return k->read != EVR_NEVER ? k->read : k->write;
}

static inline bool evr_revisit_is_lock(const struct evr_revisit *s, evr_event_id id)
{
	return s->f.s.t.events.data[id].kind == EVR_LOCK;
}

/* revisit_canonical.c */

/* Keep what was added before that place, and, if w is an event, what comes before it; all from the time when w was the last. */
void evr_revisit_keep_before(struct evr_revisit *s, uint32_t place, evr_event_id w);
/* Is the source a preferred to b? That must not depend on when they were added. */
bool evr_revisit_prefers(const struct evr_rf *t, evr_event_id a, evr_event_id b);
/* May the event, which may have several cells, read one from w, or NONE? False: surely not. */
bool evr_revisit_may_read(struct evr_revisit *s, evr_event_id r, evr_event_id w);
/* May all go that goes if w is read by r's part for that cell: was it canonical? */
bool evr_revisit_may_go(struct evr_revisit *s, evr_event_id r, uint32_t cell, evr_event_id w);

/* revisit_rules.c */

/*
 * The graph of what is kept, perhaps w, and the event with these sources: run it, or, if there are more cells to read, or it is impossible with its write, see
 * what follows from that. Its read parts stay where they were.
 */
enum evr_revisit_outcome evr_revisit_follow(struct evr_revisit *s, evr_event_id w, evr_event_id id,
					    const struct evr_revisit_sources *from);
/* Lock r goes, and w has taken the mutex in its place: that is final. */
enum evr_revisit_outcome evr_revisit_replace(struct evr_revisit *s, evr_event_id r, evr_event_id w);
/* Is r an event that might read from w, though it was there before? */
bool evr_revisit_may_be_revisited(const struct evr_revisit *s, evr_event_id r, evr_event_id w);
/* The next graph that follows from the last frame's. EVR_REVISIT_NOTHING: there is none any more. */
enum evr_revisit_outcome evr_revisit_next(struct evr_revisit *s);

/* revisit_order.c: with a modification order. */

/* Give the changed events that write their places: a read-modify-write comes right behind its source, others where `behind` says. False: there is no such place. */
bool evr_revisit_place_changed(struct evr_revisit *s, struct evr_rf_changed *changed, unsigned n);
/* Is r, and all that goes if it reads from w, what an execution that knows nothing of w would have added: the last write, or a read of the last write? */
bool evr_revisit_are_maximal(const struct evr_revisit *s, evr_event_id r, evr_event_id w);
/* The next graph that follows from w, a write that was added. */
enum evr_revisit_outcome evr_revisit_write_in_order(struct evr_revisit *s, struct evr_revisit_frame *r, evr_event_id w);
/* The engine's complete(). */
void evr_revisit_complete_in_order(struct evr_engine *e);

/* revisit_branch.c */

/* Prepare to run the branch. False: the text is none. */
bool evr_revisit_start(struct evr_revisit *s, const char *text);
/* It was run from its text: are the events those of the text? */
bool evr_revisit_is_as_told(const struct evr_revisit *s);
/* The places of an event's parts, as the text has them. */
void evr_revisit_recall_places(struct evr_revisit *s, evr_event_id id, struct evr_revisit_event *k);
/* The frame has the events as they came; they get the numbers that they have in the text. */
void evr_revisit_restore_numbers(struct evr_revisit *s, struct evr_revisit_frame *r);
/* The engine's functions. */
void evr_revisit_take_branch(struct evr_engine *e, const char *branch);
void evr_revisit_give(struct evr_engine *e, evr_branches *given);
void evr_revisit_list(struct evr_engine *e, evr_branches *all);

#endif
