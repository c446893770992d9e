// Each thread has one critical section, lock, read, write, unlock, which nobody can enter in between: 2! = 2 orders.
// everett: -DTHREADS=work,work -DSUM=2
// executions: sc/none:2 sc/traces:2 tso/traces:2 pso/traces:2
// finding: none
#include "mutex_counter.h"
