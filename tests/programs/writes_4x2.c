// 4 threads of 2 writes to one variable: (4*2)!/(2!)^4 = 2520.
// everett: -DN=4 -DK=2
// executions: sc/none:2520
// finding: none
#include "writes.h"
