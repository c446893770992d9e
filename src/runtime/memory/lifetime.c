#include "runtime/memory/lifetime.h"

#include "runtime/runtime.h"
#include "runtime/sync/sync.h"

/* An object, and who ended its lifetime when. */
struct object {
	uintptr_t address;
	size_t size;
	bool ended;
	evr_thread_id ended_by;
	uint16_t period;
};

static bool find_block(uintptr_t address, struct object *o)
{
	evr_thread_id owner;
	size_t number;
	const struct evr_block *b = evr_heap_find(address, &owner, &number);
	if (!b)
		return false;
	*o = (struct object){ b->address, b->size, b->freed, b->freed_by, b->freed_in };
	return true;
}

static bool find_local(uintptr_t address, struct object *o)
{
	const struct evr_local *l = evr_frame_near(address);
	evr_thread_id owner = (evr_thread_id)((address - EVR_FRAMES) / EVR_FRAMES_SIZE);
	if (!l)
		return false;
	*o = (struct object){ l->address, l->size, l->left, owner, l->left_in };
	return true;
}

static bool find_thread_local(uintptr_t address, struct object *o)
{
	evr_thread_id owner;
	if (!evr_tls_find(address, &owner, &o->address, &o->size) || owner >= evr_rt.world.threads)
		return false;
	const struct evr_thread *t = evr_rt.threads[owner];
	o->ended = t->tls_ended;
	o->ended_by = owner;
	o->period = evr_present(t);
	return true;
}

/* The object that all of the bytes are in, or were. */
static bool find(uintptr_t address, size_t size, struct object *o)
{
	bool found = false;
	if (!evr_in_arena(address))
		return false;
	if (!evr_in_frames(address))
		found = find_block(address, o);
	else if (address < EVR_TLS)
		found = find_local(address, o);
	else
		found = find_thread_local(address, o);
	return found && address >= o->address && address - o->address + size <= o->size;
}

static uintptr_t life_of(uintptr_t object)
{
	return object - EVR_ARENA_BASE + EVR_LIVES;
}

bool evr_life_is_over(uintptr_t object, const struct evr_site *site)
{
	const struct evr_event *e = evr_event_arrive(EVR_READ, life_of(object), 1, evr_site_as(site, EVR_ACQUIRE, 0));
	evr_event_wait(true);
	evr_current->site = site;
	return e->read;
}

void evr_life_use(uintptr_t address, size_t size, bool write, const struct evr_site *site)
{
	struct object o;
	if (!find(address, size, &o))
		return;
	if (EVR_LIKELY(!evr_life_is_over(o.address, site))) {
		evr_rt.world.within = evr_current->id + 1u;
		return;
	}
	char *message = NULL;
	const char *kind = evr_gone_problem(address, size, write, &message);
	/* An access that is a section of its own ends that; a section that it is in stays as it is. */
	if (!evr_current->sections)
		evr_section_accessed(site);
	evr_fail(kind, site, "%s", message);
}

bool evr_life_missed(uintptr_t address, size_t size)
{
	struct object o;
	if (!find(address, size, &o) || !o.ended || o.ended_by == evr_current->id ||
	    evr_period_is_ordered(o.ended_by, o.period))
		return false;
	if (evr_shadow_is_doubtful())
		return true;
	if (!evr_is_contended(o.address))
		evr_shadow_contend(o.address, o.size);
	if (!evr_shadow_all_shared(address, size))
		evr_shadow_share_rest(address, size);
	return true;
}

bool evr_life_end(uintptr_t object, size_t size, const struct evr_site *site)
{
	const struct evr_site *where = site;
	bool guarded = evr_section_enter(object, size, &where);
	struct evr_event *e = evr_event_arrive(EVR_CAS, life_of(object), 1, evr_site_as(where, EVR_ACQ_REL, 0));
	e->written = 1;
	evr_event_wait(true);
	evr_current->site = site;
	bool first = !e->read;
	/* Otherwise the section goes on until the memory is gone: evr_life_destroy(). */
	if (guarded && !first)
		evr_section_accessed(site);
	return first;
}

/* Where stores are buffered, those of other threads may still be to come: then it is a step. */
static void tell(uintptr_t object, size_t size, const struct evr_site *site)
{
	if (evr_rt.world.model->busy) {
		evr_event_arrive(EVR_FREE, object, size, site)->flags = EVR_OVERTAKES;
		evr_event_wait(true);
		return;
	}
	struct evr_event e;
	evr_event_init(&e, evr_current->id, EVR_FREE, object, (uint32_t)size, site);
	e.flags = 0;
	evr_trace_append(&evr_rt.world.trace, &e);
}

bool evr_life_destroy(uintptr_t object, size_t size, const struct evr_site *site)
{
	if (evr_is_contended(object)) {
		tell(object, size, site);
		/* While this thread waited for its events, others may have used bytes that nobody knows to be shared. */
		evr_shadow_give_back(object, size);
	}
	bool shared = evr_shadow_destroy(object, size);
	if (EVR_UNLIKELY(evr_rt.sections) && !evr_current->sections)
		evr_section_accessed(site);
	return shared;
}
