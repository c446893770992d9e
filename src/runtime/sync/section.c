/*
 * Atomic sections: everett_atomic_begin/end, __VERIFIER_atomic_begin/end, and functions named __VERIFIER_atomic_*.
 *
 * Engines and models know nothing of them. A section takes a lock and releases it, and an access outside of sections to a
 * byte that some section uses is a section of its own: lock, access, unlock. So nobody sees a section half done. Which
 * bytes sections use is learned, as it is learned which bytes are shared: the search starts again.
 *
 * Sections that have no byte in common do not exclude each other. Bytes, and the places where sections begin, form groups:
 * all bytes that a section which begins there ever used belong to the place's group, and each group has a lock. A thread
 * never holds more than one of these.
 *
 * Invariant: whoever learns something while a section is open ends the execution at once. Hence no execution goes on in
 * which a section is not atomic, and what is learned is learned from real executions.
 */
#include "runtime/hooks.h"
#include "runtime/libc/wrappers.h"
#include "runtime/memory/shadow.h"
#include "runtime/runtime.h"
#include "runtime/sync/sync.h"

/*
 * Found from the group's lowest byte, so that it is the same lock whatever was learned first. Should two groups share one, their
 * sections exclude each other, and that is all.
 */
static EVR_MEMORY struct lock {
	uint32_t word;
	uintptr_t lowest;
} locks[1 << 20];

static uint32_t add(uintptr_t what, bool is_byte)
{
	if (is_byte)
		evr_cell(what)->flags |= EVR_CELL_SECTION;
	return evr_learn_member(&evr_rt.world.knowledge, what, is_byte);
}

static uint32_t find_group(uintptr_t what)
{
	return evr_find_group(&evr_rt.world.knowledge, what);
}

uintptr_t evr_section_locked(uintptr_t address)
{
	uintptr_t offset = address - (uintptr_t)locks;
	return offset < sizeof(locks) ? locks[offset / sizeof(locks[0])].lowest : 0;
}

void evr_sections_renew(void)
{
	const struct evr_knowledge *k = &evr_rt.world.knowledge;
	evr_rt.sections |= k->members.len > 0;
	for (size_t i = 0; i < k->members.len; i++)
		if (k->members.data[i].is_byte)
			evr_cell(k->members.data[i].what)->flags |= EVR_CELL_SECTION;
}

/* ---- the locks ---- */

static void lock_event(unsigned kind, uintptr_t lock, const struct evr_site *site)
{
	struct evr_event *e = evr_event_arrive(kind, lock, sizeof(locks[0].word), evr_site_as(site, EVR_PLAIN, 0));
	e->lock = EVR_LOCK_SECTION;
	evr_event_wait(true);
}

static void take(uint32_t root, const struct evr_site *site)
{
	uintptr_t lowest = evr_rt.world.knowledge.members.data[root].lowest;
	struct lock *l = &locks[evr_hash64(lowest) % EVR_COUNT(locks)];
	l->lowest = lowest;
	lock_event(EVR_LOCK, (uintptr_t)l, site);
	evr_current->section_lock = (uintptr_t)l;
}

static void release(const struct evr_site *site)
{
	uintptr_t lock = evr_current->section_lock;
	evr_current->section_lock = 0;
	if (lock)
		lock_event(EVR_UNLOCK, lock, site);
}

/* Something was learned, and this execution must not go on without knowing it. */
static void start_again(void)
{
	evr_execution.stop = true;
	evr_current->state = EVR_STUCK;
	for (;;)
		evr_yield();
}

/* ---- sections ---- */

void evr_section_begin(void *p)
{
	struct evr_thread *t = evr_current;
	const struct evr_site *site = p;
	if (t->sections++)
		return;
	evr_rt.sections = true;
	t->section_site = (uintptr_t)site;
	evr_vec_clear(&t->section_mutexes);
	uint32_t root = find_group((uintptr_t)site);
	if (root != EVR_NO_GROUP)
		take(root, site);
	evr_execution.open_sections++;
}

static void leave(const struct evr_site *site)
{
	evr_execution.open_sections--;
	release(site);
}

void evr_section_end(void *p)
{
	const struct evr_site *site = p;
	if (!evr_current->sections)
		evr_fail("mutex-misuse", site, "the end of an atomic section that never began");
	if (--evr_current->sections == 0)
		leave(site);
}

void evr_section_unwind(unsigned depth, const struct evr_site *site)
{
	bool open = evr_current->sections > 0;
	if (evr_current->sections > depth)
		evr_current->sections = depth;
	if (open && !depth)
		leave(site);
}

/* All shared bytes of the range belong to the open section. */
static void use(uintptr_t address, size_t size)
{
	uint32_t group = find_group(evr_current->section_site);
	bool news = false;
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8) {
		uint8_t mask = evr_cell(word)->shared & evr_mask_in(word, address, size);
		for (unsigned i = 0; mask >> i; i++) {
			if (!(mask >> i & 1) || (group != EVR_NO_GROUP && find_group(word + i) == group))
				continue;
			group = add(evr_current->section_site, false);
			evr_learn_same_group(&evr_rt.world.knowledge, group, add(word + i, true));
			group = find_group(evr_current->section_site);
			news = true;
		}
	}
	if (news)
		start_again();
}

/* The group of the bytes, which become one if they are several. */
static uint32_t group_of(uintptr_t address, size_t size)
{
	uint32_t root = EVR_NO_GROUP;
	bool news = false;
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8) {
		uint8_t mask = evr_mask_in(word, address, size);
		if (!(evr_cell(word)->flags & EVR_CELL_SECTION))
			continue;
		for (unsigned i = 0; mask >> i; i++) {
			uint32_t other = mask >> i & 1 ? find_group(word + i) : EVR_NO_GROUP;
			if (other == EVR_NO_GROUP)
				continue;
			if (root != EVR_NO_GROUP && other != root) {
				evr_learn_same_group(&evr_rt.world.knowledge, root, other);
				news = true;
			}
			root = find_group(word + i);
		}
	}
	if (news)
		start_again();
	return root;
}

bool evr_section_access(uintptr_t address, size_t size, const struct evr_site **site)
{
	struct evr_thread *t = evr_current;
	if (t->sections) {
		use(address, size);
		if (*site)
			*site = evr_site_as(*site, (*site)->order, EVR_SITE_SECTION);
		return false;
	}
	uint32_t root = t->section_lock ? EVR_NO_GROUP : group_of(address, size);
	if (root == EVR_NO_GROUP)
		return false;
	take(root, *site);
	return true;
}

void evr_section_accessed(const struct evr_site *site)
{
	release(site);
}

/* ---- what the program calls ---- */

void evr_libc_everett_atomic_begin(void)
{
	evr_section_begin((void *)(uintptr_t)evr_call_site);
}

void evr_libc_everett_atomic_end(void)
{
	evr_section_end((void *)(uintptr_t)evr_call_site);
}

void evr_libc___VERIFIER_atomic_begin(void)
{
	evr_libc_everett_atomic_begin();
}

void evr_libc___VERIFIER_atomic_end(void)
{
	evr_libc_everett_atomic_end();
}
