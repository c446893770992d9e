// A struct of 24 bytes is stored atomically, but copied by plain accesses: the copy can be torn. The same with atomic loads is
// programs/atomics_large.c. Each of three reads finds the old or the new piece: 2 * 2 * 2. They lie anywhere among the store's
// five events, lock, three writes, unlock: 8!/(5!3!).
// everett: --keep-going --no-races
// executions: sc/none:56 sc/rf:8 tso/traces:8 ra/rf:8
// finding: assertion at atomics_torn.c:23
#include "../programs/run.h"
#include <stdatomic.h>
struct three {
	long a, b, c;
};
static struct three shared;
THREAD(writer)
{
	struct three new = { 1, 1, 1 };
	__atomic_store(&shared, &new, __ATOMIC_SEQ_CST);
	return argument;
}
THREAD(reader)
{
	struct three copy = shared;
	/* The first pieces can come from before the store, the others from after it. */
	assert(copy.a == copy.b && copy.b == copy.c);
	return argument;
}
int main(void)
{
	RUN(writer, reader);
	return 0;
}
