// A thread ends the program with a status that depends on who was faster; each function that does so is at fault at its call.
// The store and the load of x: read 0 or 1. What is chosen then: three functions and none.
// everett: -k -I../programs
// executions: sc/none:5 sc/traces:5 sc/rf:5 tso/traces:5 tso/rf:5 ra/rf:5
// finding: exit at exit_thread.c:18, exit at exit_thread.c:20, exit at exit_thread.c:22
#include "run.h"
#include <everett.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_int x;
THREAD(looks)
{
	if (!atomic_load(&x))
		return argument;
	switch (everett_choose(4)) {
	case 0:
		_Exit(1);
	case 1:
		quick_exit(2);
	case 2:
		exit(3);
	default:
		_exit(0);
	}
}
THREAD(sets)
{
	atomic_store(&x, 1);
	return argument;
}
int main(void)
{
	RUN(looks, sets);
	return 0;
}
