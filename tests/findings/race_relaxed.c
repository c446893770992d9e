// Message passing through a relaxed flag: the flag does not synchronise, whatever the model makes of it.
// The reader sees the flag or not. SC: the flag is read before, between or after the two writes: 3. TSO: the same of the two
// updates. PSO: updates in order 3; flag first: before it 1, between 2 (the data read before or after its update), after 1:
// 7 in all. RA: the flag's source is one of two, the data's then given: 2.
// everett: -I../programs --races -k
// executions: sc/none:3 tso/none:3 pso/none:7 ra/none:2
// finding: race at race_relaxed.c:23
#include "run.h"
#include <stdatomic.h>
static int data;
static atomic_int flag;
THREAD(writer)
{
	data = 1;
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return argument;
}
THREAD(reader)
{
	static int sum;
	if (!atomic_load_explicit(&flag, memory_order_relaxed))
		return argument;
	sum += data;
	return argument;
}
int main(void)
{
	RUN(writer, reader);
	return 0;
}
