// 3 threads of 2 writes to one variable: (3*2)!/(2!)^3 = 90.
// everett: -DN=3 -DK=2
// executions: sc/none:90 sc/traces:90 tso/traces:90 pso/traces:90
// finding: none
#include "writes.h"
