/*
 * The __atomic_* functions that compilers call for objects they have no instruction for.
 *
 * Up to 16 bytes an access is one event. A larger object is accessed as libatomic does it, piece by piece under a lock that
 * the program knows nothing of; each object has its own. For races the lock counts as nothing: the pieces have the memory
 * order that the program named, and synchronise by themselves.
 */
#include "base/map.h"
#include "runtime/hooks.h"
#include "runtime/libc/wrappers.h"
#include "runtime/orders.h"
#include "runtime/runtime.h"
#include "runtime/sync/sync.h"

#include <string.h>

/* ---- sites ---- */

const struct evr_site *evr_site_as(const struct evr_site *site, enum evr_order order, unsigned flags)
{
	static EVR_LASTING struct evr_map variants; /* kept for good, as the events that name them may be */
	flags |= site->flags;
	if (site->order == order && site->flags == flags)
		return site;
	/* An address has 48 bits. */
	uint64_t key = (uint64_t)(uintptr_t)site << 11 | (uint64_t)order << 8 | flags;
	const uint64_t *known = evr_map_get(&variants, key);
	if (known)
		return (const struct evr_site *)(uintptr_t)*known;
	struct evr_site *s = evr_alloc(sizeof(*s));
	*s = *site;
	s->order = (uint8_t)order;
	s->flags = (uint8_t)flags;
	evr_map_put(&variants, key, (uintptr_t)s);
	return s;
}

static enum evr_order order_of(int order)
{
	static const enum evr_order orders[] = { EVR_RELAXED, EVR_ACQUIRE, EVR_ACQUIRE,
						 EVR_RELEASE, EVR_ACQ_REL, EVR_SEQ_CST };
	return order >= 0 && order < (int)EVR_COUNT(orders) ? orders[order] : EVR_SEQ_CST;
}

/* Others may run before the fence, and call something else. */
static const struct evr_site *call_site(void)
{
	const struct evr_site *site = evr_call_site;
	if (site->flags & EVR_SITE_FENCED)
		evr_fence(evr_orders_fence(site));
	return site;
}

/* The order may be known at run time only. */
static const struct evr_site *site_of(int order)
{
	const struct evr_site *site = call_site();
	return evr_orders_is_changed(site) ? site : evr_site_as(site, order_of(order), 0);
}

static const struct evr_site *cas_site(int success, int failure)
{
	const struct evr_site *site = call_site();
	if (evr_orders_is_changed(site))
		return site;
	return evr_site_as(site, order_of(success), order_of(failure) * EVR_SITE_FAILURE);
}

/* ---- the locks of large objects ---- */

struct lock {
	uint32_t word;
	uint32_t size; /* of the object */
	uintptr_t object;
};

/* Found from the object's address, so that it is the same lock in every run. Pages that nobody uses cost nothing. */
static EVR_MEMORY struct lock locks[1 << 20];

static struct lock *lock_of(uintptr_t object)
{
	return &locks[evr_hash64(object) % EVR_COUNT(locks)];
}

uintptr_t evr_atomic_locked(uintptr_t address, size_t *size)
{
	uintptr_t offset = address - (uintptr_t)locks;
	if (offset >= sizeof(locks))
		return 0;
	const struct lock *l = &locks[offset / sizeof(locks[0])];
	*size = l->size;
	return l->object;
}

static void lock_event(enum evr_event_kind kind, uintptr_t object, const struct evr_site *site)
{
	struct lock *l = lock_of(object);
	evr_event_arrive(kind, (uintptr_t)l, sizeof(l->word), evr_site_as(site, EVR_PLAIN, 0))->lock = EVR_LOCK_ATOMIC;
	evr_event_wait(true);
}

/* Returns whether others see it: then it must be unlocked. */
static bool lock(uintptr_t object, size_t size, bool write, const struct evr_site *site)
{
	bool visible = evr_access_visible(object, size, write, site);
	const struct evr_site *where = site;
	evr_current->guarded = visible && evr_section_enter(object, size, &where);
	evr_rt.locked_atomics = true;
	lock_of(object)->object = object;
	lock_of(object)->size = (uint32_t)size;
	if (visible)
		lock_event(EVR_LOCK, object, site);
	else
		evr_drain(site);
	return visible;
}

static void unlock(bool visible, uintptr_t object, const struct evr_site *site)
{
	if (visible)
		lock_event(EVR_UNLOCK, object, site);
	if (evr_current->guarded)
		evr_section_accessed(site);
	evr_current->guarded = false;
}

/* Put the new bytes there and get the old ones. Each piece is a read-modify-write: it continues release sequences. */
static void exchange_pieces(uintptr_t object, size_t size, const char *bytes, char *old, const struct evr_site *site)
{
	site = evr_site_as(site, site->order, EVR_SITE_PARTIAL);
	for (size_t i = 0, n; i < size; i += n) {
		n = 8;
		while (n > size - i || (object + i) % n)
			n /= 2;
		evr_value operand = evr_memory_load((uintptr_t)bytes + i, (unsigned)n);
		evr_value before = evr_access_rmw(object + i, n, operand, EVR_RMW_XCHG, site);
		evr_memory_store((uintptr_t)old + i, (unsigned)n, before);
	}
}

/* ---- objects of any size; what they are given lies in memory ---- */

static bool is_large(size_t size)
{
	return size > sizeof(evr_value);
}

static evr_value fetch(const void *from, size_t size, const struct evr_site *site)
{
	evr_value value = 0;
	evr_access_read(&value, from, size, site);
	return value;
}

/* The thread may never come back from an access, so it is not for the caller to free. */
static char *scratch(size_t size)
{
	/* It is used while others run, and may be elsewhere the next time. */
	evr_execution.has_scratch = true;
	evr_vec_reserve(&evr_current->scratch, size);
	return evr_current->scratch.data;
}

/* The program's operands are no atomic objects. */
static const struct evr_site *plain(const struct evr_site *site)
{
	return evr_site_as(site, EVR_PLAIN, 0);
}

void evr_libc___atomic_load(size_t size, const void *from, void *to, int order)
{
	const struct evr_site *site = site_of(order);
	uintptr_t object = (uintptr_t)from;
	if (!is_large(size)) {
		evr_value value = evr_access_load(object, size, site);
		evr_access_write(to, &value, size, plain(site));
		return;
	}
	char *bytes = scratch(size);
	bool locked = lock(object, size, false, site);
	evr_access_read(bytes, from, size, site);
	unlock(locked, object, site);
	evr_access_write(to, bytes, size, plain(site));
}

void evr_libc___atomic_store(size_t size, void *to, const void *from, int order)
{
	const struct evr_site *site = site_of(order);
	uintptr_t object = (uintptr_t)to;
	if (!is_large(size)) {
		evr_access_store(object, size, fetch(from, size, plain(site)), site);
		return;
	}
	char *bytes = scratch(size);
	evr_access_read(bytes, from, size, plain(site));
	bool locked = lock(object, size, true, site);
	evr_access_write(to, bytes, size, site);
	unlock(locked, object, site);
}

void evr_libc___atomic_exchange(size_t size, void *to, const void *value, void *old, int order)
{
	const struct evr_site *site = site_of(order);
	uintptr_t object = (uintptr_t)to;
	if (!is_large(size)) {
		evr_value operand = fetch(value, size, plain(site));
		evr_value before = evr_access_rmw(object, size, operand, EVR_RMW_XCHG, site);
		evr_access_write(old, &before, size, plain(site));
		return;
	}
	char *bytes = scratch(2 * size);
	evr_access_read(bytes, value, size, plain(site));
	bool locked = lock(object, size, true, site);
	exchange_pieces(object, size, bytes, bytes + size, site);
	unlock(locked, object, site);
	evr_access_write(old, bytes + size, size, plain(site));
}

/* `found` is what the object held. */
static bool exchange_if(uintptr_t object, size_t size, const char *expected, const char *desired, char *found,
			const struct evr_site *site)
{
	bool locked = lock(object, size, true, site);
	evr_access_read(found, (const void *)object, size, evr_site_as(site, evr_site_failure(site), 0));
	bool same = !memcmp(found, expected, size);
	if (same)
		exchange_pieces(object, size, desired, found, site);
	unlock(locked, object, site);
	return same;
}

static bool compare_exchange(uintptr_t object, size_t size, void *expected, evr_value desired,
			     const struct evr_site *site)
{
	evr_value wanted = fetch(expected, size, plain(site));
	evr_value before = evr_access_cas(object, size, wanted, desired, site);
	if (before == wanted)
		return true;
	evr_access_write(expected, &before, size, plain(site));
	return false;
}

/* Which of them are weak nobody tells us. */
static void note_strength(void)
{
	evr_rt.strong_cas |= evr_rt.config.spurious_cas > 0;
}

_Bool evr_libc___atomic_compare_exchange(size_t size, void *object, void *expected, const void *desired, int success,
					 int failure)
{
	const struct evr_site *site = cas_site(success, failure);
	note_strength();
	if (!is_large(size))
		return compare_exchange((uintptr_t)object, size, expected, fetch(desired, size, plain(site)), site);
	char *bytes = scratch(3 * size);
	evr_access_read(bytes, expected, size, plain(site));
	evr_access_read(bytes + size, desired, size, plain(site));
	char *found = bytes + 2 * size;
	bool same = exchange_if((uintptr_t)object, size, bytes, bytes + size, found, site);
	if (!same)
		evr_access_write(expected, found, size, plain(site));
	return same;
}

_Bool evr_libc___atomic_is_lock_free(size_t size, const volatile void *object)
{
	(void)object;
	return size <= 16 && (size & (size - 1)) == 0;
}

/* ---- objects of a size that the function's name tells ---- */

#define FETCH(name, op, size, type) \
	type evr_libc___atomic_##name##_##size(void *object, type operand, int order) \
	{ \
		return (type)evr_access_rmw((uintptr_t)object, size, operand, op, site_of(order)); \
	}

#define FETCH_BOTH(name, op, size, type) \
	FETCH(fetch_##name, op, size, type) \
	type evr_libc___atomic_##name##_fetch_##size(void *object, type operand, int order) \
	{ \
		evr_value old = evr_access_rmw((uintptr_t)object, size, operand, op, site_of(order)); \
		return (type)evr_rmw_result(op, old, operand, size); \
	}

#define SIZED(size, type) \
	type evr_libc___atomic_load_##size(const void *from, int order) \
	{ \
		return (type)evr_access_load((uintptr_t)from, size, site_of(order)); \
	} \
	void evr_libc___atomic_store_##size(void *to, type value, int order) \
	{ \
		evr_access_store((uintptr_t)to, size, value, site_of(order)); \
	} \
	_Bool evr_libc___atomic_compare_exchange_##size(void *object, void *expected, type desired, int success, \
							int failure) \
	{ \
		note_strength(); \
		return compare_exchange((uintptr_t)object, size, expected, desired, cas_site(success, failure)); \
	} \
	FETCH(exchange, EVR_RMW_XCHG, size, type) \
	FETCH_BOTH(add, EVR_RMW_ADD, size, type) \
	FETCH_BOTH(sub, EVR_RMW_SUB, size, type) \
	FETCH_BOTH(and, EVR_RMW_AND, size, type) \
	FETCH_BOTH(nand, EVR_RMW_NAND, size, type) \
	FETCH_BOTH(or, EVR_RMW_OR, size, type) \
	FETCH_BOTH(xor, EVR_RMW_XOR, size, type)

SIZED(1, uint8_t)
SIZED(2, uint16_t)
SIZED(4, uint32_t)
SIZED(8, uint64_t)
SIZED(16, evr_value)
