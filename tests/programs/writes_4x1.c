// 4 threads of 1 writes to one variable: (4*1)!/(1!)^4 = 24.
// everett: -DN=4 -DK=1
// executions: sc/none:24 sc/traces:24 tso/traces:24 pso/traces:24
// finding: none
#include "writes.h"
