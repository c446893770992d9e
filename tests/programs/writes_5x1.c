// 5 threads of 1 writes to one variable: (5*1)!/(1!)^5 = 120.
// everett: -DN=5 -DK=1
// executions: sc/none:120 sc/traces:120 tso/traces:120 pso/traces:120
// finding: none
#include "writes.h"
