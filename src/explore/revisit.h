/*
 * The state of engine `revisit`, which its files share: revisit.c is the engine and its stack, revisit_graph.c puts graphs together and asks
 * about them, revisit_rules.c says which graphs follow from one, revisit_canonical.c which events may go for that, revisit_cells.c knows of events that read several cells,
 * revisit_locks.c of locks, revisit_wait.c of threads that wait in loops, revisit_merge.c lets them go on, revisit_order.c knows of modification orders,
 * and revisit_common.c of what an execution has in common with the one before.
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
	bool turned; /* one of its sources was added later than it */
	/*
	 * Of an event that reads one cell: a source with which it could have been added when it was, and that is preferred to all others, or, if not
	 * `exact`, to all that anybody has asked about.
	 */
	bool exact;
	evr_event_id canon;
	struct evr_history before; /* of one that may wait: what its thread had seen */
	uint32_t doubt; /* of one that may wait: where the engine's `doubts` has it; 0: nowhere */
	evr_value
		initial; /* of a read-modify-write, and of one that may wait: what it would read if nobody had written */
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

/* Events of a graph from one on, what is known of them, and what their `after` and `sources` mean: `first_after` and `first_source` are the places that come first here. */
struct evr_revisit_events {
	EVR_VEC(struct evr_rf_event) events;
	EVR_VEC(struct evr_revisit_event) known;
	evr_rf_ids afters, sources, cell_places;
	uint32_t first_after, first_source;
};

/*
 * A graph, and how far the search has come with those that follow from it. The frame has the events from `from` on; those before it are the ones of the frame below it, which has them
 * itself or from below. `below`, if `from` is not 0: the next one that has some of them itself.
 */
struct evr_revisit_frame {
	evr_event_id from;
	size_t below;
	struct evr_revisit_events own;
	evr_rf_ids mo; /* with a modification order, of all events: it is not the same in all frames */
	EVR_VEC(struct evr_revisit_waiter) waiters;
	evr_rf_ids order;
	evr_rf_ids waiting; /* what the waiters' `after` means */
	size_t doubts; /* of which those of its new events are from there on */
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
	/* Not EVR_NO_EVENT: that this event, which waits, reads from that one is what the frame's execution has gone on with. */
	evr_event_id merged_read, merged_write;
};

enum evr_revisit_part_kind {
	EVR_REVISIT_READ,
	EVR_REVISIT_WRITE,
	EVR_REVISIT_WAIT, /* an event that its thread could wait before */
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
	bool final, names_source, waits;
	uint32_t read, write; /* places */
	uint32_t variant;
	evr_event_id source;
	bool exact, has_canon; /* see struct evr_revisit_event; without `canon` it is what the event reads from */
	evr_event_id canon;
	evr_event_id
		number; /* that it has while it is run: events are numbered as they come, those that wait when it is over */
	uint32_t cell, cells; /* where the places of its further cells are, and how many, if it reads several */
	bool unexecuted; /* its thread stands still; then it has as many sources as cells, which are here: */
	uint32_t first;
};

struct evr_revisit_told {
	EVR_VEC(struct evr_revisit_told_event) events; /* by their numbers in the text */
	evr_rf_ids cells; /* places */
	evr_rf_ids sources; /* by their numbers in the text */
	evr_rf_ids order; /* of steps; numbers as it is run */
	uint32_t new, places;
	bool is_frame; /* it was run and counted before, and the cursor was here: */
	size_t part;
	bool begun;
	evr_event_id other;
	uint32_t cell;
	evr_event_id merged_read, merged_write;
};

/* Events of a graph that one frame has. */
struct evr_revisit_segment {
	size_t frame;
	evr_event_id from, end;
};

struct evr_revisit {
	struct evr_rf_engine f; /* how an execution is run, and the trace */
	EVR_VEC(struct evr_revisit_event) known; /* of the trace's events */
	evr_rf_ids cell_places; /* of the trace's `sources`: when they were read */
	EVR_VEC(struct evr_revisit_frame) frames; /* the first `depth` are in use */
	size_t depth;
	bool loaded; /* the trace is that of the last frame */
	evr_event_id
		shared; /* so many of the trace's first events are those of the last frame, and what is known of them */
	EVR_VEC(struct evr_revisit_segment) segments;
	struct evr_revisit_events whole;
	EVR_VEC(struct evr_revisit_part) parts; /* of the last frame, those that are new */
	EVR_VEC(bool) keep; /* of the trace's events; all before `gone` */
	evr_event_id gone;
	EVR_VEC(struct evr_revisit_event) moved;
	evr_rf_ids moved_places, candidates, doubtful;
	evr_rf_ids newcomers; /* what comes before a write and was added behind the read that it goes back to */
	evr_rf_ids
		takers; /* of a mutex, those who have read it, and might be displaced by the lock that is looked at */
	evr_rf_ids turned; /* the trace's events that have a source which was added later than they */
	bool turned_known;
	uint32_t
		since; /* of a graph that follows: events that were added later have lost some that were there before them */
	uint32_t places, new; /* of the execution that is run */
	uint32_t behind; /* with a modification order: how many writes come behind the one that gets a place */
	uint64_t virtual_graphs;
	uint64_t vain; /* executions that were begun, and do not count */
	bool has_waits; /* a thread waits in the last frame's graph */
	/*
	 * Of events that may wait, whether there is reason to let them: something that could keep them from going on. What follows from a frame is explored before
	 * its events wait, so by then it is known; for the first `settled` ones there is nobody to tell.
	 */
	EVR_VEC(bool) doubts;
	size_t settled;
	struct evr_set
		fruitful; /* histories of threads that went on, as world.futile has those of threads that did not */
	struct evr_key probed; /* the history that the execution that is run was asked for because of */
	bool noted; /* the execution that is run is a frame already */
	bool merging; /* nothing is probed */
	evr_rf_ids merged_order, merged_positions;
	evr_steps merged_steps;
	uint64_t look; /* of the last frame: which of the ways in which those who wait can look comes next */
	evr_steps ran; /* the first steps of the last execution */
	size_t ran_still; /* so many of them, whatever its length, are those of the execution that is run */
	evr_rf_ids ran_positions; /* of their events in its trace */
	bool divided; /* others explore other branches */
	evr_branches queue; /* texts of branches that are still to be explored */
	struct evr_revisit_told told;
	char *told_text; /* not NULL: the next execution is run from this text */
	evr_rf_ids numbers; /* of the events of that execution: those that they have in the text */
};

/* What becomes of a graph that follows: nothing, it is run, or there is one more frame. */
enum evr_revisit_outcome { EVR_REVISIT_NOTHING, EVR_REVISIT_RUN, EVR_REVISIT_FRAME };

/* How many sources the event has in the trace's `sources`. */
static inline uint32_t evr_revisit_pooled(const struct evr_rf_event *x)
{
	return x->cells > 1 && x->flags & EVR_RF_READS ? x->cells : 0;
}

/* revisit_graph.c */

/* The event with these sources, which must outlive it; `mere`: without its write, if it has one. In `known`, what it would be. */
struct evr_rf_changed evr_revisit_changed(const struct evr_revisit *s, evr_event_id id,
					  const struct evr_revisit_sources *from, bool mere);
bool evr_revisit_would_write(const struct evr_revisit *s, evr_event_id id, const struct evr_revisit_sources *from);
/* Is the graph of the events that are kept, and the changed ones, consistent? change.order is an order to run it in. */
bool evr_revisit_ask(struct evr_revisit *s, const struct evr_rf_changed *changed, unsigned n);
/* The same, and with a modification order, those that write get their places in it. */
bool evr_revisit_ask_anew(struct evr_revisit *s, struct evr_rf_changed *changed, unsigned n);
/* The event's sources are known: was it added before one of them? */
void evr_revisit_note_turned(struct evr_revisit *s, evr_event_id id);
/* The trace becomes that graph. `known` is what is known of the changed ones, `last` the sources of the last; NULL: it has one at most. */
void evr_revisit_take(struct evr_revisit *s, const struct evr_revisit_event *known, unsigned n,
		      const struct evr_revisit_sources *last);
/* The order in which the trace's events are run, or were. */
void evr_revisit_set_order(struct evr_rf *t, const evr_rf_ids *order);

/* revisit_frames.c */

/* The trace's graph as one more frame. */
struct evr_revisit_frame *evr_revisit_push(struct evr_revisit *s);
/* The last frame's graph becomes the trace. */
void evr_revisit_load(struct evr_revisit *s);
/* Again; its parts are known. */
void evr_revisit_reload(struct evr_revisit *s);
/* The last frame goes. */
void evr_revisit_pop(struct evr_revisit *s);
/* What the last frame knows of the event, to be changed. */
struct evr_revisit_event *evr_revisit_known(struct evr_revisit *s, evr_event_id id);
/* All events of that frame. Valid until the next call. */
const struct evr_revisit_events *evr_revisit_whole(struct evr_revisit *s, size_t frame);
/* Put the frame on top; the order of the others stays. */
void evr_revisit_raise(struct evr_revisit *s, size_t frame);
void evr_revisit_release_frames(struct evr_revisit *s);

/* revisit_cells.c */

/* How many cells the event, which reads, has read parts for when it is complete. */
static inline uint32_t evr_revisit_cells(const struct evr_revisit *s, evr_event_id id)
{
	const struct evr_rf *t = &s->f.s.t;
	uint32_t location = t->events.data[id].location;
	return location == EVR_NO_LOCATION ? 1 : t->division.of.data[location].cells;
}

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

/* Keep all; what was added before that place, and, if w is an event, what comes before it; all but the event. What becomes of w itself has to be said. */
void evr_revisit_keep_all(struct evr_revisit *s);
void evr_revisit_keep_before(struct evr_revisit *s, uint32_t place, evr_event_id w);
static inline void evr_revisit_drop(struct evr_revisit *s, evr_event_id id)
{
	s->keep.data[id] = false;
	s->gone = id < s->gone ? id : s->gone;
}
/* Is the source a preferred to b? That must not depend on when they were added. */
bool evr_revisit_prefers(const struct evr_rf *t, evr_event_id a, evr_event_id b);
/* May the event, which may have several cells, read that one from w, or NONE? False: surely not. */
bool evr_revisit_may_read(struct evr_revisit *s, evr_event_id r, evr_event_id w);
/* May all that goes go, if w is read by r's part for that cell? If `probing` is set, that is not known yet, and the trace has become what is to be run to know it. */
bool evr_revisit_may_go(struct evr_revisit *s, evr_event_id r, uint32_t cell, evr_event_id w);

/* revisit_wait.c */

enum evr_revisit_futility { EVR_REVISIT_FRUITFUL, EVR_REVISIT_FUTILE, EVR_REVISIT_UNKNOWN };

/* Is it an event that a thread waits before? It has a place, and neither source nor location: nothing depends on it. */
static inline bool evr_revisit_is_wait(const struct evr_rf_event *x)
{
	return EVR_UNLIKELY(x->flags & EVR_RF_UNEXECUTED) && !(x->flags & EVR_RF_READS);
}
static inline bool evr_revisit_waits(const struct evr_revisit *s, evr_event_id id)
{
	return evr_revisit_is_wait(&s->f.s.t.events.data[id]);
}
/* The location and the first cell of an event, which may wait. */
uint32_t evr_revisit_location(const struct evr_revisit *s, evr_event_id id);
uint32_t evr_revisit_cell(const struct evr_revisit *s, evr_event_id id);
/* Does a loop that waits look at something by it? Its thread may make other events at that place: by ending, for one. */
bool evr_revisit_looks(const struct evr_world *w, const struct evr_event *e);
/* Could a thread wait before the event? */
bool evr_revisit_may_wait(const struct evr_revisit *s, evr_event_id id);
/* Would its thread go round for nothing, if the event had that source? */
enum evr_revisit_futility evr_revisit_futility(const struct evr_revisit *s, evr_event_id id, evr_event_id source);
/* What the execution has told threads that then went on. */
void evr_revisit_note_fruitful(struct evr_revisit *s);
/* What is known of an event besides its places. */
void evr_revisit_note_seen(const struct evr_revisit *s, evr_event_id id, struct evr_revisit_event *k);
/* The threads that the execution has left waiting; places[i] is that of the i-th. */
void evr_revisit_add_waits(struct evr_revisit *s, const uint32_t *places);
/* The trace becomes one whose last event is that, with that source: running it tells whether its thread then goes on. */
void evr_revisit_probe(struct evr_revisit *s, evr_event_id id, evr_event_id source);
/* Whether there is a reason for the event, which is new, to wait is not known yet. */
void evr_revisit_doubt(struct evr_revisit *s, struct evr_revisit_event *k);
/* The trace is that of an execution, the last frame: which of its events are there reasons for to wait? */
void evr_revisit_find_doubts(struct evr_revisit *s, const struct evr_revisit_frame *r);
/* The event of the last frame waits instead. */
enum evr_revisit_outcome evr_revisit_wait(struct evr_revisit *s, evr_event_id id);
/* Can the event, which waits, find nothing in the end? What others leave who look before is what they found. */
bool evr_revisit_may_find_nothing(const struct evr_revisit *s, evr_event_id id);
/* All who wait in the last frame's graph look, in the next way that is possible: the trace becomes that. False: there is none any more. */
bool evr_revisit_look(struct evr_revisit *s);
/* The engine's function. */
bool evr_revisit_retract(struct evr_engine *e, evr_thread_id thread, bool new);

/* revisit.c */

/* The graph of the execution, which has come to an end, becomes the last frame. */
void evr_revisit_note_graph(struct evr_revisit *s);

/* revisit_merge.c */

/* Only threads that wait are left: let one of them go on. False: none can. */
bool evr_revisit_let_go(struct evr_rf_engine *f);

/* revisit_rules.c */

/* What the event, as it is known there, reads and writes with these sources. */
void evr_revisit_set_values(const struct evr_revisit *s, struct evr_revisit_event *k, evr_event_id id,
			    const struct evr_revisit_sources *from);
/* The trace is a graph whose last event has cells to read, or a write that is impossible; what follows from that is another frame. */
enum evr_revisit_outcome evr_revisit_go_on_virtually(struct evr_revisit *s);
/*
 * The graph of what is kept, perhaps w, and the event with these sources: run it, or, if there are more cells to read, or it is impossible with its write, see
 * what follows from that. Its read parts stay where they were.
 */
enum evr_revisit_outcome evr_revisit_follow(struct evr_revisit *s, evr_event_id w, evr_event_id id,
					    const struct evr_revisit_sources *from);
/* Is r an event that might read from w, though it was there before? */
bool evr_revisit_may_revisit(const struct evr_revisit *s, evr_event_id r, evr_event_id w);
/* The next graph that follows from the last frame's. EVR_REVISIT_NOTHING: there is none any more. */
enum evr_revisit_outcome evr_revisit_next(struct evr_revisit *s);

/* revisit_locks.c: if `probing` is set afterwards, see evr_revisit_may_go() */

/* Does w, or NONE, leave a mutex that can be taken? */
bool evr_revisit_is_free(const struct evr_rf *t, evr_event_id w);
/* Lock r goes, and w has taken the mutex in its place: that is final. */
enum evr_revisit_outcome evr_revisit_replace(struct evr_revisit *s, evr_event_id r, evr_event_id w);
/* Who might be displaced by a lock that is added at that place: into `takers`. */
void evr_revisit_find_takers(struct evr_revisit *s, uint32_t location, uint32_t place);
/* Lock e, of the trace, which `takers` is about, takes the mutex from that source, where perhaps another has taken it. */
enum evr_revisit_outcome evr_revisit_take_from(struct evr_revisit *s, evr_event_id e, evr_event_id source);
/* The same of a lock that waits when the execution is over. */
enum evr_revisit_outcome evr_revisit_take_waiting(struct evr_revisit *s, const struct evr_revisit_frame *r,
						  const struct evr_revisit_waiter *l, evr_event_id source);

/* revisit_common.c */

/* The trace is that of an execution that has ended. */
void evr_revisit_note_steps(struct evr_revisit *s);
/* Another is prepared. */
void evr_revisit_find_common(struct evr_revisit *s);
/* The engine's place() and resume(). */
size_t evr_revisit_at(const struct evr_engine *e);
bool evr_revisit_resume(struct evr_engine *e, size_t place);

/* revisit_order.c: with a modification order. */

/* Give the changed events that write their places: a read-modify-write comes right behind its source, others where `behind` says. False: there is no such place. */
bool evr_revisit_place_changed(struct evr_revisit *s, struct evr_rf_changed *changed, unsigned n);
/* May the event go, which is what was added last before w but what w needs? */
bool evr_revisit_is_maximal(const struct evr_revisit *s, evr_event_id d, evr_event_id w);
/* The next graph that follows from w, a write that was added. */
enum evr_revisit_outcome evr_revisit_write_in_order(struct evr_revisit *s, struct evr_revisit_frame *r, evr_event_id w);
/* The engine's complete(). */
void evr_revisit_complete_in_order(struct evr_engine *e);

/* revisit_branch.c */

/* The trace is to be run later. */
void evr_revisit_put_off(struct evr_revisit *s);
/* Prepare to run the branch. False: the text is none. */
bool evr_revisit_start(struct evr_revisit *s, const char *text);
/* The engine's functions. */
void evr_revisit_take_branch(struct evr_engine *e, const char *branch);
void evr_revisit_give(struct evr_engine *e, size_t least, evr_branches *given);
void evr_revisit_list(struct evr_engine *e, evr_branches *all);

/* revisit_restore.c */

/* It was run from its text: are the events those of the text? */
bool evr_revisit_is_as_told(const struct evr_revisit *s);
/* The places of an event's parts, as the text has them. */
void evr_revisit_recall_places(struct evr_revisit *s, evr_event_id id, struct evr_revisit_event *k);
/* The frame has the events as they came; they get the numbers that they have in the text. */
void evr_revisit_restore_numbers(struct evr_revisit *s, struct evr_revisit_frame *r);

#endif
