/*
 * A runtime for tests to play in: shadow memory and threads that are set up by hand and never run. What the checker's
 * main program would do is left out.
 */
#ifndef WORLD_H
#define WORLD_H

#include "twin.h"

#include "runtime/libc/wrappers.h"
#include "runtime/main.h"
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"
#include "runtime/search.h"

const struct evr_program evr_tested;

void evr_on_tick(void)
{
}

void evr_stop_search(const char *reason)
{
	(void)reason;
}

bool evr_search_stopped(void)
{
	return false;
}

void evr_progress(void)
{
}

bool evr_no_progress(void)
{
	return false;
}

void evr_main_thread(void)
{
}

static const struct evr_site world_site = { .file = "world.c", .function = "f", .line = 1 };

static inline void world_init(void)
{
	evr_shadow_init();
	evr_rt.world.model = &evr_model_sc;
	evr_rt.config.keep_going = true;
	evr_call_site = &world_site;
}

static inline void *world_start(void *argument)
{
	return argument;
}

/* A new execution, with its main thread as the current one. */
static inline struct evr_thread *world_begin(void)
{
	evr_execution_end();
	evr_execution_begin(0);
	evr_current = evr_thread_known(EVR_NO_THREAD, 0);
	evr_thread_begin(evr_current, NULL, NULL);
	return evr_current;
}

/* The current thread creates another, which becomes known by its place in the tree of creations. */
static inline struct evr_thread *world_create(void)
{
	/* A handle for every thread, so that creations do not conflict over them. */
	static _Alignas(8) pthread_t handles[EVR_MAX_THREADS][4];
	unsigned rank = evr_current->children;
	pthread_t *handle = &handles[evr_current->id][rank % 4];
	if (!evr_shadow_valid((uintptr_t)handle, sizeof(*handle)))
		evr_shadow_global((uintptr_t)handles, sizeof(handles), false);
	evr_libc_pthread_create(handle, NULL, world_start, NULL);
	return evr_rt.threads[*handle - 1];
}

static inline void world_end(struct evr_thread *t)
{
	t->state = EVR_ENDED;
}

/* The current thread joins one that has ended. */
static inline int world_join(const struct evr_thread *t)
{
	return evr_libc_pthread_join(t->id + 1u, NULL);
}

static inline void world_release(void)
{
	for (unsigned i = 0; i < evr_rt.thread_count; i++) {
		evr_coroutine_release(&evr_rt.threads[i]->coroutine);
		evr_vec_release(&evr_rt.threads[i]->blocks);
		evr_vec_release(&evr_rt.threads[i]->locals);
		free(evr_rt.threads[i]);
	}
	evr_rt.thread_count = 0;
	evr_trace_release(&evr_rt.world.trace);
	evr_undo_release(&evr_rt.world.undo);
	evr_vec_release(&evr_execution.taken);
}

#endif
