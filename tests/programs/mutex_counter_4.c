// Four critical sections: 4! = 24 orders.
// everett: -DTHREADS=work,work,work,work -DSUM=4
// executions: sc/none:24 sc/traces:24 sc/rvf:24 tso/traces:24 pso/traces:24
// finding: none
#include "mutex_counter.h"
