/*
 * The program under test, as searches see it (explore/search.h), and the search of a check: when it is to end, what counts, what the
 * driver is told meanwhile.
 */
#ifndef EVR_RUNTIME_SEARCH_H
#define EVR_RUNTIME_SEARCH_H

#include "explore/search.h"

struct evr_result;

extern const struct evr_program evr_tested;

/* The clock starts. `searched` is what explores, or NULL if an execution is replayed. */
void evr_check_begin(struct evr_result *r, const struct evr_engine_ops *searched);
/* Of executions of one class of this engine's, only the first counts; the others are redundant. */
void evr_check_count_classes_of(const struct evr_engine_ops *classes_of);
/*
 * A few random executions: what they find to be shared, the search need not start again for. If there is to be a hunt, and it does not come first, some of them look for bugs, too.
 * False: they have found something, and that is enough; the result has their number. Else whoever explores counts from the start.
 */
bool evr_check_scout(void);
/* Explore what the engine has to offer; true if nothing is left. */
bool evr_check_explore(struct evr_engine *e);
/* The same from the start, by another engine; what was counted is forgotten. `watch`, after each execution that counts: is another one wanted? NULL: it is. */
bool evr_check_explore_by(struct evr_engine *e, bool (*watch)(void));
/* The clock stops: how many seconds has it taken? */
double evr_check_end(void);
/* Why was it stopped before it was complete? "": it was not. */
const char *evr_check_stopped(void);

/* The timer has gone off: tell the driver how far we are; stop if it is time. */
void evr_on_tick(void);
/* End the running execution, which does not count, and the search; the reason must be constant text. */
void evr_stop_search(const char *reason);
bool evr_search_stopped(void); /* was it? */
/* Has the program made no visible event for longer than it may? */
bool evr_no_progress(void);
/* It has made some now. */
void evr_progress(void);

#endif
