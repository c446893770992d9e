/*
 * Locals whose address may leave their function lie in their thread's frame arena, at addresses that follow from the
 * thread's own history; the machine stack holds nothing that another thread could see. A gap between variables makes an
 * access just outside of one an access to nothing.
 */
#include "runtime/hooks.h"
#include "runtime/memory/lifetime.h"
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"

void *evr_frame_enter(void)
{
	return (void *)evr_current->fast.frames_top;
}

/* Room behind all locals that the thread has. */
static uintptr_t take(struct evr_thread *t, uint64_t size, uint64_t align)
{
	uintptr_t address = t->fast.frames_top + EVR_FRAMES_GAP;
	if (align < EVR_FRAMES_GAP)
		align = EVR_FRAMES_GAP;
	address = (address + align - 1) & ~(uintptr_t)(align - 1);
	if (address > t->fast.frames_limit || size > t->fast.frames_limit - address)
		evr_fail("crash", t->site, "stack overflow: the locals of thread %u need more than %u MiB", t->id,
			 (unsigned)(EVR_FRAMES_SIZE >> 20));
	t->fast.frames_top = address + size;
	return address;
}

static void note_held(struct evr_thread *t)
{
	uintptr_t last = t->locals.len ? evr_vec_last(&t->locals).address : 0;
	t->fast.frames_held = last > t->frames_floor ? last : t->frames_floor;
}

static void *begin_at(struct evr_thread *t, uintptr_t address, const struct evr_variable *variable, uint64_t size)
{
	evr_vec_push(&t->locals, (struct evr_local){ .address = address, .size = size, .variable = variable });
	note_held(t);
	evr_shadow_create(address, size, false);
	return (void *)address;
}

void *evr_frame_alloc(void *variable, uint64_t size, uint64_t align)
{
	return begin_at(evr_current, take(evr_current, size, align), variable, size);
}

void *evr_frame_reserve(uint64_t size)
{
	return (void *)take(evr_current, size, 16);
}

void *evr_frame_use(void *before, void *room, void *variable, uint64_t size)
{
	return before ? before : begin_at(evr_current, (uintptr_t)room, variable, size);
}

/* Was any of it shared? */
static bool end_life(struct evr_thread *t, struct evr_local *l, const struct evr_site *site)
{
	if (EVR_LIKELY(!evr_rt.sections && evr_shadow_destroy_own(l->address, l->size))) {
		l->left = site;
		l->left_in = evr_present(t);
		return false;
	}
	evr_shadow_leave(l->address, l->size);
	if (evr_is_contended(l->address))
		evr_life_end(l->address, l->size, site);
	l->left = site;
	l->left_in = evr_present(t);
	return evr_life_destroy(l->address, l->size, site);
}

void evr_frame_leave(void *mark, void *site)
{
	struct evr_thread *t = evr_current;
	while (t->locals.len && evr_vec_last(&t->locals).address > (uintptr_t)mark) {
		struct evr_local *l = &evr_vec_last(&t->locals);
		/* The end of its block may have come first. */
		bool shared = l->left ? evr_shadow_shared(l->address, l->size) : end_life(t, l, site);
		/*
		 * What was shared is not used again in this execution: the next function's locals would be taken for shared,
		 * too. Unless there is so much of it that the arena would run out. A lifetime that has ended stays so.
		 */
		uintptr_t end = l->address + l->size;
		if (evr_is_contended(l->address) || end < t->frames + (shared ? EVR_FRAMES_SIZE / 2 : EVR_USED_ONCE)) {
			if (end > t->frames_floor)
				t->frames_floor = end;
			evr_vec_push(&t->left, *l);
		}
		t->locals.len--;
	}
	note_held(t);
	t->fast.frames_top = (uintptr_t)mark > t->frames_floor ? (uintptr_t)mark : t->frames_floor;
}

static struct evr_local *local_at(struct evr_thread *t, uintptr_t address)
{
	for (size_t i = t->locals.len; i-- > 0;)
		if (t->locals.data[i].address == address)
			return &t->locals.data[i];
	return NULL;
}

/* Each time it is another object. It lies where the one before did, unless that is contended: then its life stays over. */
void *evr_scope_begin(void *before, void *room, void *variable, uint64_t size, uint64_t align)
{
	uintptr_t address = (uintptr_t)before;
	if (!before && room)
		return begin_at(evr_current, (uintptr_t)room, variable, size);
	struct evr_local *l = local_at(evr_current, address);
	if (!l || (l->left && evr_is_contended(address)))
		return evr_frame_alloc(variable, size, align);
	l->left = NULL;
	l->block = false;
	evr_shadow_create(address, size, false);
	return before;
}

void evr_scope_end(void *local, void *site)
{
	struct evr_local *l = local_at(evr_current, (uintptr_t)local);
	if (!l || l->left)
		return;
	l->block = true;
	end_life(evr_current, l, site);
}

void evr_frame_abandon(struct evr_thread *t, const struct evr_site *site)
{
	size_t before = t->left.len;
	evr_frame_leave((void *)t->frames, (void *)(uintptr_t)site);
	for (size_t i = before; i < t->left.len; i++)
		t->left.data[i].abandoned = true;
}

/* How far the address is away from the local: 0 within it. The gap before it is the one behind another. */
static size_t distance_to(const struct evr_local *l, uintptr_t address)
{
	if (address < l->address)
		return l->address - address;
	return address - l->address < l->size ? 0 : address - l->address - l->size + 1;
}

const struct evr_local *evr_frame_near(uintptr_t address)
{
	unsigned id = (unsigned)((address - EVR_FRAMES) / EVR_FRAMES_SIZE);
	if (!evr_in_frames(address) || id >= evr_rt.world.threads)
		return NULL;
	const struct evr_thread *t = evr_rt.threads[id];
	const struct evr_local *best = NULL;
	size_t least = EVR_FRAMES_GAP + 1;
	for (size_t i = 0; i < t->locals.len + t->left.len; i++) {
		const struct evr_local *l = i < t->locals.len ? &t->locals.data[i] : &t->left.data[i - t->locals.len];
		size_t distance = distance_to(l, address);
		if (distance < least) {
			best = l;
			least = distance;
		}
	}
	return best;
}
