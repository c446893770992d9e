/*
 * What memory orders cost, in tenths of what a plain access that hits the cache does: rough, but what is free is exactly 0. From what compilers emit:
 *
 *             x86-64                       AArch64 with LSE
 *   load      mov, whatever the order      ldr; acquire ldapr or ldar; seq_cst ldar, which waits for earlier stlr
 *   store     mov; seq_cst xchg            str; release and seq_cst stlr
 *   rmw, cas  lock, whatever the order     ldadd, ...; acquire and release suffixes a and l, each for itself
 *   failure   lock                         decided by the stronger of both orders: counted for what it acquires
 *   fence     none but seq_cst, mfence     acquire dmb ishld; all others dmb ish
 *
 * A fence that is added is never free: to change an order is the smaller change of the source.
 */
#include "driver/weaken.h"

enum { LOAD, STORE, EXCHANGE, FAILURE, FENCE, OPERATIONS };
enum { ADDED = 10 }; /* the least that a fence costs that is added */

static const struct {
	const char *name;
	unsigned cost[OPERATIONS][EVR_SEQ_CST + 1]; /* by order: plain, relaxed, acquire, release, acq_rel, seq_cst */
} targets[] = {
	{ "x86-64", { [STORE] = { 0, 0, 0, 0, 0, 200 }, [FENCE] = { 0, 0, 0, 0, 0, 300 } } },
	{ "aarch64",
	  { [LOAD] = { 0, 0, 10, 0, 0, 20 },
	    [STORE] = { 0, 0, 0, 20, 0, 20 },
	    [EXCHANGE] = { 0, 0, 10, 10, 20, 20 },
	    [FAILURE] = { 0, 0, 10, 0, 0, 10 },
	    [FENCE] = { 0, 0, 50, 100, 100, 100 } } },
};

const char *evr_order_target(const char *name)
{
#ifdef __aarch64__
	const char *own = "aarch64";
#else
	const char *own = "x86-64";
#endif
	for (size_t i = 0; i < EVR_COUNT(targets); i++)
		if (!strcmp(targets[i].name, name ? name : own))
			return targets[i].name;
	return NULL;
}

static unsigned operation_of(const struct evr_result_site *s)
{
	static const char *const names[] = { [LOAD] = "load", [STORE] = "store", [FENCE] = "fence" };
	if (evr_result_site_added(s))
		return FENCE;
	if (strstr(s->operation, " failure"))
		return FAILURE;
	for (unsigned i = 0; i < EVR_COUNT(names); i++)
		if (names[i] && !strcmp(s->operation, names[i]))
			return i;
	return EXCHANGE;
}

unsigned evr_order_cost(const char *target, const struct evr_result_site *s, unsigned order)
{
	unsigned cost = 0;
	for (size_t i = 0; i < EVR_COUNT(targets); i++)
		if (!strcmp(targets[i].name, target))
			cost = targets[i].cost[operation_of(s)][order];
	return !cost && order != EVR_RELAXED && evr_result_site_added(s) ? ADDED : cost;
}
