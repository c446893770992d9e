/*
 * How large is the search? Knuth ("Estimating the efficiency of backtrack programs", 1975): go down the tree at random, and
 * divide by the probability of having done so; the mean over many such probes is the number of leaves.
 *
 * The engines' own trees will not do: a node of theirs learns of most of its branches while others are being explored. So a
 * probe goes down another tree, which has one leaf for each execution that the engine explores, all branches of a node known
 * on arrival, and dead ends. A dead end comes about where somebody is to wait for an event that nobody makes in the end: most
 * of these are seen in advance by one who knows what each thread may still do, which is learned from executions before.
 * docs/progress.md tells the story.
 */
#ifndef EVR_PROBE_H
#define EVR_PROBE_H

#include "base/map.h"
#include "event/event.h"

struct evr_probe {
	uint64_t random;
	double size;  /* one divided by the probability of this probe; 0: a dead end */
	bool exploring; /* this execution is not to be counted: it goes where it likes, to learn */
	/* By thread and what it does: the last time in its life, that is how many events it has made then. */
	struct evr_map future;
	unsigned threads; /* that anything is known of have numbers below this */
	uint64_t learned; /* how often there was something new to learn */
};

void evr_probe_init(struct evr_probe *p);
void evr_probe_release(struct evr_probe *p);
/* A number from 0 up to, but not including, 1. */
double evr_probe_random(struct evr_probe *p);
/* The probe goes to a child that was chosen with this probability. */
void evr_probe_go(struct evr_probe *p, double probability);
/* The thread's event number `index` did this; `access` is below 2^56. */
void evr_probe_learn(struct evr_probe *p, evr_thread_id thread, uint64_t access, uint32_t index);
/* May an event of the thread with this number, or a later one, do it? */
bool evr_probe_may(const struct evr_probe *p, evr_thread_id thread, uint64_t access, uint32_t index);

/*
 * Who is stuck until another thread does something? Threads, by number, and from EVR_MAX_THREADS on whatever else; there is room
 * for EVR_MAX_THREADS at least. Is there an order in which all of them are released, as far as anybody knows?
 * may(context, u, t, moves): may thread u, which moves on or is stuck itself, release t?
 */
typedef bool evr_probe_may_fn(const void *context, unsigned u, unsigned t, bool moves);
bool evr_probe_released(const struct evr_probe *p, bool *stuck, unsigned slots, evr_probe_may_fn *may,
			const void *context);

#endif
