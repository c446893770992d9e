/*
 * liburcu itself, in the flavour mb or, if QSBR, qsbr: an object that is no longer reachable is freed after synchronize_rcu; no reader is then
 * still using it.
 * WRONG=1: nobody waits. WRONG=2: the reader goes on using it behind its section. WRONG=3: the reader's
 * barriers keep the compiler from reordering, and nobody else.
 */
#include "real.h"

/* Read-side functions are compiled into the reader, as in most programs that use them. */
#define _LGPL_SOURCE
#if WRONG == 3
#undef cmm_smp_mb
#define cmm_smp_mb() cmm_barrier()
#endif
#ifdef QSBR
#include <urcu-qsbr.h>
#else
#define RCU_MB
#include <urcu.h>
#endif

struct object {
	int value;
};
static struct object *shared;

static void *read_object(void *unused)
{
	rcu_register_thread();
	rcu_read_lock();
	struct object *o = rcu_dereference(shared);
	if (WRONG == 2) {
		rcu_read_unlock();
#ifdef QSBR
		rcu_quiescent_state();
#endif
	}
	assert(o->value == 1 || o->value == 2);
	if (WRONG != 2)
		rcu_read_unlock();
	rcu_unregister_thread();
	return unused;
}

static struct object *make(int value)
{
	struct object *o = malloc(sizeof *o);
	o->value = value;
	return o;
}

int main(void)
{
	struct object *old = shared = make(1);
	pthread_t reader = start(read_object, NULL);
	struct object *new = make(2);
	rcu_assign_pointer(shared, new);
	if (WRONG != 1)
		synchronize_rcu();
	free(old);
	finish(reader);
	return 0;
}
