/*
 * A mutex as it lies in the program's memory. Its state is kept there, in the fields that the C library would use, so
 * that static initialisers work, the undo log resets it, and a debugger shows it.
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
	int32_t lock; /* 1: held */
	uint32_t count;
	int32_t owner; /* thread + 1 */
	uint32_t users;
	int32_t kind;
};

static inline struct evr_mutex *evr_mutex_at(uintptr_t address)
{
	return (struct evr_mutex *)address;
}

static inline bool evr_mutex_held_by(const struct evr_mutex *m, evr_thread_id t)
{
	return m->lock && m->owner == t + 1;
}

#endif
