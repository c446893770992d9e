/* The __atomic_* functions that compilers call for objects they have no instruction for. */
#include "runtime/hooks.h"
#include "runtime/runtime.h"
#include "runtime/wrappers.h"

#include <string.h>

static void refuse_large(size_t size, const struct evr_site *site)
{
	if (size > sizeof(evr_value))
		evr_unsupported(site, "an atomic object of %zu bytes: at most 16 are supported", size);
}

static evr_value fetch(const void *from, size_t size, const struct evr_site *site)
{
	evr_value value = 0;
	evr_access_read(&value, from, size, site);
	return value;
}

void evr_libc___atomic_load(size_t size, const void *from, void *to, int order)
{
	const struct evr_site *site = evr_call_site;
	(void)order;
	refuse_large(size, site);
	evr_value value = evr_access_load((uintptr_t)from, size, site);
	evr_access_write(to, &value, size, site);
}

void evr_libc___atomic_store(size_t size, void *to, const void *from, int order)
{
	const struct evr_site *site = evr_call_site;
	(void)order;
	refuse_large(size, site);
	evr_access_store((uintptr_t)to, size, fetch(from, size, site), site);
}

void evr_libc___atomic_exchange(size_t size, void *object, const void *value, void *old, int order)
{
	const struct evr_site *site = evr_call_site;
	(void)order;
	refuse_large(size, site);
	evr_value before = evr_access_rmw((uintptr_t)object, size, fetch(value, size, site), EVR_RMW_XCHG, site);
	evr_access_write(old, &before, size, site);
}

_Bool evr_libc___atomic_compare_exchange(size_t size, void *object, void *expected, const void *desired, int success,
					 int failure)
{
	const struct evr_site *site = evr_call_site;
	(void)success, (void)failure;
	refuse_large(size, site);
	evr_value wanted = fetch(expected, size, site);
	evr_value before = evr_access_cas((uintptr_t)object, size, wanted, fetch(desired, size, site), site);
	if (before == wanted)
		return 1;
	evr_access_write(expected, &before, size, site);
	return 0;
}

_Bool evr_libc___atomic_is_lock_free(size_t size, const volatile void *object)
{
	(void)object;
	return size <= 16 && (size & (size - 1)) == 0;
}

evr_value evr_libc___atomic_load_16(const void *from, int order)
{
	(void)order;
	return evr_access_load((uintptr_t)from, 16, evr_call_site);
}

void evr_libc___atomic_store_16(void *to, evr_value value, int order)
{
	(void)order;
	evr_access_store((uintptr_t)to, 16, value, evr_call_site);
}

_Bool evr_libc___atomic_compare_exchange_16(void *object, void *expected, evr_value desired, int success, int failure)
{
	const struct evr_site *site = evr_call_site;
	(void)success, (void)failure;
	evr_value wanted = fetch(expected, 16, site);
	evr_value before = evr_access_cas((uintptr_t)object, 16, wanted, desired, site);
	if (before == wanted)
		return 1;
	evr_access_write(expected, &before, 16, site);
	return 0;
}

#define FETCH_16(name, op) \
	evr_value evr_libc___atomic_##name##_16(void *object, evr_value operand, int order) \
	{ \
		(void)order; \
		return evr_access_rmw((uintptr_t)object, 16, operand, op, evr_call_site); \
	}

FETCH_16(exchange, EVR_RMW_XCHG)
FETCH_16(fetch_add, EVR_RMW_ADD)
FETCH_16(fetch_sub, EVR_RMW_SUB)
FETCH_16(fetch_and, EVR_RMW_AND)
FETCH_16(fetch_nand, EVR_RMW_NAND)
FETCH_16(fetch_or, EVR_RMW_OR)
FETCH_16(fetch_xor, EVR_RMW_XOR)
