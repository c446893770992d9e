// Atomic objects of more than 16 bytes are copied while others run. What an execution leaves of such a copy must not get into the next one: with --check, each runs
// once more from somewhere in the middle.
// executions: sc/rf:13 tso/traces:13 rc11/rf:13
// finding: none
#include "run.h"
#include <stdatomic.h>
struct row {
	int at[8];
};
static _Atomic struct row row;
static atomic_int x, y;
static int seen[2];
static struct row all(int value)
{
	struct row r;
	for (int i = 0; i < 8; i++)
		r.at[i] = value;
	return r;
}
static int one_of(struct row r)
{
	for (int i = 1; i < 8; i++)
		assert(r.at[i] == r.at[0]);
	return r.at[0];
}
THREAD(writes)
{
	atomic_store(&y, 1);
	atomic_store(&row, all(1));
	atomic_store(&row, all(2));
	seen[0] = atomic_load(&x);
	return argument;
}
THREAD(reads)
{
	atomic_store(&x, 1);
	int early = atomic_load(&y), before = one_of(atomic_load(&row)), after = one_of(atomic_load(&row));
	assert(before <= after && after <= 2 * (early || after));
	seen[1] = before * 10 + after;
	return argument;
}
int main(void)
{
	RUN(writes, reads);
	assert(one_of(row) == 2);
	return 0;
}
