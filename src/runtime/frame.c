/*
 * Locals whose address may leave their function lie in their thread's frame arena, at addresses that follow from the
 * thread's own history; the machine stack holds nothing that another thread could see. A gap between variables makes an
 * access just outside of one an access to nothing.
 */
#include "runtime/hooks.h"
#include "runtime/runtime.h"
#include "runtime/shadow.h"

#define GAP 16

void evr_frame_begin(struct evr_thread *t)
{
	t->frames_top = t->frames_floor = t->frames;
	evr_vec_clear(&t->locals);
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
	evr_vec_push(&t->locals, (struct evr_local){ address, size, variable });
	evr_shadow_create(address, size, false);
	return (void *)address;
}

/* Another thread may be using the local at the same time: then this is an event, as free() is. */
void evr_frame_give_back(uintptr_t address, size_t size, const struct evr_site *site)
{
	if (!size || !evr_shadow_leave(address, size))
		return;
	evr_event_begin(EVR_FREE, address, size, site)->op = EVR_REUSED;
	evr_event_wait(true);
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
		if (evr_shadow_destroy(l->address, l->size) && l->address + l->size < t->frames + EVR_FRAMES_SIZE / 2 &&
		    l->address + l->size > t->frames_floor)
			t->frames_floor = l->address + l->size;
		t->locals.len--;
	}
	t->frames_top = (uintptr_t)mark > t->frames_floor ? (uintptr_t)mark : t->frames_floor;
}
