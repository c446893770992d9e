/*
 * Which locks a thread holds, and where it locked them: for reports only, so it is found out from the trace, when somebody
 * asks. What the trace does not have, mutexes that only one thread uses, is noted here as it happens.
 */
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"
#include "runtime/sync/sync.h"

static void apply(evr_locks_held *held, const struct evr_event *e)
{
	bool taken = e->kind == EVR_LOCK || e->kind == EVR_TRYLOCK || e->kind == EVR_TIMEDLOCK;
	if (e->result || (!taken && e->kind != EVR_UNLOCK) || e->lock > EVR_LOCK_ONCE)
		return;
	size_t i = held->len;
	while (i > 0 && (held->data[i - 1].address != e->address || held->data[i - 1].thread != e->thread))
		i--;
	if (taken && i > 0)
		held->data[i - 1].depth++;
	else if (taken)
		evr_vec_push(held, (struct evr_lock_held){ e->address, e->thread, e->lock, 1, e->site });
	else if (i > 0 && --held->data[i - 1].depth == 0) {
		for (; i < held->len; i++)
			held->data[i - 1] = held->data[i];
		held->len--;
	}
}

void evr_held_note(const struct evr_event *e)
{
	apply(&evr_execution.private_locks, e);
}

static evr_locks_held find_held(void)
{
	const struct evr_trace *t = &evr_rt.world.trace;
	evr_locks_held held = { 0 };
	for (size_t i = 0; i < evr_execution.private_locks.len; i++)
		evr_vec_push(&held, evr_execution.private_locks.data[i]);
	for (size_t i = 0; i < t->events.len; i++)
		apply(&held, &t->events.data[i]);
	return held;
}

/* The memory of a mutex that is held can be given back, or initialised anew: what it says itself counts. */
static bool is_held(const struct evr_lock_held *l)
{
	return evr_shadow_valid(l->address, sizeof(uint32_t)) && evr_mutex_held_by(evr_mutex_at(l->address), l->thread);
}

const struct evr_site *evr_held_since(uintptr_t mutex, evr_thread_id thread)
{
	const struct evr_site *site = NULL;
	evr_locks_held held = find_held();
	for (size_t i = 0; i < held.len; i++)
		if (held.data[i].address == mutex && held.data[i].thread == thread && is_held(&held.data[i]))
			site = held.data[i].site;
	evr_vec_release(&held);
	return site;
}

static void describe(struct evr_strbuf *out, unsigned lock, uintptr_t address, const struct evr_site *site)
{
	evr_strbuf_puts(out, "  holds ");
	evr_lock_name(out, lock, address);
	evr_strbuf_printf(out, ", locked at %s:%u\n", site ? site->file : "?", site ? site->line : 0);
}

void evr_held_describe(struct evr_strbuf *out, const struct evr_thread *t)
{
	evr_locks_held held = find_held();
	for (size_t i = 0; i < held.len; i++)
		if (held.data[i].thread == t->id && is_held(&held.data[i]))
			describe(out, held.data[i].lock, held.data[i].address, held.data[i].site);
	evr_vec_release(&held);
	for (size_t i = 0; i < t->rwlocks.len; i++)
		describe(out, EVR_LOCK_RWLOCK, t->rwlocks.data[i].address, t->rwlocks.data[i].site);
}
