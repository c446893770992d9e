/*
 * A mutex as it lies in the program's memory. Its state is kept there, in the fields that the C library would use, so
 * that static initialisers work, the undo log resets it, and a debugger shows it.
 *
 * All other objects that threads wait for are made of such locks, each a single word: see enum evr_lock.
 */
#ifndef EVR_MUTEX_H
#define EVR_MUTEX_H

#include "event/event.h"

enum evr_mutex_kind {
	EVR_MUTEX_NORMAL = 0,
	EVR_MUTEX_RECURSIVE = 1,
	EVR_MUTEX_ERRORCHECK = 2,
	EVR_MUTEX_ADAPTIVE = 3, /* a normal one */
	EVR_MUTEX_DESTROYED = 0x7ead,
};

struct evr_mutex {
	uint32_t word;
	/* Of a pthread_mutex_t only; other locks are but a word. */
	uint32_t count;
	int32_t owner;
	uint32_t users;
	int32_t kind;
};

/* In a word: whoever holds it, plus 1, or EVR_NOBODY; and what is kept beside that. */
#define EVR_HOLDER 0x1ffffu
#define EVR_NOBODY 0x10000u /* it is held, and whoever likes may release it */
#define EVR_WORD_KEPT(n) ((uint32_t)(n) << 17)
#define EVR_WORD_DESTROYED EVR_WORD_KEPT(EVR_MUTEX_DESTROYED)

static inline struct evr_mutex *evr_mutex_at(uintptr_t address)
{
	return (struct evr_mutex *)address;
}

static inline uint32_t evr_mutex_holder(const struct evr_mutex *m)
{
	return m->word & EVR_HOLDER;
}

static inline bool evr_mutex_held_by(const struct evr_mutex *m, evr_thread_id t)
{
	return evr_mutex_holder(m) == t + 1u;
}

/* How often its owner holds it is counted for a pthread_mutex_t only, which `lock`, an enum evr_lock, tells. */
static inline bool evr_mutex_destroyed(const struct evr_mutex *m, unsigned lock)
{
	return lock == EVR_LOCK_MUTEX ? m->kind == EVR_MUTEX_DESTROYED : (m->word & ~EVR_HOLDER) == EVR_WORD_DESTROYED;
}

#endif
