// 2 threads of 3 writes to one variable: (2*3)!/(3!)^2 = 20.
// everett: -DN=2 -DK=3
// executions: sc/none:20 sc/traces:20 tso/traces:20 pso/traces:20
// finding: none
#include "writes.h"
