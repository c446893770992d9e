// 2 threads of 1 writes to one variable: (2*1)!/(1!)^2 = 2.
// everett: -DN=2 -DK=1
// executions: sc/none:2 sc/traces:2 tso/traces:2 pso/traces:2
// finding: none
#include "writes.h"
