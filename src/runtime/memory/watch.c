/*
 * Words that are watched. An iteration of a loop that changed nothing is left out of later executions (threads/retry.c), and with it the
 * private words that it has read: nobody would see that another thread's write conflicts with that. So it is remembered who has
 * read what; and who has written what, if it was restored, but only after the thread had released.
 *
 * Invariant: a word that has a watcher has EVR_CELL_WATCHED in its cell. Watchers outlive executions, and there are only more of them.
 */
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"

#include <string.h>

/* Threads that have read or written a word, and when that was, as far as creates and joins tell. */
struct watcher {
	uintptr_t word;
	uint8_t mask;
	bool writes;
	evr_thread_id thread;
	uint16_t epoch;
	uint16_t clock[EVR_MAX_THREADS];
};
static EVR_LASTING EVR_VEC(struct watcher) watchers;

void evr_watchers_renew(void)
{
	for (size_t i = 0; i < watchers.len; i++)
		evr_cell(watchers.data[i].word)->flags |= EVR_CELL_WATCHED;
}

void evr_watch(uintptr_t word, uint8_t mask, bool writes)
{
	const struct evr_thread *t = evr_current;
	for (size_t i = 0; i < watchers.len; i++) {
		struct watcher *w = &watchers.data[i];
		if (w->word == word && w->writes == writes && w->thread == t->id && w->epoch == t->epoch) {
			w->mask |= mask;
			return;
		}
	}
	struct watcher w = { .word = word, .mask = mask, .writes = writes, .thread = t->id, .epoch = t->epoch };
	memcpy(w.clock, t->clock, sizeof(w.clock));
	evr_vec_push(&watchers, w);
	evr_cell(word)->flags |= EVR_CELL_WATCHED;
	/* Somebody may have accessed it before. */
	evr_rt.world.knowledge.untold = true;
	evr_learn(&evr_rt.world.knowledge);
}

void evr_watchers_notice(uintptr_t word, uint8_t mask, bool write)
{
	const struct evr_thread *t = evr_current;
	for (size_t i = 0; i < watchers.len; i++) {
		const struct watcher *w = &watchers.data[i];
		uint8_t common = w->mask & mask & (uint8_t)~evr_cell(word)->shared;
		if (w->word == word && common && (write || w->writes) && w->thread != t->id &&
		    t->clock[w->thread] < w->epoch && w->clock[t->id] < t->epoch)
			evr_shadow_share_bytes(word, common);
	}
}
