// 1 threads of 9 writes to one variable: (1*9)!/(9!)^1 = 1.
// everett: -DN=1 -DK=9
// executions: sc/none:1
// finding: none
#include "writes.h"
