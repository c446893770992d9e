// The exchange must read the upper byte from the addition, and that one 0, for the last load to find what was exchanged and the
// first one not to, when both came before the store. 5!/3! orders; the last load and the addition commute where they are neighbours, in 4
// of them, and all others differ in their sources.
// executions: sc/none:20 sc/traces:16 sc/rf:16
// finding: none
#include "run.h"
#include <stdatomic.h>
#include <stdint.h>
static union {
	_Atomic uint16_t whole;
	_Atomic uint8_t byte[2];
} u;
THREAD(mixes)
{
	(void)atomic_load(&u.whole);
	atomic_store(&u.byte[1], 2);
	(void)atomic_load(&u.byte[0]);
	return argument;
}
THREAD(exchanges)
{
	atomic_exchange(&u.whole, 0x102);
	return argument;
}
THREAD(adds)
{
	atomic_fetch_add(&u.byte[1], 0);
	return argument;
}
int main(void)
{
	RUN(mixes, exchanges, adds);
	return 0;
}
