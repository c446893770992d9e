/*
 * Locals whose address may leave their function lie in their thread's frame arena, at addresses that follow from the
 * thread's own history; the machine stack holds nothing that another thread could see. A gap between variables makes an
 * access just outside of one an access to nothing.
 */
#include "runtime/hooks.h"
#include "runtime/runtime.h"
#include "runtime/shadow.h"

#define GAP 16

/*
 * So much of a thread's arena is used only once in an execution, so that whoever has kept the address of a local finds
 * nothing there after its function has returned, not the next function's local. It is little enough to stay in the cache.
 */
#define USED_ONCE (64 << 10)

void evr_frame_begin(struct evr_thread *t)
{
	t->frames_top = t->frames_floor = t->frames;
	evr_vec_clear(&t->locals);
	evr_vec_clear(&t->left);
}

void *evr_frame_enter(void)
{
	return (void *)evr_current->frames_top;
}

void *evr_frame_alloc(void *variable, uint64_t size, uint64_t align)
{
	struct evr_thread *t = evr_current;
	uintptr_t address = t->frames_top + GAP;
	if (align < 16)
		align = 16;
	address = (address + align - 1) & ~(uintptr_t)(align - 1);
	if (address > t->frames_limit || size > t->frames_limit - address)
		evr_fail("crash", t->site, "stack overflow: the locals of thread %u need more than %u MiB", t->id,
			 (unsigned)(EVR_FRAMES_SIZE >> 20));
	t->frames_top = address + size;
	evr_vec_push(&t->locals, (struct evr_local){ address, size, variable, NULL, false });
	evr_shadow_create(address, size, false);
	return (void *)address;
}

/* Another thread may be using the local at the same time: then this is an event, as free() is. */
void evr_frame_give_back(uintptr_t address, size_t size, const struct evr_site *site)
{
	if (!size || !evr_shadow_leave(address, size))
		return;
	const struct evr_site *where = site;
	bool guarded = evr_section_enter(address, size, &where);
	evr_event_begin(EVR_FREE, address, size, where)->op = EVR_REUSED;
	evr_event_wait(true);
	if (guarded)
		evr_section_accessed(site);
}

void evr_frame_leave(void *mark, void *site)
{
	struct evr_thread *t = evr_current;
	while (t->locals.len && evr_vec_last(&t->locals).address > (uintptr_t)mark) {
		struct evr_local *l = &evr_vec_last(&t->locals);
		evr_frame_give_back(l->address, l->size, site);
		/*
		 * What was shared is not used again in this execution: the next function's locals would be taken for shared,
		 * too. Unless there is so much of it that the arena would run out.
		 */
		bool shared = evr_shadow_destroy(l->address, l->size);
		uintptr_t end = l->address + l->size;
		if (end < t->frames + (shared ? EVR_FRAMES_SIZE / 2 : USED_ONCE)) {
			if (end > t->frames_floor)
				t->frames_floor = end;
			l->left = site;
			evr_vec_push(&t->left, *l);
		}
		t->locals.len--;
	}
	t->frames_top = (uintptr_t)mark > t->frames_floor ? (uintptr_t)mark : t->frames_floor;
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
		return l->address - address + 1;
	return address - l->address < l->size ? 0 : address - l->address - l->size + 1;
}

const struct evr_local *evr_frame_near(uintptr_t address)
{
	unsigned id = (unsigned)((address - EVR_FRAMES) / EVR_FRAMES_SIZE);
	if (!evr_in_frames(address) || id >= evr_rt.world.threads)
		return NULL;
	const struct evr_thread *t = evr_rt.threads[id];
	const struct evr_local *best = NULL;
	size_t least = GAP + 1;
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
