// Three critical sections: 3! = 6 orders.
// everett: -DTHREADS=work,work,work -DSUM=3
// executions: sc/none:6 sc/traces:6 tso/traces:6 pso/traces:6
// finding: none
#include "mutex_counter.h"
