// 2 threads of 2 writes to one variable: (2*2)!/(2!)^2 = 6.
// everett: -DN=2 -DK=2
// executions: sc/none:6 sc/traces:6 tso/traces:6 pso/traces:6
// finding: none
#include "writes.h"
