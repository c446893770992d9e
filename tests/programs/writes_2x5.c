// 2 threads of 5 writes to one variable: (2*5)!/(5!)^2 = 252.
// everett: -DN=2 -DK=5
// executions: sc/none:252
// finding: none
#include "writes.h"
