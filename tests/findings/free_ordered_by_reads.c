// The free comes before the load of x after it, and that, if it reads 1 although the other thread stores 2 after having read 1
// too, before the store of 2: then the second reader cannot but find the memory freed, although nothing that it reads says so.
// everett: -k -I../programs
// executions: sc/none:140 sc/traces:16 sc/rf:14
// finding: use-after-free at free_ordered_by_reads.c:13, use-after-free at free_ordered_by_reads.c:27
#include "run.h"
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, *p;
static int a, b;
THREAD(reads)
{
	(void)atomic_load(p);
	return argument;
}
THREAD(frees)
{
	atomic_store(&x, 1);
	free((void *)p);
	a = atomic_load(&x);
	return argument;
}
THREAD(stores_and_reads)
{
	b = atomic_load(&x);
	atomic_store(&x, 2);
	(void)atomic_load(p);
	return argument;
}
int main(void)
{
	p = malloc(sizeof(*p));
	atomic_init(p, 7);
	RUN(reads, frees, stores_and_reads);
	return 0;
}
