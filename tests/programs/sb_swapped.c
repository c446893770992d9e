// The same threads created in the other order: the count does not change.
// everett: -DSWAP
// executions: sc/none:6
// finding: none
#include "sb.c"
