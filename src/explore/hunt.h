/*
 * The engine of the hunt and of `everett sample`: random executions, one after the other, each by one of several ways to be random.
 *
 * Everything about an execution follows from the seed, its number, and the longest execution before it. So the same seed gives the same
 * executions. Effort is counted, not timed: `work` is in steps, and a step that the model has to think about counts as more.
 */
#ifndef EVR_HUNT_H
#define EVR_HUNT_H

#include "explore/engine.h"

enum evr_hunter {
#define HUNTER(name, word, text) EVR_HUNTER_##name,
#include "explore/hunters.def"
#undef HUNTER
	EVR_HUNTERS
};

extern const char *const evr_hunter_names[EVR_HUNTERS];

/*
 * Its executions are numbered. A branch of them is FROM-TO, where TO is the first one that does not belong to it; the first EVR_HUNT_PILOTS belong to none:
 * they are for who wants to know how long executions are before it settles.
 */
#define EVR_HUNT_PILOTS 32
extern const struct evr_engine_ops evr_hunt_ops;

/* `hunters`: bit set of those that take turns; not empty. */
struct evr_engine *evr_engine_hunt(struct evr_world *w, unsigned hunters, uint64_t seed);
/*
 * From now on executions are independent of each other, and all drawn in the same way: the hunter by chance, and changes of priority among as many steps as
 * the longest execution had so far.
 */
void evr_hunt_settle(struct evr_engine *e);
/* From now on the model is never asked for every step, and for other sources of a read only at the beginning of an execution: that takes longest. */
void evr_hunt_be_frugal(struct evr_engine *e);
/* The next execution begins with the first n steps of one that this engine has drawn, which was as weak as evr_hunt_weakness() said. They are copied. */
void evr_hunt_follow(struct evr_engine *e, const struct evr_step *steps, size_t n, unsigned weakness);
unsigned evr_hunt_weakness(const struct evr_engine *e);
/* Of the present execution, or between two of the next one. */
uint64_t evr_hunt_number(const struct evr_engine *e);
/* What it has done so far, in steps. */
uint64_t evr_hunt_work(const struct evr_engine *e);
/* Which way was the last execution drawn, or is the present one? */
enum evr_hunter evr_hunt_by(const struct evr_engine *e);
/* The names, separated by commas, as a bit set. On failure 0, and *unknown is the one that is none, to be freed. */
unsigned evr_hunters_parse(const char *names, char **unknown);

#endif
