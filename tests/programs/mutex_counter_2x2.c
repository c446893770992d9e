// Two threads of two critical sections: 4!/(2!2!) = 6 orders.
// everett: -DTHREADS=work,work -DSUM=4 -DROUNDS=2
// executions: sc/none:6 sc/traces:6 tso/traces:6 pso/traces:6
// finding: none
#include "mutex_counter.h"
