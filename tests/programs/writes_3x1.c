// 3 threads of 1 writes to one variable: (3*1)!/(1!)^3 = 6.
// everett: -DN=3 -DK=1
// executions: sc/none:6 sc/traces:6 tso/traces:6 pso/traces:6
// finding: none
#include "writes.h"
