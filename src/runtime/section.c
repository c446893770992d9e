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
#include "base/map.h"
#include "runtime/hooks.h"
#include "runtime/runtime.h"
#include "runtime/shadow.h"
#include "runtime/sync.h"
#include "runtime/wrappers.h"

/* A byte of the program's memory, or the struct evr_site of a place where sections begin. */
struct node {
	uintptr_t what;
	bool is_byte;
	uint32_t parent; /* its own index: the root of a group */
	uintptr_t lowest; /* of a root: the lowest byte of its group, 0 if there is none */
};

static EVR_VEC(struct node) nodes;
static struct evr_map numbers; /* what -> index in nodes */

/*
 * Found from the group's lowest byte, so that it is the same lock whatever was learned first. Should two groups share one, their
 * sections exclude each other, and that is all.
 */
static struct lock {
	uint32_t word;
	uintptr_t lowest;
} locks[1 << 20];

/* ---- groups ---- */

static uint32_t root_of(uint32_t i)
{
	while (nodes.data[i].parent != i)
		i = nodes.data[i].parent = nodes.data[nodes.data[i].parent].parent;
	return i;
}

/* The root of its group; false if it is in none. */
static bool find_group(uintptr_t what, uint32_t *root)
{
	const uint64_t *known = evr_map_get(&numbers, what);
	if (known)
		*root = root_of((uint32_t)*known);
	return known;
}

static uint32_t add(uintptr_t what, bool is_byte)
{
	uint32_t i = (uint32_t)nodes.len;
	if (find_group(what, &i))
		return i;
	evr_vec_push(&nodes, (struct node){ what, is_byte, i, is_byte ? what : 0 });
	evr_map_put(&numbers, what, i);
	if (is_byte)
		evr_cell(what)->flags |= EVR_CELL_SECTION;
	return i;
}

/* The older root stays: what a group is called does not depend on who joins it. */
static void join(uint32_t a, uint32_t b)
{
	struct node *to = &nodes.data[a < b ? a : b], *from = &nodes.data[a < b ? b : a];
	if (to == from)
		return;
	from->parent = to->parent;
	if (!to->lowest || (from->lowest && from->lowest < to->lowest))
		to->lowest = from->lowest;
}

void evr_section_add(uint64_t group, uintptr_t what, bool is_byte)
{
	static struct evr_map first; /* of each group */
	uint32_t i = add(what, is_byte);
	const uint64_t *other = evr_map_get(&first, group);
	if (other)
		join(root_of((uint32_t)*other), i);
	else
		evr_map_put(&first, group, i);
	evr_rt.sections = true;
}

size_t evr_section_known(size_t i, uintptr_t *what, bool *is_byte)
{
	if (i >= nodes.len)
		return SIZE_MAX;
	*what = nodes.data[i].what;
	*is_byte = nodes.data[i].is_byte;
	return root_of((uint32_t)i);
}

uintptr_t evr_section_locked(uintptr_t address)
{
	uintptr_t offset = address - (uintptr_t)locks;
	return offset < sizeof(locks) ? locks[offset / sizeof(locks[0])].lowest : 0;
}

void evr_sections_renew(void)
{
	for (size_t i = 0; i < nodes.len; i++)
		if (nodes.data[i].is_byte)
			evr_cell(nodes.data[i].what)->flags |= EVR_CELL_SECTION;
}

/* ---- the locks ---- */

static void lock_event(unsigned kind, uintptr_t lock, const struct evr_site *site)
{
	struct evr_event *e = evr_event_begin(kind, lock, sizeof(locks[0].word), evr_site_as(site, EVR_PLAIN, 0));
	e->op = EVR_LOCK_SECTION;
	evr_event_wait(true);
}

static void take(uint32_t root, const struct evr_site *site)
{
	uintptr_t lowest = nodes.data[root].lowest;
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
	evr_rt.restart = evr_rt.cut = true;
	evr_current->state = EVR_STUCK;
	for (;;)
		evr_yield();
}

/* ---- sections ---- */

void evr_section_begin(void *p)
{
	struct evr_thread *t = evr_current;
	const struct evr_site *site = p;
	uint32_t root;
	if (t->sections++)
		return;
	evr_rt.sections = true;
	t->section_place = (uintptr_t)site;
	evr_vec_clear(&t->section_mutexes);
	if (find_group((uintptr_t)site, &root))
		take(root, site);
	evr_rt.open_sections++;
}

static void leave(const struct evr_site *site)
{
	evr_rt.open_sections--;
	release(site);
}

void evr_section_end(void *p)
{
	const struct evr_site *site = p;
	if (!evr_current->sections)
		evr_fail("mutex-misuse", site, "the end of an atomic section that was not begun");
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
	uint32_t own = UINT32_MAX, other;
	bool news = false;
	find_group(evr_current->section_place, &own);
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8) {
		uint8_t mask = evr_cell(word)->shared & evr_mask_in(word, address, size);
		for (unsigned i = 0; mask >> i; i++) {
			if (!(mask >> i & 1) || (find_group(word + i, &other) && other == own))
				continue;
			own = add(evr_current->section_place, false);
			join(own, add(word + i, true));
			own = root_of(own);
			news = true;
		}
	}
	if (news)
		start_again();
}

/* The group of the bytes, which become one if they are several. False if no section uses any of them. */
static bool group_of(uintptr_t address, size_t size, uint32_t *root)
{
	bool found = false, news = false;
	uint32_t other;
	for (uintptr_t word = address & ~(uintptr_t)7; word < address + size; word += 8) {
		uint8_t mask = evr_mask_in(word, address, size);
		if (!(evr_cell(word)->flags & EVR_CELL_SECTION))
			continue;
		for (unsigned i = 0; mask >> i; i++) {
			if (!(mask >> i & 1) || !find_group(word + i, &other))
				continue;
			if (found && other != *root) {
				join(*root, other);
				news = true;
			}
			*root = root_of(other);
			found = true;
		}
	}
	if (news)
		start_again();
	return found;
}

bool evr_section_access(uintptr_t address, size_t size, const struct evr_site **site)
{
	struct evr_thread *t = evr_current;
	uint32_t root = 0;
	if (t->sections) {
		use(address, size);
		if (*site)
			*site = evr_site_as(*site, (*site)->order, EVR_SITE_SECTION);
		return false;
	}
	if (t->section_lock || !group_of(address, size, &root))
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
